"""Where the frozen program starts: as the command line, as the window, or as one of its own modules in a process apart.

A frozen program is no interpreter, so `sys.executable -m MODULE` would reach the command line. Two modules are started
that way, and only they are let through: the reader of PDF files, and pip, by which models are fetched.
"""

import multiprocessing
import os
import sys
from pathlib import Path

MODULES = ("auritas.memory.adapters.pdf", "pip")
WINDOW = "auritas-desktop"
"""Name of the executable that shows the window when it is started without words."""
_LIBRARIES = "LD_LIBRARY_PATH"


def main() -> None:
    """Run what the command line asks for."""
    multiprocessing.freeze_support()
    _give_back_libraries()
    match sys.argv[1:]:
        case ["-m", module, *words] if module in MODULES:
            import runpy

            sys.argv = [module, *words]
            runpy.run_module(module, run_name="__main__", alter_sys=True)
            return
        case [] if Path(sys.executable).stem == WINDOW:
            sys.argv.append("desktop")
        case _:
            pass
    from auritas.cli.entry import main as run

    run()


def _give_back_libraries() -> None:
    """Let the browser and other programs that we start find their own libraries, not those in our folder."""
    before = os.environ.pop(f"{_LIBRARIES}_ORIG", None)
    if before:
        os.environ[_LIBRARIES] = before
    else:
        os.environ.pop(_LIBRARIES, None)


if __name__ == "__main__":
    main()
