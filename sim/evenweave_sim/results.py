"""Reads all or some runs from a runs.csv, or from several of a campaign's parts.

A file that is truncated or belongs to another experiment is refused with its first invalid line.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evenweave_sim.claims import Run
from evenweave_sim.experiment import MOST_FLOWS, MOST_SEEDS, BadInput, Experiment
from evenweave_sim.files import text_of

Runs = dict[float, list[Run]]

# The flows of each run, by point.
Flows = dict[float, int]

# Metrics that every run must have if the experiment's table has them.
_ALWAYS = ("avgFct", "goodputGbps", "meanRate")

# An area divided by a difference, which is negative if the share overshoots its final value.
_OF_EITHER_SIGN = ("settleMs",)


@dataclass(frozen=True)
class _Line:
    scheme: str
    point: float
    seed: int
    flows: int
    metrics: dict[str, float]


def read_runs(paths: Sequence[Path], experiment: Experiment) -> tuple[Flows, Runs]:
    """Reads the runs that runs_csv() wrote into one or several files: by point, one for each seed,
    with the same flows at each point and the same schemes for each seed. Points are in ascending
    order, schemes in the experiment's order."""
    by_seed: dict[float, dict[int, Run]] = {}
    flows: Flows = {}
    for path in paths:
        number = 0
        for number, line in _lines(path, experiment):
            where = f"{path}: line {number}"
            if flows.setdefault(line.point, line.flows) != line.flows:
                others = f"{flows[line.point]} as others at {line.point:g}"
                raise BadInput(f"{where}: has {line.flows} flows, not {others}")
            run = by_seed.setdefault(line.point, {}).setdefault(line.seed, {})
            if line.scheme in run:
                raise BadInput(f"{where}: the second run of {_case(experiment, line)}")
            run[line.scheme] = line.metrics
        if number == 0:
            raise BadInput(f"{path}: has no runs")
    found: Runs = {}
    for point, seeds in sorted(by_seed.items()):
        there = {scheme for run in seeds.values() for scheme in run}
        schemes = [scheme for scheme in experiment.schemes if scheme in there]
        for seed in range(1, max(seeds) + 1):
            for scheme in schemes:
                if scheme not in seeds.get(seed, {}):
                    lacks = _case(experiment, _Line(scheme, point, seed, flows[point], {}))
                    raise BadInput(f"{path}: line {number}: the file ends without {lacks}")
        found[point] = [
            {scheme: seeds[seed][scheme] for scheme in schemes} for seed in sorted(seeds)
        ]
    return flows, found


def experiment_of(path: Path) -> str | None:
    """Returns the name of the experiment in a runs.csv; None if there is no such file or no
    name."""
    try:
        names, first = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))[:2]
    except (OSError, ValueError, csv.Error):
        return None
    return dict(zip(names, first, strict=False)).get("experiment")


def chosen_runs(
    of: str,
    runs: Runs,
    schemes: Sequence[str] | None,
    points: Sequence[float] | None,
    seeds: int | None,
) -> Runs:
    """Returns the runs of these schemes, points and seeds; None stands for all.

    of: the files' name in errors."""
    found: Runs = {}
    for point in runs if points is None else points:
        if point not in runs:
            raise BadInput(f"{of}: has no runs at {point:g}")
        there = runs[point]
        if seeds is not None and seeds > len(there):
            raise BadInput(f"{of}: has {len(there)} seeds at {point:g}, not {seeds}")
        for scheme in schemes or ():
            if scheme not in there[0]:
                raise BadInput(f'{of}: has no runs of "{scheme}" at {point:g}')
        found[point] = [
            {scheme: run[scheme] for scheme in (run if schemes is None else schemes)}
            for run in there[:seeds]
        ]
    return found


def _lines(path: Path, experiment: Experiment) -> Iterator[tuple[int, _Line]]:
    """Yields the file's runs, each with its line number."""
    text = text_of(path)
    try:
        lines = list(csv.reader(text.splitlines()))
    except csv.Error as error:
        raise BadInput(f"{path}: {error}") from error
    if not lines:
        raise BadInput(f"{path}: has no runs")
    names = lines[0]
    _check_names(path, experiment, names)
    for number, cells in enumerate(lines[1:], 2):
        where = f"{path}: line {number}"
        if len(cells) != len(names) or (number == len(lines) and not text.endswith("\n")):
            raise BadInput(f"{where}: is truncated")
        yield number, _line(where, experiment, dict(zip(names, cells, strict=True)))


def _check_names(path: Path, experiment: Experiment, names: list[str]) -> None:
    """Checks the names of the columns."""
    for name in names:
        if not name.isprintable():
            raise BadInput(f"{path}: line 1: column {name!r} has unprintable characters")
        if names.count(name) > 1:
            raise BadInput(f'{path}: line 1: more than one column "{name}"')
    always = (metric for metric in experiment.shown if metric in _ALWAYS)
    for name in ("scheme", experiment.axis, "seed", "flows", *always):
        if name not in names:
            raise BadInput(f'{path}: line 1: no column "{name}", which {experiment.name} requires')


def _line(where: str, experiment: Experiment, cells: dict[str, str]) -> _Line:
    # Files of earlier versions lack the experiment's name.
    if (of := cells.pop("experiment", experiment.name)) != experiment.name:
        raise BadInput(f"{where}: belongs to {of}, not to {experiment.name}")
    scheme = cells.pop("scheme")
    if scheme not in experiment.schemes:
        raise BadInput(f'{where}: {experiment.name} has no scheme "{scheme}"')
    point = _number(where, experiment.axis, cells.pop(experiment.axis))
    if experiment.axis == "load" and not 0.01 <= point <= 1:
        raise BadInput(f"{where}: load must be from 0.01 to 1, not {point:g}")
    seed = _whole(where, "seed", cells.pop("seed"), MOST_SEEDS)
    flows = _whole(where, "flows", cells.pop("flows"), MOST_FLOWS)
    metrics = {name: _metric(where, name, cell) for name, cell in cells.items() if cell}
    if not metrics:
        raise BadInput(f"{where}: has no metrics")
    return _Line(scheme, point, seed, flows, metrics)


def _metric(where: str, name: str, text: str) -> float:
    """Reads a metric, which must be 0 or more unless it may have either sign."""
    number = _number(where, name, text)
    if number < 0 and name not in _OF_EITHER_SIGN:
        raise BadInput(f"{where}: {name} must be 0 or more, not {text}")
    return number


def _number(where: str, name: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise BadInput(f'{where}: {name} must be a number, not "{text}"')
    return number


def _whole(where: str, name: str, text: str, most: int) -> int:
    if not (text.isdecimal() and len(text) < 20 and 1 <= int(text) <= most):
        raise BadInput(f'{where}: {name} must be from 1 to {most}, not "{text}"')
    return int(text)


def _case(experiment: Experiment, line: _Line) -> str:
    return f"{line.scheme}, {experiment.axis} {line.point:g}, seed {line.seed}"
