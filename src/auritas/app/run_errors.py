"""Why a run cannot be begun, found or concluded."""

from auritas.kernel.errors import NotFoundError, RefusedError, UnavailableError


class NoRunError(NotFoundError):
    """There is no such run, or it ended long ago."""

    code = "no_run"

    def __init__(self, run_id: str) -> None:
        super().__init__(
            f"There is no run {run_id!r} now.", remedy="Its answer, if it came to one, stands in its conversation."
        )


class BusyError(UnavailableError):
    """As much runs as may run at a time."""

    code = "busy"


class NobodyAnsweredError(RefusedError):
    """A run can be concluded only with an answer."""

    code = "nobody_answered"

    def __init__(self) -> None:
        super().__init__("No member has answered yet.", remedy="Wait for the first answer, or stop the question.")
