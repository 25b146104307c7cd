"""Plans of ./evenweave plan with other groups than the controller's, for comparison.

A scheme's `planned` may have, in addition to the planner's options:

- `table`: the number of multipath table entries in each switch, as in hardware;
- `fit`, "algorithm-3": groups fitted to that table by the dissertation's Algorithm 3 (section
  3.3.2) instead of the controller's;
- `traffic`, "all-to-all": weights for equal traffic from each leaf to each other leaf.
"""

from __future__ import annotations

from typing import Any

# Options of ./evenweave plan.
PLANNER = ("strategy", "maxOversubscription")

# The maximum number of slots of the simulator's tables (EDGE_SLOTS).
_SLOTS = 256


def question(fabric: dict[str, Any], planned: dict[str, Any]) -> dict[str, Any]:
    """Returns the input of ./evenweave plan."""
    options = {name: planned[name] for name in PLANNER if name in planned}
    if "table" in planned:
        entries = {} if "fit" in planned else {"table": planned["table"]}
        switches = [{**s, "target": "replicated", **entries} for s in fabric["switches"]]
        fabric = {**fabric, "switches": switches}
    return {"fabric": fabric, **options} if options else fabric


def weights_question(fabric: dict[str, Any]) -> dict[str, Any]:
    """Returns the input of ./evenweave weights: equal traffic between all leaves."""
    leaves = [subnet["switch"] for subnet in fabric["subnets"]]
    traffic = [{"from": a, "to": b, "bps": 10**9} for a in leaves for b in leaves if a != b]
    return {"fabric": fabric, "traffic": traffic}


def fitted(plan: dict[str, Any], entries: int) -> dict[str, Any]:
    """Returns the plan with each group fitted by Algorithm 3 to a table of its own."""
    switches = [
        {**state, "groups": [_fit_group(group, entries) for group in state.get("groups", [])]}
        for state in plan["state"]["switches"]
    ]
    return {"fabric": plan["fabric"], "state": {"switches": switches}}


def _fit_group(group: dict[str, Any], entries: int) -> dict[str, Any]:
    weights = group.get("weights") or [1] * len(group["ports"])
    return {**group, "weights": algorithm_3(weights, entries)}


def algorithm_3(ideal: list[int], entries: int) -> list[int]:
    """TableFitting(G, T) as printed in the dissertation. entries: at least one for each port."""
    if entries < len(ideal):
        raise ValueError(f"{entries} entries for {len(ideal)} ports")
    reduced = list(ideal)
    while sum(reduced) > entries:
        left = entries - reduced.count(1)
        reduced = [max(1, weight * left // sum(ideal)) for weight in ideal]
    best = list(reduced)
    for _ in range(entries - sum(reduced)):
        # The port that is least oversubscribed with an additional entry.
        least = min(range(len(ideal)), key=lambda i: ((reduced[i] + 1) / ideal[i], i))
        reduced[least] += 1
        if oversubscription(ideal, reduced) < oversubscription(ideal, best):
            best = list(reduced)
    return best


def oversubscription(ideal: list[int], given: list[int]) -> float:
    """Returns the oversubscription (Equation 3.3)."""
    worst = max(g / i for g, i in zip(given, ideal, strict=True))
    return worst * sum(ideal) / sum(given)


def with_weights(plan: dict[str, Any], weights: dict[str, Any]) -> dict[str, Any]:
    """Returns the plan with the weights from ./evenweave weights, one group for each prefix."""
    prefixes = {s["switch"]: s["prefix"] for s in plan["fabric"]["subnets"]}
    states: dict[str, Any] = {
        s["id"]: {"id": s["id"], "groups": [], "flows": []} for s in plan["fabric"]["switches"]
    }
    for number, destination in enumerate(weights["destinations"], start=1):
        for group in destination["groups"]:
            state = states[group["switch"]]
            shares = _slots([port["weight"] for port in group["ports"]])
            ports = [port["port"] for port in group["ports"]]
            state["groups"].append({"id": number, "ports": ports, "weights": shares})
            flow = {"match": prefixes[destination["to"]], "action": f"dec_ttl,group:{number}"}
            state["flows"].append(flow)
    return {"fabric": plan["fabric"], "state": {"switches": list(states.values())}}


def _slots(weights: list[int]) -> list[int]:
    """Converts weights to a table of _SLOTS slots by largest remainders."""
    total = sum(weights)
    if total <= _SLOTS:
        return weights
    found = [weight * _SLOTS // total for weight in weights]
    by_rest = sorted(range(len(weights)), key=lambda i: -(weights[i] * _SLOTS % total))
    for i in by_rest[: _SLOTS - sum(found)]:
        found[i] += 1
    return found
