"""Writes what follows from the tables of schemes and strategies into files that no build makes.

usage: tables.py    rewrites them; a test checks that they are current

The edge's schemes are in host/libedge/include/edge/schemes.h, the strategies in WeightRule.java.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCHEMES = "host/libedge/include/edge/schemes.h"
STRATEGIES = "wcmp-core/src/main/java/org/evenweave/wcmp/weights/WeightRule.java"
PROTOCOL = "sdd-controller/src/main/sbe/sdd-protocol.xml"
_COMMON = "docs/schema/common.json"
_BEGIN, _END = "<!-- Written by tests/tables.py. -->\n", "<!-- end -->\n"
_SCHEME_HEAD = "| scheme | path of a new flowlet | peers report |"
_STRATEGY_HEAD = "| `strategy` | a next hop's weight | price |"
# Offline tools weigh by a traffic matrix with other fields beside it.
_NEEDS_TRAFFIC = "traffic"


@dataclass(frozen=True)
class Scheme:
    """`number` is that of the controller's protocol, `reports` what the scheme needs of peers."""

    name: str
    number: int
    reports: str
    path: str


@dataclass(frozen=True)
class Strategy:
    name: str
    description: str
    price: str


def schemes(text: str) -> list[Scheme]:
    rows = re.findall(r'SCHEME\(\w+, "([^"]+)", (\d+), \w+, (\w+), \w+,[\s\\]+"([^"]+)"\)', text)
    return [Scheme(name, int(number), what.lower(), path) for name, number, what, path in rows]


def strategies(text: str) -> list[Strategy]:
    rows = re.findall(r'^  [A-Z_]+\(((?:\s*(?:"[^"]*"|[+,]))+)\)', text, re.MULTILINE)
    joined = [re.sub(r'"\s*\+\s*"', "", row) for row in rows]
    return [Strategy(*re.findall(r'"([^"]*)"', row)) for row in joined]


def written(scheme_table: str | None = None, strategy_table: str | None = None) -> dict[str, str]:
    """What each file should hold, by its path, for these tables; by default those of the tree."""
    of_edges = schemes(scheme_table or read(SCHEMES))
    weighing = strategies(strategy_table or read(STRATEGIES))
    offline = [each.name for each in weighing if each.name != _NEEDS_TRAFFIC]
    names = [each.name for each in of_edges]
    lua = textwrap.fill(
        _quoted(names) + ",", 100, initial_indent="  [0] = ", subsequent_indent="  "
    )
    scheme_rows = [(f"`{s.name}`", s.path, s.reports) for s in of_edges]
    strategy_rows = [(f"`{s.name}`", s.description, s.price) for s in weighing]
    parts = (
        ("host/edge/evenweave-edge.lua", "local SCHEMES = {\n", "\n}", lua),
        ("python/evenweave/tools.py", "Rule = Literal[", "]", _quoted(offline)),
        ("docs/reference/libedge.md", _BEGIN, _END, _table(_SCHEME_HEAD, scheme_rows)),
        ("docs/reference/fabric.md", _BEGIN, _END, _table(_STRATEGY_HEAD, strategy_rows)),
    )
    schema = _schema(names, [each.name for each in weighing], offline)
    return {_COMMON: schema} | {path: _between(path, *part) for path, *part in parts}


def unknown_to_the_protocol(scheme_table: str) -> list[str]:
    """What the protocol's enumeration lacks or has wrongly; it is written by hand, because each new
    number needs a new version of the protocol."""
    (block,) = re.findall(r'<enum name="EdgeScheme".*?</enum>', read(PROTOCOL), re.DOTALL)
    known = dict(re.findall(r'<validValue name="(\w+)"[^>]*>(\d+)<', block))
    wanted = {s.name.upper().replace("-", "_"): str(s.number) for s in schemes(scheme_table)}
    return [
        f"{PROTOCOL}: {name}={wanted.get(name)}, not {known.get(name)}"
        for name in known.keys() | wanted.keys()
        if known.get(name) != wanted.get(name)
    ]


def read(path: str) -> str:
    return (ROOT / path).read_text()


def _schema(of_edges: list[str], online: list[str], offline: list[str]) -> str:
    document = json.loads(read(_COMMON))
    for name, values in (("strategy", offline), ("controllerStrategy", online)):
        *others, last = [f'"{value}"' for value in values]
        message = f"must be {', '.join(others)} or {last}"
        document["$defs"][name] |= {"enum": values, "errorMessage": message}
    # As evenweave-edge says it.
    message = f"must be one of {', '.join(of_edges)}"
    document["$defs"]["edgeScheme"] |= {"enum": of_edges, "errorMessage": message}
    return json.dumps(document, indent=2) + "\n"


def _quoted(names: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _table(head: str, rows: Iterable[tuple[str, ...]]) -> str:
    return f"{head}\n|---|---|---|\n" + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _between(path: str, begin: str, end: str, body: str) -> str:
    before, found, rest = read(path).partition(begin)
    _, ended, after = rest.partition(end)
    if not found or not ended:
        raise ValueError(f"{path}: has no {begin!r} and {end!r}")
    return before + begin + body + end + after


if __name__ == "__main__":
    for path, text in written().items():
        if text != read(path):  # a newer schema has the jar built again
            (ROOT / path).write_text(text)
