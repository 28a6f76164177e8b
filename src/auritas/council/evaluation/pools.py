"""Pools of models that have a name: data, so that a published figure can be repeated by one word."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from auritas.council.evaluation.table import Row, models_of, pool_of
from auritas.kernel.errors import InvalidError, NotFoundError, nearest


@dataclass(frozen=True, slots=True)
class NamedPool:
    """Either the models it has, or every model of a table except some."""

    models: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    def of(self, there: Sequence[str]) -> tuple[str, ...]:
        """Return the pool's models, `there` being those of the table."""
        return self.models or tuple(model for model in there if model not in self.without)


@lru_cache(maxsize=1)
def named_pools() -> Mapping[str, NamedPool]:
    """Return the pools that ship with Auritas, by name."""
    text = files("auritas.council").joinpath("data/pools.toml").read_text(encoding="utf-8")
    tables = {name: table for name, table in tomllib.loads(text).items() if isinstance(table, dict)}
    return {
        name: NamedPool(tuple(table.get("models", ())), tuple(table.get("except", ())))
        for name, table in tables.items()
    }


def resolve(rows: Sequence[Row], asked: Sequence[str]) -> tuple[str, ...]:
    """Return the models that `asked` means: a named pool, models of the table, or all of them when it is empty.

    A model of the table wins over a pool of the same name. Raises NotFoundError for a name that is neither, and
    InvalidError for a pool of one.
    """
    there, pools = models_of(rows), named_pools()
    if len(asked) == 1 and asked[0] not in there:
        if asked[0] not in pools:
            known = nearest(asked[0], (*pools, *there))
            remedy = known or f"Pools: {', '.join(pools)}. Models: {', '.join(there)}"
            raise NotFoundError(f"There is no pool and no model {asked[0]!r} in the table.", remedy=remedy)
        asked = pools[asked[0]].of(there)
    pool = pool_of(rows, asked)
    if len(pool) < 2:  # noqa: PLR2004  one model is no council
        raise InvalidError("A council needs at least two models.", remedy="Name more of them with --pool.")
    return pool
