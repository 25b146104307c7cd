"""The tables of docs/reproduction are what the command makes of the stored runs."""

from pathlib import Path

import pytest

from evenweave_sim import experiment, page, results, rows

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "reproduction"
STORED = [name for name in experiment.names() if (FOLDER / f"{name}.csv").exists()]


@pytest.mark.parametrize("name", STORED)
def test_a_page_has_the_result_of_the_runs_beside_it(name):
    chosen = experiment.load(name)
    [text] = [t for t in (p.read_text() for p in FOLDER.glob("*.md")) if f"<!-- {name} -->" in t]
    found = rows.result(chosen, *results.read_runs([FOLDER / f"{name}.csv"], chosen))
    assert page.replaced(text, chosen, found) == text
