"""How firmly the weights of rule A are held to where they start."""

from dataclasses import dataclass

MANY_SEATS = 10
"""Above this the domains' weights are held more firmly: there is less to learn each from."""


@dataclass(frozen=True, slots=True)
class Penalties:
    """How firmly each kind of parameter is held to its prior, as λ in λ (θ - θ⁰)² on the summed log-loss."""

    seat: float = 10.0
    domain: float = 10.0
    domain_of_many: float = 20.0
    form: float = 25.0
    bias: float = 10.0
    oddness: float = 1.0
    reports: float = 20.0
    none: float = 2.0

    def of_domains(self, seats: int) -> float:
        """Return λ_v for a council of so many seats."""
        return self.domain_of_many if seats > MANY_SEATS else self.domain
