"""How a person names a question of the past and a candidate in it, and how an act is named to a person."""

from auritas.council.acts import Act, Answered, Checked, Key, Merge, NoneRight, Pick, Reviewed, Verdict
from auritas.council.adapters.answered_sql import Found, answered, find
from auritas.council.disagreement import Compared, comparison
from auritas.kernel.errors import NotFoundError, RefusedError, UsageError
from auritas.kernel.text import one_line
from auritas.store import Unit

AMBIGUOUS_SHOWN = 5
_ID_AT_LEAST = 6
"""Characters of a candidate's id; less is more likely a slip than an id."""
QUESTIONS_COMMAND = "See them in their conversations, or by auritas questions"
_FINISHED = "finished"
_NOT_FINISHED = {
    "failed": "nobody answered it",
    "interrupted": "it was stopped before anything was chosen",
    "abandoned": "Auritas ended before it was answered",
    "started": "it is still being answered",
}


class NoQuestionError(NotFoundError):
    """There is no such question, or none at all."""

    code = "no_question"


class AmbiguousError(UsageError):
    """The beginning of an id fits several things."""

    code = "ambiguous"


class NothingToGradeError(RefusedError):
    """The question has no answers that could be right or wrong."""

    code = "nothing_to_grade"


class UnknownCandidateError(NotFoundError):
    """No candidate goes by that name."""

    code = "unknown_candidate"


def question_named(unit: Unit, query: str | None) -> Answered:
    """Return the question whose id, or whose trace's, begins with `query`; None: the last one that was answered.

    Raises NoQuestionError, AmbiguousError, and NothingToGradeError when nothing was chosen.
    """
    last = None if query else find(unit, "", 1, status=_FINISHED)
    found = last[0] if last else found_named(unit, query)
    asked = answered(unit, found.query_id)
    if asked is None or asked.decision.chosen is None:
        why = _NOT_FINISHED.get(found.status, "nobody answered it")
        raise NothingToGradeError(
            f"There is nothing to grade about {one_line(found.text, 60)!r}: {why}.",
            remedy=f"Name another one by the beginning of its id. {QUESTIONS_COMMAND}",
        )
    return asked


def found_named(unit: Unit, query: str | None) -> Found:
    """Return the question, however it ended, whose id or whose trace's begins with `query`; None: the last.

    Raises NoQuestionError and AmbiguousError.
    """
    found = find(unit, query, AMBIGUOUS_SHOWN + 1) if query else find(unit, "", 1)
    if not found and find(unit, "", 1):
        raise NoQuestionError(f"There is no question {query!r}.", remedy=QUESTIONS_COMMAND)
    if not found:
        raise NoQuestionError(
            "There is no question yet.", remedy='Ask one first: auritas ask "What is the capital of Australia?"'
        )
    if len(found) > 1:
        ids = ", ".join(f"{each.query_id} ({one_line(each.text, 40)})" for each in found[:AMBIGUOUS_SHOWN])
        raise AmbiguousError(
            f"{query!r} is the beginning of several questions: {ids}.", remedy=f"Give more of it. {QUESTIONS_COMMAND}"
        )
    return found[0]


def candidate_named(asked: Answered, name: str) -> Compared:
    """Return the candidate that a seat supports, or by its number in the comparison, or by its id.

    Raises UnknownCandidateError, which lists them.
    """
    compared = comparison(asked.joined, asked.answers)
    name = name.strip()
    for fits in (_has_seat, _has_number, _has_id):
        found = [each for each in compared.candidates if fits(each, name)]
        if len(found) == 1:
            return found[0]
    silent = next((each for each in compared.unheard if each.seat == name), None)
    known = "; ".join(_named(each) for each in compared.candidates)
    raise UnknownCandidateError(
        f"{name} gave no answer ({silent.why})." if silent else f"There is no candidate {one_line(name, 40)!r}.",
        remedy=f"There are: {known}.",
    )


def in_words(act: Act, asked: Answered) -> str:
    """Return what an act says, as the end of a sentence."""
    texts = {c.id: f'"{one_line(c.text, 60)}"' for c in asked.decision.candidates}
    seats = {answer.run_id: answer.seat.name for answer in asked.answers}
    match act:
        case Verdict() | Checked():
            return f"the answer of {seats.get(act.run_id, 'nobody')} is {'right' if act.right else 'wrong'}"
        case Reviewed():
            return f"{act.reviewer} finds the answer of {seats.get(act.run_id, 'nobody')} {act.verdict}"
        case Key():
            return f'the right answer is "{one_line(act.text, 60)}"'
        case Pick():
            return f"{texts.get(act.candidate, 'a candidate')} is right"
        case NoneRight():
            return "no answer is right"
        case Merge():
            return f"{texts.get(act.first, 'one')} and {texts.get(act.second, 'another')} say the same"


def _has_seat(candidate: Compared, name: str) -> bool:
    return any(voice.seat == name for voice in candidate.voices)


def _has_number(candidate: Compared, name: str) -> bool:
    return name == str(candidate.number)


def _has_id(candidate: Compared, name: str) -> bool:
    return len(name) >= _ID_AT_LEAST and candidate.id.startswith(name)


def _named(candidate: Compared) -> str:
    seats = ", ".join(voice.seat for voice in candidate.voices)
    return f"{candidate.number} {one_line(candidate.text, 40)} ({seats})"
