"""The log's rules: when a head is signed, which days are closed, how much stands behind an entry, what was erased."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from auritas.audit.errors import EntryRefusedError
from auritas.audit.model import Checkpoint, Reason
from auritas.kernel.log import Level

ENTRIES_PER_CHECKPOINT = 1000
CLOSING_DELAY = timedelta(minutes=5)
"""A day is closed at 00:05, so that a clock that is put right around midnight does little harm."""

ERASED_SEQS = "seqs"
_ERASED_PER_ENTRY = 4000
_RANK = {level: rank for rank, level in enumerate(Level)}
_CODE = re.compile(r"[a-z0-9_]{1,40}")


def due(now: datetime, zone: tzinfo, last_day: date | None, last_size: int, size: int) -> tuple[Reason, ...]:
    """Return which checkpoints are due now.

    last_day: the day of the latest daily root. last_size: entries under the latest checkpoint. size: entries now.
    """
    reasons = []
    if size and (last_day is None or last_day < closable(now, zone)):
        reasons.append(Reason.DAILY)
    if size - last_size >= ENTRIES_PER_CHECKPOINT:
        reasons.append(Reason.COUNT)
    return tuple(reasons)


def closable(now: datetime, zone: tzinfo) -> date:
    """Return the latest local day that may be closed: yesterday, or before 00:05 the day before."""
    return (now - CLOSING_DELAY).astimezone(zone).date() - timedelta(days=1)


def midnight_after(day: date, zone: tzinfo) -> datetime:
    """Return the moment at which `day` ends in `zone`, in UTC."""
    return datetime.combine(day + timedelta(days=1), time.min, zone).astimezone(UTC)


def level_of(seq: int, checkpoints: Iterable[Checkpoint]) -> Level:
    """Return how much stands behind entry `seq`: the most that any checkpoint over it carries."""
    return max((c.level for c in checkpoints if c.size > seq), key=_RANK.__getitem__, default=Level.UNSIGNED)


def covering(seq: int, checkpoints: Iterable[Checkpoint]) -> Checkpoint | None:
    """Return the checkpoint to prove entry `seq` with: the strongest over it, then the smallest."""
    candidates = [c for c in checkpoints if c.size > seq]
    return min(candidates, key=lambda c: (-_RANK[c.level], c.size), default=None)


def erasures(seqs: Sequence[int]) -> list[str]:
    """Return `seqs` as texts like "3,7-9", each short enough for one entry."""
    ordered = sorted(set(seqs))
    parts = [ordered[i : i + _ERASED_PER_ENTRY] for i in range(0, len(ordered), _ERASED_PER_ENTRY)]
    return [_ranges(part) for part in parts]


def erased(text: object) -> list[range]:
    """Read what `erasures` wrote. Raises ValueError on anything else."""
    ranges = []
    for part in str(text).split(","):
        first, dash, last = part.partition("-")
        ranges.append(range(int(first), int(last if dash else first) + 1))
    return ranges


def reason_code(reason: str) -> str:
    """Return `reason` when it may stay in refs for ever. Raises EntryRefusedError when it could be a person's words."""
    if not _CODE.fullmatch(reason):
        raise EntryRefusedError(
            f"A reason to erase is a short code such as user_request, not {reason!r}.",
            remedy="Use letters a-z, digits and underscores.",
        )
    return reason


def _ranges(ordered: Sequence[int]) -> str:
    runs: list[list[int]] = []
    for seq in ordered:
        if runs and seq == runs[-1][1] + 1:
            runs[-1][1] = seq
        else:
            runs.append([seq, seq])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)
