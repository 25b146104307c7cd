"""What the C and C++ sources include: no circle among headers, nor among modules."""

from __future__ import annotations

import re
from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from runtimes import ROOT

# A library or a program each.
FOLDERS = [
    *sorted(f"host/{p.name}" for p in (ROOT / "host").iterdir() if len([*p.rglob("*.c")]) > 1),
    "sim/src",
]
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def _sources() -> list[Path]:
    simulator = ROOT / "sim/src"
    found = [*(ROOT / "host").rglob("*.[ch]"), *simulator.rglob("*.h"), *simulator.rglob("*.cpp")]
    return sorted(path.relative_to(ROOT) for path in found)


def _included(path: Path, name: str, sources: Iterable[Path]) -> list[Path]:
    """The files that an #include may mean: one beside the file, or those whose path ends so."""
    beside = path.parent / name
    if (ROOT / beside).exists():
        return [beside]
    return [other for other in sources if other.as_posix().endswith(f"/{name}")]


def _graph() -> dict[Path, set[Path]]:
    sources = _sources()
    return {
        path: {
            other
            for name in INCLUDE.findall((ROOT / path).read_text())
            for other in _included(path, name, sources)
        }
        for path in sources
    }


def _circle(graph: dict[Path, set[Path]]) -> list[str]:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return [str(path) for path in error.args[1]]
    return []


def test_no_headers_include_each_other() -> None:
    graph = _graph()
    assert len(graph) > 300
    headers = {path: included for path, included in graph.items() if path.suffix == ".h"}
    assert _circle(headers) == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_modules_include_each_other(folder: str) -> None:
    """A module is a source file, in C or C++, and the header of its name beside it."""
    modules: dict[Path, set[Path]] = {}
    for path, included in _graph().items():
        if path.is_relative_to(folder):
            module = path.with_suffix("")
            others = {other.with_suffix("") for other in included} - {module}
            modules.setdefault(module, set()).update(others)
    assert len(modules) > 1
    assert _circle(modules) == []


def test_a_circle_is_found() -> None:
    one, two, three = Path("one.h"), Path("two.h"), Path("three.h")
    assert _circle({one: {two}, two: {three}, three: {one}}) != []
    assert _circle({one: {two, three}, two: {three}}) == []
