"""192 TCP flows of two edge switches, of whose four uplinks one is slow."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import spread
from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_testbed.throughput import FlowRate, measure_throughput
from evenweave_topos.fabric_file import IMBALANCED_3X3, FabricSpec, load

SLOW_LINK = "s1-0/4-s2-2/1"
"""Its group to the destination gives it two of twelve entries at full speed."""

SLOWER = 100
SOURCE, DESTINATION = "s1-0", "s1-2"
FLOWS = 192
LINK_MBPS = 20.0
GROUP_ENTRIES = (256, 16)
"""The most of Open vSwitch, and the least."""

LEAVE_OUT = ("never", "auto")
_PORT = 6001
_WARM_UP_S = 5.0


@dataclass(frozen=True)
class Row:
    """One run: how many flows took the slow link, and their goodput in bits per second."""

    groupEntries: int
    leaveOut: str
    oversubscription: float
    flowsOnSlowLink: int
    minBps: float
    meanBps: float


def slow_fabric() -> FabricSpec:
    """The fabric of the dissertation's Figure 3.2 with the slow link."""
    spec = load(IMBALANCED_3X3)
    return replace(
        spec,
        links=tuple(
            replace(link, bps=link.bps // SLOWER) if str(link) == SLOW_LINK else link
            for link in spec.links
        ),
    )


def with_limit(configuration: dict, entries: int, leave_out: str) -> dict:
    """The configuration with a limit on each group of the source."""
    changed = copy.deepcopy(configuration) | {"leaveOut": leave_out}
    for switch in changed["switches"]:
        if switch["id"] == SOURCE:
            switch["limits"] = switch.get("limits", {}) | {"groupEntries": entries}
    return changed


def measure(
    fabric: Fabric,
    configuration: dict,
    entries: int,
    leave_out: str,
    seconds: float,
    progress: Callable[[float], None],
) -> dict:
    """One run under this configuration."""
    fabric.controller.put_configuration(with_limit(configuration, entries, leave_out))
    fabric.controller.wait(lambda status: status["converged"], "convergence", EVENT_LIMIT_S)
    # Before the flows: they fill the slow link, and the controller may take it for failed then.
    group = fabric.controller.group(SOURCE, DESTINATION)
    flows = spread(fabric.hosts_of(SOURCE), fabric.hosts_of(DESTINATION), FLOWS, _PORT)
    rates = measure_throughput(fabric, SOURCE, flows, _WARM_UP_S, seconds, progress)
    return asdict(row(entries, leave_out, group["oversubscription"], rates))


def row(entries: int, leave_out: str, oversubscription: float, rates: list[FlowRate]) -> Row:
    """What a run shows."""
    slow = int(SLOW_LINK.split("-s2")[0].rsplit("/", 1)[1])
    bps = [rate.bps for rate in rates]
    return Row(
        entries,
        leave_out,
        round(oversubscription, 4),
        sum(rate.port == slow for rate in rates),
        round(min(bps)),
        round(sum(bps) / len(bps)),
    )
