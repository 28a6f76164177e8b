"""What a member is told besides the question."""

from auritas.council.prompts import prose_prompt
from auritas.kernel.model import Message, Role

USER, ASSISTANT = Role.USER, Role.ASSISTANT


def test_turns_alternate_whatever_was_cut_or_stopped():
    """The user begins and nobody speaks twice in a row, since some providers refuse anything else."""
    history = (
        Message(ASSISTANT, "the end of an answer"),
        Message(USER, "Why?"),
        Message(ASSISTANT, "So."),
        Message(USER, "a question that was stopped"),
    )
    system, *turns = prose_prompt("And now?", history).messages
    assert system.role is Role.SYSTEM
    assert turns == [
        Message(USER, "Why?"),
        Message(ASSISTANT, "So."),
        Message(USER, "a question that was stopped\n\nAnd now?"),
    ]
