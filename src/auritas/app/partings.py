"""What was deleted or erased just now, told to whoever in this process still holds words of it."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Parted:
    """What is gone. conversations: ids. words: of memory, too, which may stand in any conversation."""

    conversations: frozenset[str] = frozenset()
    words: bool = False


@dataclass(slots=True)
class Partings:
    """Passes on, once it is committed, what is gone; in the thread that removed it."""

    _told: list[Callable[[Parted], None]] = field(default_factory=list)

    def listen(self, told: Callable[[Parted], None]) -> None:
        """Tell `told` from now on."""
        self._told.append(told)

    def conversations(self, ids: Collection[str], *, words: bool = False) -> None:
        """Say that conversations are gone. words: and with them something that was remembered."""
        self._tell(Parted(frozenset(ids), words))

    def words(self) -> None:
        """Say that something is remembered no more."""
        self._tell(Parted(words=True))

    def _tell(self, parted: Parted) -> None:
        for told in self._told:
            told(parted)
