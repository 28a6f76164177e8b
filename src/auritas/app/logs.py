"""The program's own log file: types, places and numbers, never a word that a person or a model wrote."""

import json
import logging
import logging.handlers
from collections.abc import MutableMapping, Sequence
from contextlib import suppress
from datetime import datetime
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from auritas.kernel.clock import Clock, from_timestamp, timestamp
from auritas.kernel.diagnostics import frames

LOG_FILE = "auritas.log"
ALLOWED = frozenset({"event", "at", "level", "error", "where", "frames", "count", "seq"})
"""What a line may hold. Anything else is replaced before it is formatted: redaction comes first."""
_MEGABYTE = 1_000_000
_KEPT_FILES = 3
_REDACTED = "redacted"


def redact(_logger: Any, _name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Replace every value whose key is not known to be harmless."""
    return {key: value if key in ALLOWED else _REDACTED for key, value in event.items()}


def troubles(folder: Path, since: datetime) -> Sequence[str]:
    """Return where something went wrong since a moment, as the newest log file in `folder` has it, oldest first."""
    try:
        lines = (folder / LOG_FILE).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    found = []
    for line in lines:
        with suppress(ValueError, TypeError, KeyError):  # a line that was cut by a full disk
            noted = json.loads(line)
            if from_timestamp(noted["at"]) >= since:
                found.append(str(noted["where"]))
    return tuple(found)


class _Handler(logging.handlers.RotatingFileHandler):
    def _open(self) -> TextIOWrapper:
        Path(self.baseFilename).touch(mode=0o600)  # also after each rotation
        return super()._open()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  the name that logging calls
        """Say nothing: the standard handler would print a stack trace over what a person reads."""


class LogFile:
    """Writes JSON lines to the data folder: at most a few megabytes, readable by the owner alone."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._path = folder / LOG_FILE
        self._clock = clock
        self._logger: Any = None

    def trouble(self, where: str, error: BaseException) -> None:
        """Note type and place of an error that did not stop the work; where nothing can be written, nothing is."""
        try:
            if self._logger is None:
                self._logger = self._open()
            self._logger.error("trouble", where=where, error=type(error).__name__, frames=frames(error))
        except OSError:
            return  # a full disk or a read-only folder: what asks for notes must not fail for them

    def _open(self) -> Any:
        import structlog  # a tenth of a second that a run without trouble need not spend

        handler = _Handler(self._path, maxBytes=_MEGABYTE, backupCount=_KEPT_FILES, encoding="utf-8")
        raw = logging.Logger("auritas")  # noqa: LOG001  one of our own, so that no library's handler sees a line
        raw.addHandler(handler)
        return structlog.wrap_logger(
            raw,
            processors=[redact, structlog.stdlib.add_log_level, self._stamp, structlog.processors.JSONRenderer()],
            wrapper_class=structlog.stdlib.BoundLogger,
        )

    def _stamp(self, _logger: Any, _name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        return {"at": timestamp(self._clock.now()), **event}
