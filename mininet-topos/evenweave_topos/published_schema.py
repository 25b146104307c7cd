"""The published JSON schemas (docs/schema): what an input must be before anything else reads it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import jsonschema

# In an installed package beside the modules.
_PACKAGED = Path(__file__).resolve().parent / "schema"
SCHEMAS = _PACKAGED if _PACKAGED.is_dir() else Path(__file__).resolve().parents[2] / "docs/schema"

# Longer values are not repeated in messages.
_SHOWN_CHARACTERS = 60


def first_violation(schema: str, value: object, root: str) -> str | None:
    """The path of a part of a decoded JSON value that violates a schema, and what is wrong with it;
    None if it is valid. `root` is what to call the whole value."""
    error = next(_validator(schema).iter_errors(value), None)
    return None if error is None else _message(error, root)


@cache
def _validator(schema: str) -> jsonschema.Draft202012Validator:
    import jsonschema  # with its formats it takes a second, which most commands would waste

    documents = {
        path.name: json.loads(path.read_text(encoding="utf-8")) for path in SCHEMAS.glob("*.json")
    }
    # As in the controller, a line feed at the end is part of a text. Unlike there, 1.0 is no
    # integer: the values are used as they are.
    types = jsonschema.Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    )
    strict = jsonschema.validators.extend(
        jsonschema.Draft202012Validator, {"pattern": _pattern}, type_checker=types
    )
    name = f"{schema}.json"
    resolver = jsonschema.RefResolver(name, documents[name], store=documents)
    return strict(documents[name], resolver=resolver)


def _pattern(
    _: object, pattern: str, value: object, __: object
) -> Iterator[jsonschema.ValidationError]:
    import jsonschema

    if isinstance(value, str) and not re.fullmatch(pattern, value):
        yield jsonschema.ValidationError(f"must match {pattern}")


def _message(error: jsonschema.ValidationError, root: str) -> str:
    steps: Iterable[Any] = error.absolute_path
    fields = error.schema.get("properties", {})
    problem = error.schema.get("errorMessage", error.message)
    if error.validator == "additionalProperties":
        unknown = next(name for name in error.instance if name not in fields)
        steps, problem = (
            [*steps, unknown],
            "unknown field; the fields here are " + ", ".join(sorted(fields)),
        )
    elif error.validator == "required":
        missing = next(name for name in error.validator_value if name not in error.instance)
        steps, problem = [*steps, missing], "is missing"
    elif not isinstance(error.instance, dict):
        shown = json.dumps(error.instance)
        problem += f", not {shown}" if len(shown) <= _SHOWN_CHARACTERS else ""
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return f"{path.removeprefix('.') or root}: {problem}"
