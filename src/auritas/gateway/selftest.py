"""The self-test: what a model is asked when it is installed, and what it may do afterwards.

Its result is the model's prior track record: counts by domain, and how often its votes were right.
"""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from importlib.resources import files
from typing import Any

from auritas.kernel.errors import InvalidError

ANSWER_RATE = 0.6
"""Share of questions that a model must get right to answer for the council."""
JUDGE_RATE = 0.8
"""Share of YES and NO ballots; with twelve of them a coin gets there once in fifty."""
NULL_RATE = 0.6
"""Share of NULL ballots seen as such, while false NULLs already count as wrong YES and NO ballots."""


FORMS = 6
"""Items have two or three wordings: after six forms they come round again."""


class ModelRole(StrEnum):
    """What a model may do in a council or committee."""

    ANSWER = "answer"
    JUDGE_YES_NO = "judge_yes_no"
    JUDGE_NULL = "judge_null"
    FORM_ONLY = "form_only"


class Vote(StrEnum):
    """What a ballot says of a claim: supported, contradicted, or not settled by the evidence."""

    YES = "YES"
    NO = "NO"
    NULL = "NULL"


@dataclass(frozen=True, slots=True)
class Question:
    """One form of a question. accept: any of these, as whole words in the answer, is right."""

    key: str
    domain: str
    ask: str
    accept: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ballot:
    """One form of a ballot and the vote that is right."""

    key: str
    claim: str
    evidence: str
    expected: Vote


@dataclass(frozen=True, slots=True)
class Exam:
    """One run's questions and ballots. id names the data's version and the form, so that results can be compared."""

    id: str
    questions: tuple[Question, ...]
    ballots: tuple[Ballot, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """One question's outcome."""

    key: str
    domain: str
    right: bool


@dataclass(frozen=True, slots=True)
class Voted:
    """One ballot's outcome; vote is None when the reply was no ballot."""

    key: str
    expected: Vote
    vote: Vote | None


@dataclass(frozen=True, slots=True)
class SelfTest:
    """A model's result. digest: of the weights that were tested. seconds: how long it took."""

    model: str
    digest: str
    exam: str
    answered: tuple[Answered, ...]
    voted: tuple[Voted, ...]
    seconds: float

    @property
    def roles(self) -> tuple[ModelRole, ...]:
        """What the model may do."""
        return roles(self.answered, self.voted)

    @property
    def answers_right(self) -> int:
        """Questions answered rightly."""
        return sum(one.right for one in self.answered)

    @property
    def votes_right(self) -> int:
        """Ballots cast rightly."""
        return sum(one.vote == one.expected for one in self.voted)

    @property
    def by_domain(self) -> Mapping[str, tuple[int, int]]:
        """Right answers and questions in each domain: the prior that a track record starts from."""
        asked = Counter(one.domain for one in self.answered)
        right = Counter(one.domain for one in self.answered if one.right)
        return {domain: (right[domain], count) for domain, count in sorted(asked.items())}

    @property
    def basis(self) -> str:
        """One sentence about where the numbers come from."""
        return (
            f"Self-test {self.exam}: {self.answers_right} of {len(self.answered)} questions "
            f"and {self.votes_right} of {len(self.voted)} ballots right."
        )


def built_in_exam(form: int = 0) -> Exam:
    """Return the exam that ships with Auritas. form: which wording of each item, counted round."""
    data = files("auritas.gateway").joinpath("data/selftest.toml").read_text(encoding="utf-8")
    return parse_exam(data, form)


def built_in_exams() -> tuple[Exam, ...]:
    """Return the exam in all its forms; after FORMS of them every wording has come up."""
    return tuple(built_in_exam(form) for form in range(FORMS))


def parse_exam(text: str, form: int = 0) -> Exam:
    """Return one form of the exam in a TOML text. Raises KeyError when a field is missing."""
    data = tomllib.loads(text)
    questions = tuple(
        Question(f"q{index}", item["domain"], chosen["ask"], tuple(chosen["accept"]))
        for index, item in enumerate(data["question"])
        for chosen in [_form(item, form)]
    )
    ballots = tuple(
        Ballot(f"b{index}", chosen["claim"], chosen["evidence"], Vote(item["expected"]))
        for index, item in enumerate(data["ballot"])
        for chosen in [_form(item, form)]
    )
    return Exam(f"{data['version']}.{form}", questions, ballots)


def is_right(answer: str, accept: Sequence[str]) -> bool:
    """Return whether one of the accepted words or numbers stands in the answer as a whole.

    An answer that names both yes and no, or a number that is part of a longer one, is not right.
    """
    said = _words(answer)
    wanted = [_words(words) for words in accept]
    if any(words in (" yes ", " no ") for words in wanted):
        return any(said.startswith(words) for words in wanted)
    return any(words in said for words in wanted)


def roles(answered: Sequence[Answered], voted: Sequence[Voted]) -> tuple[ModelRole, ...]:
    """Return what a model with these outcomes may do. A model whose votes never vary may not vote."""
    found = []
    if answered and sum(one.right for one in answered) / len(answered) >= ANSWER_RATE:
        found.append(ModelRole.ANSWER)
    if len({one.vote for one in voted}) > 1 and _rate(voted, Vote.YES, Vote.NO) >= JUDGE_RATE:
        found.append(ModelRole.JUDGE_YES_NO)
        if _rate(voted, Vote.NULL) >= NULL_RATE:
            found.append(ModelRole.JUDGE_NULL)
    return tuple(found) or (ModelRole.FORM_ONLY,)


def to_json(result: SelfTest) -> str:
    """Return the result as JSON text for the store."""
    return json.dumps(asdict(result), sort_keys=True)


def from_json(text: str) -> SelfTest:
    """Return what `to_json` wrote. Raises InvalidError on anything else."""
    try:
        return _read(json.loads(text))
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidError(f"A stored self-test cannot be read: {error}.") from error


def _read(data: Mapping[str, Any]) -> SelfTest:
    return SelfTest(
        model=data["model"],
        digest=data["digest"],
        exam=data["exam"],
        answered=tuple(Answered(**one) for one in data["answered"]),
        voted=tuple(
            Voted(one["key"], Vote(one["expected"]), Vote(one["vote"]) if one["vote"] else None)
            for one in data["voted"]
        ),
        seconds=data["seconds"],
    )


def _form(item: Mapping[str, Any], form: int) -> Mapping[str, Any]:
    forms: Sequence[Mapping[str, Any]] = item["forms"]
    return forms[form % len(forms)]


def _rate(voted: Sequence[Voted], *expected: Vote) -> float:
    asked = [one for one in voted if one.expected in expected]
    return sum(one.vote == one.expected for one in asked) / len(asked) if asked else 0.0


def _words(text: str) -> str:
    """Return the words and numbers of a text in lower case, one space around each; 1,000 becomes 1000."""
    joined = re.sub(r"(?<=\d),(?=\d{3})", "", text.lower())
    return " " + " ".join(re.findall(r"\d+(?:\.\d+)?|[^\W\d_]+\d*", joined)) + " "
