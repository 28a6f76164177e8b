"""The files of the page."""

import gzip

import pytest
from starlette.datastructures import Headers

from auritas.server.static import Site, built, takes

HTML = Headers({"accept": "text/html,*/*"})
SCRIPT = b"console.log('choir');" * 100


@pytest.fixture
def site(tmp_path) -> Site:
    dist = tmp_path / "dist"
    (dist / "assets").mkdir(parents=True)
    (dist / "index.html").write_text('<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__">')
    (dist / "sw.js").write_text("self.skipWaiting()")
    (dist / "assets" / "index-Ab12Cd34.js").write_bytes(SCRIPT)
    (dist / "assets" / "index-Ab12Cd34.js.gz").write_bytes(gzip.compress(SCRIPT))
    (dist / "assets" / "index-Ab12Cd34.js.br").write_bytes(b"packed by brotli")
    (tmp_path / "secret.txt").write_text("key")
    (dist / "link.txt").symlink_to(tmp_path / "secret.txt")
    return Site(dist)


def test_the_page_carries_the_nonce_of_its_answer(site):
    """The index is written anew each time and never answered with "not modified", which would keep an old nonce."""
    first, second = (site.answer("/", HTML, nonce) for nonce in ("n1", "n2"))
    assert first is not None
    assert second is not None
    assert b'content="n1"' in first.body
    assert b'content="n2"' in second.body
    assert first.headers["cache-control"] == "no-cache"
    assert "etag" not in first.headers


def test_the_page_is_packed_with_its_nonce(tmp_path):
    """The index is sent packed, too, where the browser takes that; what it unpacks holds the nonce of its answer."""
    (tmp_path / "index.html").write_text('<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__">' + " " * 1_000)
    for accepted, coding in (("gzip, br", "gzip"), ("identity", None)):
        answer = Site(tmp_path).answer("/", Headers({"accept-encoding": accepted}), "n1")
        assert answer is not None
        assert answer.headers.get("content-encoding") == coding
        assert b'content="n1"' in (gzip.decompress(answer.body) if coding else answer.body)


@pytest.mark.parametrize("path", ["/memory", "/resolve/01JAV3", "/under-the-hood/audit"])
def test_an_address_within_the_page_is_the_page(site, path):
    """Whoever opens a link to a view gets the page, which reads the address itself."""
    answer = site.answer(path, HTML, "n")
    assert answer is not None
    assert answer.status_code == 200
    assert b"csp-nonce" in answer.body


def test_a_missing_file_is_not_the_page(site):
    """A script or picture that is not there is not answered with HTML."""
    assert site.answer("/assets/index-Zz98Yy76.js", Headers({"accept": "*/*"}), "n") is None


@pytest.mark.parametrize(
    ("accepted", "coding", "body"),
    [
        ("gzip, deflate, br", "br", b"packed by brotli"),
        ("gzip", "gzip", None),
        ("gzip;q=0", None, SCRIPT),
        ("br;q=0, gzip", "gzip", None),
        ("identity", None, SCRIPT),
        ("", None, SCRIPT),
    ],
)
def test_files_are_sent_as_they_were_packed(site, accepted, coding, body):
    """What the browser takes is chosen among the packed forms, and caches are told on what it depended."""
    answer = site.answer("/assets/index-Ab12Cd34.js", Headers({"accept-encoding": accepted}), "n")
    assert answer is not None
    assert answer.headers.get("content-encoding") == coding
    assert answer.headers["vary"] == "accept-encoding"
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert (answer.body if body else gzip.decompress(answer.body)) == (body or SCRIPT)


def test_what_its_name_fixes_is_kept_for_good_and_the_rest_is_asked_for_again(site):
    """Hashed files are immutable; the service worker is checked by its mark each time."""
    hashed = site.answer("/assets/index-Ab12Cd34.js", Headers({}), "n")
    worker = site.answer("/sw.js", Headers({}), "n")
    assert hashed is not None
    assert worker is not None
    assert hashed.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert worker.headers["cache-control"] == "no-cache"
    again = site.answer("/sw.js", Headers({"if-none-match": f'"x", {worker.headers["etag"]}'}), "n")
    assert again is not None
    assert (again.status_code, again.body) == (304, b"")


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "//etc/passwd",
        "/assets//index-Ab12Cd34.js",
        "/./sw.js",
        "/..%2fsecret.txt",
        "/assets\\..\\..\\secret.txt",
        "/sw.js\0.html",
        "/link.txt",
        "/assets",
        "/assets/",
        "/assets/index-Ab12Cd34.js.gz",
        "/SW.JS",
    ],
)
def test_no_path_leads_out_of_the_page(site, path):
    """Names are compared whole with those that were there at the start; nothing is looked up on the disk."""
    assert site.file(path) is None
    assert site.answer(path, Headers({"accept": "*/*"}), "n") is None


def test_a_page_that_is_not_built_says_how_to_build_it(tmp_path):
    """Without a built page the address answers with what to do, and the rest of the server works."""
    answer = Site(None).answer("/", HTML, "n")
    assert answer is not None
    assert answer.status_code == 503
    assert b"npm --prefix web run build" in answer.body
    assert built(tmp_path) is None


def test_the_page_is_found_in_a_package_and_in_a_checkout(tmp_path):
    """Inside the installed package first, else beside the sources."""
    here = tmp_path / "src" / "auritas" / "server"
    for folder in (tmp_path / "web" / "dist", here / "web"):
        folder.mkdir(parents=True)
        (folder / "index.html").touch()
        assert built(here) == folder


@pytest.mark.parametrize(
    ("header", "taken"), [("gzip", True), ("GZIP ; q=1", True), ("gzip;q=0.0", False), ("*", False)]
)
def test_what_is_taken_is_what_is_named(header, taken):
    """A coding is used where its name is there with a weight above nothing."""
    assert takes(header, "gzip") is taken
