"""Pages of lists: how many at once, and where the next one begins."""

from typing import Annotated

from fastapi import Path, Query

Limit = Annotated[int, Query(ge=1, le=200, description="How many at most.")]
DEFAULT_LIMIT = 50
Before = Annotated[str | None, Query(max_length=200, description="What the page before ended with as `next`.")]
After = Annotated[str | None, Query(max_length=200, description="What the page before ended with as `next`.")]
Name = Annotated[str, Path(max_length=200)]
