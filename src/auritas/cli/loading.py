"""What a program that stays loads before it answers: looking through it for garbage takes a sixth of that time."""

import gc


def begin() -> None:
    """Look for no garbage while everything is loaded; the program says `done` when it answers."""
    gc.disable()


def done() -> None:
    """Look for garbage from now on, but not among what is there: that stays. Said again, it does nothing."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
