"""What a member is told besides the question."""

from collections.abc import Sequence
from dataclasses import replace

from auritas.gateway.quoting import Material, with_material
from auritas.kernel.model import Image, Message, Prompt, Role

INSTRUCTIONS = """\
You are one of several independent members who answer the same question. Answer briefly and correctly; if you are \
unsure, say so. End with exactly these three lines:
ANSWER: the answer itself, in at most 25 words
CONFIDENCE: a whole number from 0 to 100, how likely your answer is right
DOMAINS: one to three fields of knowledge, separated by commas"""


_NOTHING = Material()


def prose_prompt(question: str, history: Sequence[Message], material: Material = _NOTHING) -> Prompt:
    """Return the prompt for a member that can hold a format in prose. The stable part comes first.

    What memory has to say stands with the user's words: it is quoted as theirs, never as an instruction of the program.
    """
    before = [Message(Role.USER, material.above)] if material.above else []
    asked = with_material(question, material.beside)
    turns = _alternating([*before, *history, Message(Role.USER, asked)])
    return Prompt((Message(Role.SYSTEM, INSTRUCTIONS), *turns))


def with_images(prompt: Prompt, images: tuple[Image, ...]) -> Prompt:
    """Return the prompt with pictures at its last message, the user's."""
    *before, last = prompt.messages
    return Prompt((*before, replace(last, images=images)))


def _alternating(messages: Sequence[Message]) -> list[Message]:
    """Return the turns as every provider takes them: the user begins, and nobody speaks twice in a row.

    A conversation that was cut begins anywhere, and a question that was stopped has no answer after it.
    """
    turns: list[Message] = []
    for message in messages:
        if turns and turns[-1].role is message.role:
            turns[-1] = Message(message.role, f"{turns[-1].content}\n\n{message.content}")
        elif turns or message.role is Role.USER:
            turns.append(message)
    return turns
