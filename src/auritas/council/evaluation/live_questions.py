"""Questions with keys for evaluating real models: data of our own, kept apart from the self-test."""

import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from typing import Any

from auritas.gateway.selftest import is_right
from auritas.kernel.errors import InvalidError

_REMEDY = "The file has a line version = 1, then one [[question]] after another; see the guide."


class LiveKind(StrEnum):
    """What a question tests."""

    ARITHMETIC = "arithmetic"
    CAPITALS = "capitals"
    UNITS = "units"
    FACTS = "facts"


@dataclass(frozen=True, slots=True)
class LiveQuestion:
    """A question and what counts as right: any of `accept`, as whole words in the answer.

    key: stable within a version. domain: as in the self-test.
    """

    key: str
    kind: LiveKind
    domain: str
    ask: str
    accept: tuple[str, ...]

    def __post_init__(self) -> None:
        if not (self.ask.strip() and self.domain and self.accept and all(words.strip() for words in self.accept)):
            raise InvalidError(f"Question {self.key} lacks its words, its domain or its key.")

    def right(self, answer: str) -> bool:
        """Return whether an answer is right."""
        return is_right(answer, self.accept)


@dataclass(frozen=True, slots=True)
class LiveExam:
    """Questions that are asked together. id names the data and its version, so that results can be compared."""

    id: str
    questions: tuple[LiveQuestion, ...]

    def __post_init__(self) -> None:
        times = Counter(question.ask.casefold() for question in self.questions)
        twice = next((q for q in self.questions if times[q.ask.casefold()] > 1), None)
        if twice is not None:
            raise InvalidError(f"{self.id} asks the same question twice: {twice.ask}")


def built_in_live_exam() -> LiveExam:
    """Return the questions that ship with Auritas."""
    return parse_live_exam(files("auritas.council").joinpath("data/live_questions.toml").read_text(encoding="utf-8"))


def parse_live_exam(text: str) -> LiveExam:
    """Return the questions of a TOML text. Raises InvalidError, which names the first question that cannot be read."""
    try:
        data = tomllib.loads(text)
        return LiveExam(
            f"live.{data['version']}",
            tuple(_question(number, item) for number, item in enumerate(data["question"], 1)),
        )
    except tomllib.TOMLDecodeError as error:
        raise InvalidError(f"The questions are not TOML: {error}.", remedy=_REMEDY) from None
    except KeyError as error:
        raise InvalidError(f"The questions have no {error.args[0]}.", remedy=_REMEDY) from None
    except (TypeError, AttributeError):
        raise InvalidError("The questions are no list of [[question]].", remedy=_REMEDY) from None


def _question(number: int, item: Mapping[str, Any]) -> LiveQuestion:
    key = f"live-{number:02d}"
    accept = item.get("accept")
    if set(item) != {"domain", "kind", "ask", "accept"} or not isinstance(accept, list):
        raise InvalidError(f"Question {key} needs domain, kind, ask and a list called accept, and nothing else.")
    fields = [item["domain"], item["ask"], *accept]
    if not all(isinstance(field, str) for field in fields) or item["kind"] not in set(LiveKind):
        raise InvalidError(f"Question {key} has a field that is no text, or a kind that is not known.")
    return LiveQuestion(key, LiveKind(item["kind"]), item["domain"], item["ask"], tuple(accept))
