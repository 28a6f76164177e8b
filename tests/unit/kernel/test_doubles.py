"""The deterministic doubles do what their ports promise."""

import pytest

from auritas.kernel.doubles import ExactVectorIndex, HashEmbedding, MemoryChain, MemoryWorkflow
from auritas.kernel.errors import InvalidError


def test_the_nearest_vector_comes_first_and_an_erased_one_never():
    """Order is by cosine, then by key; what was erased is gone."""
    index = ExactVectorIndex()
    for key, vector in {"b": (1, 0), "a": (1, 0), "c": (0, 1), "d": (1, 1)}.items():
        index.put(key, vector)
    assert [key for key, _ in index.nearest((2, 0), 3)] == ["a", "b", "d"]
    index.erase("a")
    assert [key for key, _ in index.nearest((2, 0), 1)] == ["b"]


def test_equal_texts_have_equal_vectors_of_unit_length():
    """The embedding double is a function of the words alone."""
    first, second, other = HashEmbedding().embed(["the cat", "The  cat", "a dog barks"])
    assert first == second != other
    assert sum(x * x for x in first) == pytest.approx(1)


@pytest.mark.anyio
async def test_a_finished_step_never_runs_again():
    """A workflow's step has one result, however often it is asked for."""
    runs = []

    async def work() -> str:
        runs.append(1)
        return "done"

    workflow = MemoryWorkflow()
    assert [await workflow.step("w", "k", work) for _ in range(3)] == ["done"] * 3
    assert len(runs) == 1


@pytest.mark.anyio
async def test_a_posted_digest_can_be_read_back():
    """The chain double gives back what was posted and refuses what is no digest."""
    chain = MemoryChain()
    assert await chain.posted(await chain.post(b"x" * 32)) == b"x" * 32
    assert await chain.posted("7") is None
    with pytest.raises(InvalidError):
        await chain.post(b"short")
