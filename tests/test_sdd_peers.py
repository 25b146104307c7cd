"""Nothing that a controller does, or that ends it, ends sdd-host or the circuit switch."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import time
from pathlib import Path

import pytest
from sdd_controller import PORT, configure, real_controller
from sdd_pair import match, open_queue, send_steadily
from waiting import eventually

from evenweave_testbed.sdd.bed import CONTROLLER, Bed, BedPlan
from evenweave_testbed.sdd.stand_in import StandIn, Terms

pytestmark = [pytest.mark.fabric, pytest.mark.real_time]

CUTS = 50
# Short, so that the programs write often; the last is longer than the test.
TERMS = Terms(period_ns=10_000_000, lost_after_periods=60_000)
CLIENTS = ("h1", "h2", "switch")
PROGRAMS = {"sdd-host", "circuit-switch"}
# What may always be sent, and over the packet switch, which needs no controller.
OPEN_QUEUE = {"network": "PACKET", "closedByDefault": "NO"}


@pytest.mark.extended
def test_hosts_and_switch_outlive_fifty_controllers(start_bed):
    seed = int(os.environ.get("SDD_SEED", "1"))
    print(f"SDD_SEED={seed}")
    chance = random.Random(seed)
    bed, controller = start_bed(BedPlan(hosts=2), TERMS)
    for name in ("h1", "h2"):
        open_queue(controller.session(name), 0, **OPEN_QUEUE)
        controller.session(name).ok("MapFlow", queue=0, flowPriority=0, match=match())
    send_steadily(bed, "h1", "h2")
    for cut in range(CUTS):
        for name in CLIENTS:
            controller.session(name)
        time.sleep(chance.uniform(0, 0.05))  # the moment of the cut; nothing is measured by it
        before = received(bed)
        for name in chance.sample(CLIENTS, len(CLIENTS)):
            controller.forget(name, reset=chance.random() < 0.5)
        eventually(lambda n=before: received(bed) > n, f"packet at h2 after cut {cut + 1}")
    for name in CLIENTS:
        controller.session(name)
    assert set(bed.alive()) == PROGRAMS


@pytest.mark.extended
def test_hosts_and_switch_outlive_kills_of_the_real_controller(authority, tmp_path):
    config = configure(authority, tmp_path, circuitSwitch="switch")
    with Bed(BedPlan(hosts=2), tmp_path, PORT, authority) as bed:
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGKILL, signal.SIGTERM):
            before = connections(bed)
            with real_controller(config, tmp_path, number):
                eventually(
                    lambda n=before: all(map(int.__gt__, connections(bed), n)),
                    "connections of hosts and switch",
                )
            assert set(bed.alive()) == PROGRAMS


def test_a_log_that_nobody_reads_ends_neither_program(start_bed):
    bed, _ = start_bed(BedPlan(hosts=2))
    for name, pid in bed.alive().items():
        status = Path(f"/proc/{pid}/status").read_text()
        ignored = int(status.partition("SigIgn:")[2].split()[0], 16)
        assert ignored >> (signal.SIGPIPE - 1) & 1, name


def test_the_reason_of_a_welcome_that_does_not_come_is_logged(authority, tmp_path):
    controller = Silent(authority.issue(CONTROLLER), authority.certificate, Terms())
    try:
        with Bed(BedPlan(hosts=2), tmp_path, controller.port, authority) as bed:
            for name in PROGRAMS:
                eventually(lambda n=name: "no Welcome: no message within 5 s" in bed.log(n), name)
    finally:
        controller.close()


class Silent(StandIn):
    """Accepts sessions and never says anything."""

    def _welcome(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            tls = self._context.wrap_socket(connection, server_side=True)
            while tls.recv(4096):
                pass


def received(bed: Bed) -> int:
    return bed.statistics()["hosts"]["h2"]["received"]


def connections(bed: Bed) -> list[int]:
    """How often each has connected so far, by its log."""
    hosts = bed.log("sdd-host").count
    return [
        hosts("h1: controller: connected"),
        hosts("h2: controller: connected"),
        bed.log("circuit-switch").count("controller: connected"),
    ]
