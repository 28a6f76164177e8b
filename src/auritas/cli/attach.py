"""Whom a terminal asks: the server of this home where one runs, so that no model is loaded twice; else the program."""

from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from auritas.kernel.answers import AccuracyLevel, AskResult
from auritas.kernel.events import Event

if TYPE_CHECKING:
    from auritas.app.compose import Auritas


async def asked_there(
    home: Path, text: str, *, level: AccuracyLevel, conversation_id: str | None = None
) -> AsyncGenerator[Event, None] | None:
    """Give a message to the server of `home` and return what happens to it; None where no server takes it.

    It needs no store of this process, and so no passphrase. Raises what the server says of the message.
    """
    from auritas.app.attaching import ServerAwayError, attached, begin, followed

    server = attached(home)
    run_id = None
    if server is None:
        return None
    try:
        with suppress(ServerAwayError):
            run_id = await begin(server, text, level=level, conversation_id=conversation_id)
    finally:
        if run_id is None:
            await server.aclose()
    return followed(server, run_id) if run_id is not None else None


class Asking:
    """Asks for one command. What a terminal shows does not depend on who answers."""

    def __init__(self, auritas: "Auritas") -> None:
        self._auritas = auritas
        self._there = False

    async def ask(
        self, text: str, *, level: AccuracyLevel, conversation_id: str | None = None
    ) -> AsyncGenerator[Event, None]:
        """Yield what happens to a message; raises what `Auritas.ask` raises. Closing stops the models."""
        home = self._auritas.settings.home
        events = await asked_there(home, text, level=level, conversation_id=conversation_id)
        self._there = events is not None
        if events is None:
            events = self._auritas.ask(text, level=level, conversation_id=conversation_id)
        async with aclosing(events) as following:
            async for event in following:
                yield event

    @property
    def there(self) -> bool:
        """Whether the last message was answered by the server, which then does what follows, too."""
        return self._there

    def again(self, correction_id: str, *, level: AccuracyLevel) -> AsyncGenerator[Event, None]:
        """Ask the question that a correction answers again, in this process."""
        self._there = False
        return self._auritas.talking.again(correction_id, level=level)

    async def afterwards(self, result: AskResult | None) -> None:
        """Do what can wait until the answer is on the screen, unless the server does it."""
        if not self._there:
            await self._auritas.afterwards(result)
