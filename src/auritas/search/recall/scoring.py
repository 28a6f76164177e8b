"""The order of past messages for a question: words, meaning, who spoke, when, and what was said around.

Words: BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009) over a window in which the neighbours'
words count in part (their BM25F with the neighbours as fields). A question of a conversation is often answered one turn
later, and its words stand in the turn before: so neighbours lend their words and their meaning. A stretch of talk keeps
its topic: so the stretch lends too. The weights are those of a softmax over all messages of a conversation in which
the messages that answer should have all the mass (ListNet, Cao et al., 2007); docs/design/recall.md says what they were
fitted on and what they reach on conversations that they have not seen.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from auritas.search.recall.dates import in_periods
from auritas.search.recall.model import NONE, Asked, Corpus, Floats, Places, Pool, Weighed

SATURATION: Final = 0.9
"""k1: how fast further occurrences stop to count."""
LENGTH: Final = 0.4
"""b: how much long messages lose; messages are short, and long ones say more."""
BEFORE: Final = 0.7
AFTER: Final = 0.3
"""What a word of the message before, and of the one after, counts in the window."""
NEAREST: Final = 3
"""Messages of a stretch whose cosines stand for its meaning."""

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "window": 0.95,
        "two_before": 0.33,
        "two_after": 0.14,
        "stretch_words": 0.52,
        "cosine": 1.0,
        "cosine_before": 0.30,
        "cosine_after": 0.33,
        "stretch_cosine": 0.27,
        "speaker": 0.27,
        "asks": -0.30,
        "in_period": 0.75,
    }
)
"""In units of one whole cosine."""


def rank(asked: Asked, pool: Pool) -> list[Weighed]:
    """Return the messages of the pool, best first; of equals the earlier one."""
    if not pool.turns:
        return []
    table = features(asked, pool)
    values = sum((WEIGHTS[name] * column for name, column in table.items()), np.zeros(len(pool.turns)))
    scores = confidence(asked, pool)
    order = np.argsort(-values, kind="stable").tolist()
    return [Weighed(pool.turns[place], float(values[place]), float(scores[place])) for place in order]


def features(asked: Asked, pool: Pool) -> Mapping[str, Floats]:
    """Return the columns that WEIGHTS weighs, a value for each message."""
    rarity = rarities(pool.corpus)
    lengths = np.array([turn.length for turn in pool.turns], dtype=np.float64)
    mean = pool.corpus.mean_length
    window = _bm25(_window(pool.counts, pool), _window(lengths, pool), mean * (1 + BEFORE + AFTER), rarity)
    own = _share_of_best(_bm25(pool.counts, lengths, mean, rarity))
    return {
        "window": _share_of_best(window),
        "two_before": _lent(own, _twice(pool.previous)),
        "two_after": _lent(own, _twice(pool.next)),
        "stretch_words": _share_of_best(_words_of_stretch(pool, rarity)),
        "cosine": pool.cosines,
        "cosine_before": _lent(pool.cosines, pool.previous),
        "cosine_after": _lent(pool.cosines, pool.next),
        "stretch_cosine": _meaning_of_stretch(pool),
        "speaker": np.array([float(turn.role is asked.speaker) for turn in pool.turns]),
        "asks": np.array([float(turn.asks) for turn in pool.turns]),
        "in_period": _in_period(pool, asked),
    }


def rarities(corpus: Corpus) -> Floats:
    """Return the inverse document frequency of each term, never negative: ln(1 + (N - n + ½) / (n + ½))."""
    known = np.array(corpus.known, dtype=np.float64)
    return np.log1p(np.maximum(corpus.messages - known + 0.5, 0.0) / (known + 0.5))


SCORE_AT_ZERO: Final = -3.5
SCORE_OF_COSINE: Final = 5.7
SCORE_OF_WORDS: Final = 3.7


def confidence(asked: Asked, pool: Pool) -> Floats:
    """Return for each message how surely it has to do with the question, in [0, 1]: a logistic regression.

    On the best cosine of the message and its neighbours, and on the share of the question's rare words that the window
    holds. Unlike the order, which only compares within one question, it can be held against a threshold.
    """
    rarity = rarities(pool.corpus)
    held = (_window(pool.counts, pool) > 0) @ rarity
    words = held / rarity.sum() if asked.terms and rarity.sum() else np.zeros(len(pool.turns))
    around = np.maximum(_lent(pool.cosines, pool.previous), _lent(pool.cosines, pool.next))
    cosine = np.maximum(pool.cosines, around)
    scores: Floats = 1 / (1 + np.exp(-(SCORE_AT_ZERO + SCORE_OF_COSINE * cosine + SCORE_OF_WORDS * words)))
    return scores


def _bm25(counts: Floats, lengths: Floats, mean_length: float, rarity: Floats) -> Floats:
    share = (lengths / mean_length)[:, None] if mean_length else 1.0
    found: Floats = (counts * (SATURATION + 1) / (counts + SATURATION * (1 - LENGTH + LENGTH * share))) @ rarity
    return found


def _window(own: Floats, pool: Pool) -> Floats:
    whole: Floats = own + BEFORE * _lent(own, pool.previous) + AFTER * _lent(own, pool.next)
    return whole


def _lent(values: Floats, places: Places) -> Floats:
    """Return for each message the value of the one at its place, and 0 where there is none."""
    there = (places != NONE).astype(np.float64)
    lent: Floats = values[places] * (there if values.ndim == 1 else there[:, None])
    return lent


def _twice(places: Places) -> Places:
    return np.where(places == NONE, NONE, places[places])


def _share_of_best(values: Floats) -> Floats:
    best = float(values.max(initial=0.0))
    return values / best if best > 0 else values


def _words_of_stretch(pool: Pool, rarity: Floats) -> Floats:
    """Return for each message how much of the question its stretch speaks of anywhere, in rarity."""
    starts, sizes = _stretches(pool)
    found: Floats = np.repeat(np.logical_or.reduceat(pool.counts > 0, starts, axis=0) @ rarity, sizes)
    return found


def _meaning_of_stretch(pool: Pool) -> Floats:
    """Return for each message the mean cosine of the NEAREST messages of its stretch."""
    starts, sizes = _stretches(pool)
    nearest_first = np.lexsort((-pool.cosines, pool.stretch))
    place = np.arange(len(sizes.repeat(sizes))) - starts.repeat(sizes)
    kept = np.where(place < NEAREST, pool.cosines[nearest_first], 0.0)
    found: Floats = np.repeat(np.add.reduceat(kept, starts) / np.minimum(sizes, NEAREST), sizes)
    return found


def _stretches(pool: Pool) -> tuple[Places, Places]:
    """Return where each stretch begins, and its size."""
    starts = np.flatnonzero(pool.previous == NONE)
    return starts, np.diff(np.append(starts, len(pool.turns)))


def _in_period(pool: Pool, asked: Asked) -> Floats:
    if not asked.periods:
        return np.zeros(len(pool.turns))
    return np.array([float(in_periods(turn.at.date(), asked.periods)) for turn in pool.turns])
