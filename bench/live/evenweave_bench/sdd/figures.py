"""The figures of docs/reproduction/sdd-host.md as SVG, each from its part of a result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evenweave_bench.sdd.circuits import SENDER
from evenweave_bench.sdd.slots import CONTROL_NAMES
from evenweave_bench.sdd.time_line_chart import time_line_chart
from evenweave_sim.chart import chart
from evenweave_sim.distribution import Drawn, distribution

# The last of a hundred would draw the others together: it is when another process had the core.
_DRAWN_PERCENTILES = tuple(range(100))


def _reaction(rows: list[dict]) -> str:
    names = {"STOP": "OFF: STOP to the last packet", "START": "ON: START to the first packet"}
    drawn = [
        {
            "command": names[row["command"]],
            "scheme": f"{row['txBps'] / 1e9:g} Gb/s",
            "metric": f"p{percent}Us",
            "value": row["percentilesUs"][percent],
        }
        for row in rows
        if row["polling"]
        for percent in _DRAWN_PERCENTILES
    ]
    of = Drawn(_DRAWN_PERCENTILES, "Us", "us")
    return distribution("Reaction to START and STOP, by rate", drawn, "command", of)


def _slots(rows: list[dict]) -> str:
    drawn = [
        {
            "slotUs": row["slotUs"],
            "scheme": CONTROL_NAMES[row["control"]],
            "metric": "ON deviation / slot",
            "value": row["onDeviation"],
        }
        for row in rows
    ]
    return chart("Deviation by length of the slot", drawn, "slotUs", ["ON deviation / slot"])


def _scaling_by_rate(rows: list[dict]) -> str:
    metric = "throughput, Gb/s"
    drawn = [
        {
            "Mb/s of each queue": row["rateBps"] / 1e6,
            "scheme": {"shared": "one core", "separate": "two cores"}[row["cores"]],
            "metric": metric,
            "value": row["throughputBps"] / 1e9,
        }
        for row in rows
    ]
    title = f"{rows[0]['queues']} queues by their rate"
    return chart(title, drawn, "Mb/s of each queue", [metric])


def _circuits(seen: dict[str, Any]) -> str:
    title = f"Circuits of R3 ({SENDER}) as its demand changes"
    return time_line_chart(title, seen["timeLine"], "R3's demand changed")


def _closed_loop(seen: dict[str, Any]) -> str:
    title = f"What {seen['timeLine']['host']} sends as the workload changes"
    return time_line_chart(title, seen["timeLine"], "the workload changed")


FIGURES: dict[str, Callable[[Any], str]] = {
    "reaction": _reaction,
    "slots": _slots,
    "scalingByRate": _scaling_by_rate,
    "circuits": _circuits,
    "closedLoop": _closed_loop,
}
"""By the part that it is of."""
