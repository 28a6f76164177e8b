"""Conversations that leave nothing behind: no memory, no index, no list; deleted when they are left."""

from dataclasses import dataclass
from datetime import timedelta

from auritas.app.conversations import Conversations
from auritas.kernel.clock import Clock
from auritas.kernel.errors import RefusedError

FORGOTTEN_AFTER = timedelta(days=1)
"""After so long without a word one is deleted, although nobody left it: a window was closed, a machine was off."""


class NotTemporaryError(RefusedError):
    """A conversation that was meant to stay."""

    code = "not_temporary"


@dataclass(frozen=True, slots=True)
class Temporary:
    """What ends temporary conversations."""

    conversations: Conversations
    clock: Clock

    def end(self, conversation_id: str) -> None:
        """Delete one at once. Raises NoConversationError, and NotTemporaryError for one that was meant to stay."""
        found = self.conversations.named(conversation_id)
        if found.id not in self._left(timedelta()):
            raise NotTemporaryError(f"{found.title!r} is not temporary.", remedy="Delete it as any conversation.")
        self.conversations.delete([found.id])

    def sweep(self) -> int:
        """Delete those that were forgotten, and return how many."""
        left = self._left(FORGOTTEN_AFTER)
        if left:
            self.conversations.delete(left)
        return len(left)

    def _left(self, since: timedelta) -> tuple[str, ...]:
        with self.conversations.store.read() as unit:
            return self.conversations.records.temporary(unit, self.clock.now() - since + timedelta(microseconds=1))
