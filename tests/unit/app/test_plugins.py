"""Plugins extend the council and cannot break it."""

from auritas.app.plugins import PluginHooks, load
from auritas.kernel.diagnostics import KeptDiagnostics
from auritas.kernel.hooks import NoHooks
from auritas.kernel.model import Message, Prompt, Role


class Shouts:
    def filter_chunk(self, seat, text):
        return text.upper()


class Stamps:
    def filter_chunk(self, seat, text):
        return f"{seat}:{text}"

    def prepare_prompt(self, prompt):
        return Prompt((Message(Role.SYSTEM, "Be brief."), *prompt.messages))


class Breaks:
    def filter_chunk(self, seat, text):
        raise RuntimeError(text)

    def answered(self, result):
        raise RuntimeError

    def register_models(self):
        raise RuntimeError


PROMPT = Prompt((Message(Role.USER, "Why?"),))


def test_hooks_are_called_one_after_another():
    """Each plugin sees what the one before it made."""
    hooks = PluginHooks([Shouts(), Stamps()], KeptDiagnostics())
    assert hooks.filter_chunk("seat", "so") == "seat:SO"
    assert hooks.prepare_prompt(PROMPT).messages[0].content == "Be brief."


def test_a_broken_plugin_is_reported_and_skipped():
    """What one plugin raises reaches the diagnostics and nobody else."""
    kept = KeptDiagnostics()
    hooks = PluginHooks([Breaks(), Shouts()], kept)
    assert hooks.filter_chunk("seat", "so") == "SO"
    hooks.answered(None)  # type: ignore[arg-type]
    assert hooks.register_models() == []
    assert [where for where, _ in kept.troubles] == ["hook filter_chunk", "hook answered", "hook register_models"]


def test_without_plugins_nothing_changes():
    """No plugin means no change, through the loader and through the double."""
    for hooks in (load(KeptDiagnostics()), NoHooks()):
        assert hooks.filter_chunk("seat", "so") == "so"
        assert hooks.prepare_prompt(PROMPT) is PROMPT
        assert list(hooks.register_models()) == []


class Lies:
    def filter_chunk(self, seat, text):
        return None

    def prepare_prompt(self, prompt):
        return "no prompt"

    def register_models(self):
        return [object()]


class Leaves:
    def filter_chunk(self, seat, text):
        raise SystemExit(3)


def test_a_plugin_that_returns_nonsense_or_wants_to_leave_is_skipped():
    """What is of the wrong type counts as a failure of that plugin, and none can end the program."""
    kept = KeptDiagnostics()
    hooks = PluginHooks([Lies(), Leaves(), Shouts()], kept)
    assert hooks.filter_chunk("seat", "so") == "SO"
    assert hooks.prepare_prompt(PROMPT) is PROMPT
    assert hooks.register_models() == []
    assert [error for _, error in kept.troubles] == ["TypeError", "SystemExit", "TypeError", "AttributeError"]
