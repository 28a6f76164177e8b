"""Types of questions, grades, records and routing."""

from auritas.app.calibration import Calibration
from auritas.app.grade_page import ComparisonShown, GradeDone, GradeLines, compared_of, done_of, lines_of
from auritas.app.grading import Graded
from auritas.app.question_page import QuestionLines, QuestionShown, Reasons
from auritas.app.record import Balance, DomainRate, Independence, LedgerLines, Ranked, Tally
from auritas.app.simulator import LevelExpectation, Route, Routed, Supposed
from auritas.app.usage import UsageReport
from auritas.council.scores import PublicScore

__all__ = [
    "Balance",
    "Calibration",
    "ComparisonShown",
    "DomainRate",
    "GradeDone",
    "GradeLines",
    "Graded",
    "Independence",
    "LedgerLines",
    "LevelExpectation",
    "PublicScore",
    "QuestionLines",
    "QuestionShown",
    "Ranked",
    "Reasons",
    "Route",
    "Routed",
    "Supposed",
    "Tally",
    "UsageReport",
    "compared_of",
    "done_of",
    "lines_of",
]
