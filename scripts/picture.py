"""Run a command in a terminal of its own and save what it printed as a picture.

Usage: python scripts/picture.py OUT.svg COMMAND [ARGUMENT]…
"""

import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

COLUMNS = 92


def main(target: Path, command: list[str]) -> int:
    outside, inside = pty.openpty()
    environment = os.environ | {"COLUMNS": str(COLUMNS), "TERM": "xterm-256color"}
    process = subprocess.Popen(command, stdout=inside, stderr=subprocess.DEVNULL, env=environment)
    os.close(inside)
    said = bytearray()
    try:
        while piece := os.read(outside, 65536):
            said += piece
    except OSError:
        pass  # the terminal closes with its last writer
    words = [Path(command[0]).name, *(repr(w) if " " in w else w for w in command[1:])]
    console = Console(record=True, width=COLUMNS, file=io.StringIO())
    console.print(Text(f"$ {' '.join(words)}", style="bold"))
    console.print(Text.from_ansi(said.decode(errors="replace").replace("\r\n", "\n")))
    drawn = console.export_svg(title="auritas")
    # The library's picture fetches a font from elsewhere; ours uses what the reader has.
    target.write_text(re.sub(r"@font-face\s*{[^}]*}\s*", "", drawn), encoding="utf-8")
    return process.wait()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
