"""Fetch the embedded models that tests use into a folder of their own. Usage: fetch_test_models.py FOLDER TIER."""

import sys
from pathlib import Path

from auritas.app.embedded import default_sources
from auritas.gateway.adapters.weights import Weights
from auritas.gateway.downloads import Progress
from auritas.gateway.manifest import built_in_manifest
from auritas.kernel.errors import AuritasError


def main(folder: Path, tier: str) -> int:
    weights = Weights(folder, default_sources(), on_fetch=lambda _: None)
    shown: dict[str, int] = {}

    def progress(step: Progress) -> None:
        tenth = 10 * step.done // step.total if step.total else 0
        if shown.get(step.file) != tenth:
            shown[step.file] = tenth
            print(f"{step.file}: {10 * tenth} %", flush=True)

    try:
        for model in built_in_manifest().tier(tier):
            if not weights.installed(model):
                weights.get(model, progress)
    except AuritasError as error:
        print(f"{error.message} {error.remedy}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
