"""How long choosing takes, and learning beside it: OPENBLAS_NUM_THREADS=1 python bench/bench_council.py [TABLE].

Choosing means all between the last answer and the decision, embedding apart: candidates, situation, rule, reasons.
Naive means without a snapshot: all grades are learned from again on the path of each question. Members and questions
are simulated. One thread, because matrices this small are slower with several. With a table of recorded answers, the
time of an evaluation is measured too. Best of several runs; where other programs share the cores, the figures in CPU
time say more than those of the clock.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from auritas.council.candidates import candidates
from auritas.council.choice.document import from_document, to_document
from auritas.council.choice.learning import Setting, learn
from auritas.council.choice.model import Case, Option, Situation, known
from auritas.council.choice.policies import DEFAULT_POLICY, POLICIES
from auritas.council.choice.snapshot import Snapshot
from auritas.council.choosing import situation_of
from auritas.council.evaluation.council import Plan, evaluate
from auritas.council.evaluation.table import models_of, read_table
from auritas.council.policy import Choosing
from auritas.kernel.answers import Answer, Seat

MEMBERS, GRADES, ASKED = 10, 50_000, 2_000
SMALL, LARGE, LEARNED = 6, 30, 3_000
LETTERS = "ABCDE"
NODES = ("code", "mathematics", "science", "legal", "medical")
QUESTION = "How far is it?\n" + "\n".join(f"{letter}) {3 + 7 * place} km" for place, letter in enumerate(LETTERS))
WORDINGS = ("{0}", "({0})", "{0})", "Answer {0}")


@dataclass(frozen=True)
class Row:
    """One line of the table: what, by the clock and in CPU time, the naive way, and the target."""

    what: str
    wall: float
    cpu: float
    naive: float | None = None
    target: str = ""


def believed(members: int) -> dict[str, float]:
    """What self-tests said of them."""
    return dict(zip(names(members), np.linspace(0.8, 0.45, members).tolist(), strict=True))


def names(members: int) -> tuple[str, ...]:
    return tuple(f"member-{place:02}" for place in range(members))


def said(members: int, count: int, seed: int) -> Iterator[tuple[dict[str, int], int, str]]:
    """Who says which letter, which is right, and the domain: rates from .45 to .8, and hard questions hard for all."""
    chance = np.random.default_rng(seed)
    rates = np.linspace(0.8, 0.45, members)
    for _ in range(count):
        right, tempting = (int(letter) for letter in chance.choice(len(LETTERS), 2, replace=False))
        knows = chance.random(members) < rates + chance.normal(0, 0.2)
        wrong = np.where(chance.random(members) < 0.5, tempting, chance.integers(len(LETTERS), size=members))
        letters = np.where(knows, right, wrong)
        yield dict(zip(names(members), map(int, letters), strict=True)), right, NODES[int(chance.integers(len(NODES)))]


def cases(members: int, count: int, seed: int = 1) -> list[Case]:
    found = []
    for letters, right, node in said(members, count, seed):
        by_letter: dict[str, list[str]] = {}
        for seat, letter in letters.items():
            by_letter.setdefault(LETTERS[letter], []).append(seat)
        options = tuple(Option(letter, tuple(by_letter[letter]), letter) for letter in sorted(by_letter))
        place = next((at for at, option in enumerate(options) if option.key == LETTERS[right]), None)
        found.append(known(Situation(options, tuple(letters), {node: 1.0}), place))
    return found


def answered(members: int, count: int) -> list[tuple[list[Answer], str]]:
    """Answers as members give them, in several wordings."""
    return [
        (
            [
                Answer(f"{number}-{seat}", Seat(seat, seat), WORDINGS[at % len(WORDINGS)].format(LETTERS[letter]))
                for at, (seat, letter) in enumerate(letters.items())
            ],
            node,
        )
        for number, (letters, _, node) in enumerate(said(members, count, 2))
    ]


def took(work: Callable[[], object], runs: int = 3) -> tuple[float, float]:
    """Return the best of several runs, in milliseconds, by the clock and in CPU time of this process."""
    best = (float("inf"), float("inf"))
    for _ in range(runs):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        ended, used = time.perf_counter(), time.process_time()
        best = min(best[0], 1000 * (ended - wall)), min(best[1], 1000 * (used - cpu))
    return best


def decide(answers: Sequence[Answer], node: str, learned: Snapshot) -> None:
    groups = candidates(answers)
    situation = situation_of(QUESTION, groups, answers, {node: 1.0})
    Choosing(POLICIES[DEFAULT_POLICY], learned).decide(groups, situation)


def choosing_rows() -> Iterator[Row]:
    past = cases(MEMBERS, GRADES)
    setting = Setting(names(MEMBERS), believed(MEMBERS), most=MEMBERS)
    naive: list[Snapshot] = []
    whole = took(lambda: naive.append(learn(past, setting)), runs=1)
    learned = naive[0]
    each = [took(partial(decide, *one, learned), runs=1) for one in answered(MEMBERS, ASKED)]
    what = f"choosing, {MEMBERS} members, {GRADES:,} grades"
    for percent, target in ((50, ""), (99, "<= 5")):
        wall, cpu = np.percentile(np.array(each), percent, axis=0)
        yield Row(f"{what}, p{percent}", float(wall), float(cpu), whole[0], target)
    text = json.dumps(to_document(learned))
    yield Row(f"reading what was learned, {len(text) / 1024:.0f} KiB", *took(lambda: from_document(json.loads(text))))


def learning_rows() -> Iterator[Row]:
    for members, most, target in ((SMALL, SMALL, "<= 200"), (LARGE, 8, "<= 1,500"), (LARGE, LARGE, "<= 1,500")):
        past, known_rates = cases(members, LEARNED), believed(members)
        what = f"learning {LEARNED:,} grades of {members} members, {most} asked"
        without = Setting(tuple(known_rates), known_rates, cascade=False, most=most)
        yield Row(what, *took(partial(learn, past, without)), target=target)
        fresh = learn(past[:-1], without)
        warm = took(partial(learn, past, without, fresh))
        yield Row("  with the last one as a start", *warm)
        strangers = Setting(tuple(known_rates), cascade=False, most=most)
        yield Row("  nothing being known of the members", *took(partial(learn, past, strangers)))
        if most <= SMALL + 2:
            cascade = Setting(tuple(known_rates), known_rates, most=most)
            yield Row("  with the cascade", *took(partial(learn, past, cascade)))


def part_rows() -> Iterator[Row]:
    """What a refit of the small council is made of."""
    from auritas.council.choice.fit import design, fit
    from auritas.council.choice.paired import Fits, guard
    from auritas.council.choice.penalties import Penalties
    from auritas.council.choice.prior import prior_weights

    past = cases(SMALL, LEARNED)
    rates = believed(SMALL)
    prior, matrices = prior_weights(rates), design(past)
    fits = Fits(prior, Penalties())
    yield Row(f"  of {SMALL} members: matrices", *took(lambda: design(past)))
    yield Row("  fit", *took(lambda: fit(matrices, prior, fits.penalties)))
    yield Row("  guard", *took(lambda: guard(matrices, rates, fits)))


def table_rows(path: Path) -> Iterator[Row]:
    rows = read_table(path)
    pool = models_of(rows)
    yield Row(f"reading {len(rows):,} questions of {len(pool)} models", *took(lambda: read_table(path), runs=1))
    for curves, target in ((False, "<= 60,000"), (True, "<= 180,000")):
        plan = Plan(curves=curves)
        what = "evaluating them, with curves" if curves else "evaluating them"
        yield Row(what, *took(partial(evaluate, rows, pool, plan), runs=1), target=target)


def main() -> None:
    table = Table("what", "ms", "ms of CPU", "naive, ms", "target", title="choosing and learning")
    found = [*choosing_rows(), *learning_rows(), *part_rows()]
    if len(sys.argv) > 1:
        found += table_rows(Path(sys.argv[1]))
    for row in found:
        naive = "" if row.naive is None else f"{row.naive:,.0f}"
        table.add_row(row.what, f"{row.wall:,.2f}", f"{row.cpu:,.2f}", naive, row.target)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
