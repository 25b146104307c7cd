"""Checks whether runs of another length give the same verdicts.

Beside NAME.csv a page's folder may have NAME-longer.csv or NAME-shorter.csv: runs of the same
experiment that are at least twice, or at most half as long, for all or some of the points and
schemes of claims. If all their verdicts are the same, the shorter ones are long enough. Length is
the number of flows; of long-lived flows it is the window in which their bandwidth is measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evenweave_sim.experiment import BadInput, Experiment
from evenweave_sim.results import Runs, read_runs
from evenweave_sim.rows import result

_TIMES_AS_LONG = 2


@dataclass(frozen=True)
class OtherLength:
    kind: str  # longer or shorter
    result: dict[str, Any]
    window_ms: float | None  # of long-lived flows


def beside(folder: Path, experiment: Experiment, flows: dict[float, int]) -> OtherLength | None:
    """Returns the result of the runs of another length in that folder, if any; of the longer ones,
    if there are both. flows: of the page's runs, by point."""
    for kind in ("longer", "shorter"):
        path = folder / f"{experiment.name}-{kind}.csv"
        if path.exists():
            return _read(path, kind, experiment, flows)
    return None


def _read(path: Path, kind: str, experiment: Experiment, flows: dict[float, int]) -> OtherLength:
    others, runs = read_runs([path], experiment)
    window = _window(runs) if experiment.are_long else None
    for point, number in others.items():
        here, there = (
            (float(flows.get(point, 0)), float(number))
            if window is None
            else (experiment.window_ms, window)
        )
        less, more = (here, there) if kind == "longer" else (there, here)
        if point not in flows or more < _TIMES_AS_LONG * less:
            unit = experiment.counted if window is None else "ms"
            raise BadInput(
                f"{path}: has {there:,g} {unit} at {point:g}, which is not {_least(kind)} the "
                f"{here:,g} of the page's runs"
            )
    return OtherLength(kind, result(experiment, others, runs), window)


def _window(runs: Runs) -> float:
    """Returns the shortest window of the runs; 0 if one of them has none."""
    every = (run for seeds in runs.values() for seed in seeds for run in seed.values())
    return min(run.get("windowMs", 0) for run in every)


def _least(kind: str) -> str:
    return f"{_TIMES_AS_LONG} times" if kind == "longer" else f"1/{_TIMES_AS_LONG} of"


def changed(
    claims: Sequence[dict[str, Any]], others: Sequence[dict[str, Any]]
) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Returns the claims with different verdicts, as pairs."""
    before = {_identity(claim): claim for claim in claims}
    pairs = [(before[_identity(claim)], claim) for claim in others if _identity(claim) in before]
    return [(old, new) for old, new in pairs if old["verdict"] != new["verdict"]]


def _identity(claim: dict[str, Any]) -> tuple[str, str, str]:
    return claim["claim"], claim["source"], claim["relation"]
