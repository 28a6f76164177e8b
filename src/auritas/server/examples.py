"""Examples in the OpenAPI document; a test checks each against its schema."""

from typing import Any


def shows(example: object, status: int = 200, description: str = "") -> dict[int | str, dict[str, Any]]:
    """Return the `responses` of an operation whose answer looks like `example`."""
    content = {"application/json": {"example": example}}
    return {status: {"description": description or "As in the example.", "content": content}}
