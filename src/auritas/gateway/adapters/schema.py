"""JSON Schema validation by the library `jsonschema`, imported when it is first needed."""

from auritas.kernel.canonical import Json
from auritas.kernel.errors import InvalidError
from auritas.kernel.text import one_line


class JsonSchemaCheck:
    """Checks values against a JSON Schema (draft 2020-12 unless the schema names another).

    References stay inside the schema: the library would fetch foreign ones, so it is given an empty registry.
    """

    def problem(self, schema: Json, value: Json) -> str | None:
        from jsonschema import exceptions, validators
        from referencing import Registry
        from referencing.exceptions import Unresolvable

        validator = validators.validator_for(schema)(schema, registry=Registry())
        try:
            error = exceptions.best_match(validator.iter_errors(value))
        except Unresolvable as unknown:
            raise InvalidError(f"The form refers to something outside of it: {unknown.ref}") from None
        return None if error is None else one_line(f"{error.json_path}: {error.message}", 200)
