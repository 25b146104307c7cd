"""Core cases: what `./evenweave test` runs and what only `./evenweave test all` does.

`-m "not extended"` leaves out the tests marked `extended`, and of a test marked `core_cases(n)` all
but its first n cases. A folder without the test bed's plugin has in its conftest.py:

    from evenweave_testbed.core_cases import (  # noqa: F401
        pytest_collection_modifyitems, pytest_configure
    )
"""

from __future__ import annotations

from collections import Counter

import pytest

EXTENDED = "extended"
CORE_CASES = "core_cases"


def add_markers(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"{EXTENDED}: for ./evenweave test all only")
    config.addinivalue_line("markers", f"{CORE_CASES}(n): all cases but the first n are extended")


def mark_extended_cases(items: list[pytest.Item]) -> None:
    """Marks what `core_cases` leaves out, in the order of collection."""
    cases: Counter[str] = Counter()
    for item in items:
        if core := item.get_closest_marker(CORE_CASES):
            test = item.nodeid.partition("[")[0]
            if cases[test] >= core.args[0]:
                item.add_marker(EXTENDED)
            cases[test] += 1


pytest_configure = add_markers


# First: pytest's own hook leaves tests out by their markers.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    mark_extended_cases(items)
