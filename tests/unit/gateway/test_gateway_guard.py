"""The guard of addresses that come from data."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.gateway.errors import AddressRefused
from auritas.gateway.guard import Guard, parse, refusal

PUBLIC = "93.184.215.14"


@dataclass
class Names:
    """A resolver that knows what it is told, and counts what it is asked."""

    known: dict[str, Sequence[str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    async def resolve(self, host: str) -> Sequence[str]:
        self.asked.append(host)
        return self.known.get(host, ())


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.0.0.1/",
        "http://0177.0.0.1/",
        "http://127.0.0.01/",
        "http://0/",
        "http://127.0.0.1./",
        "http://[::1]/",
        "http://[::]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[::127.0.0.1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[64:ff9b:1::a00:1]/",
        "http://[2002:7f00:1::]/",
        "http://[2002:c0a8:101::1]/",
        "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
        "http://[fe80::1]/",
        "http://[fe80::1%25eth0]/",
        "http://[fc00::1]/",
        "http://[fd12:3456::1]/",
        "http://[ff02::1]/",
        "http://[2001:db8::1]/",
        "http://[2606:4700::5efe:127.0.0.1]/",
        "http://10.0.0.1/",
        "http://172.16.3.4/",
        "http://192.168.1.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://100.64.0.1/",
        "http://198.18.0.1/",
        "http://192.0.0.8/",
        "http://224.0.0.1/",
        "http://255.255.255.255/",
        "http://0.0.0.0/",
        "http://localhost/",
        "http://foo.localhost/",
        "http://printer.local/",
        "http://metadata.google.internal/",
        "http://router/",
        "http://\uff11\uff12\uff17.0.0.1/",
        "http://127。0。0。1/",
        "http://user@example.com/",
        "http://user:pass@example.com/",
        "http://example.com@127.0.0.1/",
        "http://example.com\\@127.0.0.1/",
        "http://example.com:22/",
        "http://example.com:8080/",
        "http://example.com:99999/",
        "http://exa%6dple.com/",
        "http://exa mple.com/",
        "http://example.com/\r\nHost: inside",
        "http://example.com/\t",
        "http:///etc/passwd",
        "http://",
        "http://-a.com/",
        "http://a..com/",
        "http://[::1/",
        "http://[1.2.3.4]/",
        "ftp://example.com/",
        "file:///etc/passwd",
        "gopher://example.com/",
        "javascript:alert(1)",
        "//example.com/",
        "example.com",
        "",
        "http://example.com/ü",
        "http://" + "a" * 3_000 + ".com/",
    ],
)
@pytest.mark.anyio
async def test_every_way_inside_is_refused(url: str):
    """Private, local, disguised and doubtful addresses are refused before any name is looked up."""
    names = Names({"example.com": [PUBLIC]})
    with pytest.raises(AddressRefused):
        await Guard(names).check(url)
    assert not names.asked


@pytest.mark.parametrize(
    ("url", "pinned"),
    [
        ("https://example.com", f"https://example.com/ {PUBLIC} 443"),
        ("HTTP://EXAMPLE.com:80/a?b=c#d", f"http://example.com/a?b=c {PUBLIC} 80"),
        ("https://bücher.example.com/", f"https://xn--bcher-kva.example.com/ {PUBLIC} 443"),
        (f"http://{PUBLIC}/x", f"http://{PUBLIC}/x {PUBLIC} 80"),
        ("https://[2606:4700:4700::1111]/", "https://[2606:4700:4700::1111]/ 2606:4700:4700::1111 443"),
        ("https://example.com./", f"https://example.com/ {PUBLIC} 443"),
    ],
)
@pytest.mark.anyio
async def test_public_pages_are_pinned_to_one_address(url: str, pinned: str):
    """What is allowed comes back in one form, with the address that was checked."""
    names = Names({"example.com": [PUBLIC], "xn--bcher-kva.example.com": [PUBLIC]})
    found = await Guard(names).check(url)
    assert f"{found.target.url} {found.address} {found.target.port}" == pinned
    assert len(names.asked) <= 1


@pytest.mark.parametrize(
    "addresses", [["10.0.0.1"], [PUBLIC, "127.0.0.1"], ["::1", PUBLIC], ["fe80::1%eth0"], [], ["?"]]
)
@pytest.mark.anyio
async def test_a_name_that_leads_inside_is_refused(addresses: list[str]):
    """All addresses of a name must be public; a mixture is refused, and so is a name without any."""
    with pytest.raises(AddressRefused):
        await Guard(Names({"example.com": addresses})).check("https://example.com/")


@given(st.integers(0, 2**32 - 1))
def test_what_the_library_calls_inside_is_never_public(number: int):
    """Our table refuses at least what the standard library knows as private, reserved or multicast."""
    ip = IPv4Address(number)
    if not ip.is_global or ip.is_multicast or ip.is_reserved:
        assert refusal(str(ip)) is not None


@given(st.integers(0, 2**32 - 1), st.sampled_from(["::ffff:0:0", "::", "64:ff9b::", "::ffff:0:0:0"]))
def test_no_ipv4_address_hides_inside_ipv6(number: int, prefix: str):
    """Every IPv4 address written as an IPv6 one is refused, public or not."""
    assert refusal(str(IPv6Address(int(IPv6Address(prefix)) + number))) is not None


@given(st.integers(0, 2**32 - 1))
def test_numbers_in_other_forms_are_never_a_host(number: int):
    """Decimal, hexadecimal and octal forms of any address are refused, so no two parsers can disagree."""
    for host in (str(number), hex(number), f"0{number:o}", f"0x{number >> 24:x}.{number & 0xFFFFFF}"):
        if host != str(IPv4Address(number)):
            with pytest.raises(AddressRefused):
                parse(f"http://{host}/")


@given(st.text(max_size=60))
def test_no_text_breaks_the_parser(text: str):
    """Any text is either an address in its one form or refused."""
    for url in (text, f"http://{text}", f"https://{text}/"):
        try:
            target = parse(url)
        except AddressRefused:
            continue
        assert target.host.isascii()
        assert target.url.isascii()
        assert parse(target.url) == target
