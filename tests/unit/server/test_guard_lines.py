"""The guard's rules one by one: hosts, origins, credentials, rates, bodies, headers."""

import ast
import inspect
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.app.access import Access
from auritas.app.install_token import InstallToken
from auritas.server.guard.bodies import announced
from auritas.server.guard.credentials import COOKIE, cookie, cookie_name, no_cookie, shown
from auritas.server.guard.headers import policy, secured
from auritas.server.guard.hosts import LOOPBACK, HostName, is_ours, parse_host
from auritas.server.guard.labels import label_of
from auritas.server.guard.origins import is_welcome, own_origin
from auritas.server.guard.rates import Bucket, Limiter, RateClass, Rates, address_of, take

PORT = 7117
names = st.sampled_from(sorted(LOOPBACK))
ports = st.integers(1, 65535)


@given(names, ports)
def test_a_host_reads_as_it_was_written(name: str, port: int):
    """A Host header gives back its name and port, in any case of letters (W1)."""
    assert parse_host(f"{name.upper()}:{port}") == HostName(name, port)
    assert parse_host(name) == HostName(name, None)


@given(st.text(max_size=60))
def test_any_host_is_read_or_refused(text: str):
    """No text breaks the reading of a Host, and what is read holds no more than a name and a port (W1)."""
    found = parse_host(text)
    if found is not None:
        again = found.name if found.port is None else f"{found.name}:{text.rpartition(':')[2]}"
        assert again == text.lower()


@given(st.text(max_size=40), ports)
def test_only_our_names_at_our_port_are_ours(text: str, port: int):
    """Exactly the loopback names with the server's own port pass, whatever else a Host says (W1)."""
    ours = {f"{name}:{port}" for name in LOOPBACK}
    assert is_ours([text], LOOPBACK, port, "http") == (text.lower() in ours) or text.lower() in LOOPBACK
    for host in ours:
        assert is_ours([host], LOOPBACK, port, "http")
        assert not is_ours([host, host], LOOPBACK, port, "http")
        assert not is_ours([f"{host}0"], LOOPBACK, port, "http")
        assert not is_ours([f"evil.{host}"], LOOPBACK, port, "http")


@pytest.mark.parametrize(
    "host",
    ["", "evil.test:7117", "127.0.0.1.evil.test:7117", "localhost.:7117", "127.0.0.1@evil.test:7117", "127.0.0.1:7117 ",
     "127.0.0.1:07117x", "127.1:7117", "[::]:7117", "0.0.0.0:7117", "localhost:80", "localhost"],
)  # fmt: skip
def test_no_other_name_is_ours(host: str):
    """A page that had its name point to this machine still says that name, and is sent away (W1)."""
    assert not is_ours([host], LOOPBACK, PORT, "http")


def test_a_default_port_needs_not_be_named_and_a_socket_has_no_name():
    """At port 80 or 443 a Host without a port is ours; at a unix socket any is: no page gets there (W1)."""
    assert is_ours(["localhost"], LOOPBACK, 80, "http")
    assert is_ours(["home.test"], {"home.test"}, 443, "https")
    assert not is_ours(["localhost"], LOOPBACK, 443, "http")
    assert is_ours(["whatever"], LOOPBACK, None, "http")
    assert not is_ours([], LOOPBACK, PORT, "http")


@given(
    st.lists(st.sampled_from(["same-origin", "none", "same-site", "cross-site", "", "SAME-ORIGIN"]), max_size=2),
    st.lists(st.sampled_from(["http://127.0.0.1:7117", "http://evil.test", "null", ""]), max_size=2),
)
def test_where_a_request_comes_from(sites: list[str], origins: list[str]):
    """The browser's word on the site counts first, then Origin; what says neither is no browser (W1)."""
    own = "http://127.0.0.1:7117"
    expected = set(sites) <= {"same-origin", "none"} if sites else set(origins) <= {own}
    assert is_welcome(sites, origins, own) == expected


@given(names, ports, st.sampled_from(["http", "https"]))
def test_our_origin_is_what_browsers_say(name: str, port: int, scheme: str):
    """Our own origin has the scheme, the name in small letters, and no default port (RFC 6454) (W1)."""
    default = {"http": 80, "https": 443}[scheme]
    wanted = f"{scheme}://{name}" if port == default else f"{scheme}://{name}:{port}"
    assert own_origin(scheme, f"{name.upper()}:{port}") == wanted


@given(st.lists(st.text(st.characters(max_codepoint=255), max_size=30), max_size=3),
       st.lists(st.text(st.characters(max_codepoint=255), max_size=60), max_size=3))  # fmt: skip
def test_any_credentials_are_read_or_left(authorizations: list[str], cookies: list[str]):
    """No header breaks the reading of credentials, and none makes it try more than three secrets (W1)."""
    found = shown(authorizations, cookies)
    assert found is None or len(found.secrets) <= 3


def test_a_bearer_token_goes_before_cookies():
    """One Authorization header counts, in any case of its scheme; with it cookies count for nothing (W1)."""
    mine = f"a=b; {COOKIE}=one; {COOKIE}=two"
    for header, secrets in (("Bearer x", ("x",)), ("bearer x", ("x",)), ("Basic x", ()), ("Bearer", ()), ("", ())):
        found = shown([header], [mine])
        assert found is not None
        assert (found.bearer, found.secrets) == (True, secrets)
    twice = shown(["Bearer x", "Bearer y"], [mine])
    assert twice is not None
    assert not twice.secrets
    only = shown([], [mine])
    assert only is not None
    assert (only.bearer, only.secrets) == (False, ("one", "two"))
    assert shown([], ["a=b"]) is None


def test_each_installation_has_a_cookie_of_its_own():
    """Two servers on one host leave each other's session alone, and each tries its own before an older one (W1)."""
    mine, other = cookie_name(Path("/homes/ada")), cookie_name(Path("/homes/bob"))
    assert mine != other
    found = shown([], [f"{COOKIE}=old; {other}=theirs", f"{mine}=mine"], mine)
    assert found is not None
    assert found.secrets == ("mine", "old")
    assert cookie("s", mine, secure=False).startswith(f"{mine}=s; ")


def test_the_cookie_is_out_of_reach():
    """The session lies in a cookie that no script reads and no other site sends, and over TLS only there (W1)."""
    assert cookie("s", secure=False) == f"{COOKIE}=s; Max-Age=34560000; Path=/; HttpOnly; SameSite=Strict"
    assert cookie("s", secure=True).endswith("; HttpOnly; SameSite=Strict; Secure")
    assert no_cookie(secure=False).startswith(f"{COOKIE}=; Max-Age=0; ")


@pytest.mark.parametrize("function", [Access.check, InstallToken.matches])
def test_secrets_are_compared_in_constant_time(function: Callable[..., object]):
    """Where a secret is checked, the last word has hmac.compare_digest, and no secret is compared by == (W1)."""
    tree = ast.parse(dedent(inspect.getsource(function)))
    calls = {
        node.func.attr for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
    assert "compare_digest" in calls
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.NotEq):
            assert not {"secret", "presented", "kept"} & {
                name.id for name in ast.walk(node) if isinstance(name, ast.Name)
            }


@given(st.integers(1, 500), st.lists(st.floats(0, 30), min_size=1, max_size=200))
def test_a_bucket_never_gives_more_than_it_earned(per_minute: int, waits: list[float]):
    """A caller gets at most one bucket and what has flowed in since; who waits, gets one (W1)."""
    bucket, now, taken = Bucket(per_minute, 0.0), 0.0, 0
    for wait in waits:
        now += wait
        bucket, asked_to_wait = take(bucket, per_minute, now)
        taken += not asked_to_wait
        if asked_to_wait:
            later, again = take(bucket, per_minute, now + asked_to_wait + 1e-6)
            assert not again
            assert later.left >= 0
    assert taken <= per_minute + now * per_minute / 60 + 1


def test_limits_are_for_each_caller_and_class():
    """120 asks pass and the 121st waits; another caller, and other kinds of work, have limits of their own (W1)."""
    limiter = Limiter(Rates())
    assert not any(limiter.wait_s("a", RateClass.ASKS, 0.0) for _ in range(120))
    assert limiter.wait_s("a", RateClass.ASKS, 0.0) == pytest.approx(0.5)
    assert not limiter.wait_s("b", RateClass.ASKS, 0.0)
    assert not limiter.wait_s("a", RateClass.READS, 0.0)
    assert not limiter.wait_s("a", RateClass.ASKS, 0.5)


def test_many_addresses_fill_no_memory():
    """Of callers beyond some thousands the one longest silent is forgotten (W1)."""
    limiter = Limiter(Rates())
    for number in range(5_000):
        limiter.wait_s(str(number), RateClass.FAILURES, 0.0)
    assert len(limiter._buckets) == 4_096


def test_who_sent_it_is_no_matter_of_headers():
    """X-Forwarded-For counts only from a proxy that was named, and then its last hop (W1)."""
    proxies = frozenset({"10.0.0.1"})
    assert address_of(("1.2.3.4", 5), ["9.9.9.9"], frozenset()) == "1.2.3.4"
    assert address_of(("1.2.3.4", 5), ["9.9.9.9"], proxies) == "1.2.3.4"
    assert address_of(("10.0.0.1", 5), ["6.6.6.6, 9.9.9.9", "10.0.0.1"], proxies) == "9.9.9.9"
    assert address_of(("10.0.0.1", 5), [], proxies) == "10.0.0.1"
    assert address_of(None, [], frozenset()) == "unix"


@given(st.text(max_size=30))
def test_an_announced_length_is_a_number_or_nothing(text: str):
    """What announces a length that cannot be one counts as too large, never as small (W1)."""
    assert announced([text]) == (int(text[:20]) if text.isascii() and text.isdigit() else -1)
    assert announced([]) == 0
    assert announced(["1", "2"]) == -1


def test_the_policy_is_the_one_that_was_agreed():
    """The Content-Security-Policy is word for word the contract's, with the nonce of its one answer (W1)."""
    assert policy("N") == (
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-N'; connect-src 'self'; "
        "img-src 'self' data: blob:; font-src 'self'; frame-src 'self'; manifest-src 'self'; worker-src 'self'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
        "trusted-types auritas"
    )


def test_every_answer_carries_the_headers():
    """Each answer has the headers; HTML gets the nonce; an answer's own policy stands; CORS goes (W1)."""
    json = dict(secured([(b"content-type", b"application/json"), (b"Access-Control-Allow-Origin", b"*")], "N"))
    assert b"nonce" not in json[b"content-security-policy"]
    assert json[b"cache-control"] == b"no-store"
    assert json[b"x-content-type-options"] == b"nosniff"
    assert json[b"referrer-policy"] == b"no-referrer"
    assert json[b"cross-origin-opener-policy"] == json[b"cross-origin-resource-policy"] == b"same-origin"
    assert b"camera=()" in json[b"permissions-policy"]
    assert not any(name.lower().startswith(b"access-control") for name in json)
    html = dict(secured([(b"content-type", b"text/html; charset=utf-8"), (b"cache-control", b"no-cache")], "N"))
    assert b"'nonce-N'" in html[b"content-security-policy"]
    assert html[b"cache-control"] == b"no-cache"
    own = dict(secured([(b"content-security-policy", b"sandbox")], "N"))
    assert own[b"content-security-policy"] == b"sandbox"


def test_a_session_is_named_after_its_browser():
    """A person tells sessions apart by browser and system (W1)."""
    linux = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36"
    assert label_of(linux) == "Chrome on Linux"
    assert label_of("Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0") == (
        "Firefox on Mac"
    )
    assert label_of("") == "Browser"
