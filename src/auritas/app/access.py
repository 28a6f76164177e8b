"""Who may do what: tokens of programs, sessions of browsers, and the persons who are let in."""

import hashlib
import hmac
import re
from base64 import urlsafe_b64encode
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from threading import Lock

from auritas.kernel.clock import Clock, from_timestamp, timestamp
from auritas.kernel.errors import InvalidError, NotFoundError
from auritas.kernel.ids import Ids
from auritas.kernel.log import Kind, Log, LogEvent
from auritas.kernel.randomness import Entropy
from auritas.kernel.text import one_line
from auritas.store import SqlStore, Unit
from auritas.store import token_rows as rows

LOCAL = "local"
"""The person who installed the program; only tokens of theirs may do everything."""
SECRET_BYTES = 32
NAME_AT_MOST = 80
SESSION_LASTS = timedelta(days=30)
"""A browser that was not used for so long must be let in anew."""
USE_NOTED_EVERY = timedelta(minutes=1)
"""When a token was last used is written this often at most."""
FAILURES_AT_ONCE = 10
FAILURES_EVERY_S = 60.0
"""Refused tokens are logged one by one at first, then one entry a minute with their number: a flood fills no disk."""
_PERSON = re.compile(r"[a-z][a-z0-9_-]{0,31}")
_SECRET = re.compile(r"au[rs]_[A-Za-z0-9_-]{43}")


class Scope(StrEnum):
    """What a token may be allowed."""

    QUERY = "query"
    STREAM = "stream"
    BATCH = "batch"
    STATUS = "status"
    CONFIG_READ = "config:read"
    CONFIG_WRITE = "config:write"
    CORRECTIONS_READ = "corrections:read"
    CORRECTIONS_WRITE = "corrections:write"
    DEPLOY = "deploy"
    ROLLBACK = "rollback"
    EXTENSIONS_READ = "extensions:read"
    EXTENSIONS_WRITE = "extensions:write"
    TOKENS_READ = "tokens:read"
    TOKENS_WRITE = "tokens:write"
    ADMIN = "admin"


OF_A_GUEST = frozenset(Scope) - {Scope.ADMIN, Scope.DEPLOY, Scope.ROLLBACK, Scope.EXTENSIONS_WRITE}
"""What a further person may do in a browser: everything with their own store, nothing with the installation."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who makes a request. id: of the token or session; admin may do everything. session: whether it is a browser's."""

    id: str
    owner: str
    scopes: frozenset[Scope]
    session: bool = False

    def may(self, scope: Scope) -> bool:
        """Whether `scope` is allowed."""
        return Scope.ADMIN in self.scopes or scope in self.scopes


class TokenKind(StrEnum):
    """Who holds a token: a program, or a browser that was let in."""

    API = rows.API
    BROWSER = rows.BROWSER


_PREFIX = {TokenKind.API: "aur_", TokenKind.BROWSER: "aus_"}


@dataclass(frozen=True, slots=True)
class TokenInfo:
    """A token or session as a person sees it; the secret itself is shown once and not kept."""

    id: str
    name: str
    owner: str
    kind: TokenKind
    scopes: tuple[Scope, ...]
    created_at: datetime
    expires_at: datetime | None = None
    last_used_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token that was made just now. secret: what a program or browser shows from now on; nobody can read it again."""

    secret: str = field(repr=False)
    info: TokenInfo


class NoTokenError(NotFoundError):
    """There is no such token or session, or it was revoked."""

    code = "no_token"

    def __init__(self, token_id: str) -> None:
        super().__init__(
            f"There is no token or session {token_id!r}.",
            remedy="See them with auritas tokens list, or on the page Settings.",
        )


class NotAdmittedError(NotFoundError):
    """Nobody of this name was let in."""

    code = "no_person"

    def __init__(self, owner: str) -> None:
        super().__init__(
            f"Nobody named {owner!r} uses this installation.",
            remedy=f"Let them in first: under Settings, or by auritas tokens admit {owner}",
        )


def secret_of(entropy: Entropy, prefix: str) -> str:
    """Return a fresh secret of 256 bits: `prefix` and 43 characters of base64url (RFC 4648, section 5)."""
    return prefix + urlsafe_b64encode(entropy.token(SECRET_BYTES)).decode().rstrip("=")


class Access:
    """Makes, finds and ends tokens and sessions, and knows who was let in.

    Only SHA-256 of a secret is kept: 256 random bits need no slow hash.
    """

    def __init__(self, store: SqlStore, log: Log[Unit], clock: Clock, ids: Ids, entropy: Entropy) -> None:
        self._store, self._log, self._clock, self._ids, self._entropy = store, log, clock, ids, entropy
        self._reader = rows.TokenReader(store)
        self._noted: dict[str, datetime] = {}
        self._failures = FailureCount(clock)

    # --- tokens of programs ------------------------------------------------------------------------------------------

    def create(
        self, name: str, scopes: Collection[Scope], owner: str = LOCAL, expires_at: datetime | None = None
    ) -> NewToken:
        """Make a token for a program.

        Raises InvalidError for a name, scopes or a time that cannot be, NotAdmittedError for an unknown person.
        """
        if not scopes:
            raise InvalidError("A token without scopes can do nothing.", remedy=f"Scopes: {', '.join(Scope)}")
        if Scope.ADMIN in scopes and owner != LOCAL:
            raise InvalidError(
                f"Only tokens of {LOCAL!r} can have the scope admin.", remedy="Leave out admin, or the owner."
            )
        if expires_at is not None and expires_at <= self._clock.now():
            raise InvalidError("A token cannot end in the past.", remedy="Give a later time.")
        return self._put(TokenKind.API, name, scopes, owner, expires_at)

    def list(self, owner: str | None = None) -> tuple[TokenInfo, ...]:
        """Return what can be used now, of one person or of all: tokens and sessions, the newest first."""
        now = self._clock.now()
        with self._store.read() as unit:
            found = rows.every(unit)
        return tuple(_info(row) for row in found if row.alive(now) and owner in {None, row.owner})

    def revoke(self, token_id: str, owner: str | None = None, actor: str = "user") -> None:
        """End a token or session for good, with the next call of any process.

        owner: whose it must be; None for any. Raises NoTokenError, also for what is not theirs.
        """
        if token_id not in {info.id for info in self.list(owner)}:
            raise NoTokenError(token_id)
        with self._store.unit() as unit:
            if not rows.end(unit, token_id, timestamp(self._clock.now())):
                raise NoTokenError(token_id)
            self._log.append(unit, [LogEvent(Kind.TOKEN, actor, {"token_id": token_id, "field": "revoked"})])

    def install_token_replaced(self) -> None:
        """Log that the token of the installation is another one from now on; it lies in a file, not in the store."""
        with self._store.unit() as unit:
            self._log.append(unit, [LogEvent(Kind.TOKEN, "user", {"field": "rotated"}, "install")])

    # --- sessions of browsers ----------------------------------------------------------------------------------------

    def begin_session(self, owner: str = LOCAL, label: str = "Browser") -> str:
        """Let a browser in and return its secret. Raises NotAdmittedError."""
        scopes = {Scope.ADMIN} if owner == LOCAL else OF_A_GUEST
        return self._put(TokenKind.BROWSER, label, scopes, owner, self._clock.now() + SESSION_LASTS).secret

    def end_session(self, session_id: str) -> None:
        """Sign a browser out. Raises NoTokenError."""
        self.revoke(session_id, actor=session_id)

    # --- every request -----------------------------------------------------------------------------------------------

    def check(self, secret: str) -> Caller | None:
        """Return who shows `secret`, or None where it is none of ours, was revoked, or is past its time.

        Reads what is committed now, so that a revocation by any process holds at once.
        """
        if not _SECRET.fullmatch(secret):
            return None
        presented = _hash(secret)
        row = self._reader.find(presented)
        if row is None or not hmac.compare_digest(row.token_hash, presented):
            return None
        now = self._clock.now()
        if not row.alive(now):
            return None
        self._note_use(row, now)
        scopes = frozenset(Scope(scope) for scope in row.scopes)
        return Caller(row.token_id, row.owner, scopes, session=row.kind == rows.BROWSER)

    def refused(self, how: str) -> None:
        """Log that a request showed no good token, without waiting; never so often that it fills the disk.

        how: a word for what was shown.
        """
        count = self._failures.due()
        if count:
            event = LogEvent(Kind.AUTH_FAILURE, "system", {"field": how, "count": count})
            self._store.submit(lambda unit: self._log.append(unit, [event]))

    # --- persons -----------------------------------------------------------------------------------------------------

    def admit(self, owner: str) -> None:
        """Keep a random passphrase of 256 bits for a person's store; once it is there, it stays.

        Raises InvalidError for what cannot be a person's name.
        """
        if not _PERSON.fullmatch(owner):
            raise InvalidError(
                f"{owner!r} cannot be a person's name here.",
                remedy="Use up to 32 small letters, digits, - and _, beginning with a letter.",
            )
        if owner == LOCAL:
            return
        passphrase, now = secret_of(self._entropy, ""), timestamp(self._clock.now())
        with self._store.unit() as unit:
            if rows.let_in(unit, owner, passphrase, now):
                self._log.append(unit, [LogEvent(Kind.TOKEN, "user", {"field": "admitted"}, owner)])

    def passphrase_of(self, owner: str) -> str | None:
        """Return the passphrase of a person's store; None for somebody who was never let in."""
        with self._store.read() as unit:
            return rows.passphrase_of(unit, owner)

    def people(self) -> tuple[str, ...]:
        """Return everybody's name, the one who installed the program first."""
        with self._store.read() as unit:
            return (LOCAL, *rows.people(unit))

    def close(self) -> None:
        """Close the connection by which tokens are found."""
        self._reader.close()

    # --- how ---------------------------------------------------------------------------------------------------------

    def _put(
        self, kind: TokenKind, name: str, scopes: Collection[Scope], owner: str, until: datetime | None
    ) -> NewToken:
        secret = secret_of(self._entropy, _PREFIX[kind])
        made = TokenInfo(
            self._ids.new(),
            _name(name),
            owner,
            kind,
            tuple(scope for scope in Scope if scope in scopes),
            self._clock.now(),
            until,
        )
        refs = {"token_id": made.id, "field": "session" if kind is TokenKind.BROWSER else "created"}
        with self._store.unit() as unit:
            if owner != LOCAL and rows.passphrase_of(unit, owner) is None:
                raise NotAdmittedError(owner)
            rows.put(unit, _row(made, _hash(secret)))
            self._log.append(unit, [LogEvent(Kind.TOKEN, "user", refs, made.name)])
        return NewToken(secret, made)

    def _note_use(self, row: rows.TokenRow, now: datetime) -> None:
        noted = self._noted.get(row.token_id)
        if noted is not None and now - noted < USE_NOTED_EVERY:
            return
        self._noted[row.token_id] = now
        last = row.last_used_at
        if last is not None and now - from_timestamp(last) < USE_NOTED_EVERY:
            return
        until = timestamp(now + SESSION_LASTS) if row.kind == rows.BROWSER else row.expires_at
        self._store.submit(lambda unit: rows.touch(unit, row.token_id, timestamp(now), until))


class FailureCount:
    """How many refusals the next entry of the log stands for."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = Lock()
        self._left, self._since, self._silent = FAILURES_AT_ONCE, clock.monotonic(), 0

    def due(self) -> int:
        """Count one refusal; return how many are to be logged now, 0 for none."""
        with self._lock:
            now = self._clock.monotonic()
            earned = int((now - self._since) / FAILURES_EVERY_S)
            if earned:
                self._left = min(FAILURES_AT_ONCE, self._left + earned)
                self._since += earned * FAILURES_EVERY_S
            self._silent += 1
            if not self._left:
                return 0
            self._left -= 1
            count, self._silent = self._silent, 0
            return count


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def _name(name: str) -> str:
    said = one_line(name).strip()
    if not said or len(said) > NAME_AT_MOST:
        raise InvalidError(f"A token's name has 1 to {NAME_AT_MOST} characters.", remedy="Say what it is for.")
    return said


def _info(row: rows.TokenRow) -> TokenInfo:
    return TokenInfo(
        row.token_id,
        row.name,
        row.owner,
        TokenKind(row.kind),
        tuple(Scope(scope) for scope in row.scopes),
        from_timestamp(row.created_at),
        None if row.expires_at is None else from_timestamp(row.expires_at),
        None if row.last_used_at is None else from_timestamp(row.last_used_at),
    )


def _row(info: TokenInfo, token_hash: bytes) -> rows.TokenRow:
    until = None if info.expires_at is None else timestamp(info.expires_at)
    scopes = tuple(scope.value for scope in info.scopes)
    made = timestamp(info.created_at)
    return rows.TokenRow(info.id, info.name, info.owner, token_hash, scopes, made, until, None, None, info.kind.value)
