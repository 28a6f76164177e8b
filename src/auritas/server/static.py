"""The files of the page: known by name from the start, so that no request can name another."""

import gzip
import hashlib
import mimetypes
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response

NONCE_PLACE = b"__CSP_NONCE__"
INDEX = "index.html"
_HASHED = re.compile(r"(?:^|/)[^/]*[-.][A-Za-z0-9_-]{8,}\.[a-z0-9]+$")
_ASSETS = "assets/"
_FOREVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"
_TEXTS = ("text/", "application/json", "application/javascript", "application/manifest+json", "image/svg+xml")
_PACKED = {".br": "br", ".gz": "gzip"}
_TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".wasm": "application/wasm",
}
"""Said here, because what the machine's own table says differs from machine to machine."""
_SMALL = 1_000
"""Bytes below which packing gains nothing."""
_HERE = Path(__file__).resolve().parent

ABSENT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Auritas</title></head>
<body><h1>The page is not built</h1>
<p>This server runs from a checkout whose web app has not been built. Build it in the folder of the checkout, then start
the server again:</p>
<pre>npm --prefix web ci
npm --prefix web run build</pre>
<p>Everything else works: <code>auritas ask</code>, <code>auritas chat</code>, and the interface under
<code>/api/v1</code>.</p></body></html>
"""


@dataclass(frozen=True)
class File:
    """One file of the page. name: its path below the root of the page, with slashes."""

    name: str
    path: Path
    packed: Mapping[str, Path]

    @cached_property
    def content(self) -> bytes:
        """What it holds, read once."""
        return self.path.read_bytes()

    @cached_property
    def etag(self) -> str:
        """A mark that changes with the content."""
        return f'"{hashlib.sha256(self.content).hexdigest()[:32]}"'

    @cached_property
    def media_type(self) -> str:
        """What it is."""
        kind = _TYPES.get(self.path.suffix) or mimetypes.guess_type(self.name)[0] or "application/octet-stream"
        return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind

    @property
    def lasting(self) -> bool:
        """Whether its name holds a hash of its content, so that it never changes."""
        return self.name.startswith(_ASSETS) and _HASHED.search(self.name) is not None

    @property
    def has_nonce(self) -> bool:
        """Whether it is written anew for each answer."""
        return NONCE_PLACE in self.content

    def body(self, accepted: str) -> tuple[bytes, str | None]:
        """Return the bytes to send and how they are packed, None for not at all."""
        for coding, path in self.packed.items():
            if takes(accepted, coding):
                return self._read_packed(coding, path), coding
        if takes(accepted, "gzip") and self.media_type.startswith(_TEXTS) and len(self.content) >= _SMALL:
            return self._gzipped, "gzip"
        return self.content, None

    @cached_property
    def _packed_content(self) -> dict[str, bytes]:
        return {}

    def _read_packed(self, coding: str, path: Path) -> bytes:
        if coding not in self._packed_content:
            self._packed_content[coding] = path.read_bytes()
        return self._packed_content[coding]

    @cached_property
    def _gzipped(self) -> bytes:
        return gzip.compress(self.content, mtime=0)


def takes(accepted: str, coding: str) -> bool:
    """Tell whether an Accept-Encoding header takes a coding (RFC 9110, section 12.5.3); only what it names counts."""
    for part in accepted.split(","):
        name, _, weight = part.partition(";")
        if name.strip().lower() == coding:
            return weight.replace(" ", "") not in {"q=0", "q=0.0", "q=0.00", "q=0.000"}
    return False


class Site:
    """The built page, or the knowledge that there is none."""

    def __init__(self, folder: Path | None) -> None:
        self._files = {file.name: file for file in _found(folder)} if folder else {}

    def file(self, path: str) -> File | None:
        """Return the file at a path of an address, if the page has it; the names are compared whole."""
        return self._files.get(path.removeprefix("/"))

    def answer(self, path: str, headers: Headers, nonce: str) -> Response | None:
        """Return what a GET of `path` is answered with; None where neither a file nor a page is asked for."""
        file = self.file(path)
        if file is None and (path in {"", "/"} or "text/html" in headers.get("accept", "")):
            file = self._files.get(INDEX)  # an address within the page, which it reads itself
            if file is None:
                return Response(ABSENT, 503, media_type="text/html", headers={"cache-control": "no-store"})
        if file is None:
            return None
        return _document(file, headers, nonce) if file.has_nonce else _plain(file, headers)


def _document(file: File, headers: Headers, nonce: str) -> Response:
    # Never "not modified": the browser would put the policy of the new answer over the nonce of the old one.
    content = file.content.replace(NONCE_PLACE, nonce.encode())
    said = {"content-type": file.media_type, "cache-control": _ASK_AGAIN, "vary": "accept-encoding"}
    if len(content) >= _SMALL and takes(headers.get("accept-encoding", ""), "gzip"):
        content, said["content-encoding"] = gzip.compress(content, mtime=0), "gzip"
    return Response(content, headers=said)


def _plain(file: File, headers: Headers) -> Response:
    kept = {"etag": file.etag, "cache-control": _FOREVER if file.lasting else _ASK_AGAIN, "vary": "accept-encoding"}
    if file.etag in (each.strip().removeprefix("W/") for each in headers.get("if-none-match", "").split(",")):
        return Response(status_code=304, headers=kept)
    content, coding = file.body(headers.get("accept-encoding", ""))
    packed = {"content-encoding": coding} if coding else {}
    return Response(content, headers={"content-type": file.media_type, **kept, **packed})


def _found(folder: Path) -> Iterator[File]:
    root = folder.resolve()
    for path in sorted(root.rglob("*")):
        if not path.is_file() or path.suffix in _PACKED or not path.resolve().is_relative_to(root):
            continue
        packed = {
            coding: beside
            for suffix, coding in _PACKED.items()
            if (beside := path.with_name(path.name + suffix)).is_file()
        }
        yield File(path.relative_to(root).as_posix(), path, packed)


def built(here: Path = _HERE) -> Path | None:
    """Return the folder of the built page: inside the installed package, else in the checkout; None where it is not."""
    candidates = (here / "web", *(parent / "web" / "dist" for parent in here.parents[2:3]))
    return next((folder for folder in candidates if (folder / INDEX).is_file()), None)
