"""The program's own log file: types, places and numbers, never a word that a person or a model wrote."""

import logging
import logging.handlers
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

from auritas.kernel.clock import Clock, timestamp
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


class LogFile:
    """Writes JSON lines to the data folder: at most a few megabytes, readable by the owner alone."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._path = folder / LOG_FILE
        self._clock = clock
        self._logger: Any = None

    def trouble(self, where: str, error: BaseException) -> None:
        """Note type and place of an error that did not stop the work."""
        if self._logger is None:
            self._logger = self._open()
        self._logger.error("trouble", where=where, error=type(error).__name__, frames=frames(error))

    def _open(self) -> Any:
        import structlog  # a tenth of a second that a run without trouble need not spend

        self._path.touch(mode=0o600)
        handler = logging.handlers.RotatingFileHandler(self._path, maxBytes=_MEGABYTE, backupCount=_KEPT_FILES)
        raw = logging.Logger("auritas")  # noqa: LOG001  one of our own, so that no library's handler sees a line
        raw.addHandler(handler)
        return structlog.wrap_logger(
            raw,
            processors=[redact, structlog.stdlib.add_log_level, self._stamp, structlog.processors.JSONRenderer()],
            wrapper_class=structlog.stdlib.BoundLogger,
        )

    def _stamp(self, _logger: Any, _name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        return {"at": timestamp(self._clock.now()), **event}
