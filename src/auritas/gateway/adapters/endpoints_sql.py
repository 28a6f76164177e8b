"""Models at an address as rows of the table `models`."""

import json
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Row, delete, insert, select, update

from auritas.gateway.adapters.http import is_loopback
from auritas.gateway.model import Endpoint, EndpointKind, StoredEndpoint
from auritas.gateway.presets import preset_at
from auritas.kernel.model import Price
from auritas.store.schema import models
from auritas.store.unit import Unit

VISION = "vision"
"""Role of a model that takes pictures."""
_REMOTE = [kind.value for kind in EndpointKind]


def put(unit: Unit, endpoint: Endpoint, added_at: str) -> None:
    """Insert a model, switched on."""
    unit.connection.execute(insert(models).values(enabled=True, added_at=added_at, **_columns(endpoint)))


def switch(unit: Unit, name: str, *, on: bool) -> None:
    """Switch a model on or off."""
    unit.connection.execute(update(models).where(models.c.name == name).values(enabled=on))


def drop(unit: Unit, name: str) -> None:
    """Remove a model."""
    unit.connection.execute(delete(models).where(models.c.name == name))


def every(unit: Unit) -> tuple[StoredEndpoint, ...]:
    """Return all models at an address, by name."""
    query = select(models).where(models.c.kind.in_(_REMOTE)).order_by(models.c.name)
    return tuple(_stored(row) for row in unit.connection.execute(query))


def taken(unit: Unit, name: str) -> bool:
    """Whether any model, embedded ones included, has this name."""
    return unit.connection.execute(select(models.c.name).where(models.c.name == name)).first() is not None


def key_in_use(unit: Unit, *refs: str | None) -> str | None:
    """Return the first of these references that a model uses, or None."""
    return unit.connection.execute(select(models.c.key_ref).where(models.c.key_ref.in_(refs))).scalars().first()


def _columns(endpoint: Endpoint) -> dict[str, Any]:
    by_library = endpoint.kind is EndpointKind.ANY_LLM
    return {
        "name": endpoint.name,
        "kind": endpoint.kind.value,
        "base_url": endpoint.base_url or None,
        # any-llm's own way to name a model is provider:model
        "model_id": f"{endpoint.provider}:{endpoint.model_id}" if by_library else endpoint.model_id,
        "digest": endpoint.model_id,
        "window": endpoint.window,
        "input_price_micros": endpoint.price.input_micros_per_mtok,
        "output_price_micros": endpoint.price.output_micros_per_mtok,
        "key_ref": endpoint.key_ref,
        "roles": json.dumps([VISION] if endpoint.sees else []),
    }


def _stored(row: Row[Any]) -> StoredEndpoint:
    columns = row._mapping  # noqa: SLF001  the public accessor of SQLAlchemy rows, despite its name
    base_url, kind = columns["base_url"] or "", EndpointKind(columns["kind"])
    known, host = preset_at(base_url), urlsplit(base_url).hostname or ""
    by_library = kind is EndpointKind.ANY_LLM
    provider, _, model_id = columns["model_id"].partition(":") if by_library else ("", "", columns["model_id"])
    endpoint = Endpoint(
        name=columns["name"],
        kind=kind,
        provider=provider or (known.name if known else host),
        base_url=base_url,
        model_id=model_id,
        key_ref=columns["key_ref"],
        window=columns["window"],
        price=Price(columns["input_price_micros"], columns["output_price_micros"]),
        local=is_loopback(host),
        newer_limit=known.newer_limit if known else False,
        sees=VISION in json.loads(columns["roles"]),
    )
    return StoredEndpoint(endpoint, bool(columns["enabled"]), columns["added_at"])
