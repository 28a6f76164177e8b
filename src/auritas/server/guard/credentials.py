"""Third line: what a request shows to be let in: a bearer token (RFC 6750), or the cookie of a browser (RFC 6265)."""

from collections.abc import Sequence
from dataclasses import dataclass

COOKIE = "auritas_session"
COOKIE_LASTS_S = 400 * 24 * 3600
"""As long as browsers keep one; the session itself ends earlier, or when it is revoked."""
_TRIED_AT_MOST = 3
"""Other programs on this machine can set cookies of our name, but not so many that ours is buried in work."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What was shown. bearer: whether in Authorization, else as a cookie. secrets: to be tried in this order."""

    bearer: bool
    secrets: tuple[str, ...]


def shown(authorizations: Sequence[str], cookies: Sequence[str]) -> Shown | None:
    """Return what the headers show, None for nothing. Where Authorization is there, cookies do not count."""
    if authorizations:
        return Shown(bearer=True, secrets=_bearer(authorizations))
    found = tuple(_named(cookies))[:_TRIED_AT_MOST]
    return Shown(bearer=False, secrets=found) if found else None


def _bearer(authorizations: Sequence[str]) -> tuple[str, ...]:
    if len(authorizations) != 1:
        return ()
    scheme, _, secret = authorizations[0].partition(" ")
    return (secret.strip(),) if scheme.lower() == "bearer" and secret.strip() else ()


def _named(cookies: Sequence[str]) -> list[str]:
    pairs = (pair.partition("=") for header in cookies for pair in header.split(";"))
    return [value.strip() for name, _, value in pairs if name.strip() == COOKIE]


def cookie(secret: str, *, secure: bool) -> str:
    """Return the Set-Cookie header that hands a browser its session. secure: over TLS."""
    return _set(secret, COOKIE_LASTS_S, secure=secure)


def no_cookie(*, secure: bool) -> str:
    """Return the Set-Cookie header that takes the session away."""
    return _set("", 0, secure=secure)


def _set(value: str, lasts_s: int, *, secure: bool) -> str:
    end = "; Secure" if secure else ""
    return f"{COOKIE}={value}; Max-Age={lasts_s}; Path=/; HttpOnly; SameSite=Strict{end}"
