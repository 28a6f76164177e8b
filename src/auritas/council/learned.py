"""From graded questions of the past to the cases that choosing learns from."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from auritas.council.choice.model import Case, Option, Situation
from auritas.council.grading import GradedQuestion, RunGrade, Supported, standing
from auritas.council.options import form_of
from auritas.kernel.answers import QuestionShape

Spread: TypeAlias = Callable[[Mapping[str, float]], Mapping[str, float]]
"""From the stored shares of a question to the shares of all nodes on the paths to the roots."""


def cases_of(questions: Sequence[GradedQuestion], paths: Spread) -> list[Case]:
    """Return the closed questions as cases, oldest first; of an open one no candidate is the right one.

    paths: from stored shares to shares on the tree as it stands.
    """
    return [_case(question, paths) for question in questions if question.shape is QuestionShape.CLOSED]


class Paths:
    """Shares of stored questions on the paths of the tree as it stands, each distinct one computed once."""

    def __init__(self, spread: Spread) -> None:
        self._spread = spread
        self._known: dict[tuple[tuple[str, float], ...], Mapping[str, float]] = {}

    def __call__(self, shares: Mapping[str, float]) -> Mapping[str, float]:
        """Return the share of each node on the paths to the roots."""
        name = tuple(sorted(shares.items()))
        if name not in self._known:
            self._known[name] = self._spread(shares)
        return self._known[name]


def _case(question: GradedQuestion, paths: Spread) -> Case:
    options = tuple(_option(candidate) for candidate in question.candidates)
    supporters = {seat for option in options for seat in option.supporters}
    asked = tuple(sorted(supporters | set(question.silent)))
    situation = Situation(options, asked, paths(question.domains), question.aspects, reports=question.reports)
    return Case(situation, likelihood(options, question.grades))


def _option(candidate: Supported) -> Option:
    form = form_of(candidate.text) if candidate.form is None else candidate.form
    return Option(candidate.id, candidate.supporters, form, candidate.oddness)


def likelihood(options: Sequence[Option], grades: Sequence[RunGrade]) -> tuple[float, ...] | None:
    """Return how likely the grades are if each option in turn, and last none of them, is the right one.

    A grader that judged several answers of one candidate has judged it once. None where nothing is known, or where
    sure graders contradict each other and no truth explains them.
    """
    said: dict[tuple[str, str, str], tuple[bool, float]] = {}
    for grade in grades_that_count(grades):
        said[grade.candidate or "", grade.source, grade.given_by] = (bool(grade.correct), grade.reliability)
    if not said:
        return None
    found = [_explained(option.key, said) for option in options]
    found.append(_explained(None, said))
    return tuple(found) if sum(found) > 0 else None


def grades_that_count(grades: Sequence[RunGrade]) -> list[RunGrade]:
    """Return the newest grade that each grader gave each run, of those that tell something about a candidate."""
    by_run: dict[str, list[RunGrade]] = {}
    for grade in grades:
        if grade.candidate is not None and grade.reliability > 0.5:  # noqa: PLR2004  even odds tell nothing
            by_run.setdefault(grade.run_id, []).append(grade)
    return [grade for run in by_run.values() for grade in standing(run)]


def _explained(right: str | None, said: Mapping[tuple[str, str, str], tuple[bool, float]]) -> float:
    value = 1.0
    for (candidate, _, _), (correct, reliability) in said.items():
        value *= reliability if correct == (candidate == right) else 1 - reliability
    return value
