"""Scheduled backups: one a day, the newest seven kept, and one before each migration."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from auritas.kernel.clock import Clock
from auritas.kernel.randomness import Entropy
from auritas.store.backup import Backup, Check, Progress, back_up, no_progress
from auritas.store.home import Home, secure_folder
from auritas.store.migration import BeforeMigration
from auritas.store.secret import Secret

KEPT = 7
EVERY = timedelta(days=1)

_FORM = "%Y%m%dT%H%M%SZ"
_DAILY = re.compile(r"auritas-(\d{8}T\d{6}Z)\.backup")


def daily_name(moment: datetime) -> str:
    """Return the name of the scheduled backup of `moment`."""
    return f"auritas-{moment.astimezone(UTC):{_FORM}}.backup"


def migration_name(moment: datetime, before: str, after: str) -> str:
    """Return the name of the backup made before the schema goes from `before` to `after`."""
    return f"auritas-{moment.astimezone(UTC):{_FORM}}-schema-{before}-to-{after}.backup"


def newest(names: Iterable[str]) -> datetime | None:
    """Return when the newest scheduled backup was made, or None; other files do not count."""
    moments = [moment for name in names if (moment := _moment(name)) is not None]
    return max(moments, default=None)


def is_due(last: datetime | None, now: datetime) -> bool:
    """Tell whether it is time for the next one. A clock set back makes one more backup, never none for long."""
    return last is None or not timedelta(0) <= now - last < EVERY


def to_drop(names: Iterable[str], keep: int = KEPT) -> tuple[str, ...]:
    """Return the scheduled backups beyond the newest `keep`; files with other names are never among them."""
    daily = sorted(name for name in names if _moment(name) is not None)
    return tuple(daily[: max(0, len(daily) - keep)])


def _moment(name: str) -> datetime | None:
    match = _DAILY.fullmatch(name)
    if match is None:
        return None
    try:
        return datetime.strptime(match[1], _FORM).replace(tzinfo=UTC)
    except ValueError:
        return None


def back_up_daily(
    home: Home,
    key: Secret,
    *,
    clock: Clock,
    entropy: Entropy,
    progress: Progress = no_progress,
    check: Check | None = None,
) -> Backup | None:
    """Make the scheduled backup if it is due, then drop the oldest; return it, or None when it is not due."""
    secure_folder(home.backups)
    for leftover in (*home.backups.glob(".*.copy*"), *home.backups.glob(".*.part")):
        leftover.unlink(missing_ok=True)  # of a backup that was killed
    names = [path.name for path in home.backups.iterdir()]
    now = clock.now()
    if not is_due(newest(names), now):
        return None
    target = home.backups / daily_name(now)
    made = back_up(home, key, target, clock=clock, entropy=entropy, progress=progress, check=check)
    for name in to_drop([*names, target.name]):
        (home.backups / name).unlink(missing_ok=True)
    return made


def before_migration(home: Home, key: Secret, clock: Clock, entropy: Entropy) -> BeforeMigration:
    """Return what makes a backup before a migration; it opens like the store itself."""

    def make(before: str, after: str) -> None:
        secure_folder(home.backups)
        target = home.backups / migration_name(clock.now(), before, after)
        back_up(home, key, target, clock=clock, entropy=entropy)

    return make
