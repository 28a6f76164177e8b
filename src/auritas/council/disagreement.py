"""Where members disagree: who said what, how likely each is right, and the words in which they differ."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from auritas.kernel.answers import Answer, Candidate, Decision

_WORDS = re.compile(r"\S+\s*|^\s+")


class SpanKind(StrEnum):
    """Whether a piece of an answer is common to the candidates compared or a claim of its own."""

    SAME = "same"
    DIFFERS = "differs"


@dataclass(frozen=True, slots=True)
class Span:
    """Some words of an answer with the space after them; an answer's spans in order are its text."""

    kind: SpanKind
    text: str


@dataclass(frozen=True, slots=True)
class Voice:
    """A member that supports a candidate: its own words, and how sure it claims to be."""

    seat: str
    run_id: str
    text: str
    explanation: str
    stated_confidence: float | None
    shown: bool


@dataclass(frozen=True, slots=True)
class Compared:
    """One candidate among those compared.

    number: its place from 1, by which a person names it. p: the chance that it is right, or a score; the comparison's
    basis says which. spans: its text, with what differs from the others.
    """

    number: int
    id: str
    text: str
    spans: tuple[Span, ...]
    voices: tuple[Voice, ...]
    p: float | None
    chosen: bool


@dataclass(frozen=True, slots=True)
class Unheard:
    """A member that supports no candidate, and why: `abstained`, or the code of its failure."""

    seat: str
    why: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Candidates side by side, the chosen one first.

    effective_votes: how many independent members the answering ones are worth, None before that is known.
    calibrated: whether the numbers are probabilities; if not they are scores.
    """

    candidates: tuple[Compared, ...]
    unheard: tuple[Unheard, ...]
    effective_votes: float | None
    calibrated: bool

    @property
    def disagrees(self) -> bool:
        """Whether there is more than one candidate."""
        return len(self.candidates) > 1


def comparison(decision: Decision, answers: Sequence[Answer]) -> Comparison:
    """Return the candidates of `decision` with who said what and which words differ.

    The chosen one is compared with every other, each other with the chosen one.
    """
    ordered = sorted(decision.candidates, key=lambda c: c.id != decision.chosen)
    spans = spans_of([c.text for c in ordered])
    by_seat = {answer.seat.name: answer for answer in answers}
    compared = tuple(
        Compared(n, c.id, c.text, spans[n - 1], _voices(c, by_seat, decision.shown_seat), c.p, c.id == decision.chosen)
        for n, c in enumerate(ordered, 1)
    )
    heard = {voice.seat for each in compared for voice in each.voices}
    unheard = tuple(
        Unheard(a.seat.name, _why(a)) for a in sorted(answers, key=lambda a: a.seat.name) if a.seat.name not in heard
    )
    return Comparison(compared, unheard, decision.effective_votes, decision.confidence.p is not None)


def spans_of(texts: Sequence[str]) -> tuple[tuple[Span, ...], ...]:
    """Return each text in spans: the first against all others, every other against the first.

    Words are compared without case and closing punctuation. A text that stands alone differs from nothing.
    """
    words = [_WORDS.findall(text) for text in texts]
    if len(texts) < 2:  # noqa: PLR2004  it takes two to differ
        return tuple((Span(SpanKind.SAME, text),) if text else () for text in texts)
    common = [_common(words[0], other) for other in words[1:]]
    shared = [set.intersection(*(first for first, _ in common)), *(second for _, second in common)]
    return tuple(_spans(each, same) for each, same in zip(words, shared, strict=True))


def _common(first: Sequence[str], second: Sequence[str]) -> tuple[set[int], set[int]]:
    """Return the places of the words that both have in the same order, in each of them."""
    bare = [[_bare(word) for word in words] for words in (first, second)]
    blocks = SequenceMatcher(None, bare[0], bare[1], autojunk=False).get_matching_blocks()
    in_first = {block.a + offset for block in blocks for offset in range(block.size)}
    in_second = {block.b + offset for block in blocks for offset in range(block.size)}
    return in_first, in_second


def _bare(word: str) -> str:
    word = word.strip()
    return word.rstrip(".,;:!?").casefold() or word


def _spans(words: Sequence[str], same: set[int]) -> tuple[Span, ...]:
    spans: list[Span] = []
    for place, word in enumerate(words):
        kind = SpanKind.SAME if place in same else SpanKind.DIFFERS
        if spans and spans[-1].kind is kind:
            spans[-1] = Span(kind, spans[-1].text + word)
        else:
            spans.append(Span(kind, word))
    return tuple(spans)


def _voices(candidate: Candidate, by_seat: dict[str, Answer], shown: str | None) -> tuple[Voice, ...]:
    """Return who supports the candidate, the shown one first."""
    said = [by_seat[seat] for seat in candidate.supporters if seat in by_seat]
    voices = [
        Voice(a.seat.name, a.run_id, a.text, a.explanation, a.stated_confidence, a.seat.name == shown) for a in said
    ]
    return tuple(sorted(voices, key=lambda voice: (not voice.shown, voice.seat)))


def _why(answer: Answer) -> str:
    """Return why a member supports no candidate; one that said something failed its self-test and has no vote."""
    if answer.failure:
        return answer.failure.code
    return "abstained" if answer.abstained else "no vote" if answer.text else "silent"
