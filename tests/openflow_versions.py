"""The runtimes with each version of OpenFlow that a switch may speak with them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from runtimes import needs_onos
from waiting import eventually

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.openvswitch import OPENFLOW, run

OPENFLOW_15 = f"{OPENFLOW},OpenFlow15"
# Runtime, and the versions allowed, of which the newest is spoken.
EMBEDDED = [
    pytest.param(("embedded", OPENFLOW), id="embedded-1.3"),
    pytest.param(("embedded", OPENFLOW_15), id="embedded-1.5"),
]
# In ONOS versions of OpenFlow are not ours to choose.
ONOS = pytest.param(("onos", OPENFLOW), marks=needs_onos, id="onos")


def allow(fabric: Fabric, protocols: str) -> None:
    """Allows versions of OpenFlow, which makes all switches connect anew."""
    since = fabric.controller.last_sequence()
    switches = {switch.id for switch in fabric.spec.switches}
    command = ["ovs-vsctl"]
    for switch in sorted(switches):
        command += ["--", "set", "bridge", switch, f"protocols={protocols}"]
    run(*command)

    def up() -> set[str]:
        events = fabric.controller.events(since)
        return {event["subject"] for event in events if event["kind"] == "switch-up"}

    eventually(lambda: switches <= up(), "return of all switches")
    fabric.ready()


@contextmanager
def allowing(fabric: Fabric, protocols: str) -> Iterator[Fabric]:
    """The fabric with these versions allowed, until the end."""
    if protocols != OPENFLOW:
        allow(fabric, protocols)
    yield fabric
    if protocols != OPENFLOW:
        allow(fabric, OPENFLOW)
