"""Second line: which page sent a request. Only our own pages may change something or follow a stream.

A browser says where a request comes from by Sec-Fetch-Site (W3C Fetch Metadata) or Origin (RFC 6454); what says neither
is no browser, and needs a token anyway. Another port of this machine is the same site and another origin: refused.
"""

from collections.abc import Sequence

SAFE = frozenset({"GET", "HEAD"})
_WELCOME = frozenset({"same-origin", "none"})


def is_welcome(sites: Sequence[str], origins: Sequence[str], own: str) -> bool:
    """Whether a request comes from our own page or from no page.

    sites, origins: all values of the two headers. own: our origin, from the scheme and the Host that was let through.
    """
    if sites:
        return all(site in _WELCOME for site in sites)
    return all(origin == own for origin in origins)


def own_origin(scheme: str, host: str) -> str:
    """Return the origin of pages that this server answers; default ports are left out, as browsers do."""
    name = host.lower()
    for default, port in (("http", ":80"), ("https", ":443")):
        if scheme == default:
            name = name.removesuffix(port)
    return f"{scheme}://{name}"
