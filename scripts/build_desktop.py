"""Freeze the program with its window into one folder, dist/desktop/auritas, and say how large it is.

Usage: python scripts/build_desktop.py [--dist FOLDER]. Needs what requirements-desktop.lock lists, and the built page.
"""

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SPEC = ROOT / "packaging" / "auritas.spec"
MB = 1_000_000
SHOWN = 8


def main() -> int:
    """Return the exit code of the build."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dist", type=Path, default=ROOT / "dist" / "desktop", help="where the folder is made")
    wanted = parser.parse_args()
    if not (ROOT / "web" / "dist" / "index.html").is_file():
        print("The page is not built; run: make web", file=sys.stderr)
        return 2
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "WARN"]
    command += ["--distpath", str(wanted.dist), "--workpath", str(wanted.dist / "work"), str(SPEC)]
    code = subprocess.run(command, check=False).returncode
    if code == 0:
        report(wanted.dist / "auritas")
    return code


def report(folder: Path) -> None:
    """Print the size of the folder and of its largest parts."""
    inside = folder / "_internal"
    print(f"{folder}: {size(folder) / MB:,.0f} MB")
    for part in sorted(inside.iterdir(), key=size, reverse=True)[:SHOWN]:
        print(f"  {size(part) / MB:6,.0f} MB  {part.name}")


def size(path: Path) -> int:
    """Return the bytes of a file, or of all files in a folder; links count nothing."""
    files = path.rglob("*") if path.is_dir() and not path.is_symlink() else [path]
    return sum(each.stat().st_size for each in files if each.is_file() and not each.is_symlink())


if __name__ == "__main__":
    sys.exit(main())
