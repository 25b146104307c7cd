"""The tables of docs/reproduction are what the command makes of the stored runs."""

from pathlib import Path

import pytest

from evenweave_sim import emulation, experiment, page, results, rows

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "reproduction"
STORED = [name for name in experiment.names() if (FOLDER / f"{name}.csv").exists()]
EMULATED = [name for name in STORED if list(FOLDER.glob(f"{name}-emulation-*.json"))]


def page_with(name: str) -> str:
    [text] = [t for t in (p.read_text() for p in FOLDER.glob("*.md")) if f"<!-- {name} -->" in t]
    return text


@pytest.mark.parametrize("name", STORED)
def test_a_page_has_the_result_of_the_runs_beside_it(name):
    chosen = experiment.load(name)
    text = page_with(name)
    flows, runs = results.read_runs([FOLDER / f"{name}.csv"], chosen)
    found = rows.result(chosen, flows, runs)
    assert page.replaced(text, name, page.part(chosen, found)) == text
    if f"({name}.svg)" in text:
        assert (FOLDER / f"{name}.svg").read_text() == page.picture(chosen, found, runs)


@pytest.mark.parametrize("name", EMULATED)
def test_a_page_has_the_emulation_beside_it(name):
    chosen = experiment.load(name)
    text = page_with(name)
    _, runs = results.read_runs([FOLDER / f"{name}.csv"], chosen)
    found = emulation.beside(sorted(FOLDER.glob(f"{name}-emulation-*.json")), chosen, runs)
    assert page.replaced(text, emulation.block(chosen), emulation.part(found)) == text
