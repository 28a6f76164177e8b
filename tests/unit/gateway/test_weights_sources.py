"""The sources behind a network: pip for wheels, HTTP for the model hub. Both speak to stand-ins of our own."""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.unit.gateway.weights_kit import CONTENT, ignore_fetch, ignore_progress, make_model, make_wheels

from auritas.gateway.adapters.sources_hub import HubSource
from auritas.gateway.adapters.sources_pip import PipDownload, find_pip
from auritas.gateway.adapters.weights import Weights
from auritas.gateway.downloads import Fetch, SourceError, WeightsUnavailableError
from auritas.gateway.manifest import HubFile

FAKE_PIP = """
import os, pathlib, shutil, sys
into = pathlib.Path(sys.argv[sys.argv.index("-d") + 1])
wanted = pathlib.Path(sys.argv[sys.argv.index("-r") + 1]).read_text()
package, version = wanted.split()[0].split("==")
print(" ".join(sys.argv[1:]), "|", wanted, "|", os.environ, file=open({log!r}, "a"))
if {fails}:
    sys.exit("noise\\nERROR: no such package")
shutil.copy(pathlib.Path({index!r}) / (package + "-" + version + "-py3-none-any.whl"), into)
"""


def fake_pip(tmp_path: Path, *, fails: bool = False) -> PipDownload:
    script = tmp_path / "fake_pip.py"
    text = FAKE_PIP.format(log=str(tmp_path / "log.txt"), index=str(tmp_path / "index"), fails=fails)
    script.write_text(text, encoding="utf-8")
    return PipDownload([sys.executable, str(script)])


def test_pip_is_asked_for_one_hashed_wheel_without_dependencies(tmp_path: Path):
    """Pip gets the exact version with its hash, may fetch nothing else, and sees none of our settings."""
    (part, *_) = make_wheels(tmp_path / "index")
    os.environ["AURITAS_PASSPHRASE_FILE"] = "not-for-children"
    (tmp_path / "into").mkdir()
    wheel = fake_pip(tmp_path)(part, tmp_path / "into", lambda _: None)
    said = (tmp_path / "log.txt").read_text(encoding="utf-8")
    assert wheel.read_bytes() == (tmp_path / "index" / wheel.name).read_bytes()
    assert f"part0==1.0 --hash=sha256:{part.sha256}" in said
    assert all(option in said for option in ("--no-deps", "--only-binary=:all:", "--require-hashes"))
    assert "not-for-children" not in said
    assert [p.name for p in (tmp_path / "into").iterdir()] == [wheel.name]


def test_the_host_of_the_index_is_the_one_that_pip_is_set_up_with(tmp_path: Path):
    """What leaves the machine is listed by its true host, as pip's own help names it, without name and password."""
    script = tmp_path / "says.py"
    address = "(default\\n      https://me:****@index.choir.example:8443/simple)"
    script.write_text(
        f'print("  -i, --index{"-"}url <url>  Base URL of the index\\n   {address}. More.")', encoding="utf-8"
    )
    assert PipDownload([sys.executable, str(script)]).host() == "index.choir.example"


@pytest.mark.parametrize("says", ["print('no such thing')", "raise SystemExit(2)"])
def test_where_pip_does_not_name_its_index_the_word_for_it_stands_there(says: str):
    """A pip that says nothing of an index is no reason not to fetch: the ledger names what it can."""
    assert PipDownload([sys.executable, "-c", says]).host() == "package index"


def test_when_pip_fails_its_own_words_are_passed_on(tmp_path: Path):
    """The reason that pip gives reaches the person, without its noise."""
    (part, *_) = make_wheels(tmp_path / "index")
    (tmp_path / "into").mkdir()
    with pytest.raises(SourceError, match=r"^pip failed: ERROR: no such package"):
        fake_pip(tmp_path, fails=True)(part, tmp_path / "into", lambda _: None)


def test_stopping_kills_pip(tmp_path: Path):
    """When the progress callback stops the download, no pip is left running."""
    (part, *_) = make_wheels(tmp_path / "index")
    (tmp_path / "into").mkdir()
    pid = tmp_path / "pid"
    script = f"import os, time; open({str(pid)!r}, 'w').write(str(os.getpid())); time.sleep(60)"

    def stop_once_it_runs(_: int) -> None:
        if pid.exists() and pid.read_text(encoding="utf-8"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        PipDownload([sys.executable, "-c", script])(part, tmp_path / "into", stop_once_it_runs)
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text(encoding="utf-8")), 0)


def test_some_pip_is_found_here():
    """On a machine where this project was set up there is a way to start pip."""
    assert find_pip()


class _Hub(BaseHTTPRequestHandler):
    """Serves one file with ranges, or breaks off after half of it."""

    def __init__(self, requests: list[str], breaks: list[bool], *args, **kwargs) -> None:
        self.requests = requests
        self.breaks = breaks
        super().__init__(*args, **kwargs)

    def do_GET(self) -> None:
        wanted = self.headers.get("Range", "")
        self.requests.append(f"{self.path} {wanted}".strip())
        start = int(wanted.removeprefix("bytes=").rstrip("-") or 0)
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(len(CONTENT) - start))
        self.end_headers()
        end = len(CONTENT) // 2 if self.breaks and self.breaks.pop() else len(CONTENT)
        self.wfile.write(CONTENT[start:end])
        self.close_connection = True

    def log_message(self, *args) -> None:
        """Tests are silent."""


@contextmanager
def hub(breaks: list[bool]) -> Iterator[tuple[str, list[str]]]:
    requests: list[str] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Hub, requests, breaks))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", requests
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


MODEL = make_model(hub=HubFile("someone/tiny-GGUF", "tiny.gguf"))


def test_the_hub_delivers_a_file_by_repository_and_name(tmp_path: Path):
    """One request fetches the file, and it is announced with host, name and size before."""
    fetched: list[Fetch] = []
    with hub([]) as (base, requests):
        Weights(tmp_path, [HubSource(base)], on_fetch=fetched.append).get(MODEL, ignore_progress)
    assert requests == ["/someone/tiny-GGUF/resolve/main/tiny.gguf"]
    assert [(f.to, f.what, f.bytes) for f in fetched] == [("127.0.0.1", "someone/tiny-GGUF/tiny.gguf", len(CONTENT))]
    assert (tmp_path / "tiny.gguf").read_bytes() == CONTENT


def test_a_broken_transfer_is_continued_by_range(tmp_path: Path):
    """A connection that breaks in the middle costs only the rest (E4)."""
    with hub([True]) as (base, requests):
        weights = Weights(tmp_path, [HubSource(base)], on_fetch=ignore_fetch)
        with pytest.raises(WeightsUnavailableError):
            weights.get(MODEL, ignore_progress)
        weights.get(MODEL, ignore_progress)
    assert requests[1].endswith(f"bytes={len(CONTENT) // 2}-")
    assert (tmp_path / "tiny.gguf").read_bytes() == CONTENT


def test_an_unreachable_hub_is_a_reason_and_no_wait(tmp_path: Path, free_port: int):
    """Where nobody listens the source gives up with a sentence, so that the next one is tried."""
    weights = Weights(tmp_path, [HubSource(f"http://127.0.0.1:{free_port}")], on_fetch=ignore_fetch)
    with pytest.raises(WeightsUnavailableError, match="model hub could not be read"):
        weights.get(MODEL, ignore_progress)


def test_a_hub_that_accepts_and_says_nothing_is_given_up(tmp_path: Path):
    """A connection without an answer ends after the time allowed for connecting."""
    import socket

    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        source = HubSource(f"http://127.0.0.1:{silent.getsockname()[1]}", connect_s=0.1)
        with pytest.raises(WeightsUnavailableError, match="did not answer within"):
            Weights(tmp_path, [source], on_fetch=ignore_fetch).get(MODEL, ignore_progress)
