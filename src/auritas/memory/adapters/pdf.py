"""The text of PDF files, read in a process of its own: a hostile file can stop that process and nothing else."""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import BinaryIO

from auritas.kernel.text import storable
from auritas.memory.documents.model import LONGEST_TEXT, MOST_PAGES, UnreadableFileError

SECONDS = 60
_MEMORY = 2_000_000_000
_ENVIRONMENT = ("PATH", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "LC_CTYPE")
"""All that a process that reads foreign files needs of ours: no passphrase, no keys of providers."""
_REMEDY = "Save it anew as PDF or as text, or paste the part that matters."


@dataclass(frozen=True, slots=True)
class PdfText:
    """What could be read. pages: how many the file has."""

    text: str
    pages: int


def read(name: str, content: bytes) -> PdfText:
    """Return the text of a PDF. Raises UnreadableFileError for one that is damaged, locked, endless or has no text."""
    try:
        done = subprocess.run(  # noqa: S603  our own module; the file goes in by standard input
            _command(), input=content, capture_output=True, timeout=SECONDS, check=False, env=environment(os.environ)
        )
    except subprocess.TimeoutExpired:
        raise UnreadableFileError(f"Reading {name!r} took longer than a minute.", remedy=_REMEDY) from None
    if done.returncode != 0:
        raise UnreadableFileError(f"{name!r} is damaged, or locked by a password.", remedy=_REMEDY)
    found = json.loads(done.stdout)
    if not found["text"].strip():
        raise UnreadableFileError(
            f"{name!r} holds pictures of text, and no text.", remedy="Run a text recognition over it first."
        )
    return PdfText(storable(found["text"]), found["pages"])


def environment(ours: Mapping[str, str]) -> dict[str, str]:
    """Return the part of our environment that the process gets."""
    return {name: ours[name] for name in _ENVIRONMENT if name in ours}


def _command() -> list[str]:
    # -P: a module that lies in the folder where we were started is not ours. A frozen program has no such option, and
    # looks into no such folder.
    safe = [] if getattr(sys, "frozen", False) else ["-P"]
    return [sys.executable, *safe, "-m", __name__]


def extract(file: BinaryIO) -> PdfText:
    """Return the text of an open PDF, page after page, with an empty line between pages."""
    from pypdf import PdfReader

    reader = PdfReader(file)
    pieces: list[str] = []
    room = LONGEST_TEXT
    for page in reader.pages[:MOST_PAGES]:
        text = page.extract_text().replace("\0", "")[:room]
        pieces.append(text)
        room -= len(text)
        if room <= 0:
            break
    return PdfText("\n\n".join(pieces), len(reader.pages))


def _main() -> None:
    import io
    import logging

    logging.disable(logging.CRITICAL)  # a library's remarks on damaged files are not for the person
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    found = extract(io.BytesIO(sys.stdin.buffer.read()))
    sys.stdout.write(json.dumps({"text": found.text, "pages": found.pages}))


if __name__ == "__main__":
    _main()
