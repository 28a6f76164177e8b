"""What is said where something needs vectors and nothing is installed that makes them."""

from auritas.kernel.errors import UnavailableError


class NoEmbedderError(UnavailableError):
    """There is no model for embeddings."""

    code = "no_embedder"

    def __init__(self) -> None:
        super().__init__(
            "This needs a model for embeddings, and none is installed.",
            remedy="Install one: under Settings, Models, or by auritas models get minilm-l6-v2",
        )
