"""The fields of a JSON Schema as a table of a page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

# Inputs of people and programs, which docs/reference/fields.md has; what several of them share is
# shown in each.
DOCUMENTS = (
    *(
        "configuration",
        "fabric",
        "access",
        "sdd",
        "sdd-host",
        "circuit-switch",
        "evenweave-edge",
        "for-all-hosts",
    ),
    *("weights", "reduce", "fit", "stripe", "plan", "verify", "schedule", "what-if"),
)


@dataclass(frozen=True)
class _Field:
    name: str
    value: str
    meaning: str


def table(schema: dict, file: Path, follows: bool = True) -> str:
    """A row for each field of an object, those of objects in it after it, in the schema's order.

    `file` is where its references start. Unless it `follows`, those to other files are left alone.
    """
    rows = [
        f"| {field.name} | {field.value} | {field.meaning} |\n"
        for field in _fields(schema, file, "", follows)
    ]
    return "".join(["| field | value | meaning |\n|---|---|---|\n", *rows])


@cache
def read(file: Path) -> dict:
    return json.loads(file.read_text())


def cell(text: str) -> str:
    """Text that stands in a table."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def link(reference: str) -> str:
    """A reference to another schema, or to a part of it, in a page of docs/reference."""
    target, _, pointer = reference.partition("#")
    name = Path(target)
    shown = f"[`{name.name}`]({f'fields.md#{name.stem}json' if name.stem in DOCUMENTS else target})"
    part = pointer.rpartition("/")[2]
    return f"`{part}` of {shown}" if part else shown


def _fields(schema: dict, file: Path, path: str, follows: bool) -> Iterator[_Field]:
    schema, file = _resolved(schema, file, follows)
    required = schema.get("required", [])
    for name, given in schema.get("properties", {}).items():
        inner, of = _resolved(given, file, follows)
        where = f"{path}{name}"
        shown = f"**`{where}`**" if name in required else f"`{where}`"
        meaning = given.get("description", inner.get("description", ""))
        yield _Field(shown, cell(_value(inner)), cell(meaning))
        yield from _fields(inner, of, f"{where}.", follows)
        while "items" in inner:
            inner, of = _resolved(inner["items"], of, follows)
            where += "[]"
            yield from _fields(inner, of, f"{where}.", follows)
    for choice in ("oneOf", "anyOf"):
        for option in schema.get(choice, []):
            yield from _fields(option, file, path, follows)


def _resolved(schema: dict, file: Path, follows: bool) -> tuple[dict, Path]:
    """A schema behind references, and the file that it is in."""
    while "$ref" in schema:
        target, _, pointer = schema["$ref"].partition("#")
        if target and not follows:
            return {"errorMessage": link(schema["$ref"])}, file
        file = (file.parent / target).resolve() if target else file
        schema = read(file)
        for step in pointer.strip("/").split("/") if pointer.strip("/") else []:
            schema = schema[step]
    return schema, file


def _value(schema: dict) -> str:
    """What a value must be, in words: as in the message for a wrong one, where there is one."""
    if message := schema.get("errorMessage", ""):
        return message.removeprefix("must be ").removeprefix("must ")
    for choice in ("oneOf", "anyOf"):
        if choice in schema:
            return ", or ".join(filter(None, map(_value, schema[choice])))
    if "enum" in schema:
        return ", ".join(json.dumps(value) for value in schema["enum"])
    return str(schema.get("type", ""))
