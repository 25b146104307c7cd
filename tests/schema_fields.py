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
class Field:
    """A field of an object, those of objects in it apart."""

    path: str
    required: bool
    value: str
    meaning: str

    @property
    def row(self) -> str:
        """It in a table of a page."""
        name = f"**`{self.path}`**" if self.required else f"`{self.path}`"
        return f"| {name} | {cell(self.value)} | {cell(self.meaning)} |\n"


def table(schema: dict, file: Path, follows: bool = True) -> str:
    """A row for each field of an object, those of objects in it after it, in the schema's order.

    `file` is where its references start. Unless it `follows`, those to other files are left alone.
    """
    rows = [field.row for field in fields(schema, file, follows)]
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


def fields(schema: dict, file: Path, follows: bool = True, path: str = "") -> Iterator[Field]:
    """The fields of a table. `path` precedes theirs."""
    schema, file = _resolved(schema, file, follows)
    required = schema.get("required", [])
    for name, given in schema.get("properties", {}).items():
        inner, of = _resolved(given, file, follows)
        where = f"{path}{name}"
        meaning = given.get("description", inner.get("description", ""))
        yield Field(where, name in required, _value(inner), meaning)
        yield from fields(inner, of, follows, f"{where}.")
        while "items" in inner:
            inner, of = _resolved(inner["items"], of, follows)
            where += "[]"
            yield from fields(inner, of, follows, f"{where}.")
    for choice in ("oneOf", "anyOf"):
        for option in schema.get(choice, []):
            yield from fields(option, file, follows, path)


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
