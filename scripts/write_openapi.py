"""Write web/openapi.json, from which the page's types and client are generated; `--check` only compares."""

import json
import sys
import tempfile
from pathlib import Path

from auritas.app.household import Household
from auritas.app.settings import load
from auritas.server.app import routes
from auritas.server.openapi import describe

TARGET = Path(__file__).parents[1] / "web" / "openapi.json"


def document() -> str:
    """Return the document as it is kept: sorted, so that a change of the code's order changes nothing."""
    with tempfile.TemporaryDirectory() as home:
        found = describe(routes(Household(load(home=Path(home)))))
    found["info"]["version"] = "0"  # the file changes with the interface, not with each release
    return json.dumps(found, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def main() -> int:
    """Return 1 where the file on the disk is another one and only a comparison was asked for."""
    now = document()
    if sys.argv[1:] != ["--check"]:
        TARGET.write_text(now, encoding="utf-8")
        return 0
    if TARGET.exists() and TARGET.read_text(encoding="utf-8") == now:
        return 0
    sys.stderr.write("web/openapi.json is stale; write it with: python scripts/write_openapi.py\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
