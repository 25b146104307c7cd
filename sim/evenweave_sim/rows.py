"""Computes the metrics of each run, rows over seeds, and the table.

Metrics of a run: the mean (`avgFct`) and percentiles (`p50Fct`, `p90Fct`, `p99Fct`) of flow
completion times in milliseconds, of all flows, of `Small` ones (under 100 KB) and of `Large` ones
(over 10 MB); payload divided by the time from the first flow to the last, `goodputGbps`; sums over
the run: `drops`, `marks`, `recoveries`, `timeouts`, `flowlets`; and each uplink's share of the
first leaf's traffic, `share l1/1`.

For long-lived flows, their bandwidth in Mb/s: `minRate`, `meanRate`, percentiles (`p50Rate`), the
variance `varRate` and the coefficient of variation in per cent, `covRate`; and the maximum number
of multipath table `entries` of a switch. By size, for example flows from 1 MB to 10 MB: the mean
and standard deviation of flows' bandwidth, `meanRate 1M` and `stdRate 1M`, and the standard
deviation of completion times, `stdFct 1M`."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from evenweave_sim import aftermath
from evenweave_sim.claims import Run, judged, paper_of, verdict_of
from evenweave_sim.conditions import best
from evenweave_sim.experiment import Experiment
from evenweave_sim.intervals import interval95
from evenweave_sim.verdict import Verdict, counts

# Percentiles of long-lived flows' bandwidth.
PERCENTILES = (0, 5, 10, 25, 50, 75, 90, 95, 100)

# Percentiles of completion times, if their distribution is drawn.
FCT_PERCENTILES = (5, 10, 25, 50, 75, 90, 95, 99)

_DECADES = {1_000: "1K", 10_000: "10K", 100_000: "100K", 1_000_000: "1M", 10_000_000: "10M"}


def metrics(
    answer: dict[str, Any], leaf: str, by_size: bool = False, whole_distribution: bool = False
) -> dict[str, float]:
    """Returns the metrics of one run of the simulator, without times of classes that have no flows.
    For hosts with libsdd the simulator's answer already is metrics. whole_distribution: adds more
    percentiles of small flows' completion times."""
    if "metrics" in answer:
        return {name: float(f"{value:g}") for name, value in answer["metrics"].items()}
    found = _rates(answer["rates"]) if "rates" in answer else {}
    for part, suffix in (("all", ""), ("small", "Small"), ("large", "Large")):
        times = answer["fct"][part]
        if times["count"]:
            found["avgFct" + suffix] = times["meanNs"] / 1e6
            for percentile in ("p50", "p90", "p99"):
                found[percentile + "Fct" + suffix] = times[percentile + "Ns"] / 1e6
    if whole_distribution and answer["fct"]["small"]["count"]:
        small = answer["fct"]["small"]
        found |= {f"p{p}FctSmall": small[f"p{p}Ns"] / 1e6 for p in FCT_PERCENTILES}
    if by_size:
        found |= _by_size(answer["bySize"])
    found["goodputGbps"] = answer["goodputBps"] / 1e9
    found["drops"] = answer["links"]["drops"]
    found["marks"] = answer["links"]["marks"]
    found |= answer["tcp"]
    found["flowlets"] = answer["flowlets"]
    if "failure" in answer:
        found |= aftermath.metrics(answer["failure"])
    found["lost"] = answer["links"]["lost"]
    found |= {"reroutes" + size.capitalize(): n for size, n in answer["reroutes"].items()}
    up = {name: c["bytes"] for name, c in answer["between"].items() if name.startswith(leaf + "/")}
    for name, sent in sorted(up.items()):
        found["share " + name] = sent / max(1, sum(up.values()))
    # Rounded to the digits of runs.csv, so that a result computed from it is the same.
    return {name: float(f"{value:g}") for name, value in found.items()}


def _rates(rates: dict[str, float]) -> dict[str, float]:
    """Returns metrics of long-lived flows' bandwidth, in Mb/s."""
    mean, variance = rates["meanBps"] / 1e6, rates["variance"] / 1e12
    percentiles = {p: rates[f"p{p}Bps"] / 1e6 for p in PERCENTILES}
    found = {
        "minRate": percentiles[0],
        "meanRate": mean,
        "covRate": 100 * variance**0.5 / mean if mean else 0.0,
        "varRate": variance,
    }
    return found | {f"p{p}Rate": value for p, value in percentiles.items()}


def _by_size(sizes: list[dict[str, float]]) -> dict[str, float]:
    found = {}
    for size in sizes:
        of = _DECADES[int(size["aboveBytes"])]
        found[f"meanRate {of}"] = size["meanBps"] / 1e6
        found[f"stdRate {of}"] = size["stdBps"] / 1e6
        found[f"stdFct {of}"] = size["stdFctNs"] / 1e6
    return found


def rows(runs: dict[float, list[Run]], axis: str) -> list[dict[str, Any]]:
    """Returns the rows. runs: by point of the axis, one for each seed."""
    found = []
    for point, seeds in runs.items():
        for scheme in seeds[0]:
            for metric in dict.fromkeys(name for run in seeds for name in run[scheme]):
                values = [run[scheme][metric] for run in seeds if metric in run[scheme]]
                found.append(
                    {
                        "scheme": scheme,
                        axis: point,
                        "metric": metric,
                        "value": statistics.fmean(values),
                        "ci95": interval95(values),
                    }
                )
    return found


def ratios(
    runs: dict[float, list[Run]], axis: str, metrics: Sequence[str], base: str
) -> list[dict[str, Any]]:
    """Returns rows of each scheme's metrics divided by those of one scheme, seed by seed, for
    points at which that scheme has run."""
    over = {
        point: [
            {
                scheme: {m: own[m] / run[base][m] for m in metrics if m in own and run[base].get(m)}
                for scheme, own in run.items()
            }
            for run in seeds
        ]
        for point, seeds in runs.items()
        if base in seeds[0]
    }
    return rows(over, axis)


def result(
    experiment: Experiment, flows: dict[float, int], runs: dict[float, list[Run]]
) -> dict[str, Any]:
    """Returns the complete result of an experiment in the form of --json. flows: of each run, by
    point."""
    found = {
        "experiment": experiment.name,
        "paper": experiment.paper,
        "flows": {f"{point:g}": flows[point] for point in runs},
        "seeds": max(len(seeds) for seeds in runs.values()),
        "rows": [
            row | {"paperValue": _of_paper(experiment, row)} for row in rows(runs, experiment.axis)
        ],
        "claims": judged(experiment.claims, runs),
    }
    if experiment.conditions:
        found["best"] = [
            row
            for metric in experiment.shown[:2]
            for row in best(experiment.conditions, experiment.axis, runs, metric)
        ]
    return found


def _of_paper(experiment: Experiment, row: dict[str, Any]) -> float | None:
    """Returns the paper's figure for the row's metric itself. Most papers give only ratios, which
    are claims."""
    for claim in experiment.claims:
        is_ratio = claim.is_compared
        of = claim.scheme, claim.at, claim.metric
        if of == (row["scheme"], row[experiment.axis], row["metric"]) and not (
            is_ratio or claim.relation != "about" or experiment.is_ours
        ):
            return claim.value
    return None


def table(experiment: Experiment, found: dict[str, Any]) -> str:
    """Returns the result as text: metrics by scheme, times in ms, then the paper's claims."""
    lines = [f"{experiment.title} ({experiment.paper})"]
    axis = experiment.axis
    by_point = {(r[axis], r["scheme"], r["metric"]): r for r in found["rows"]}
    schemes = list(dict.fromkeys(r["scheme"] for r in found["rows"]))
    width = max(12, *(len(scheme) + 1 for scheme in schemes))
    for point in dict.fromkeys(r[axis] for r in found["rows"]):
        name = f"{axis} {point:g}"
        lines += ["", f"{name:<{width}}" + "".join(f"{shown:>16}" for shown in experiment.shown)]
        for scheme in schemes:
            cells = (by_point.get((point, scheme, shown)) for shown in experiment.shown)
            lines.append(f"{scheme:<{width}}" + "".join(f"{_cell(cell):>16}" for cell in cells))
    said, paper = heads(experiment)
    if found["claims"]:
        lines += ["", f"{said:<60}{paper:>12}{'here':>16}"]
    for claim in found["claims"]:
        line = f"{claim['claim']:<60}{paper_of(claim):>12}{measured(claim):>16}"
        lines.append(f"{line}  {verdict_of(claim)}")
    if found["claims"]:
        counted = counts(Verdict(claim["verdict"]) for claim in found["claims"])
        lines += ["", ", ".join(f"{number} {kind.words}" for kind, number in counted.items())]
    return "\n".join(lines)


def heads(experiment: Experiment) -> tuple[str, str]:
    """Returns the headings for claims, of a paper or of the project."""
    return (
        ("what we expected", "then") if experiment.is_ours else ("what the paper claims", "paper")
    )


def around(value: float, ci95: float | None) -> str:
    digits = 2 if abs(value) < 100 else 0
    return f"{value:.{digits}f}" + ("" if ci95 is None else f" ±{ci95:.{digits}f}")


def measured(claim: dict[str, Any]) -> str:
    """Returns the measured value of a judged claim as text."""
    return "-" if claim["value"] is None else around(claim["value"], claim["ci95"])


def _cell(row: dict[str, Any] | None) -> str:
    return "-" if row is None else around(row["value"], row["ci95"])
