"""Every extension point, in one file.

A plugin is an object with any of these methods; `app` finds it by entry point.
"""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from auritas.kernel.answers import AskResult
from auritas.kernel.model import Prompt
from auritas.kernel.ports import ModelPort

ENTRY_POINT_GROUP = "auritas.plugins"


@runtime_checkable
class RegistersModels(Protocol):
    """Adds models to the council."""

    def register_models(self) -> Sequence[ModelPort]:
        """Return the models that this plugin offers."""


@runtime_checkable
class PreparesPrompt(Protocol):
    """Sees a prompt before the members do."""

    def prepare_prompt(self, prompt: Prompt) -> Prompt:
        """Return the prompt to send, changed or not."""


@runtime_checkable
class FiltersChunk(Protocol):
    """Sees each piece of a streamed reply before a person does."""

    def filter_chunk(self, seat: str, text: str) -> str:
        """Return the text to show."""


@runtime_checkable
class ObservesAnswer(Protocol):
    """Is told of each final, committed answer."""

    def answered(self, result: AskResult) -> None:
        """Called after the commit; what it raises is reported and changes nothing."""


class Hooks(Protocol):
    """The port through which use cases reach plugins."""

    def register_models(self) -> Sequence[ModelPort]:
        """Return the models of all plugins."""

    def prepare_prompt(self, prompt: Prompt) -> Prompt:
        """Pass the prompt through every plugin, in order of their names."""

    def filter_chunk(self, seat: str, text: str) -> str:
        """Pass one piece of a reply through every plugin, in order of their names."""

    def answered(self, result: AskResult) -> None:
        """Tell every plugin; an error of one never reaches the others or the answer."""


class NoHooks:
    """No plugin is installed."""

    def register_models(self) -> Sequence[ModelPort]:
        return ()

    def prepare_prompt(self, prompt: Prompt) -> Prompt:
        return prompt

    def filter_chunk(self, seat: str, text: str) -> str:
        del seat
        return text

    def answered(self, result: AskResult) -> None:
        """Nobody to tell."""
