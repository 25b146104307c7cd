"""A new scheme or strategy is a row of its table: what lists them follows, or a test here names it.

CONTRIBUTING.md names the files that are touched by hand.
"""

from __future__ import annotations

import re
import subprocess

import pytest
import tables

_SCHEMES = tables.read(tables.SCHEMES)
_STRATEGIES = tables.read(tables.STRATEGIES)
# In this order, so that a row ends the table.
_NEW_SCHEME = """ \\
    SCHEME(MADE_UP, "made-up", 9, IN_TURN, MARKS, OWN, \\
           "a path that nobody chose")

#define EDGE_SCHEME_CONSTANT"""
_NEW_STRATEGY = """

  MADE_UP(
      "made-up",
      "weights that nobody"
          + " wanted",
      "none"),

  /** Equal-cost"""
# Tests, results and what somebody decided or released once do not grow with the product.
_NO_PRODUCT = re.compile(
    r"(^|/)tests?/|^docs/(reproduction|decisions)/|^sim/(experiments|evenweave_sim)/|^CHANGELOG"
    r"|^bench/|^docs/reference/benchmark-results"
)
# Written by tests/generated_pages.py and python/generate.
_GENERATED = {
    "docs/reference/command-line.md",
    "docs/reference/fields.md",
    "python/evenweave/models.py",
}


def _files_of(written: dict[str, str]) -> set[str]:
    return {path for path, text in written.items() if "made-up" in text}


def _grown(table: str, before: str, row: str) -> str:
    grown = re.sub(r"\n*" + re.escape(before), lambda _: row, table, count=1)
    assert grown != table
    return grown


def _lists(names: list[str], apart: int, at_least: int) -> set[str]:
    """The product's files in which so many different names stand close together."""
    tracked = subprocess.check_output(["git", "ls-files"], cwd=tables.ROOT, text=True).split()
    one = "|".join(re.escape(name).replace(r"\-", "[-_]") for name in names)
    name = re.compile(rf"(?<![A-Za-z0-9-])(?:{one})(?![A-Za-z0-9-])", re.IGNORECASE)

    def is_list(path: str) -> bool:
        text = (tables.ROOT / path).read_text(errors="replace")
        hits = [(hit.start(), hit[0].lower().replace("_", "-")) for hit in name.finditer(text)]
        return any(
            len({each for at, each in hits if first <= at <= first + apart}) >= at_least
            for first, _ in hits
        )

    return {path for path in tracked if not _NO_PRODUCT.search(path) and is_list(path)}


@pytest.mark.parametrize("path", tables.written())
def test_what_lists_schemes_or_strategies_is_current(path: str):
    assert tables.written()[path] == tables.read(path), f"{path}: run tests/tables.py"


def test_the_controllers_protocol_has_the_number_of_each_scheme():
    assert tables.unknown_to_the_protocol(_SCHEMES) == []


def test_the_protocols_numbers_of_schemes_have_no_gap():
    numbers = sorted(scheme.number for scheme in tables.schemes(_SCHEMES))
    assert numbers == list(range(_SCHEMES.count("\n    SCHEME(")))


def test_a_new_scheme_is_written_everywhere_but_into_the_protocol():
    grown = _grown(_SCHEMES, "#define EDGE_SCHEME_CONSTANT", _NEW_SCHEME)
    written = _files_of(tables.written(scheme_table=grown))
    assert written == {
        "docs/reference/libedge.md",
        "docs/schema/common.json",
        "host/edge/evenweave-edge.lua",
    }
    assert tables.unknown_to_the_protocol(grown) == [f"{tables.PROTOCOL}: MADE_UP=9, not None"]
    names = [scheme.name for scheme in tables.schemes(_SCHEMES)]
    assert _lists(names, 400, 6) - written - _GENERATED == {tables.PROTOCOL}


def test_a_new_strategy_is_written_everywhere():
    grown = _grown(_STRATEGIES, "  /** Equal-cost", _NEW_STRATEGY)
    assert (
        "weights that nobody wanted"
        in tables.written(strategy_table=grown)["docs/reference/fabric.md"]
    )
    written = _files_of(tables.written(strategy_table=grown))
    assert written == {
        "docs/reference/fabric.md",
        "docs/schema/common.json",
        "python/evenweave/tools.py",
    }
    names = [strategy.name for strategy in tables.strategies(_STRATEGIES)]
    assert _lists(names, 150, 4) - written - _GENERATED == set()


def test_four_files_are_touched_by_hand_for_a_scheme_and_three_for_a_strategy():
    (section,) = re.findall(
        r"## Add a scheme or a strategy\n\n(.*?)\n\n##", tables.read("CONTRIBUTING.md"), re.DOTALL
    )
    assert len(section.splitlines()) <= 12
    scheme, strategy = section.split("\n\n")
    files = {"scheme": set(), "strategy": set()}
    for what, text in (("scheme", scheme), ("strategy", strategy)):
        for path in re.findall(r"`([^` ]+/[^` ]+\.(?:h|xml|java))`", text):
            assert (tables.ROOT / path).is_file(), path
            files[what].add(path)
    assert {tables.SCHEMES, tables.PROTOCOL} < files["scheme"] and len(files["scheme"]) == 4
    assert tables.STRATEGIES in files["strategy"] and len(files["strategy"]) == 2
    assert "`PlainRoutes`" in strategy
