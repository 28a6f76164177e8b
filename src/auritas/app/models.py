"""Models at an address: added by the user, tested, switched on and off, removed. None is there until it is added."""

import json
import re
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from urllib.parse import SplitResult, urlsplit

from auritas.gateway.adapters import endpoints_sql
from auritas.gateway.adapters.anthropic import Messages
from auritas.gateway.adapters.anyllm import AnyLlmModel
from auritas.gateway.adapters.http import Http, is_loopback
from auritas.gateway.adapters.keys import KEYRING, STORE, StoredKeys
from auritas.gateway.adapters.openai import ChatCompletions
from auritas.gateway.adapters.remote import RemoteModel
from auritas.gateway.errors import ModelMissing
from auritas.gateway.manifest import built_in_manifest
from auritas.gateway.model import EgressLedger, Endpoint, EndpointKind, Purpose, Purposeful, StoredEndpoint
from auritas.gateway.presets import PRESETS, PRICES_AS_OF, Preset, preset, preset_at
from auritas.kernel.clock import Clock, timestamp
from auritas.kernel.errors import AuritasError, UsageError
from auritas.kernel.log import Kind, Log, LogEvent
from auritas.kernel.model import MICROS_PER_UNIT, Message, Params, Price, Prompt, Role, Text
from auritas.kernel.ports import ModelPort, Store
from auritas.kernel.text import one_line, storable
from auritas.store.unit import Unit

DEFAULT_WINDOW = 8_192
"""Where nobody says otherwise: what small servers offer."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}")
_KEY = re.compile(r"[!-~]+")
"""What a header can carry."""
_TEST = Prompt((Message(Role.USER, "Reply with the one word: ready"),))
_TEST_PARAMS = Params(max_tokens=16, deadline_s=30.0)
_MS = 1_000.0


@dataclass(frozen=True, slots=True)
class Addition:
    """What the user gives to add a model.

    preset or base_url says where it is; what else is None comes from the preset. name: what it will be called. key:
    the provider's key; not needed again once it is kept. in_keyring: keep it in the operating system's keyring instead
    of the encrypted file. open_ok: let the key travel without encryption.
    """

    model_id: str
    preset: str | None = None
    base_url: str | None = None
    name: str | None = None
    key: str | None = None
    kind: EndpointKind = EndpointKind.OPENAI
    provider: str | None = None
    """Name of the provider in any-llm; only models of that kind want it."""
    window: int | None = None
    price: Price | None = None
    in_keyring: bool = False
    open_ok: bool = False
    sees: bool = False
    """Whether it takes pictures."""

    def __repr__(self) -> str:
        return f"Addition({self.model_id!r} at {self.preset or self.base_url!r})"


@dataclass(frozen=True, slots=True)
class TestResult:
    """How one tiny call went. latency_ms: the whole call. error: a stable code; message and remedy for a person."""

    __test__ = False  # no test case, whatever its name looks like to a collector

    name: str
    ok: bool
    latency_ms: float
    first_token_ms: float | None = None
    reply: str = ""
    error: str = ""
    message: str = ""
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class KnownProvider:
    """A preset as a person sees it. as_of: month in which prices and windows were looked up."""

    name: str
    title: str
    base_url: str
    needs_key: bool
    models: tuple[str, ...]
    as_of: str


class NoBaseUrlError(UsageError):
    """What should be the address of a model is none."""

    code = "no_base_url"

    def __init__(self) -> None:
        super().__init__(
            "That is no base URL.", remedy="It looks like https://host/v1, without user, password or question mark."
        )


class RemoteModels:
    """The use cases around models elsewhere."""

    def __init__(
        self,
        store: Store[Unit],
        log: Log[Unit],
        *,
        keys: StoredKeys,
        connect: Callable[[Endpoint], ModelPort],
        clock: Clock,
    ) -> None:
        self._store = store
        self._log = log
        self._keys = keys
        self._connect = connect
        self._clock = clock
        self._ports: dict[Endpoint, ModelPort] = {}

    def add(self, addition: Addition) -> StoredEndpoint:
        """Store the model and its key, and log that it was added.

        Raises UsageError when the address, the name or the key will not do, NotFoundError for an unknown preset.
        """
        known = _preset_of(addition)
        endpoint = _endpoint(addition, known)
        _require_safe(endpoint, addition)
        _require_own_name(endpoint.name)
        with self._store.unit() as unit:
            if endpoints_sql.taken(unit, endpoint.name):
                raise UsageError(f"There is a model named {endpoint.name!r} already.", remedy="Give it another name.")
            endpoint = self._with_key(unit, endpoint, addition, known)
            added_at = timestamp(self._clock.now())
            endpoints_sql.put(unit, endpoint, added_at)
            self._note(unit, endpoint, "added")
        return StoredEndpoint(endpoint, enabled=True, added_at=added_at)

    def list(self) -> tuple[StoredEndpoint, ...]:
        """Return every model that was added, by name."""
        with self._store.read() as unit:
            return endpoints_sql.every(unit)

    def get(self, name: str) -> StoredEndpoint:
        """Return the model called `name`. Raises ModelMissing."""
        entries = {entry.endpoint.name: entry for entry in self.list()}
        if name not in entries:
            raise ModelMissing(name, list(entries))
        return entries[name]

    def connected(self) -> dict[str, ModelPort]:
        """Return what the gateway can ask: the enabled models. Nothing is sent by this.

        A model stays the same object while its entry stays the same: it remembers what its server understands.
        """
        endpoints = [entry.endpoint for entry in self.list() if entry.enabled]
        self._ports = {endpoint: self._ports.get(endpoint) or self._connect(endpoint) for endpoint in endpoints}
        return {endpoint.name: port for endpoint, port in self._ports.items()}

    async def test(self, name: str) -> TestResult:
        """Make one tiny call and say how it went. Raises ModelMissing; every other failure is in the result."""
        model = self._connect(self.get(name).endpoint)
        model = model.bound(Purpose("test the model")) if isinstance(model, Purposeful) else model
        began, first, reply = self._clock.monotonic(), None, ""
        try:
            async with aclosing(model.answer(_TEST, _TEST_PARAMS)) as parts:
                async for part in parts:
                    if isinstance(part, Text):
                        first = self._since(began) if first is None else first
                        reply += part.text
        except AuritasError as error:
            took = self._since(began)
            return TestResult(name, False, took, error=error.code, message=error.message, remedy=error.remedy)  # noqa: FBT003  the field is named ok
        return TestResult(name, True, self._since(began), first, one_line(reply))  # noqa: FBT003  the field is named ok

    def enable(self, name: str, *, on: bool) -> StoredEndpoint:
        """Switch the model on or off. Raises ModelMissing."""
        entry = self.get(name)
        with self._store.unit() as unit:
            endpoints_sql.switch(unit, name, on=on)
            self._note(unit, entry.endpoint, "enabled" if on else "disabled")
        return replace(entry, enabled=on)

    def remove(self, name: str) -> None:
        """Forget the model, and its key when no other model uses that. Raises ModelMissing."""
        entry = self.get(name)
        ref = entry.endpoint.key_ref
        with self._store.unit() as unit:
            endpoints_sql.drop(unit, name)
            if ref is not None and endpoints_sql.key_in_use(unit, ref) is None:
                self._keys.remove(unit, ref)
            self._note(unit, entry.endpoint, "removed")

    def _with_key(self, unit: Unit, endpoint: Endpoint, addition: Addition, known: Preset | None) -> Endpoint:
        name = (known.key_name if known else None) or endpoint.provider
        where = KEYRING if addition.in_keyring else STORE
        if addition.key:
            return replace(endpoint, key_ref=self._keys.put(unit, name, addition.key.strip(), where))
        if known is None or known.key_name is None:
            return endpoint
        kept = endpoints_sql.key_in_use(unit, f"{STORE}:{name}", f"{KEYRING}:{name}")
        if kept is None:
            raise UsageError(
                f"{known.title} wants a key.",
                remedy="Give the key of your account there; in a terminal when it is asked for, or by --key -",
            )
        return replace(endpoint, key_ref=kept)

    def _note(self, unit: Unit, endpoint: Endpoint, action: str) -> None:
        body = {"name": endpoint.name, "base_url": endpoint.base_url, "model_id": endpoint.model_id}
        event = LogEvent(Kind.MODEL, "user", {"action": action, "local": endpoint.local}, json.dumps(body))
        self._log.append(unit, [event])

    def _since(self, began: float) -> float:
        return (self._clock.monotonic() - began) * _MS


def known_presets() -> tuple[KnownProvider, ...]:
    """Return the presets in the order in which they are offered."""
    return tuple(
        KnownProvider(
            p.name, p.title, p.base_url, p.key_name is not None, tuple(o.model_id for o in p.offers), PRICES_AS_OF
        )
        for p in PRESETS
    )


def kind_named(name: str) -> EndpointKind:
    """Return the protocol called `name`. Raises UsageError."""
    try:
        return EndpointKind(name)
    except ValueError:
        raise UsageError(f"{name!r} is no protocol.", remedy=f"Choose one of {', '.join(EndpointKind)}.") from None


def price_of(read: float | None, written: float | None) -> Price | None:
    """Return a price from currency units per million tokens, or None where neither is given. Raises UsageError."""
    if read is None and written is None:
        return None
    if min(read or 0, written or 0) < 0:
        raise UsageError("A price is zero or more.", remedy="Give what the provider prints per million tokens.")
    return Price(round((read or 0) * MICROS_PER_UNIT), round((written or 0) * MICROS_PER_UNIT))


def connector(http: Http, ledger: EgressLedger, keys: StoredKeys, clock: Clock) -> Callable[[Endpoint], ModelPort]:
    """Return what turns an endpoint into a model that can be asked."""

    def connect(endpoint: Endpoint) -> ModelPort:
        match endpoint.kind:
            case EndpointKind.OPENAI:
                dialect = ChatCompletions(endpoint, newer_limit=endpoint.newer_limit)
                return RemoteModel(endpoint, dialect, http, keys, clock)
            case EndpointKind.ANTHROPIC:
                return RemoteModel(endpoint, Messages(endpoint), http, keys, clock)
            case EndpointKind.ANY_LLM:
                return AnyLlmModel(endpoint, ledger, keys, clock)

    return connect


def _preset_of(addition: Addition) -> Preset | None:
    if addition.preset is not None:
        return preset(addition.preset)
    if addition.base_url is None and addition.kind is not EndpointKind.ANY_LLM:
        raise UsageError(
            "Where is the model?",
            remedy="Choose a preset, or give its address (--url). Presets: auritas models add --help",
        )
    return preset_at(addition.base_url or "")


def _endpoint(addition: Addition, known: Preset | None) -> Endpoint:
    base_url = (addition.base_url or (known.base_url if known else "")).rstrip("/")
    offer = known.offer(addition.model_id) if known else None
    name = addition.name or addition.model_id.rsplit("/", 1)[-1]
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name for a model.", remedy="Letters, digits and . _ : - make one.")
    _require_plain(base_url, addition.model_id, addition.provider or "")
    host = _parts(base_url).hostname or ""
    return Endpoint(
        name=name,
        kind=known.kind if known else addition.kind,
        provider=_provider(addition.kind, known, addition.provider, host),
        base_url=base_url,
        model_id=addition.model_id,
        window=addition.window or (offer.window if offer else DEFAULT_WINDOW),
        price=addition.price or (offer.price if offer else Price()),
        local=is_loopback(host),
        newer_limit=known.newer_limit if known else False,
        sees=addition.sees,
    )


def _parts(base_url: str) -> SplitResult:
    try:
        parts = urlsplit(base_url)
        parts.port  # noqa: B018  reading it checks it
    except ValueError:
        raise NoBaseUrlError from None
    return parts


def _require_plain(*texts: str) -> None:
    """Refuse what neither the store nor a request can hold."""
    if any(text != storable(text) or not text.isprintable() for text in texts):
        raise UsageError("An address or a name holds signs that are no text.", remedy="Copy it again.")


def _provider(kind: EndpointKind, known: Preset | None, given: str | None, host: str) -> str:
    if not _by_library(kind):
        return known.name if known else host
    if not given:
        raise UsageError(
            "any-llm wants the name of the provider.", remedy="Give the name of the provider (--provider)."
        )
    return given


def _by_library(kind: EndpointKind) -> bool:
    return kind is EndpointKind.ANY_LLM


def _require_own_name(name: str) -> None:
    """Refuse the names of members that come with Auritas, fetched or not: their self-tests are looked up by name."""
    from auritas.gateway.adapters.calculator import CalculatorModel  # its grammar is not needed before

    if name == CalculatorModel.card.name or name in {model.name for model in built_in_manifest().models}:
        raise UsageError(f"{name!r} is the name of a model of Auritas itself.", remedy="Give it another name.")


def _require_safe(endpoint: Endpoint, addition: Addition) -> None:
    if addition.key and not _KEY.fullmatch(addition.key.strip()):
        raise UsageError(
            "That is no key: it holds spaces or signs that no provider uses.", remedy="Copy it again from the provider."
        )
    if not endpoint.base_url:
        return
    parts = _parts(endpoint.base_url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or "@" in parts.netloc:
        raise NoBaseUrlError
    if parts.scheme == "http" and addition.key and not endpoint.local and not addition.open_ok:
        raise UsageError(
            f"The key would travel to {parts.hostname} in the clear.",
            remedy="Use https, or allow it without encryption if you must (--open-ok).",
        )
