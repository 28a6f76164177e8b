# ruff: noqa: N818  an error is named by what happened, as the style of this project shows; the base says that it is one
"""What can go wrong between a question and a model, and what to do about it."""

from collections.abc import Sequence
from enum import StrEnum

from auritas.kernel.errors import InvalidError, NotFoundError, RefusedError, UnavailableError, nearest
from auritas.kernel.model import Usage


class FailureKind(StrEnum):
    """How a provider failed, in ways that may pass by themselves."""

    CONFLICT = "conflict"
    TIMEOUT = "timeout"
    LIMITED = "rate_limited"
    SERVER = "server_error"
    UNREACHABLE = "unreachable"
    CUT = "cut_off"
    GARBLED = "garbled"


class ModelMissing(NotFoundError):
    """No model has this name."""

    code = "model_missing"

    def __init__(self, name: str, known: Sequence[str]) -> None:
        hint = nearest(name, known) or f"Known: {', '.join(known) or 'none'}."
        super().__init__(
            f"There is no model named {name!r}.",
            remedy=f"{hint} See them under Settings, Models, or by auritas models list",
        )


class ProviderFailed(UnavailableError):
    """A provider failed in a way that may pass: it is asked again, and counted by the breaker.

    retry_after: seconds that the provider asked to wait, if it did.
    """

    code = "provider_failed"

    def __init__(self, message: str, *, kind: FailureKind, retry_after: float | None = None, remedy: str = "") -> None:
        super().__init__(message, remedy=remedy or "Try again later, or ask without this model.")
        self.kind = kind
        self.retry_after = retry_after


class DeadlinePassed(ProviderFailed):
    """The call took longer than its deadline and was stopped. usage: what was counted until then."""

    code = "deadline_passed"

    def __init__(self, name: str, seconds: float, usage: Usage | None = None) -> None:
        super().__init__(
            f"{name} did not finish within {seconds:g} s and was stopped.",
            kind=FailureKind.TIMEOUT,
            remedy="Allow more time, ask for a shorter answer, or use a faster model.",
        )
        self.usage = usage or Usage()


class ModelDegraded(UnavailableError):
    """The model failed too often just now and is left alone for a while. retry_in: seconds."""

    code = "model_degraded"

    def __init__(self, name: str, retry_in: float) -> None:
        super().__init__(
            f"{name} failed several times and is left alone for now.",
            remedy=f"It is tried again in {retry_in:.0f} s. Other models still answer.",
        )
        self.retry_in = retry_in


class BudgetSpent(RefusedError):
    """A limit on tokens or money forbids the call."""

    code = "budget_spent"

    def __init__(self, what: str, limit: int, spent: int) -> None:
        super().__init__(
            f"The budget of {what} is spent ({spent} of {limit}).",
            remedy="Raise it under Settings (auritas config set), or ask embedded models only.",
        )


class ProviderRefused(RefusedError):
    """The provider does not let us in, or not any more: the key, the account or the credit."""

    code = "provider_refused"


class ProviderRejected(InvalidError):
    """The provider understood the request and will not serve it as it is."""

    code = "provider_rejected"


class PromptTooLong(ProviderRejected):
    """The conversation does not fit into the model's window."""

    code = "prompt_too_long"

    def __init__(self, name: str, detail: str) -> None:
        super().__init__(
            f"The conversation is too long for {name}: {detail}",
            remedy="Start a new conversation, or use a model with a larger window.",
        )


class NotAnEndpoint(UnavailableError):
    """What answers at the address is no model."""

    code = "not_an_endpoint"


class BadStructure(UnavailableError):
    """The model did not give the form that was asked for, twice."""

    code = "bad_structure"

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(
            f"{name} did not give the form that was asked for: {problem}",
            remedy="Use a model that follows forms, or an embedded one, whose grammar cannot be left.",
        )


class PurposeMissing(RefusedError):
    """Something was about to be sent without saying why. Nothing was sent."""

    code = "purpose_missing"

    def __init__(self) -> None:
        super().__init__(
            "A request without a purpose is never sent.",
            remedy="This is a fault of the program: ask through the gateway.",
        )


class KeyMissing(RefusedError):
    """The key of a provider is not there."""

    code = "key_missing"

    def __init__(self, name: str, ref: str) -> None:
        super().__init__(
            f"The key {ref!r} of {name} is not stored.",
            remedy=f"Remove the model and add it with its key: under Settings, or by auritas models remove {name}.",
        )


class AddressRefused(RefusedError):
    """An address that came from data points where it must not, or cannot be read without doubt."""

    code = "address_refused"

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"The address was refused: {reason}",
            remedy="Only public web pages are fetched. Give the text as a file instead.",
        )


class FetchFailed(UnavailableError):
    """A page could not be fetched whole."""

    code = "fetch_failed"


class ExtraMissing(UnavailableError):
    """An optional part is not installed."""

    code = "extra_missing"

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} needs an optional part that is not installed.",
            remedy=f"Install it: pip install 'auritas[{extra}]'",
        )


class CassetteMismatch(NotFoundError):
    """A recorded run holds no answer to what is asked now."""

    code = "cassette_mismatch"
