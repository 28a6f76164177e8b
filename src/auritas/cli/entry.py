"""Where the program starts. The version is answered before anything slow is imported."""

import sys


def main() -> None:
    """Run the command line and leave with its exit code."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from auritas import __version__

        print(f"auritas {__version__}")  # noqa: T201  the one line that must not wait for a console
        return
    from auritas.cli.root import run

    sys.exit(run(sys.argv[1:]))
