"""Sentence vectors by MiniLM-L6-v2 (English), computed with numpy alone from its published weights.

A BERT encoder of six layers (Devlin et al., 2019; Wang et al., MiniLM, 2020), mean pooling over the tokens, and a
vector of unit length (Reimers and Gurevych, Sentence-BERT, 2019).
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

# These matrices are small: a second thread doubles the time. The library reads this once, when numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from auritas.kernel.errors import VerificationError

Array: TypeAlias = NDArray[np.float32]

TOKENS: Final = 256
"""What the model was trained with; longer texts are cut."""
_WIDTH = 384
_HEADS = 12
_LAYERS = 6
_EPSILON = 1e-12
_LENGTH_BYTES = 8
_ATTENTION = ("query", "key", "value")


class SafetensorsError(VerificationError):
    """A file of weights is not in the safetensors format, or lacks a tensor."""

    code = "safetensors"

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} cannot be read: {why}.", remedy="Fetch it again: auritas models get minilm-l6-v2")


def read_safetensors(path: Path) -> Mapping[str, Array]:
    """Return the float32 tensors of a file as views of it: pages are read when they are used.

    The format: eight bytes with the length of a JSON header, the header, then the raw little-endian tensors at the
    offsets that it gives. Raises SafetensorsError.
    """
    try:
        raw = np.memmap(path, dtype=np.uint8, mode="r")
        start = _LENGTH_BYTES + int(raw[:_LENGTH_BYTES].view("<u8")[0])
        header = json.loads(raw[_LENGTH_BYTES:start].tobytes())
        return {
            name: raw[start + entry["data_offsets"][0] : start + entry["data_offsets"][1]]
            .view("<f4")
            .reshape(entry["shape"])
            for name, entry in header.items()
            if name != "__metadata__" and entry["dtype"] == "F32"
        }
    except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
        raise SafetensorsError(path, f"{type(error).__name__}: {error}") from error


@dataclass(frozen=True, slots=True)
class _Dense:
    """y = x · weight + bias."""

    weight: Array
    bias: Array

    def __call__(self, x: Array) -> Array:
        return x @ self.weight + self.bias


@dataclass(frozen=True, slots=True)
class _Norm:
    """Layer normalisation over the last axis."""

    weight: Array
    bias: Array

    def __call__(self, x: Array) -> Array:
        centred = x - x.mean(-1, keepdims=True)
        spread = np.sqrt(np.square(centred).mean(-1, keepdims=True) + _EPSILON)
        normal: Array = centred / spread * self.weight + self.bias
        return normal


@dataclass(frozen=True, slots=True)
class _Layer:
    """One transformer layer: attention over all tokens, then the feed-forward part, each added and normalised."""

    attend: _Dense  # query, key and value side by side: one multiplication instead of three
    project: _Dense
    after_attention: _Norm
    widen: _Dense
    narrow: _Dense
    after_feeding: _Norm

    def __call__(self, x: Array) -> Array:
        x = self.after_attention(x + self.project(self._mixed(x)))
        return self.after_feeding(x + self.narrow(_gelu(self.widen(x))))

    def _mixed(self, x: Array) -> Array:
        tokens = len(x)
        heads = self.attend(x).reshape(tokens, 3, _HEADS, _WIDTH // _HEADS).transpose(1, 2, 0, 3)
        query, key, value = heads
        scores = query @ key.transpose(0, 2, 1) / np.float32((_WIDTH // _HEADS) ** 0.5)
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        mixed: Array = (weights @ value).transpose(1, 0, 2).reshape(tokens, _WIDTH)
        return mixed


class MiniLm:
    """Implements EmbeddingPort. Thread-safe: nothing changes after loading.

    weights, vocabulary: the two files of the model; digest: of the weights, part of the id.
    """

    dimensions = _WIDTH

    def __init__(self, weights: Path, vocabulary: Path, digest: str) -> None:
        self.id = f"minilm-l6-v2:{digest[:12]}:mean{TOKENS}"
        tensors = read_safetensors(weights)
        try:
            self._words = tensors["embeddings.word_embeddings.weight"]
            self._places = tensors["embeddings.position_embeddings.weight"]
            self._kind = tensors["embeddings.token_type_embeddings.weight"][0]
            self._start = _norm(tensors, "embeddings.LayerNorm")
            self._layers = tuple(_layer(tensors, f"encoder.layer.{index}") for index in range(_LAYERS))
        except KeyError as error:
            raise SafetensorsError(weights, f"it has no tensor {error}") from error
        self._tokenizer = Tokenizer.from_file(str(vocabulary))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(TOKENS)

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return [self._vector(text).tolist() for text in texts]

    def _vector(self, text: str) -> Array:
        ids = np.array(self._tokenizer.encode(text).ids)
        x = self._start(self._words[ids] + self._places[: len(ids)] + self._kind)
        for layer in self._layers:
            x = layer(x)
        mean = x.mean(0)
        unit: Array = mean / np.linalg.norm(mean)
        return unit


def _gelu(x: Array) -> Array:
    """Return x · Φ(x) with the error function of Abramowitz and Stegun, 7.1.26, which is right to 1.5e-7."""
    z = np.abs(x) * np.float32(0.5**0.5)
    t = 1 / (1 + np.float32(0.3275911) * z)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    half_tail = np.float32(0.5) * series * np.exp(-z * z)
    result: Array = x * np.where(x > 0, 1 - half_tail, half_tail)
    return result


def _norm(tensors: Mapping[str, Array], name: str) -> _Norm:
    return _Norm(tensors[f"{name}.weight"], tensors[f"{name}.bias"])


def _dense(tensors: Mapping[str, Array], *names: str) -> _Dense:
    weight = np.concatenate([tensors[f"{name}.weight"] for name in names])
    return _Dense(np.ascontiguousarray(weight.T), np.concatenate([tensors[f"{name}.bias"] for name in names]))


def _layer(tensors: Mapping[str, Array], name: str) -> _Layer:
    return _Layer(
        attend=_dense(tensors, *(f"{name}.attention.self.{part}" for part in _ATTENTION)),
        project=_dense(tensors, f"{name}.attention.output.dense"),
        after_attention=_norm(tensors, f"{name}.attention.output.LayerNorm"),
        widen=_dense(tensors, f"{name}.intermediate.dense"),
        narrow=_dense(tensors, f"{name}.output.dense"),
        after_feeding=_norm(tensors, f"{name}.output.LayerNorm"),
    )
