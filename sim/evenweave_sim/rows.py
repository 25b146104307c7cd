"""Rows of a result: a metric of a scheme at a load, over seeds, beside the paper's figure.

Metrics of a run: the mean (`avgFct`) and the 99th percentile (`p99Fct`) of flow completion times in
milliseconds, of all flows, of `Small` ones (under 100 KB) and of `Large` ones (over 10 MB). From
those, seed by seed:

- `avgFctOverCloveEcn`: over Clove-ECN's;
- `...Gain`: the share that a scheme has of what CONGA gains over ECMP,
  (ECMP - scheme) / (ECMP - CONGA).
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import Any

from evenweave_sim.experiment import Experiment

# Student's t, two-sided 95 %, by degrees of freedom; beyond, the normal distribution's.
_T95 = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262]
_NORMAL95 = 1.96

# What one seed gave: by scheme, by metric.
Run = dict[str, dict[str, float]]


def metrics(answer: dict[str, Any]) -> dict[str, float]:
    """Metrics of one run of the simulator; none of flows that there were none of."""
    found = {}
    for part, suffix in (("all", ""), ("small", "Small"), ("large", "Large")):
        times = answer["fct"][part]
        if times["count"]:
            found["avgFct" + suffix] = times["meanNs"] / 1e6
            found["p99Fct" + suffix] = times["p99Ns"] / 1e6
    return found


def compared(run: Run) -> Run:
    """The run with the metrics that compare schemes, where the schemes compared with have run."""
    with_more = {scheme: dict(values) for scheme, values in run.items()}
    for scheme, values in run.items():
        if "clove-ecn" in run:
            with_more[scheme]["avgFctOverCloveEcn"] = values["avgFct"] / run["clove-ecn"]["avgFct"]
        for metric in ("avgFct", "p99FctSmall"):
            worst, best = (run.get(s, {}).get(metric) for s in ("ecmp", "conga"))
            if worst is not None and best is not None and worst != best and metric in values:
                with_more[scheme][metric + "Gain"] = (worst - values[metric]) / (worst - best)
    return with_more


def interval95(values: Sequence[float]) -> float | None:
    """Half the width of the mean's 95 % confidence interval; none of fewer than two values."""
    if len(values) < 2:
        return None
    freedom = len(values) - 1
    t = _T95[freedom - 1] if freedom <= len(_T95) else _NORMAL95
    return t * statistics.stdev(values) / math.sqrt(len(values))


def rows(experiment: Experiment, runs: dict[float, list[Run]]) -> list[dict[str, Any]]:
    """runs: by load, one for each seed."""
    found = []
    for load, seeds in runs.items():
        more = [compared(run) for run in seeds]
        for scheme in more[0]:
            for metric in more[0][scheme]:
                values = [run[scheme][metric] for run in more if metric in run[scheme]]
                paper = experiment.at(scheme, load, metric)
                found.append(
                    {
                        "scheme": scheme,
                        "load": load,
                        "metric": metric,
                        "value": statistics.fmean(values),
                        "ci95": interval95(values),
                        "paperValue": paper.value if paper else None,
                    }
                )
    return found


def table(experiment: Experiment, found: list[dict[str, Any]]) -> str:
    """The rows for readers: completion times by scheme, then what the paper reports beside ours."""
    lines = [f"{experiment.title} ({experiment.paper})"]
    shown = ["avgFct", "p99Fct", "avgFctSmall", "p99FctSmall", "avgFctLarge"]
    by_point = {(r["load"], r["scheme"], r["metric"]): r for r in found}
    for load in dict.fromkeys(r["load"] for r in found):
        lines += ["", f"load {load:g}, ms" + "".join(f"{name:>16}" for name in shown)]
        for scheme in dict.fromkeys(r["scheme"] for r in found):
            cells = (by_point.get((load, scheme, name)) for name in shown)
            lines.append(f"{scheme:<12}" + "".join(f"{_cell(cell):>16}" for cell in cells))
    reported = [r for r in found if r["paperValue"] is not None]
    if reported:
        lines += ["", f"{'reported by the paper':<46}{'paper':>8}{'here':>16}"]
    for row in reported:
        name = f"{row['scheme']} at {row['load']:g}: {row['metric']}"
        lines.append(f"{name:<46}{row['paperValue']:>8g}{_cell(row):>16}")
    return "\n".join(lines)


def _cell(row: dict[str, Any] | None) -> str:
    if row is None:
        return "-"
    around = "" if row["ci95"] is None else f" ±{row['ci95']:.2f}"
    return f"{row['value']:.2f}{around}"
