"""What pages show of docs/api/openapi.json: tables of operations, and the fields of answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import schema_fields

ROOT = Path(__file__).resolve().parents[1]
API = ROOT / "docs/api/openapi.json"
_PAGES = ROOT / "docs/reference"
ANSWERS = _PAGES / "answers.md"
# Which operations each page has; those of ONOS alone are not in the others.
_SHOWN: dict[str, Callable[[dict], bool]] = {
    "rest.md": lambda operation: "sdd" not in operation["tags"],
    "sdd.md": lambda operation: "sdd" in operation["tags"],
    "onos.md": lambda operation: True,
}
PAGES = [_PAGES / name for name in _SHOWN]
_RUNTIMES = {"embedded": "the embedded controller", "sdd": "`evenweave sdd`"}
_ONOS_ALONE = ["onos"]
# Of every operation: they are in a table of their own.
_REFUSALS = ("401", "403", "429", "503")
_BEGIN = "<!-- Written by tests/generated_pages.py: {}. -->\n"
_END = "<!-- end -->\n"
_SITE = re.compile(r"\(https://evenweave\.org/(reference/)?([\w/-]+)\.html")
_ANSWERS_HEAD = """\
# Fields of all answers

<!-- Written by tests/generated_pages.py. -->

The fields of what [REST](rest.md) answers, from `docs/api/openapi.json`. `[]` stands for each
element of an array; fields in **bold** are always there. Later versions add fields; ignore those
that you do not know.
"""


def with_tables(page: Path) -> str:
    """The page with its generated tables as they should be."""
    text = page.read_text()
    for name, made in (("operations", table_of_operations(page)), ("refusals", _refusals())):
        begin = _BEGIN.format(name)
        if begin in text:
            before, _, rest = text.partition(begin)
            text = before + begin + "\n" + made + "\n" + _END + rest.partition(_END)[2]
    return text


def answers_page() -> str:
    parts = [_ANSWERS_HEAD]
    for name, schema in _answers():
        if "properties" in schema:
            about = schema.get("description", "")
            parts.append(f"\n## {name}\n\n{about}{about and '.'}".rstrip() + "\n\n")
            parts.append(schema_fields.table(schema, API, follows=False))
    return "".join(parts)


def _answers() -> Iterator[tuple[str, dict]]:
    """The schemas of answers, each once, in the order of the operations."""
    schemas = schema_fields.read(API)["components"]["schemas"]
    names = dict.fromkeys(name for _, _, each in operations() if (name := _answer(each)))
    for name in names:
        yield name, schemas[name]


def operations() -> Iterator[tuple[str, str, dict]]:
    """Path, method and description of each."""
    for path, item in schema_fields.read(API)["paths"].items():
        for method, operation in item.items():
            yield path, method.upper(), operation


def table_of_operations(page: Path) -> str:
    """A row for each operation that the page has."""
    shown = _SHOWN[page.name]
    rows = ["| request | parameters | role | what it does | status |\n|---|---|---|---|---|\n"]
    for path, method, operation in operations():
        alone = operation.get("x-runtimes") == _ONOS_ALONE
        if alone == (page.name == "onos.md") and shown(operation):
            cells = (
                f"`{method} {path}`",
                ", ".join(map(_parameter, operation.get("parameters", []))),
                operation["x-role"],
                _about(operation),
                ", ".join(code for code in operation["responses"] if code not in _REFUSALS),
            )
            rows.append(f"| {' | '.join(cells)} |\n")
    return "".join(rows)


def _parameter(parameter: dict) -> str:
    """Its name, in bold if it is required, and what a number may be."""
    name = f"`{parameter['name']}`"
    schema = parameter["schema"]
    bounds = [f"{schema['default']:,}"] if schema.get("default") else []
    bounds += [f"at most {schema['maximum']:,}"] if "maximum" in schema else []
    shown = f"**{name}**" if parameter.get("required") else name
    return f"{shown} ({', '.join(bounds)})" if bounds else shown


def _about(operation: dict) -> str:
    text = schema_fields.cell(operation["description"])
    parts = [_SITE.sub(lambda to: f"({'' if to[1] else '../'}{to[2]}.md", text)]
    body = operation.get("requestBody", {}).get("content", {})
    for reference in {content["schema"].get("$ref", "#") for content in body.values()}:
        if not reference.startswith("#"):
            parts.append(f"Body: {schema_fields.link(reference)}.")
    name = _answer(operation)
    schemas = schema_fields.read(API)["components"]["schemas"]
    if name and "properties" in schemas[name]:
        parts.append(f"Answer: [{name}](answers.md#{name.lower()}).")
    runtimes = operation.get("x-runtimes", _ONOS_ALONE)
    if runtimes != _ONOS_ALONE:
        parts.append(f"Only {' and '.join(_RUNTIMES[each] for each in runtimes)}.")
    return " ".join(parts)


def _answer(operation: dict) -> str:
    """The name of the answer's schema; empty if it has none."""
    content = operation["responses"].get("200", {}).get("content", {})
    reference = content.get("application/json", {}).get("schema", {}).get("$ref", "")
    return reference.rpartition("/")[2] if reference.startswith("#") else ""


def _refusals() -> str:
    rows = ["| status | meaning |\n|---|---|\n"]
    for code, answer in schema_fields.read(API)["components"]["responses"].items():
        rows.append(f"| {code} | {schema_fields.cell(answer['description'])} |\n")
    return "".join(rows)
