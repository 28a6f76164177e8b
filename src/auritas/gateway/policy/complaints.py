"""What a provider's error means, and what a person can do about it."""

import json
from dataclasses import dataclass

from auritas.gateway.errors import (
    NotAnEndpoint,
    PromptTooLong,
    ProviderFailed,
    ProviderRefused,
    ProviderRejected,
)
from auritas.gateway.model import Endpoint
from auritas.gateway.policy.retry import failure_kind
from auritas.kernel.errors import AuritasError
from auritas.kernel.text import one_line

_UNAUTHORISED = (401, 403)
_PAYMENT_REQUIRED = 402
_NOT_FOUND = (404, 405, 410)
_TOO_LARGE = 413
_REDIRECTS = range(300, 400)
_UNUSABLE = (400, 404, 415, 422, 501)
_SENTENCE_WIDTH = 200

_NO_CREDIT = ("insufficient_quota", "insufficient balance", "credit balance", "billing_hard_limit")
_TOO_LONG = (
    "context_length",
    "context length",
    "context window",
    "prompt is too long",
    "exceeds the available context",
)


@dataclass(frozen=True, slots=True)
class Complaint:
    """An error as the provider put it. retry_after: seconds, where it gave a hint."""

    status: int
    message: str
    code: str = ""
    param: str = ""
    retry_after: float | None = None

    @property
    def words(self) -> str:
        """Everything it says, in lower case, for looking things up."""
        return f"{self.code} {self.param} {self.message}".lower()

    @property
    def about_the_request(self) -> bool:
        """Whether another form of the same request may be understood."""
        return self.status in _UNUSABLE and not self.too_long

    @property
    def too_long(self) -> bool:
        """Whether the conversation does not fit."""
        return self.status == _TOO_LARGE or any(word in self.words for word in _TOO_LONG)


def complaint(status: int, body: str, retry_after: float | None = None, secret: str | None = None) -> Complaint:
    """Return what the body of an error says. Every form in use is understood; any other body is quoted.

    secret: a key that some providers repeat in their message; it is taken out.
    """
    if secret:
        body = body.replace(secret, "…")
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        document = None
    if isinstance(document, list) and document:
        document = document[0]
    if not isinstance(document, dict):
        return Complaint(status, one_line(body, _SENTENCE_WIDTH), retry_after=retry_after)
    error = document.get("error", document)
    if not isinstance(error, dict):
        error = {"message": error}
    message = error.get("message") or error.get("detail") or document.get("message") or body
    message = message if isinstance(message, str) else json.dumps(message)
    return Complaint(
        status,
        one_line(message, _SENTENCE_WIDTH),
        code=f"{error.get('code') or ''} {error.get('type') or ''}".strip(),
        param=str(error.get("param") or ""),
        retry_after=retry_after,
    )


def _ended(words: str) -> str:
    """Return a provider's words as the end of a sentence: ours follow them."""
    return words if words.endswith((".", "!", "?", "…", '"', "”")) else f"{words}."


def as_error(endpoint: Endpoint, said: Complaint) -> AuritasError:
    """Return the error to raise for `said`: its kind decides whether the call is tried again."""
    quoted = f" It says: {_ended(said.message)}" if said.message else ""
    refused = _refused(endpoint, said, quoted)
    if refused is not None:
        return refused
    kind = failure_kind(said.status)
    if kind is not None:
        sentence = f"{endpoint.provider} failed with HTTP {said.status} for {endpoint.name}.{quoted}"
        return ProviderFailed(sentence, kind=kind, retry_after=said.retry_after)
    return PromptTooLong(endpoint.name, said.message) if said.too_long else _rejected(endpoint, said, quoted)


def _refused(endpoint: Endpoint, said: Complaint, quoted: str) -> AuritasError | None:
    if said.status == _PAYMENT_REQUIRED or any(word in said.words for word in _NO_CREDIT):
        return ProviderRefused(
            f"{endpoint.provider} has no credit left for {endpoint.name}.{quoted}",
            remedy=f"Add credit at {endpoint.provider}, or ask other models.",
        )
    if said.status in _UNAUTHORISED:
        return ProviderRefused(f"{endpoint.provider} refused {endpoint.name}.{quoted}", remedy=_key_remedy(endpoint))
    return None


def _rejected(endpoint: Endpoint, said: Complaint, quoted: str) -> AuritasError:
    if said.status in _REDIRECTS:
        return NotAnEndpoint(
            f"{endpoint.base_url} sends callers elsewhere (HTTP {said.status}); redirects are not followed.",
            remedy="Give the address that it points to as the base URL.",
        )
    if said.status in _NOT_FOUND:
        return ProviderRejected(
            f"{endpoint.base_url} has no model {endpoint.model_id!r}, or is not the right address.{quoted}",
            remedy="Check the model's id and the base URL, then add the model again.",
        )
    return ProviderRejected(
        f"{endpoint.provider} rejected the request for {endpoint.name} (HTTP {said.status}).{quoted}",
        remedy="Check the model's id and its settings, and test it: under Settings, Models, or by auritas models test",
    )


def _key_remedy(endpoint: Endpoint) -> str:
    if endpoint.key_ref is None:
        return "It wants a key: remove the model and add it again with one."
    return f"Check the key {endpoint.key_ref!r}: it may be wrong, expired or not allowed to use this model."
