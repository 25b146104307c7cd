"""Checks whether longer runs give the same verdicts.

Beside NAME.csv a page's folder may have NAME-longer.csv: runs of the same experiment with at least
twice the flows, for all or some of the points and schemes of claims. If all their verdicts are the
same, the shorter runs are long enough."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evenweave_sim.experiment import BadInput, Experiment
from evenweave_sim.results import read_runs
from evenweave_sim.rows import result

_TIMES_AS_LONG = 2


def path_of(folder: Path, experiment: Experiment) -> Path:
    return folder / f"{experiment.name}-longer.csv"


def beside(folder: Path, experiment: Experiment, flows: dict[float, int]) -> dict[str, Any] | None:
    """Returns the result of the longer runs in that folder, if any. flows: of the shorter runs, by
    point."""
    path = path_of(folder, experiment)
    if not path.exists():
        return None
    more, runs = read_runs([path], experiment)
    for point, number in more.items():
        if point not in flows or number < _TIMES_AS_LONG * flows[point]:
            least = f"{_TIMES_AS_LONG} times the {flows.get(point, 0):,} of the shorter runs"
            raise BadInput(f"{path}: has {number:,} {experiment.counted} at {point:g}, not {least}")
    return result(experiment, more, runs)


def changed(
    shorter: Sequence[dict[str, Any]], longer: Sequence[dict[str, Any]]
) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Returns the claims with different verdicts, as pairs."""
    before = {_identity(claim): claim for claim in shorter}
    pairs = [(before[_identity(claim)], claim) for claim in longer if _identity(claim) in before]
    return [(old, new) for old, new in pairs if old["verdict"] != new["verdict"]]


def _identity(claim: dict[str, Any]) -> tuple[str, str, str]:
    return claim["claim"], claim["source"], claim["relation"]
