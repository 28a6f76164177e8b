"""What a search found, in the words and styles of a terminal."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.text import Text

    from auritas.app.search import Snippet

NEARBY = {
    "parts": "Nothing holds the whole name; these hold its parts:",
    "stems": "Nothing holds these very words; these hold other forms of them:",
    "titles": "Nothing holds these words; these titles are alike:",
}
"""How results that are not quite what was typed are introduced, by their nearness."""


def marked(snippet: "Snippet", before: str = "") -> "Text":
    """Return a snippet for a terminal, hits in bold."""
    from rich.text import Text

    from auritas.kernel.text import displayable

    shown = Text(before)
    for piece in snippet:
        shown.append(displayable(piece.text).replace("\n", " "), "bold yellow" if piece.hit else "")
    return shown
