"""Work in threads whose results come back to the thread of the window."""

import threading
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from auritas.kernel.errors import AuritasError, UnavailableError

R = TypeVar("R")


class Later(QObject):
    """Does work in threads; what follows from it happens in the window's own thread."""

    _done = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._done.connect(lambda follow: follow())

    def do(self, work: Callable[[], R], then: Callable[[R], None], failed: Callable[[AuritasError], None]) -> None:
        """Do `work` in a thread, then call `then` with its result, or `failed` with the error that it raised."""

        def job() -> None:
            try:
                result = work()
            except Exception as error:  # noqa: BLE001  told to the person, who else would wait for ever
                self._done.emit(partial(failed, error if isinstance(error, AuritasError) else _unexpected(error)))
            else:
                self._done.emit(partial(then, result))

        threading.Thread(target=job, name="desktop work", daemon=True).start()


def _unexpected(error: Exception) -> AuritasError:
    what = f"Something unexpected happened inside Auritas ({type(error).__name__}). Your data is as it was."
    return UnavailableError(what, remedy="Check everything: auritas doctor")
