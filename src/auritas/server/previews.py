"""Pages made from what a model wrote, shown in a frame that may do nothing: kept for a short while, in memory only."""

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta

from auritas.kernel.clock import Clock
from auritas.kernel.errors import NotFoundError
from auritas.kernel.ids import Ids

KEPT = timedelta(minutes=10)
AT_MOST = 32
"""Previews that are kept; one more takes the place of the oldest."""
CHARACTERS = 900_000
"""Just below a megabyte, which is what the guard lets a request hold."""
POLICY = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'"
"""What the frame may do: nothing but show itself (Content Security Policy Level 3)."""


class NoPreviewError(NotFoundError):
    """There is no such preview any more."""

    code = "no_preview"

    def __init__(self) -> None:
        super().__init__("This preview is gone.", remedy="Open it again from the answer.")


@dataclass(frozen=True, slots=True)
class _Kept:
    owner: str
    html: str
    until: datetime


class Previews:
    """What is shown in frames, each by whoever made it."""

    def __init__(self, clock: Clock, ids: Ids) -> None:
        self._clock = clock
        self._ids = ids
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def put(self, owner: str, html: str) -> tuple[str, datetime]:
        """Keep a page for `owner`; return its id and until when it is kept."""
        now = self._clock.now()
        for preview_id in [each for each, kept in self._kept.items() if kept.until <= now]:
            del self._kept[preview_id]
        while len(self._kept) >= AT_MOST:
            self._kept.popitem(last=False)
        preview_id = self._ids.new()
        self._kept[preview_id] = _Kept(owner, html, now + KEPT)
        return preview_id, now + KEPT

    def get(self, owner: str, preview_id: str) -> str:
        """Return a page. Raises NoPreviewError where it is gone or another person's."""
        kept = self._kept.get(preview_id)
        if kept is None or kept.owner != owner or kept.until <= self._clock.now():
            raise NoPreviewError
        return kept.html
