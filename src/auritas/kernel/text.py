"""Making foreign text safe to show. This is the last step before a person sees it."""

import re
import unicodedata

# CSI, OSC, DCS, SOS, PM and APC sequences in their 7-bit and 8-bit forms (ECMA-48), and two-byte escapes.
_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]?",
)
_KEPT_CONTROLS = "\n\t"
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def storable(text: str) -> str:
    """Return `text` as the store and the log can hold it: surrogate pairs joined, lone ones and NUL dropped."""
    return text.replace("\0", "").encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


def displayable(text: str) -> str:
    """Return `text` without terminal escapes, control characters and direction overrides; line ends become newlines."""
    plain = _ESCAPES.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return "".join(
        c for c in plain if c in _KEPT_CONTROLS or (unicodedata.category(c) not in {"Cc", "Cs"} and c not in _BIDI)
    )


def counted(count: int, noun: str) -> str:
    """Return a number with its noun, whose plural takes an s."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def one_line(text: str, width: int = 120) -> str:
    """Return `text` displayable, on one line, cut to `width` characters with an ellipsis."""
    line = " ".join(displayable(text).split())
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"
