"""The reference's table of --full runs agrees with the experiments' files."""

import re
from pathlib import Path

from evenweave_sim import experiment

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "sim.md"
HEAD = "| name | runs | flows a run | core minutes |"
MOST_CORE_HOURS = 10  # five hours on two cores


def whole(cell: str) -> int:
    """Returns the number at the start of a cell."""
    found = re.match(r"[\d,]+", cell)
    assert found, cell
    return int(found[0].replace(",", ""))


def documented() -> dict[str, list[str]]:
    lines = PAGE.read_text().split(f"{HEAD}\n")[1].split("\n\n")[0].splitlines()[1:]
    cells = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines]
    assert len({name for name, *_ in cells}) == len(cells)
    return {name: rest for name, *rest in cells}


def test_runs_and_flows_are_those_of_the_experiments():
    rows = documented()
    del rows["all"]
    sizes = {}
    for name in experiment.names():
        chosen = experiment.load(name)
        full = chosen.sizes["full"]
        sizes[name] = (len(chosen.schemes) * len(full.points) * full.seeds, full.flows)
    assert {n: (whole(runs), whole(flows)) for n, (runs, flows, _) in rows.items()} == sizes


def test_all_together_take_what_the_text_says():
    rows = documented()
    runs, _, minutes = rows.pop("all")
    assert whole(runs) == sum(whole(row[0]) for row in rows.values())
    assert whole(minutes) == sum(whole(row[2]) for row in rows.values())
    hours = whole(minutes) / 60
    assert f"{hours:.1f} hours of a core" in " ".join(PAGE.read_text().split())
    assert hours <= MOST_CORE_HOURS
