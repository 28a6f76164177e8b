"""What a route may ask for: who calls, their program, what runs for them, and the rule that lets them in."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

from fastapi import Depends, Request, params

from auritas.app.access import Caller, Scope
from auritas.app.compose import Auritas
from auritas.app.household import Household
from auritas.app.runs import RunDesk
from auritas.kernel.errors import RefusedError

CALLER = "auritas.caller"
"""Where the guard leaves the caller in the ASGI scope."""


class ForbiddenError(RefusedError):
    """The token does not allow this."""

    code = "forbidden"

    def __init__(self, scope: Scope) -> None:
        super().__init__(
            f"This token lacks the scope {scope.value!r}.",
            remedy=f"Make one that has it: under Settings, or by auritas tokens create NAME --scope {scope.value}",
        )


class Rule:
    """The rule of a route: the scope that a caller needs, or None for what is open to everybody on this machine."""

    def __init__(self, scope: Scope | None, *, looks: bool = False) -> None:
        self.scope = scope
        self.looks = looks
        """Whether an open door tells more to whoever shows a token."""

    async def __call__(self, request: Request) -> None:
        """Raise ForbiddenError unless the caller may."""
        if self.scope is None:
            return
        caller = request.scope[CALLER]
        if not caller.may(self.scope):
            raise ForbiddenError(self.scope)


def needs(scope: Scope) -> params.Depends:
    """Return the dependency by which a route demands a scope; a route without a rule fails the tests."""
    return params.Depends(Rule(scope))


def open_to_all(*, looks: bool = False) -> params.Depends:
    """Return the dependency of a route that needs no token: health, the page itself, unlocking.

    looks: a token is looked at where one is shown, so that the route can tell more to whoever may know it; see `Maybe`.
    """
    return params.Depends(Rule(None, looks=looks))


def rules_of(dependencies: Sequence[params.Depends]) -> tuple[Rule, ...]:
    """Return the rules among a route's dependencies."""
    return tuple(each.dependency for each in dependencies if isinstance(each.dependency, Rule))


async def household_of(request: Request) -> Household:
    """Return the open stores."""
    household = request.app.state.household
    assert isinstance(household, Household)  # noqa: S101  set by create_app
    return household


async def caller_of(request: Request) -> Caller:
    """Return who calls."""
    caller = request.scope[CALLER]
    assert isinstance(caller, Caller)  # noqa: S101  the guard lets nobody through without one
    return caller


async def _somebody(request: Request) -> Caller | None:
    caller = request.scope.get(CALLER)
    return caller if isinstance(caller, Caller) else None


Maybe = Annotated[Caller | None, Depends(_somebody)]
"""Who calls at a door that is open to all, where they showed it."""
House = Annotated[Household, Depends(household_of)]
Me = Annotated[Caller, Depends(caller_of)]


async def _may_remember(me: Me) -> bool:
    return me.may(Scope.CORRECTIONS_WRITE)


MayRemember = Annotated[bool, Depends(_may_remember)]
"""Whether what the caller says may change memory: decided here for every way in which a message comes."""


async def _mine(house: House, me: Me) -> Auritas:
    # The first call of a further person opens their store, which takes a moment; every later one is a look-up.
    return house.of(me.owner) if house.knows(me.owner) else await asyncio.to_thread(house.of, me.owner)


Mine = Annotated[Auritas, Depends(_mine)]
"""The caller's own program: whatever it is asked for, it can only answer from the caller's own store."""


async def _desk(house: House, me: Me, mine: Mine) -> RunDesk:
    return house.desk_of(me.owner, mine)


Desk = Annotated[RunDesk, Depends(_desk)]
"""What runs for the caller."""
