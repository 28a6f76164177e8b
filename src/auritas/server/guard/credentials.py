"""Third line: what a request shows to be let in: a bearer token (RFC 6750), or the cookie of a browser (RFC 6265)."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

COOKIE = "auritas_session"
"""Name of the cookie, before the mark of the installation."""
_MARK = 8
COOKIE_LASTS_S = 400 * 24 * 3600
"""As long as browsers keep one; the session itself ends earlier, or when it is revoked."""
_TRIED_AT_MOST = 3
"""Other programs on this machine can set cookies of our name, but not so many that ours is buried in work."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What was shown. bearer: whether in Authorization, else as a cookie. secrets: to be tried in this order."""

    bearer: bool
    secrets: tuple[str, ...]


def cookie_name(home: Path) -> str:
    """Return what the cookie is called in this installation: a browser sends the cookies of all ports of a host."""
    return f"{COOKIE}_{hashlib.sha256(str(home.absolute()).encode()).hexdigest()[:_MARK]}"


def shown(authorizations: Sequence[str], cookies: Sequence[str], name: str = COOKIE) -> Shown | None:
    """Return what the headers show, None for nothing. Where Authorization is there, cookies do not count.

    name: of our cookie; one without a mark is taken as well, after it.
    """
    if authorizations:
        return Shown(bearer=True, secrets=_bearer(authorizations))
    found = _named(cookies, name, COOKIE)[:_TRIED_AT_MOST]
    return Shown(bearer=False, secrets=found) if found else None


def _bearer(authorizations: Sequence[str]) -> tuple[str, ...]:
    if len(authorizations) != 1:
        return ()
    scheme, _, secret = authorizations[0].partition(" ")
    return (secret.strip(),) if scheme.lower() == "bearer" and secret.strip() else ()


def _named(cookies: Sequence[str], *names: str) -> tuple[str, ...]:
    pairs = [pair.partition("=") for header in cookies for pair in header.split(";")]
    return tuple(value.strip() for each in dict.fromkeys(names) for name, _, value in pairs if name.strip() == each)


def cookie(secret: str, name: str = COOKIE, *, secure: bool) -> str:
    """Return the Set-Cookie header that hands a browser its session. secure: over TLS."""
    return _set(name, secret, COOKIE_LASTS_S, secure=secure)


def no_cookie(name: str = COOKIE, *, secure: bool) -> str:
    """Return the Set-Cookie header that takes the session away."""
    return _set(name, "", 0, secure=secure)


def _set(name: str, value: str, lasts_s: int, *, secure: bool) -> str:
    end = "; Secure" if secure else ""
    return f"{name}={value}; Max-Age={lasts_s}; Path=/; HttpOnly; SameSite=Strict{end}"
