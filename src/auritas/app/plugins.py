"""Plugins: found by entry point, called in the order of their names, and never able to stop an answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, TypeVar

from auritas.kernel.answers import AskResult
from auritas.kernel.diagnostics import Diagnostics
from auritas.kernel.hooks import ENTRY_POINT_GROUP, FiltersChunk, ObservesAnswer, PreparesPrompt, RegistersModels
from auritas.kernel.model import ModelCard, Prompt
from auritas.kernel.ports import ModelPort

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PluginHooks:
    """Calls the hooks of every plugin. A plugin that raises is reported and skipped for that call."""

    plugins: Sequence[object]
    diagnostics: Diagnostics

    def register_models(self) -> Sequence[ModelPort]:
        found: list[ModelPort] = []
        for plugin in self.plugins:
            if isinstance(plugin, RegistersModels):
                found += self._guarded("register_models", lambda p=plugin: _models(p.register_models()), ())
        return found

    def prepare_prompt(self, prompt: Prompt) -> Prompt:
        for plugin in self.plugins:
            if isinstance(plugin, PreparesPrompt):
                now = prompt
                prompt = self._guarded("prepare_prompt", lambda p=plugin, n=now: _a(Prompt, p.prepare_prompt(n)), now)
        return prompt

    def filter_chunk(self, seat: str, text: str) -> str:
        for plugin in self.plugins:
            if isinstance(plugin, FiltersChunk):
                now = text
                text = self._guarded("filter_chunk", lambda p=plugin, n=now: _a(str, p.filter_chunk(seat, n)), now)
        return text

    def answered(self, result: AskResult) -> None:
        for plugin in self.plugins:
            if isinstance(plugin, ObservesAnswer):
                self._guarded("answered", lambda p=plugin: p.answered(result), None)

    def _guarded(self, hook: str, call: Callable[..., T], fallback: T) -> T:
        try:
            return call()
        except (Exception, SystemExit) as error:  # noqa: BLE001  a plugin is foreign code
            self.diagnostics.trouble(f"hook {hook}", error)
            return fallback


def _a(wanted: type[T], given: object) -> T:
    if not isinstance(given, wanted):
        raise TypeError(f"a plugin returned {type(given).__name__}, not {wanted.__name__}")
    return given


def _models(given: Sequence[ModelPort]) -> list[ModelPort]:
    ports = list(given)
    for port in ports:
        _a(str, _a(ModelCard, port.card).name)
    return ports


def load(diagnostics: Diagnostics) -> PluginHooks:
    """Return the hooks of all installed plugins; one that cannot be loaded is reported and left out."""
    found: list[tuple[str, Any]] = []
    for entry in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda e: e.name):
        try:
            found.append((entry.name, entry.load()()))
        except (Exception, SystemExit) as error:  # noqa: BLE001  a plugin is foreign code
            diagnostics.trouble("plugin", error)
    return PluginHooks([plugin for _, plugin in found], diagnostics)
