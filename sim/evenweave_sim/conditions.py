"""Experiments that run all schemes under several conditions, and which one was best under each."""

from __future__ import annotations

from typing import Any

# Beside the best scheme those are named whose figure is this near to its own.
_NEAR = 0.05


def product(read: dict[str, Any]) -> dict[str, Any]:
    """The experiment's `schemes` and `variants` with each scheme under each condition.

    A condition changes cases as a variant does; "fabric" is another one of sim/fabrics.
    """
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
    """The scheme's name without its condition."""
    return scheme.split(", ")[0]


def best(
    conditions: list[str], axis: str, rows: list[dict[str, Any]], metric: str
) -> list[dict[str, Any]]:
    """By condition and point of the axis: the scheme with the least of the metric, those near it,
    and the one with the most."""
    found = []
    for condition in conditions:
        of = [r for r in rows if r["metric"] == metric and r["scheme"].endswith(f", {condition}")]
        for point in dict.fromkeys(r[axis] for r in of):
            order = sorted((r["value"], r["scheme"]) for r in of if r[axis] == point)
            named = [(value, scheme.removesuffix(f", {condition}")) for value, scheme in order]
            least, most = named[0], named[-1]
            found.append(
                {
                    "condition": condition,
                    axis: point,
                    "best": least[1],
                    "value": least[0],
                    "near": [s for v, s in named[1:] if v <= least[0] * (1 + _NEAR)],
                    "worst": most[1],
                    "worstOverBest": most[0] / least[0],
                }
            )
    return found
