"""When a recovery prompt is too old to be used: by age, or because what is remembered has changed."""

import hashlib
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from auritas.kernel.canonical import canonical
from auritas.memory.recovery.model import Material, RecoveryPrompt, Remembered

OLDEST: Final = timedelta(seconds=86_400)
HASH_CHARACTERS: Final = 16


def corrections_hash(remembered: Iterable[Remembered]) -> str:
    """Return the first 16 hexadecimal digits of a SHA-256 over the active corrections.

    Hashed is the RFC 8785 form of [[id, text, scope, pinned], …], sorted by these in their order: JSON quotes every
    text, so no two different lists have the same form.
    """
    rows = sorted((each.id, each.text, each.scope, each.pinned) for each in remembered)
    return hashlib.sha256(canonical(rows)).hexdigest()[:HASH_CHARACTERS]


def is_stale(prompt: RecoveryPrompt, now_hash: str, now: datetime) -> bool:
    """Return whether a prompt may not be used any more: older than a day, or written from other corrections."""
    return now - prompt.generated_at > OLDEST or prompt.corrections_hash != now_hash


def says_something(material: Material) -> bool:
    """Return whether there is anything to write from."""
    return bool(material.remembered or material.talks)
