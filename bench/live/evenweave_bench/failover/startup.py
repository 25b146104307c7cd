"""How long a fabric of twelve switches takes from nothing to all groups confirmed."""

from __future__ import annotations

import time
from collections.abc import Callable

from evenweave_bench.failover.failures import FailoverError, tables
from evenweave_bench.failover.runtimes import Runtime
from evenweave_testbed.controller import Controller
from evenweave_testbed.fabric import Fabric
from evenweave_topos.fabric_file import FabricSpec, clos

S1 = S2 = 6
_TIMEOUT_S = 120.0


def twelve_switches() -> FabricSpec:
    """Six S1 and six S2 switches, one link between any two of them."""
    return clos([[1] * S2] * S1)


def measure(make: Callable[[Fabric], Runtime]) -> dict:
    """Starts a runtime, then points the switches at it.

    `startMs`: from the start of its process until its resources answer (ONOS: with the application
    installed and configured). `connectMs`: from then until it knows the last switch.
    `fromConnectMs`: from that until the last group is confirmed. `fromStartMs` is all of it.
    """
    spec = twelve_switches()
    with Fabric(spec, hosts=0) as fabric:
        began = _now()
        with make(fabric) as runtime:
            controller = runtime.deploy()
            ready = _now()
            fabric.connect_switches(*runtime.targets())
            controller.wait(
                lambda s: s["converged"]
                and (s["switches"], s["links"]) == (len(spec.switches), len(spec.links)),
                "complete topology and convergence",
                _TIMEOUT_S,
            )
            connected, confirmed = _times(controller)
            if sum(map(len, tables(fabric).values())) < S1:
                raise FailoverError("converged, but the S1 switches have no groups")
    return {
        "switches": len(spec.switches),
        "links": len(spec.links),
        "startMs": _ms(ready - began),
        "connectMs": _ms(connected - ready),
        "fromConnectMs": _ms(confirmed - connected),
        "fromStartMs": _ms(confirmed - began),
    }


def _times(controller: Controller) -> tuple[int, int]:
    """When the last switch became known, and when the last change was confirmed."""
    events = controller.events()
    connected = [e["detectedEpochMicros"] for e in events if e["kind"] == "switch-up"]
    return max(connected), max(e.get("confirmedEpochMicros") or 0 for e in events)


def _now() -> int:
    return time.time_ns() // 1000


def _ms(micros: int) -> int:
    return round(micros / 1000)
