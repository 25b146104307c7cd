"""What tests of sdd-host do again and again, on a bed of two hosts and a stand-in controller."""

from __future__ import annotations

import os
import time

from evenweave_testbed.sdd import wire
from evenweave_testbed.sdd.bed import Bed, BedPlan
from evenweave_testbed.sdd.stand_in import Session, StandIn

FOR_EVER = 2**63 - 1
PAIR = BedPlan(hosts=2, circuit_switch=False)


def match(destination: str = "", **more: int) -> dict:
    """A match of the protocol: everything, or what goes to an address."""
    return {
        "source": bytes(16),
        "destination": wire.mapped(destination) if destination else bytes(16),
        "sourcePort": 0,
        "destinationPort": 0,
        "protocol": 0,
        "sourcePrefixBits": 0,
        "destinationPrefixBits": 128 if destination else 0,
        "wildcards": 7,
    } | more


def open_queue(session: Session, queue: int, **more: object) -> None:
    values = {
        "priority": 0,
        "closedByDefault": "YES",
        "discipline": "FIFO",
        "network": "CIRCUIT",
        "drainRateBps": 0,
        "maxPackets": 1000,
        "maxBytes": 0,
    }
    session.ok("CreateQueue", queue=queue, **(values | more))


def pair_up(bed: Bed, controller: StandIn) -> tuple[Session, Session]:
    """Queue 0 of each host takes everything; h2's is open, so that answers come back."""
    one, two = controller.session("h1"), controller.session("h2")
    for session in (one, two):
        open_queue(session, 0)
        session.ok("MapFlow", queue=0, flowPriority=0, match=match())
    two.ok("AddDequeueCondition", queue=0, condition="TRUE")
    return one, two


# One UDP packet every millisecond, with nothing that waits for an answer; with its headers.
PACKET_BYTES = 14 + 20 + 8 + 1000
SENDER = """
import socket, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
while True:
    s.sendto(bytes(1000), (sys.argv[1], int(sys.argv[2])))
    time.sleep(0.001)
"""


def send_steadily(bed: Bed, source: str, destination: str) -> None:
    bed.start(source, "python3", "-c", SENDER, bed.address(destination), "7")


def sent_packets(bed: Bed, host: str, number: int) -> int:
    """What a queue has sent; none before the controller has made it."""
    queues = bed.statistics()["hosts"][host]["queues"]
    return sum(queue["sentPackets"] for queue in queues if queue["number"] == number)


def queue_of(bed: Bed, host: str, number: int = 0) -> dict:
    queues = bed.statistics()["hosts"][host]["queues"]
    return next(queue for queue in queues if queue["number"] == number)


def keep_order(bed: Bed) -> None:
    """Has the circuit switch forward on one processor. Between two, Linux reorders: a packet waits
    in the backlog of the processor that sent it, while the next of its flow passes on the other.
    sdd-host's cores are its own."""
    os.sched_setaffinity(bed.alive()["circuit-switch"], {max(os.sched_getaffinity(0))})


def obeyed(session: Session) -> None:
    """Returns when the host has read the last datagram that it was sent: its reports say so."""
    session.wait_for("DemandReport", lambda r: r["highestSequence"] == session.sequence)


def sent_in(bed: Bed, host: str, seconds: float) -> tuple[int, float]:
    """What the first queue sends from now on, and in which time by the host's clock."""
    before = bed.statistics()
    time.sleep(seconds)
    after = bed.statistics()
    first, last = (s["hosts"][host]["queues"][0]["sentBytes"] for s in (before, after))
    return last - first, (after["timeNs"] - before["timeNs"]) / 1e9
