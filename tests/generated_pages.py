"""Writes the reference pages that are generated, and the tables of REST in pages.

usage: generated_pages.py    rewrites all; tests check that they are current

docs/reference/command-line.md is what the commands print with --help, fields.md what the JSON
Schemas of docs/schema hold. answers.md, and the tables of operations in rest.md, sdd.md and
onos.md, are what docs/api/openapi.json holds.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import rest_pages
import schema_fields

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
    rest_pages.ANSWERS.write_text(rest_pages.answers_page())
    for page in rest_pages.PAGES:
        page.write_text(rest_pages.with_tables(page))


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
    for name in schema_fields.DOCUMENTS:
        schema = schema_fields.read(_SCHEMAS / f"{name}.json")
        parts.append(f"\n## {name}.json\n\n{schema['title']}.")
        if "description" in schema:
            parts.append(f" {schema['description']}")
        parts.append("\n\n" + schema_fields.table(schema, _SCHEMAS / f"{name}.json"))
    return "".join(parts)


if __name__ == "__main__":
    main()
