"""Having a seat's model write its note: window by window, retried once, and never empty."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from auritas.gateway.errors import BadStructure
from auritas.gateway.model import Purpose
from auritas.kernel.errors import UnavailableError
from auritas.kernel.model import ModelCard, Params, Prompt, Role, Usage
from auritas.memory.notes.grounding import grounded
from auritas.memory.notes.model import Draft, Pending, Sections, Turn
from auritas.memory.notes.prompts import note_prompt, reply_tokens, schema_for, sections_in, window_tokens
from auritas.memory.notes.sections import cut, joined, text_of, tidy
from auritas.memory.notes.tokens import estimated
from auritas.memory.notes.triggers import covered
from auritas.memory.notes.windows import windows
from auritas.memory.writing import ATTEMPTS, SECOND_TEMPERATURE, Asker, Scribe

WHY: Final = "write a hand-off note"
DEADLINE_S: Final = 240.0
"""For one window: nobody waits for it."""


class UnusableNoteError(UnavailableError):
    """A model wrote nothing from which a conversation could be resumed."""

    code = "unusable_note"

    def __init__(self, seat: str) -> None:
        super().__init__(
            f"{seat} wrote no note that can be used; the one before it stays.",
            remedy="Try again, or let another model write; in a terminal: auritas notes make --seat NAME",
        )


@dataclass(frozen=True, slots=True)
class NoteWriter:
    """Asks models for notes. It keeps nothing: storing is the use case's. prepare: plugins' last word on a prompt."""

    asker: Asker
    prepare: Callable[[Prompt], Prompt] = lambda prompt: prompt

    async def write(
        self,
        card: ModelCard,
        order: Pending,
        before: Sections,
        turns: Sequence[Turn],
        beat: Callable[[], None] = lambda: None,
    ) -> Draft:
        """Return the note that the seat's model writes about `turns`, the messages since `before`.

        beat: called before each call of the model. Raises UnusableNoteError, and what the gateway raises.
        """
        about = covered(turns, order.trigger)
        purpose = Purpose(WHY, conversation_id=order.conversation_id)
        note, usage, noted = before, Usage(), False
        for window in windows(about, window_tokens(card)):
            beat()
            now, took = await self._read(card, note, window, purpose)
            usage = usage.plus(took)
            noted = noted or now.says_something
            note = joined(note, now) if card.grammar else _renewed(note, now)
        if not noted:
            raise UnusableNoteError(order.seat)
        text = text_of(cut(note))
        newest = max(turn.seq for turn in about)
        return Draft(order.conversation_id, order.seat, order.trigger, text, estimated(text), newest, usage)

    async def _read(
        self, card: ModelCard, before: Sections, window: Sequence[Turn], purpose: Purpose
    ) -> tuple[Sections, Usage]:
        """Return what the model notes of one window; asked once more where that is nothing.

        Of some windows there is nothing to note. Raises UnusableNoteError where even that is not said in due form.
        """
        prompt = self.prepare(note_prompt(card, before, window))
        known = text_of(before)
        source = "\n".join((*(turn.text for turn in window), known))
        wishes = "\n".join((*(turn.text for turn in window if turn.role is Role.USER), known))
        usage, found = Usage(), None
        for attempt in range(ATTEMPTS):
            params = Params(max_tokens=reply_tokens(card), schema=schema_for(card), deadline_s=DEADLINE_S)
            if attempt:
                params = replace(params, temperature=SECOND_TEMPERATURE, seed=attempt)
            reply, took = await self._said(card, prompt, params, purpose)
            usage = usage.plus(took)
            found = sections_in(reply)
            if found is not None and (note := grounded(tidy(found), source, wishes)).says_something:
                return note, usage
        if found is None:
            raise UnusableNoteError(card.name)
        return Sections(), usage

    async def _said(self, card: ModelCard, prompt: Prompt, params: Params, purpose: Purpose) -> tuple[str, Usage]:
        try:
            return await Scribe(self.asker).reply(card, prompt, params, purpose)
        except BadStructure:  # the gateway has asked for the form twice already
            raise UnusableNoteError(card.name) from None


def _renewed(before: Sections, now: Sections) -> Sections:
    """Return the note of a model that saw the earlier one and wrote a whole new one; what it left empty stays."""
    whole = joined(before, now)
    return replace(
        whole, decisions=now.decisions or before.decisions, preferences=now.preferences or before.preferences
    )
