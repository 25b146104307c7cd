"""Paths of circuits between racks, beside a live fabric: they go around what its traffic uses."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from jvm import JAVA
from runtimes import JAR, command_of
from sdd_controller import PORT, ask, configure
from sdd_pair import send_steadily
from waiting import eventually

from evenweave_testbed.demand import SteadyDemand
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.sdd.bed import Bed, BedPlan
from evenweave_topos.fabric_file import IMBALANCED_3X3, load

pytestmark = [pytest.mark.fabric, pytest.mark.real_time]

HOSTS = BedPlan(hosts=2)
# h1 is in the rack of s1-0, h2 in that of s1-2, to which s2-2 has two links and the others one:
# what s1-1 sends there uses the last path least.
RACKS = {
    "hostsPerRack": 1,
    "paths": 3,
    "switches": ["s1-0", "s1-2"],
    "cores": ["s2-0", "s2-1", "s2-2"],
}
FIRST, LAST = 0, 2


@pytest.fixture
def world(authority, tmp_path, live_fabric) -> Iterator[tuple[Fabric, Bed]]:
    live_fabric.close()
    settings = configure(
        authority, tmp_path, circuitSwitch="switch", lostAfterPeriods=100_000, racks=RACKS
    )
    command = [*command_of("embedded"), "--sdd", str(settings)]
    with ExitStack() as stack:
        fabric = stack.enter_context(
            Fabric(load(IMBALANCED_3X3), hosts=1, controller_command=command)
        )
        fabric.ready()
        bed = stack.enter_context(Bed(HOSTS, tmp_path, PORT, authority))
        yield fabric, bed


def schedule(fabric: Fabric) -> dict:
    return ask(fabric.controller.base, "sdd/schedule")


def path(found: dict) -> int | None:
    """Of the circuit from h1 to h2; None while there is none."""
    circuits = [c for day in found["days"] for c in day["circuits"]]
    return next((c["path"] for c in circuits if (c["from"], c["to"]) == ("h1", "h2")), None)


@pytest.mark.extended
def test_a_circuit_takes_the_path_that_the_fabrics_traffic_uses_least(world):
    fabric, bed = world
    send_steadily(bed, "h1", "h2")
    eventually(lambda: path(schedule(fabric)) == FIRST, lambda: schedule(fabric))
    assert "links" not in schedule(fabric)
    whole = fabric.controller.configuration()
    fabric.controller.put_configuration(whole | {"traffic": {"enabled": True, "periodSeconds": 1}})
    sender, receiver = fabric.hosts_of("s1-1")[0], fabric.hosts_of("s1-2")[0]
    with SteadyDemand(fabric, {(sender, receiver): 6}):
        eventually(lambda: path(schedule(fabric)) == LAST, lambda: schedule(fabric))
    ends = [(link["from"], link["to"]) for link in schedule(fabric)["links"]]
    assert ("s2-2", "s1-2") in ends and len(ends) == 12
    address = fabric.controller.base.removesuffix("/evenweave")
    command = [*JAVA, "-jar", str(JAR), "sdd", "show", "schedule", "--http", address]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "usedPercent" in shown
