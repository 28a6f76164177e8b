"""Making what people and models said harmless inside a prompt: it is data, and looks like nothing else."""

import json
import re
import unicodedata
from typing import Final

from auritas.kernel.text import displayable, one_line, storable

_MARKERS: Final = re.compile(
    r"<[|\uff5c][^<>\n]{0,60}[|\uff5c]>"  # <|im_start|>, <|eot_id|> and their like
    r"|</?s>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|<(?:bos|eos|pad)>",
    re.IGNORECASE,
)
_SPEAKER: Final = re.compile(r"^[\s#*>-]*(system|user|assistant|human|developer|tool)\s*:\s*", re.IGNORECASE)
_JOINERS: Final = "\u200c\u200d"
"""Invisible, but letters of some scripts and pictures are made with them."""


def tame(text: str) -> str:
    """Return `text` without invisible characters and without the markers by which models tell turns apart."""
    plain = "".join(c for c in displayable(storable(text)) if c in _JOINERS or unicodedata.category(c) != "Cf")
    while (fewer := _MARKERS.sub(" ", plain)) != plain:  # what is left may have become a marker
        plain = fewer
    return plain


def tame_line(text: str, width: int) -> str:
    """Return `text` tamed, on one line of at most `width` characters, and without a speaker's name before it."""
    line = one_line(tame(text), width)
    while (bare := _SPEAKER.sub("", line)) != line:
        line = bare
    return line.strip()


def quoted(text: str) -> str:
    """Return `text` tamed, as a JSON string: nothing in it can end the quotation or begin a line of its own."""
    return json.dumps(tame(text), ensure_ascii=False)
