"""How far a correction has to do with a question: the cosine of their vectors, less what the correction has with any.

Some sentences lie near everything that is ever asked, "I want short answers" for one, and crowd out those that matter.
CSLS (Conneau et al., Word translation without parallel data, 2018, section 2.3) takes from a cosine the mean cosine of
each side with its nearest neighbours. Only the correction's side changes the order of corrections, so only that is
taken here, with a weight of its own; its neighbours are questions about nothing in common, written for this purpose.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from auritas.kernel.ports import EmbeddingPort

Floats: TypeAlias = NDArray[np.float64]

NEIGHBOURS: Final = 5
"""Of the background's questions, how many nearest ones tell how common a sentence is."""

DISCOUNT: Final = 0.6
"""What is taken of it. Between .5 and .7 the order of preferences is equally good."""

FULL: Final = 0.7
"""A discounted cosine from which on nothing can be more relevant. So .35, the gate of a fact, is at .245: of the
written pairs, which docs/design/recall.md describes, all but three of 70 lie on their side of it."""

USUAL: Final = 0.17
"""How common a sentence is when nobody has measured it: the mean over the written pairs."""

BACKGROUND: Final = (
    "What should I cook for dinner tonight?",
    "Can you recommend a good book for the weekend?",
    "How do I fix a leaking tap?",
    "I'm planning a trip next month. What should I see?",
    "What is a good gift for my brother's birthday?",
    "How can I sleep better?",
    "Which laptop would you suggest for a student?",
    "Can you help me plan my week?",
    "What are some ways to save money?",
    "I want to learn a new skill. Where should I start?",
    "How should I decorate my living room?",
    "What is the best way to learn a language?",
    "Can you suggest an exercise routine for beginners?",
    "Which phone should I buy?",
    "How do I prepare for a job interview?",
    "What are some good films from last year?",
    "Could you suggest activities for a rainy day with children?",
    "What kind of music goes well with a dinner party?",
    "How do I write a better letter?",
    "I need new shoes. Any suggestions?",
    "What are good plants for a small balcony?",
    "How can I be more productive at work?",
    "What is a healthy breakfast?",
    "Which podcasts are worth listening to?",
    "I'm moving to a new town. How do I meet people?",
    "How do I choose a used car?",
    "What games can we play with six friends?",
    "How do I keep my skin healthy in winter?",
    "What should I know before getting a puppy?",
    "Where should we go for lunch near the station?",
    "How do I deploy the service to staging?",
    "Why does this function return null?",
    "Which database should we use?",
    "Explain recursion in simple words.",
    "Summarise this article for me.",
    "What is the capital of Canada?",
    "How many metres are in a mile?",
    "When does the meeting start?",
    "Translate this sentence into French.",
    "What are the symptoms of a cold?",
)


def background(embedder: EmbeddingPort) -> Floats:
    """Return the vectors of the background's questions, one a row; keep them: it takes a second."""
    return np.asarray(embedder.embed(BACKGROUND), dtype=np.float64)


def commonness(vectors: Sequence[Sequence[float]] | Floats, questions: Floats) -> Floats:
    """Return for each vector of unit length how near it is to the nearest of `questions`: their mean cosine."""
    cosines = np.atleast_2d(np.asarray(vectors, dtype=np.float64)) @ questions.T
    nearest: Floats = np.sort(cosines, axis=1)[:, -NEIGHBOURS:].mean(axis=1)
    return nearest


def relevances(cosines: Floats, common: Floats | float = USUAL) -> Floats:
    """Return the relevance of each correction to one question, in [0, 1]; 0: unrelated.

    cosines: of the question with each correction's canonical query or instruction. common: `commonness` of each.
    Where a correction has two vectors, its relevance is the higher of the two.
    """
    found: Floats = np.clip((cosines - DISCOUNT * np.asarray(common)) / FULL, 0.0, 1.0)
    return found


def relevance(cosine: float, common: float = USUAL) -> float:
    """Return the relevance of one correction; see `relevances`."""
    return float(relevances(np.array([cosine]), common)[0])
