"""Last line: what every answer tells a browser not to do."""

from collections.abc import Iterable, Sequence

from starlette.types import Message

Headers = Sequence[tuple[bytes, bytes]]

_ALWAYS: Headers = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (
        b"permissions-policy",
        (
            b"accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), "
            b"microphone=(), midi=(), payment=(), serial=(), usb=(), xr-spatial-tracking=()"
        ),
    ),
)
_STORED = b"cache-control"
_POLICY = b"content-security-policy"
_TYPE = b"content-type"


def policy(nonce: str = "") -> str:
    """Return the Content-Security-Policy. nonce: of the one HTML answer it belongs to."""
    style = f"'self' 'nonce-{nonce}'" if nonce else "'self'"
    return (
        f"default-src 'none'; script-src 'self'; style-src {style}; connect-src 'self'; img-src 'self' data: blob:; "
        "font-src 'self'; frame-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types auritas"
    )


_PLAIN_POLICY = policy().encode()


def secured(headers: Iterable[tuple[bytes, bytes]], nonce: str) -> list[tuple[bytes, bytes]]:
    """Return an answer's headers with ours. What it says of its own policy and caching stands; CORS never does."""
    kept = [(name, value) for name, value in headers if not name.lower().startswith(b"access-control-")]
    said = {name.lower(): value for name, value in kept}
    if _POLICY not in said:
        html = said.get(_TYPE, b"").startswith(b"text/html")
        kept.append((_POLICY, policy(nonce).encode() if html else _PLAIN_POLICY))
    if _STORED not in said:
        kept.append((_STORED, b"no-store"))
    kept.extend(pair for pair in _ALWAYS if pair[0] not in said)
    return kept


def with_headers(message: Message, nonce: str) -> Message:
    """Return the beginning of an answer with our headers; every other message as it is."""
    if message["type"] != "http.response.start":
        return message
    return {**message, "headers": secured(message.get("headers", ()), nonce)}
