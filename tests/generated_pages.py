"""Writes the reference pages that are generated: the command line and the fields of configurations.

usage: generated_pages.py    rewrites both; tests check that they are current

docs/reference/command-line.md is what the commands print with --help, docs/reference/fields.md what
the JSON Schemas of docs/schema hold.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COMMAND_LINE = ROOT / "docs/reference/command-line.md"
FIELDS = ROOT / "docs/reference/fields.md"
_SCHEMAS = ROOT / "docs/schema"
# Those of benchmarks are in benchmarks.md, those of the C programs in their pages.
COMMANDS = (
    *("", "demo", "demo edge", "lab", "controller", "sdd", "sdd show", "sdd sharing"),
    *("sdd triggers", "sdd edge", "weights", "reduce", "fit", "stripe", "plan", "verify"),
    *("schedule", "status", "topology", "hosts", "groups", "paths", "oversubscription", "events"),
    *("verify-fabric", "drain", "undrain", "what-if", "config", "config get", "config diff"),
    *(
        "config patch",
        "config apply",
        "completion",
        "man",
        "keys",
        "keys make",
        "keys renew",
        "keys revoke",
    ),
    *("keys list", "keys token", "sim", "sbom", "package", "clean"),
)
# Inputs of people and programs; what several of them share is shown in each.
_DOCUMENTS = (
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
    *("weights", "reduce", "fit", "stripe", "plan", "verify", "schedule"),
)
_COMMAND_LINE_HEAD = """\
# Command line

<!-- Written by tests/generated_pages.py. -->

What each command prints with `--help`. A command exits with 0 if it succeeds, 1 if it fails, and 2
if it is used wrongly. `./evenweave bench --help` lists the [benchmarks](benchmarks.md), and
`./evenweave edge --help` the commands of [evenweave-edge](edge.md).
"""
_FIELDS_HEAD = """\
# Fields of all configurations

<!-- Written by tests/generated_pages.py. -->

The fields of each JSON document, from its schema in `docs/schema`. A field that a schema does not
name is an error. `[]` stands for each element of an array; fields in **bold** are required.
"""


def main() -> None:
    COMMAND_LINE.write_text(_COMMAND_LINE_HEAD + "".join(section(command) for command in COMMANDS))
    FIELDS.write_text(fields_page())


def section(command: str) -> str:
    """The section of a command in the page on the command line."""
    done = subprocess.run(
        [str(ROOT / "evenweave"), *command.split(), "--help"],
        env=os.environ | {"COLUMNS": "80", "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    text = "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())
    return f"\n## evenweave{' ' if command else ''}{command}\n\n```text\n{text}\n```\n"


def fields_page() -> str:
    parts = [_FIELDS_HEAD]
    for name in _DOCUMENTS:
        schema = _read(f"{name}.json")
        parts.append(f"\n## {name}.json\n\n{schema['title']}.")
        if "description" in schema:
            parts.append(f" {schema['description']}")
        parts.append("\n\n| field | value | meaning |\n|---|---|---|\n")
        parts += [
            f"| {field.name} | {field.value} | {field.meaning} |\n"
            for field in _fields(schema, f"{name}.json", "")
        ]
    return "".join(parts)


@dataclass(frozen=True)
class _Field:
    name: str
    value: str
    meaning: str


def _read(file: str) -> dict:
    return json.loads((_SCHEMAS / file).read_text())


def _fields(schema: dict, file: str, path: str) -> Iterator[_Field]:
    """The fields of an object, those of objects in it after it, in the schema's order."""
    schema, file = _resolved(schema, file)
    required = schema.get("required", [])
    for name, given in schema.get("properties", {}).items():
        inner, of = _resolved(given, file)
        where = f"{path}{name}"
        shown = f"**`{where}`**" if name in required else f"`{where}`"
        meaning = given.get("description", inner.get("description", ""))
        yield _Field(shown, _cell(_value(inner)), _cell(meaning))
        yield from _fields(inner, of, f"{where}.")
        while "items" in inner:
            inner, of = _resolved(inner["items"], of)
            where += "[]"
            yield from _fields(inner, of, f"{where}.")
    for choice in ("oneOf", "anyOf"):
        for option in schema.get(choice, []):
            yield from _fields(option, file, path)


def _resolved(schema: dict, file: str) -> tuple[dict, str]:
    """A schema behind references, and the file that it is in."""
    while "$ref" in schema:
        target, _, pointer = schema["$ref"].partition("#")
        file = target or file
        schema = _read(file)
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


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


if __name__ == "__main__":
    main()
