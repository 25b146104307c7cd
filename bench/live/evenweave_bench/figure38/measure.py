"""Long flows over one fabric under each strategy."""

from __future__ import annotations

from collections.abc import Sequence

from evenweave_bench.figure38.cases import TRAFFIC
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.polling import READY_LIMIT_S
from evenweave_testbed.progress import Progress
from evenweave_testbed.throughput import measure_throughput

STRATEGIES = ("ecmp", "wcmp")


def measure(
    uplinks: int, traffic: str, seconds: float, controller: Sequence[str], progress: Progress
) -> list[dict]:
    """Both strategies' cases, one after the other on the same fabric with the same flows.

    `kbps` has the goodput of each flow, ascending.
    """
    case = TRAFFIC[traffic]
    progress.step(f"N={uplinks}, {traffic}: starting")
    with Fabric(
        case.fabric(uplinks), hosts=case.hosts, mbps=case.mbps, controller_command=controller
    ) as fabric:
        fabric.ready(READY_LIMIT_S)
        flows = case.flows(fabric)
        measured = []
        for strategy in STRATEGIES:
            progress.step(f"N={uplinks}, {traffic}: {len(flows)} flows with {strategy.upper()}")
            fabric.controller.set_strategy(strategy)
            rates = measure_throughput(
                fabric, "s1-0", flows, case.warm_up_s, seconds, progress.fraction
            )
            measured.append(
                {
                    "uplinks": uplinks,
                    "traffic": traffic,
                    "strategy": strategy,
                    "linkMbps": case.mbps,
                    "seconds": seconds,
                    "kbps": sorted(round(rate.bps / 1000) for rate in rates),
                }
            )
        fabric.check_shaping()
    return measured
