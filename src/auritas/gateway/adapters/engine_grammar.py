"""From a JSON Schema to the grammar that the engine enforces while it writes."""

import hashlib
import json
from collections.abc import Mapping

from auritas.kernel.canonical import Json


def grammar(schema: Mapping[str, Json]) -> str:
    """Return the llguidance grammar of `schema`, without optional white space, so that no token is spent on it."""
    strict = {**schema, "x-guidance": {"whitespace_flexible": False}}
    return "%llguidance {}\nstart: %json " + json.dumps(strict, ensure_ascii=False)


def grammar_digest(text: str) -> str:
    """Return the SHA-256 of a grammar in hex; part of every answer's provenance."""
    return hashlib.sha256(text.encode()).hexdigest()
