"""Why what is remembered was not changed."""

from auritas.kernel.errors import NotFoundError, RefusedError


class NothingToUndoError(NotFoundError):
    """No act on memory can be taken back."""

    code = "nothing_to_undo"


class ChangedSinceError(RefusedError):
    """What an act changed was changed again, so that taking it back would take the later change along."""

    code = "changed_since"

    def __init__(self) -> None:
        super().__init__(
            "This was changed again since then.", remedy="Take back the later change first, or change it by hand."
        )


class WrongStateError(RefusedError):
    """What was asked for is not possible with a correction in this state."""

    code = "wrong_state"
