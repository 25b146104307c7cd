"""Experiments that run all schemes under several conditions, and the best scheme under each."""

from __future__ import annotations

import statistics
from typing import Any

from evenweave_sim.claims import Run
from evenweave_sim.intervals import interval95

# Schemes are listed beside the best one if their figure is within this share of its figure, or
# within the interval of the difference.
_NEAR = 0.05


def product(read: dict[str, Any]) -> dict[str, Any]:
    """Returns the experiment's `schemes` and `variants` with each scheme under each condition.

    A condition changes cases like a variant; its "fabric" is another one of sim/fabrics."""
    schemes, variants = [], {}
    for condition, change in read["conditions"].items():
        case = {key: value for key, value in change.items() if key != "fabric"}
        planned = {"planned": {"fabric": change["fabric"]}} if "fabric" in change else {}
        for scheme in read["schemes"]:
            name = f"{scheme}, {condition}"
            own = read.get("variants", {}).get(scheme, {"scheme": scheme})
            schemes.append(name)
            variants[name] = {**own, **case, **planned}
    return {"schemes": schemes, "variants": variants}


def base(scheme: str) -> str:
    """Returns the scheme's name without its condition."""
    return scheme.split(", ")[0]


def best(
    conditions: list[str], axis: str, runs: dict[float, list[Run]], metric: str
) -> list[dict[str, Any]]:
    """Returns for each condition and point of the axis the scheme with the least metric, those that
    do not differ from it significantly, and the one with the largest. runs: by point, one for each
    seed."""
    found = []
    for condition in conditions:
        for point, seeds in runs.items():
            values = {s: _values(seeds, s, metric) for s in seeds[0] if _is_under(s, condition)}
            order = sorted((statistics.fmean(v), s) for s, v in values.items() if v)
            if not order:
                continue
            (least, first), (most, last) = order[0], order[-1]
            apart = {s: _apart(values[first], values[s]) for _, s in order[1:]}
            found.append(
                {
                    "metric": metric,
                    "condition": condition,
                    axis: point,
                    "best": base(first),
                    "value": least,
                    "near": [
                        {"scheme": base(s), "more": more, "ci95": ci95}
                        for s, (more, ci95) in apart.items()
                        if more <= max(_NEAR, ci95 or 0)
                    ],
                    "worst": base(last),
                    "worstOverBest": most / least if least else None,
                }
            )
    return found


def _is_under(scheme: str, condition: str) -> bool:
    return scheme == f"{base(scheme)}, {condition}"


def _values(seeds: list[Run], scheme: str, metric: str) -> list[float]:
    return [run[scheme][metric] for run in seeds if metric in run[scheme]]


def _apart(least: list[float], other: list[float]) -> tuple[float, float | None]:
    """Returns the difference of the other scheme as a share of the least one's mean, with its
    interval. It is computed seed by seed, since for a seed all schemes have the same flows."""
    mean = statistics.fmean(least) or 1  # if 0, the absolute difference
    pairs = [(b - a) / mean for a, b in zip(least, other, strict=False)]
    return statistics.fmean(pairs), interval95(pairs)
