"""The order of messages for a question."""

from datetime import UTC, datetime, timedelta

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from auritas.kernel.model import Role
from auritas.search.recall.dates import periods
from auritas.search.recall.model import NONE, Asked, Corpus, Pool, Turn, pool_of
from auritas.search.recall.scoring import WEIGHTS, confidence, features, rank

BEGUN = datetime(2024, 3, 1, 12, tzinfo=UTC)


def turn(seq: int, *, role: Role = Role.USER, asks: bool = False, at: datetime | None = None, of: str = "c") -> Turn:
    return Turn(seq, of, role, at or BEGUN + timedelta(minutes=seq), 10, asks)


def pool(counts: list[list[float]], cosines: list[float] | None = None, turns: list[Turn] | None = None) -> Pool:
    turns = turns or [turn(number) for number in range(len(counts))]
    known = tuple(int(sum(row[term] > 0 for row in counts)) for term in range(len(counts[0]))) if counts else ()
    corpus = Corpus(100, 10.0, known)
    return pool_of(turns, np.array(counts, dtype=np.float64), np.array(cosines or [0.0] * len(counts)), corpus)


def asked(*terms: str, speaker: Role | None = None, when: str = "") -> Asked:
    return Asked("?", terms, speaker, periods(when, BEGUN.date()))


def order(question: Asked, among: Pool) -> list[int]:
    return [each.turn.seq for each in rank(question, among)]


def test_an_empty_pool_ranks_nothing() -> None:
    """Where nothing may help, nothing is recalled (M16)."""
    empty = pool_of([], np.zeros((0, 1)), np.zeros(0), Corpus(0, 0.0, (0,)))
    assert rank(asked("boat"), empty) == []


def test_an_answer_inherits_from_the_question_before_it() -> None:
    """The reply to a question that holds the words comes before a message far from them (M16)."""
    among = pool([[0.0], [0.0], [1.0], [0.0], [0.0], [0.0], [0.0]])
    assert order(asked("boat"), among)[:2] == [2, 3]


def test_the_answer_comes_before_the_question_when_the_words_are_equal() -> None:
    """Of two messages with the same words the one that asks nothing is recalled first (M16)."""
    turns = [turn(0, asks=True), turn(1)]
    assert order(asked("boat"), pool([[1.0], [1.0]], turns=turns)) == [1, 0]


def test_who_was_named_comes_first() -> None:
    """Of two messages with the same words the one of the speaker in question comes first (M16)."""
    turns = [turn(0, of="a"), turn(1, role=Role.ASSISTANT, of="b")]
    assert order(asked("boat", speaker=Role.ASSISTANT), pool([[1.0], [1.0]], turns=turns)) == [1, 0]


def test_when_it_was_said_counts() -> None:
    """Of two messages with the same words the one of the month that was named comes first (M16)."""
    turns = [turn(0, of="a"), turn(1, of="b", at=datetime(2023, 5, 3, tzinfo=UTC))]
    assert order(asked("boat", when="in May 2023"), pool([[1.0], [1.0]], turns=turns)) == [1, 0]


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    """The message with the rarer word of the question comes first (M16)."""
    counts = [[1.0, 0.0]] + [[0.0, 1.0]] + [[0.0, 1.0]] * 5
    turns = [turn(number, of=str(number)) for number in range(len(counts))]
    assert order(asked("boat", "day"), pool(counts, turns=turns))[0] == 0


def test_a_long_silence_ends_a_stretch_of_talk() -> None:
    """Neighbours are of the same conversation and of the same day's talk (M16)."""
    turns = [turn(0), turn(1), turn(2, at=BEGUN + timedelta(days=2)), turn(3, of="d")]
    found = pool([[0.0]] * 4, turns=turns)
    assert found.previous.tolist() == [NONE, 0, NONE, NONE]
    assert found.next.tolist() == [1, NONE, NONE, NONE]


_ROWS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 2), st.floats(-1, 1), st.booleans(), st.integers(0, 2)),
    min_size=1,
    max_size=25,
)


def _drawn(rows: list[tuple[int, int, float, bool, int]]) -> Pool:
    turns = sorted(
        (turn(n, asks=row[3], of=str(row[4])) for n, row in enumerate(rows)), key=lambda t: (t.conversation_id, t.seq)
    )
    return pool([[float(row[0]), float(row[1])] for row in rows], [row[2] for row in rows], turns)


@given(_ROWS)
def test_scores_and_columns_are_finite_and_bounded(rows: list[tuple[int, int, float, bool, int]]) -> None:
    """A score lies in [0, 1], every weighed column has a weight, and every message is ranked once (M16)."""
    among, question = _drawn(rows), asked("boat", "day")
    table = features(question, among)
    assert set(table) == set(WEIGHTS)
    assert all(np.isfinite(column).all() and len(column) == len(rows) for column in table.values())
    found = confidence(question, among)
    assert ((found >= 0) & (found <= 1)).all()
    assert sorted(order(question, among)) == sorted(each.seq for each in among.turns)


@given(_ROWS, st.integers(0, 24))
def test_more_meaning_never_lowers_a_score(rows: list[tuple[int, int, float, bool, int]], place: int) -> None:
    """A message whose vector comes nearer to the question is not scored lower (M16)."""
    among, question = _drawn(rows), asked("boat", "day")
    before = confidence(question, among)
    among.cosines[place % len(rows)] += 0.1
    assert (confidence(question, among) >= before - 1e-12).all()
