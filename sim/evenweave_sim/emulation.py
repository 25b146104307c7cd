"""Compares measurements of ./evenweave demo edge, with real TCP, with a simulation of the same
fabric and traffic.

The simulated links are 200 times as fast as the emulated ones. Therefore absolute times are not
compared, but their ratios to ECMP's and the order of schemes. Only the demo's flows before its link
degrades count, because no link degrades in the simulation."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evenweave_sim.claims import Run
from evenweave_sim.experiment import BadInput, Experiment
from evenweave_sim.files import text_of
from evenweave_sim.intervals import interval95
from evenweave_sim.rows import around

# Metrics of a run, and their names in the demo.
_METRICS = {"avgFct": "meanFctMs", "p99Fct": "p99FctMs", "avgFctSmall": "smallMeanFctMs"}

# The scheme with which all others are compared.
_BASE = "ecmp"

# With two schemes a rank correlation is always 1 or -1.
_FEWEST_RANKS = 3


@dataclass(frozen=True)
class Emulation:
    seed: int
    load: float
    flows: int  # of each scheme; equal for all
    seconds: float  # until the link degrades
    late_ms: float  # 99th percentile of the delay with which each scheme's connections began
    rtt_ms: float
    times: dict[str, dict[str, float]]  # in ms, by scheme, by metric of a run


def block(experiment: Experiment) -> str:
    """Returns the name of the comments that enclose the comparison in a page."""
    return f"{experiment.name} emulation"


def beside(
    paths: Sequence[Path], experiment: Experiment, runs: dict[float, list[Run]]
) -> dict[str, Any]:
    """Returns the comparison in the form of --json: by metric, for the schemes in both.

    paths: outputs of ./evenweave demo edge --json that differ in their seeds only. runs: by load,
    one for each seed."""
    emulations = [_read(path, experiment) for path in paths]
    first = emulations[0]
    if first.load not in runs:
        raise BadInput(f"{paths[0]}: has a load of {first.load:g}, at which there are no runs")
    for i, (path, other) in enumerate(zip(paths, emulations, strict=True)):
        if (other.load, other.seconds, other.rtt_ms) != (first.load, first.seconds, first.rtt_ms):
            raise BadInput(f"{path}: differs in fabric, load or time from {paths[0]}")
        if other.seed in [earlier.seed for earlier in emulations[:i]]:
            raise BadInput(f"{path}: has seed {other.seed}, like an earlier file")
    seeds = runs[first.load]
    if _BASE not in seeds[0]:
        raise BadInput(f"--emulation: needs runs of {_BASE}, with which others are compared")
    times = [emulation.times for emulation in emulations]
    return {
        "seeds": [emulation.seed for emulation in emulations],
        "load": first.load,
        "flows": min(emulation.flows for emulation in emulations),
        "seconds": first.seconds,
        "lateStartP99Ms": max(emulation.late_ms for emulation in emulations),
        "rttMs": first.rtt_ms,
        "metrics": [_compared(metric, times, seeds) for metric in _METRICS],
    }


def _read(path: Path, experiment: Experiment) -> Emulation:
    if not experiment.is_emulated:
        raise BadInput(f"--emulation: no demo has the fabric of {experiment.name}")
    try:
        found = json.loads(text_of(path))
        schemes = {
            name: shown for name, shown in found["schemes"].items() if name in experiment.schemes
        }
        times = {
            name: {of: float(shown[theirs]) for of, theirs in _METRICS.items() if shown[theirs]}
            for name, shown in schemes.items()
        }
        emulation = Emulation(
            int(found["seed"]),
            float(found["load"]),
            min(int(shown["flows"]) for shown in schemes.values()),
            float(found["degradation"]["atS"]),
            max(float(shown["lateStartP99Ms"]) for shown in schemes.values()),
            float(found["fabric"]["rttUs"]) / 1e3,
            times,
        )
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise BadInput(f"{path}: must be the output of ./evenweave demo edge --json") from error
    if "avgFct" not in times.get(_BASE, {}):
        raise BadInput(f"{path}: has no flows of {_BASE}, with which others are compared")
    return emulation


def _compared(metric: str, emulated: Sequence[Run], simulated: Sequence[Run]) -> dict[str, Any]:
    """Returns each scheme's time relative to ECMP's, seed by seed on both sides."""
    rows: list[dict[str, Any]] = []
    for scheme in simulated[0]:
        ours, theirs = (_by_base(runs, scheme, metric) for runs in (simulated, emulated))
        if ours and theirs:
            row = {"scheme": scheme, "simulated": statistics.fmean(ours), "ci95": interval95(ours)}
            rows.append(
                row | {"emulated": statistics.fmean(theirs), "emulatedCi95": interval95(theirs)}
            )
    orders = ([row[of] for row in rows] for of in ("simulated", "emulated"))
    return {"metric": metric, "rankCorrelation": rank_correlation(*orders), "schemes": rows}


def _by_base(runs: Sequence[Run], scheme: str, metric: str) -> list[float]:
    """Returns the ratios of the runs that have both."""
    return [
        run[scheme][metric] / run[_BASE][metric]
        for run in runs
        if metric in run.get(scheme, {}) and run.get(_BASE, {}).get(metric)
    ]


def rank_correlation(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Returns Spearman's rank correlation: 1 for the same order, -1 for the opposite one, near 0 if
    the orders are unrelated. None for fewer than three values, or if all values of one are
    equal."""
    if len(a) < _FEWEST_RANKS:
        return None
    try:
        return statistics.correlation(_ranks(a), _ranks(b))
    except statistics.StatisticsError:
        return None


def _ranks(values: Sequence[float]) -> list[float]:
    """Returns ranks from 1; equal values have their mean rank."""
    return [
        sum(other < value for other in values) + (sum(o == value for o in values) + 1) / 2
        for value in values
    ]


def part(found: dict[str, Any]) -> str:
    """Returns Markdown: ratios to ECMP's time, each with its rank."""
    late_ms, rtt_ms = found["lateStartP99Ms"], found["rttMs"]
    late = (
        f"more than a round trip of {rtt_ms:g} ms, so that the machine affected the result"
        if late_ms > rtt_ms
        else f"less than a round trip of {rtt_ms:g} ms"
    )
    word = "seed" if len(found["seeds"]) == 1 else "seeds"
    seeds = ", ".join(map(str, found["seeds"]))
    lines = [
        f"Emulated: {found['flows']:,} flows of each scheme at a load of {found['load']:g}, "
        f"{word} {seeds}, until a link degrades after {found['seconds']:g} s; connections began "
        f"{late_ms:g} ms late at most (99th percentile), {late}.",
        "Times are relative to ECMP's; brackets have the rank among the schemes that are in both.",
        "",
    ]
    shown = found["metrics"]
    heads = [f"{one['metric']}: {of}" for one in shown for of in ("simulated", "emulated")]
    lines += _row(["scheme", *heads])
    lines += ["|---|" + "--:|" * len(heads)]
    for scheme in [row["scheme"] for row in shown[0]["schemes"]]:
        lines += _row([scheme, *(cell for one in shown for cell in _cells(one["schemes"], scheme))])
    ends = [(_rounded(one["rankCorrelation"]), "") for one in shown]
    lines += _row(["rank correlation", *(cell for pair in ends for cell in pair)])
    return "\n".join(lines) + "\n"


def _cells(rows: list[dict[str, Any]], scheme: str) -> list[str]:
    mine = next((row for row in rows if row["scheme"] == scheme), None)
    if mine is None:
        return ["-", "-"]
    places = [1 + sum(row[of] < mine[of] for row in rows) for of in ("simulated", "emulated")]
    ratios = [
        around(mine["simulated"], mine["ci95"]),
        around(mine["emulated"], mine["emulatedCi95"]),
    ]
    return [f"{ratio} ({place})" for ratio, place in zip(ratios, places, strict=True)]


def _rounded(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _row(cells: list[str]) -> list[str]:
    return ["| " + " | ".join(cells) + " |"]
