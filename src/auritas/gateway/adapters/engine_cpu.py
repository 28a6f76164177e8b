"""Whether this processor can run the engine: asked before the engine is imported, which would crash without a word."""

import platform
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from auritas.kernel.errors import UnavailableError

_X86 = frozenset({"x86_64", "amd64", "i686"})

CpuFlags: TypeAlias = Callable[[], frozenset[str] | None]
"""Returns the processor's features in lower case, or None where the system does not tell."""


class NoAvx2Error(UnavailableError):
    """The processor lacks instructions that the engine was compiled for."""

    code = "no_avx2"

    def __init__(self) -> None:
        super().__init__(
            "The embedded models need a processor with AVX2 (Intel since 2013, AMD since 2015), and this one has none.",
            remedy="Add a model by its address instead: auritas models add --help",
        )


def cpu_flags(listing: Path = Path("/proc/cpuinfo")) -> frozenset[str] | None:
    """Return the features of the first x86 core that Linux lists; None on other systems and processors."""
    if platform.machine().lower() not in _X86 or not listing.exists():
        return None
    for line in listing.read_text(encoding="utf-8").splitlines():
        if line.startswith("flags"):
            return frozenset(line.partition(":")[2].lower().split())
    return None


def require_avx2(flags: frozenset[str] | None) -> None:
    """Raise NoAvx2Error if the features are known and AVX2 is not among them."""
    if flags is not None and "avx2" not in flags:
        raise NoAvx2Error
