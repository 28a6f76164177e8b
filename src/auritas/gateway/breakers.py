"""One circuit breaker per model."""

from auritas.gateway.errors import ModelDegraded
from auritas.gateway.policy.breaker import BreakerEvent, BreakerRule, BreakerState, Phase, permits, retry_in, step
from auritas.kernel.clock import Clock


class Breakers:
    """Remembers how each model fared and says which ones are left alone."""

    def __init__(self, clock: Clock, rule: BreakerRule | None = None) -> None:
        self._clock = clock
        self._rule = rule or BreakerRule()
        self._states: dict[str, BreakerState] = {}

    def permits(self, name: str) -> bool:
        """Whether a call to `name` may begin now."""
        return permits(self._rule, self._state(name), self._clock.monotonic())

    def begin(self, name: str) -> int:
        """Note that a call begins and return its ticket for `end`. Raises ModelDegraded when none may begin."""
        if not self.permits(name):
            raise ModelDegraded(name, retry_in(self._rule, self._state(name), self._clock.monotonic()))
        state = step(self._rule, self._state(name), BreakerEvent.ASKED, self._clock.monotonic())
        self._states[name] = state
        return state.generation

    def end(self, name: str, ticket: int, event: BreakerEvent) -> None:
        """Note how the call with this ticket ended."""
        self._states[name] = step(self._rule, self._state(name), event, self._clock.monotonic(), ticket)

    def degraded(self) -> tuple[str, ...]:
        """Names of the models that are left alone or only probed, sorted."""
        return tuple(sorted(name for name, state in self._states.items() if state.phase is not Phase.CLOSED))

    def state(self, name: str) -> BreakerState:
        """Return where the breaker of `name` stands."""
        return self._state(name)

    def _state(self, name: str) -> BreakerState:
        return self._states.get(name, BreakerState())
