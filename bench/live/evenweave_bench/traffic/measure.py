"""The strategies wcmp and traffic under the same demand on live switches."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence

from evenweave_bench.traffic.matrices import EDGES, MATRICES, UNIT_BPS, Matrix, demands
from evenweave_testbed.controller import ControllerError
from evenweave_testbed.demand import FRAME_BYTES, TICKS_PER_SECOND, SteadyDemand
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_testbed.progress import Progress
from evenweave_topos.fabric_file import FabricSpec

# Flows of a pair: 32 source and 32 destination ports. Of 1,024 flows a group's halves differ from a
# half by 1.6 % (one standard deviation).
_PORTS = 32
_PACKETS_PER_UNIT = 3
# A packet of each flow of the least demand.
_CYCLE = -(-(_PORTS**2) // _PACKETS_PER_UNIT)
# Rates have come to within 2 % of a new demand, at six periods of a second a time constant.
_SETTLED = 24 * TICKS_PER_SECOND
# The strategy needs two measurements and a solution.
_FOLLOWED = 20 * TICKS_PER_SECOND

# At once, so that one run does not measure half of the way.
_CONFIGURATION = {"enabled": True, "periodSeconds": 1, "maxChurnPercentPerMinute": 100}

Bytes = dict[tuple[str, int], int]
"""What each port at a link has sent, by switch and port."""


def measure(name: str, fabric: Fabric, tool: Sequence[str], progress: Progress) -> dict:
    """One matrix under both strategies: the greatest utilisation of a link, computed and live.

    Utilisations are those of the matrix, in bits per second; the hosts send it scaled down.
    """
    matrix = MATRICES[name]
    hosts = {switch: fabric.hosts_of(switch)[0] for switch in EDGES}
    shares = {
        (hosts[a], hosts[b]): _PACKETS_PER_UNIT * bps // UNIT_BPS for (a, b), bps in matrix.items()
    }
    controller = fabric.controller
    controller.set_strategy("wcmp")
    controller.put_configuration(controller.configuration() | {"traffic": _CONFIGURATION})
    with SteadyDemand(fabric, shares, _PORTS) as demand:
        progress.step(f"{name}: wcmp")
        demand.wait(_SETTLED)
        before = _loads(fabric, demand)
        progress.step(f"{name}: traffic")
        controller.set_strategy("traffic")
        demand.wait(_FOLLOWED)
        planned = _followed(fabric, demand)
        after = _loads(fabric, demand)
        if controller.traffic().get("planned") != planned:
            raise ControllerError("the weights have changed again under a steady demand")
    live = [utilisation(fabric.spec, loads, matrix) for loads in (before, after)]
    computed = _computed(tool, controller.topology()["fabric"], planned, matrix)
    return {
        "matrix": name,
        "reweighted": planned is not None,
        "wcmp": {"computed": round(computed["wcmp"], 3), "live": round(live[0], 3)},
        "traffic": {"computed": round(computed["traffic"], 3), "live": round(live[1], 3)},
        "carried": [round(_carried(*loads), 4) for loads in (before, after)],
    }


def _followed(fabric: Fabric, demand: SteadyDemand) -> dict | None:
    """What the weights are for, once they are all in force; None if they are wcmp's."""
    controller = fabric.controller
    while True:
        planned = controller.traffic().get("planned")
        if planned is None or planned["churnLeftPercent"] == 0:
            controller.wait(lambda status: status["converged"], "convergence", EVENT_LIMIT_S)
            return planned
        demand.wait(TICKS_PER_SECOND)


def _loads(fabric: Fabric, demand: SteadyDemand) -> tuple[Bytes, int]:
    """What links carry, and hosts send, while each flow sends as often as its neighbour."""
    carried, packets = _counters(fabric, demand)
    demand.wait(_CYCLE)
    carried_since, packets_since = _counters(fabric, demand)
    return {end: n - carried[end] for end, n in carried_since.items()}, packets_since - packets


def _counters(fabric: Fabric, demand: SteadyDemand) -> tuple[Bytes, int]:
    with demand.paused():
        counted = {switch.id: fabric.ovs.transmitted(switch.id) for switch in fabric.spec.switches}
        packets = demand.sent.total()
    carried = {
        (end.switch, end.port): counted[end.switch][end.port]
        for link in fabric.spec.links
        for end in (link.a, link.b)
    }
    return carried, packets


def utilisation(spec: FabricSpec, loads: tuple[Bytes, int], matrix: Matrix) -> float:
    """Of the link that carries most, if the hosts sent the whole matrix."""
    carried, packets = loads
    scale = sum(matrix.values()) / (packets * FRAME_BYTES)
    return max(
        carried[end.switch, end.port] * scale / link.bps
        for link in spec.links
        for end in (link.a, link.b)
    )


def _carried(carried: Bytes, packets: int) -> float:
    """What the edge switches send on, of what their hosts send."""
    sent_on = sum(count for (switch, _), count in carried.items() if switch in EDGES)
    return sent_on / (packets * FRAME_BYTES)


def _computed(
    tool: Sequence[str], fabric: dict, planned: dict | None, matrix: Matrix
) -> dict[str, float]:
    """The greatest utilisation by strategy, with the tool's weights for the measured matrix."""
    measured = planned["demands"] if planned else demands(matrix)
    line = {"fabric": fabric, "traffic": measured, "actual": demands(matrix)}
    answer = subprocess.run(
        [*tool], input=json.dumps(line) + "\n", stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    greatest = {row["rule"]: row["maxUtilisation"] for row in json.loads(answer)["actualReport"]}
    # What would be too small a gain is not put in force.
    return greatest if planned else greatest | {"traffic": greatest["wcmp"]}
