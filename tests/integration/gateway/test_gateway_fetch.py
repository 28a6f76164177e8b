"""The guarded fetch against real servers: pinning, redirects, limits, certificates."""

import ssl
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from tests.unit.gateway.doubles import WHY, MemoryEgress
from tests.unit.gateway.provider import Hang, Provider, Reply

from auritas.gateway.adapters.fetch import FetchLimits, GuardedFetch, SystemResolver, complete
from auritas.gateway.adapters.http import Http
from auritas.gateway.errors import AddressRefused, FetchFailed, ProviderFailed
from auritas.gateway.guard import Guard, Pinned
from auritas.kernel.clock import SystemClock

pytestmark = pytest.mark.anyio

PUBLIC = "93.184.215.14"


@dataclass
class Names:
    """Each look-up gives the next list of addresses; the last one stays."""

    answers: list[Sequence[str]] = field(default_factory=lambda: [[PUBLIC]])
    asked: list[str] = field(default_factory=list)

    async def resolve(self, host: str) -> Sequence[str]:
        self.asked.append(host)
        return self.answers[min(len(self.asked), len(self.answers)) - 1]


class Rerouted(httpx2.AsyncHTTPTransport):
    """Puts a server of the test where a public address is, and notes which address was meant."""

    def __init__(self, port: int, meant: list[str], trust: ssl.SSLContext) -> None:
        super().__init__(verify=trust, trust_env=False)
        self._port, self._meant = port, meant

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self._meant.append(f"{request.url.host} {request.headers['host']} {request.extensions['sni_hostname']}")
        request.url = request.url.copy_with(host="127.0.0.1", port=self._port)
        return await super().handle_async_request(request)


@dataclass
class Web:
    """A fetcher whose public internet is one server."""

    provider: Provider
    names: Names = field(default_factory=Names)
    limits: FetchLimits = field(default_factory=FetchLimits)
    egress: MemoryEgress = field(default_factory=MemoryEgress)
    meant: list[str] = field(default_factory=list)
    trust: ssl.SSLContext | None = None

    async def fetch(self, url: str):
        http = Http(self.egress, trust=self.trust)

        def connect(pinned: Pinned) -> httpx2.AsyncBaseTransport:
            return Rerouted(self.provider.port, self.meant, http.trust())

        try:
            return await GuardedFetch(http, Guard(self.names), self.limits, connect).fetch(url, WHY)
        finally:
            await http.aclose()


def certificates(folder: Path, name: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return a server's context with a certificate for `name`, and a context that trusts its maker."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    now = SystemClock().now()
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert").write_bytes(made.public_bytes(Encoding.PEM))
    (folder / "key").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    server, client = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context(cafile=folder / "cert")
    server.load_cert_chain(folder / "cert", folder / "key")
    return server, client


def page(text: bytes, status: int = 200, **headers: str) -> Reply:
    return Reply([text], status=status, kind="text/html", headers=headers)


async def test_a_page_is_fetched_from_the_address_that_was_checked():
    """The name is looked up once, the connection goes to its address, and Host and certificate name are the name's."""
    async with Provider(page(b"<p>hi</p>")) as provider:
        web = Web(provider)
        found = await web.fetch("http://example.com/a?b=c#d")
    assert (found.body, found.status, found.content_type) == (b"<p>hi</p>", 200, "text/html")
    assert complete(found)
    assert web.meant == [f"{PUBLIC} example.com example.com"]
    assert web.names.asked == ["example.com"]
    assert provider.seen[0].path == "/a?b=c"


async def test_each_hop_is_in_the_ledger_under_its_name():
    """The record names the host that was meant, not the address, and leaves the query out."""
    replies = (page(b"", 302, location="/next?x=1"), page(b"ok"))
    async with Provider(*replies) as provider:
        web = Web(provider)
        found = await web.fetch("http://example.com/")
    assert found.hops == ("http://example.com/", "http://example.com/next?x=1")
    assert [(r.host, r.url, r.method, r.purpose) for r in web.egress.records] == [
        ("example.com", "http://example.com/", "GET", WHY),
        ("example.com", "http://example.com/next", "GET", WHY),
    ]
    assert list(web.egress.statuses.values()) == ["302", "200"]


@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1/",
        "http://169.254.169.254/latest/",
        "http://[::ffff:10.0.0.1]/",
        "//localhost/",
        "file:///etc/passwd",
        "http://example.com:22/",
        "http://0x7f.1/",
    ],
)
async def test_a_redirect_inside_is_refused(location: str):
    """Every hop is checked anew; the second request is never sent."""
    async with Provider(page(b"", 302, location=location)) as provider:
        web = Web(provider)
        with pytest.raises(AddressRefused):
            await web.fetch("http://example.com/")
        assert len(provider.seen) == 1


async def test_a_name_that_changes_its_mind_is_caught():
    """Between two hops a name may move inside: it is looked up and checked for each hop, and pinned in between."""
    async with Provider(page(b"", 302, location="/again")) as provider:
        web = Web(provider, Names([[PUBLIC], ["127.0.0.1"]]))
        with pytest.raises(AddressRefused, match="this machine"):
            await web.fetch("http://example.com/")
        assert len(provider.seen) == 1


async def test_the_certificate_must_be_that_of_the_name(tmp_path: Path):
    """Though the connection goes to an address, it is the name that must be proved."""
    server, trust = certificates(tmp_path, "example.com")
    async with Provider(page(b"ok"), tls=server) as provider:
        assert (await Web(provider, trust=trust).fetch("https://example.com/")).body == b"ok"
        with pytest.raises(ProviderFailed, match="prove who it is"):
            await Web(provider, trust=trust).fetch("https://other.com/")


async def test_encryption_is_not_given_up_on_the_way(tmp_path: Path):
    """A redirect from https to http is refused."""
    server, trust = certificates(tmp_path, "example.com")
    async with Provider(page(b"", 302, location="http://example.com/"), tls=server) as provider:
        with pytest.raises(AddressRefused, match="open one"):
            await Web(provider, trust=trust).fetch("https://example.com/")


async def test_redirects_end():
    """A page that leads to itself is given up."""
    async with Provider(page(b"", 301, location="/")) as provider:
        with pytest.raises(FetchFailed, match="without end"):
            await Web(provider).fetch("http://example.com/")
        assert len(provider.seen) == 6


async def test_a_large_page_is_cut_off_while_it_comes():
    """Size is counted as it arrives, whatever the header says."""
    async with Provider(Reply([b"x" * 1_000] * 1_000)) as provider:
        with pytest.raises(FetchFailed, match="larger than"):
            await Web(provider, limits=FetchLimits(max_bytes=10_000)).fetch("http://example.com/")


async def test_a_slow_page_is_cut_off():
    """There is one limit of time for all hops."""
    async with Provider(Reply([b"<p>", Hang()])) as provider:
        with pytest.raises((FetchFailed, ProviderFailed)):
            await Web(provider, limits=FetchLimits(seconds=0.3)).fetch("http://example.com/")


async def test_a_compressed_page_is_refused():
    """What was not asked for may be a bomb."""
    async with Provider(page(b"\x1f\x8b", 200, **{"content-encoding": "gzip"})) as provider:
        with pytest.raises(FetchFailed, match="compressed"):
            await Web(provider).fetch("http://example.com/")


async def test_an_error_page_says_so():
    """The status is kept, and a page that is an error is not complete."""
    async with Provider(page(b"gone", 404)) as provider:
        assert not complete(await Web(provider).fetch("http://example.com/"))


async def test_the_systems_names_are_guarded_too():
    """The real look-up of a local name leads to a refusal, and a name that is none has no address."""
    resolver = SystemResolver()
    assert set(await resolver.resolve("localhost")) <= {"127.0.0.1", "::1"}
    with pytest.raises(AddressRefused):
        await Guard(resolver).check("http://localhost/")
