"""What can go wrong when somebody searches."""

from auritas.kernel.errors import NotFoundError, UsageError


class QueryError(UsageError):
    """What was typed cannot be searched for."""

    code = "bad_query"


class UnknownFilterError(NotFoundError):
    """A filter names a project, a model or a domain that does not exist."""

    code = "unknown_filter"
