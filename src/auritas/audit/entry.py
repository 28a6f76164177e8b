"""From an event to the bytes that are hashed, and to the columns that are derived from them.

An entry is the RFC 8785 form of {v, seq, ts, kind, actor, refs, body_commit}. Every other column of its row is derived
from these seven and from the entry before it, so that a verifier can recompute the whole row.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from json.encoder import encode_basestring as quoted
from typing import TypeAlias

from auritas.audit.errors import EntryRefusedError
from auritas.audit.tiles import ENTRY_LIMIT
from auritas.audit.tree import HASH_BYTES
from auritas.kernel.canonical import Scalar, canonical
from auritas.kernel.log import LogEvent

VERSION = 1
SALT_BYTES = 16
CHAIN_START = bytes(HASH_BYTES)
"""What stands in place of an entry before the first one."""

TEXT_COLUMNS = ("session_id", "trace_id", "token_id", "field", "specialist")
NUMBER_COLUMNS = ("u_score", "confidence", "latency_ms")
MICROS_SUFFIX = "_micros"
_MICROS = 1_000_000
_SHORT = 2**53

Derived: TypeAlias = tuple[
    str | None, str | None, str | None, str | None, str | None, float | None, float | None, float | None
]


@dataclass(frozen=True, slots=True)
class Sealed:
    """What of an event stays for ever: its refs as canonical JSON, and the commitment to its body."""

    kind: str
    actor: str
    refs: str
    columns: Derived
    commit: str | None


def seal(event: LogEvent, salt: bytes) -> Sealed:
    """Return the lasting part of `event`. Raises EntryRefusedError when its refs cannot be columns."""
    return Sealed(
        event.kind.value,
        event.actor,
        refs_text(event.refs),
        columns(event.refs),
        commitment(salt, event.body) if event.body else None,
    )


def refs_text(refs: Mapping[str, Scalar]) -> str:
    """Return refs as canonical JSON: what `kernel.canonical` writes, with a short way for plain texts and integers."""
    parts = []
    for name in sorted(refs):
        value = refs[name]
        if type(value) is str and name.isascii():
            parts.append(f"{quoted(name)}:{quoted(value)}")
        elif type(value) is int and -_SHORT < value < _SHORT and name.isascii():
            parts.append(f"{quoted(name)}:{value}")
        elif value is None or isinstance(value, str | int):
            return canonical(refs).decode()
        else:
            raise EntryRefusedError(f"The ref {name!r} is a text, an integer, true, false or nothing, not {value!r}.")
    return "{" + ",".join(parts) + "}"


def commitment(salt: bytes, body: str) -> str:
    """Return HMAC-SHA-256(salt, body) in hex: it says nothing about the body once the salt is gone.

    RFC 2104, written out: for short bodies the library's call takes twice as long, and verification makes one for each
    entry. `salt` has at most 64 bytes. Raises EntryRefusedError for a body that is no valid Unicode.
    """
    try:
        inner = sha256(salt.translate(_INNER).ljust(_BLOCK, b"\x36") + body.encode()).digest()
    except UnicodeEncodeError:
        raise EntryRefusedError("A body cannot hold lone surrogates.", remedy="Give text as valid Unicode.") from None
    return sha256(salt.translate(_OUTER).ljust(_BLOCK, b"\x5c") + inner).hexdigest()


def entry_bytes(  # noqa: PLR0917  the seven parts of an entry, of which one is fixed
    seq: int, ts: str, kind: str, actor: str, refs: str, commit: str | None
) -> bytes:
    """Return the RFC 8785 bytes of an entry; `refs` is canonical JSON already, the keys stand in their order.

    Every text is quoted here, also those that are read back: bytes that fit one row fit no other.
    """
    body_commit = "null" if commit is None else quoted(commit)
    return (
        f'{{"actor":{quoted(actor)},"body_commit":{body_commit},"kind":{quoted(kind)},"refs":{refs},'
        f'"seq":{seq},"ts":{quoted(ts)},"v":{VERSION}}}'
    ).encode()


def admit(seq: int, ts: str, sealed: Sealed) -> bytes:
    """Return the bytes of a new entry. Raises EntryRefusedError when the formats that carry it cannot hold them."""
    try:
        entry = entry_bytes(seq, ts, sealed.kind, sealed.actor, sealed.refs, sealed.commit)
    except UnicodeEncodeError:
        raise EntryRefusedError("An entry cannot hold lone surrogates.", remedy="Give text as valid Unicode.") from None
    if len(entry) > ENTRY_LIMIT:
        raise EntryRefusedError(
            f"An entry holds at most {ENTRY_LIMIT} bytes, not {len(entry)}.",
            remedy="Put ids and numbers into refs, and words into the body.",
        )
    return entry


def chained(previous: bytes, entry: bytes) -> bytes:
    """Return SHA-256(previous ‖ entry), the next link of the chain."""
    return sha256(previous + entry).digest()


def columns(refs: Mapping[str, Scalar]) -> Derived:
    """Return session_id … latency_ms of a row, in that order, from its refs.

    A text column is the ref of its name. A number column is the ref of its name when that is an integer, or millionths
    from the ref `<name>_micros`. What is absent is None. Raises EntryRefusedError when a ref has another type.
    """
    # Written for speed: a full verification runs this once for each entry.
    get = refs.get
    texts = (get("session_id"), get("trace_id"), get("token_id"), get("field"), get("specialist"))
    for text in texts:
        if text is not None and not isinstance(text, str):
            raise EntryRefusedError(f"Each of {', '.join(TEXT_COLUMNS)} is text, unlike {text!r}.")
    session, trace, token, field, specialist = texts
    if _NUMBER_REFS.isdisjoint(refs):
        return session, trace, token, field, specialist, None, None, None  # type: ignore[return-value]  # checked above
    score = _number("u_score", get("u_score"), get("u_score_micros"))
    confidence = _number("confidence", get("confidence"), get("confidence_micros"))
    latency = _number("latency_ms", get("latency_ms"), get("latency_ms_micros"))
    return session, trace, token, field, specialist, score, confidence, latency  # type: ignore[return-value]


def moment(ts: str) -> datetime:
    """Return the time of an entry."""
    return datetime.fromisoformat(ts).astimezone(UTC)


def entry_id(ts_part: str, leaf: bytes) -> str:
    """Return the row's id: a UUIDv7 (RFC 9562) whose random bits are those of the leaf hash. ts_part: see id_time."""
    tail = leaf.hex()
    return f"{ts_part}-{_VARIANTS[tail[0]]}{tail[1:4]}-{tail[4:16]}"


def id_time(ts: str) -> str:
    """Return the first three groups of an id: milliseconds since 1970, the version, and the rest of the microsecond."""
    since = datetime.fromisoformat(ts) - _EPOCH
    micros = (since.days * 86_400 + since.seconds) * _MICROS + since.microseconds
    millis, rest = divmod(micros, 1000)
    digits = f"{millis:012x}"
    # RFC 9562 section 6.2, method 3, as kernel.ids does it: twelve bits for the fraction of the millisecond
    return f"{digits[:8]}-{digits[8:]}-7{rest * 4096 // 1000:03x}"


def _number(name: str, whole: Scalar, micros: Scalar) -> float | None:
    if whole is None and micros is None:
        return None
    value, unit = (micros, _MICROS) if whole is None else (whole, 1)
    if isinstance(value, bool) or not isinstance(value, int):
        raise EntryRefusedError(f"The ref {name!r} is an integer, or millionths, not {value!r}.")
    return value / unit


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_BLOCK = 64
_INNER = bytes(value ^ 0x36 for value in range(256))
_OUTER = bytes(value ^ 0x5C for value in range(256))
_NUMBER_REFS = frozenset([*NUMBER_COLUMNS, *(name + MICROS_SUFFIX for name in NUMBER_COLUMNS)])
_VARIANTS = {f"{value:x}": "89ab"[value % 4] for value in range(16)}
