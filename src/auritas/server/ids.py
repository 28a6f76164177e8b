"""Ids in addresses and bodies: whole ones, so that no change ever meets the wrong thing."""

from typing import Annotated

from fastapi import Path

ID_CHARACTERS = 64
EXAMPLE_ID = "019b77c3-5a10-7c3e-9d52-3f6f0a9e41b7"
Id = Annotated[str, Path(min_length=1, max_length=ID_CHARACTERS, examples=[EXAMPLE_ID])]
"""A whole id; the beginning of one, or a name, is nothing here."""
