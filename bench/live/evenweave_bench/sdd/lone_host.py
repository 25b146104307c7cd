"""sdd-host with one host and a queue that is full, at one end of a link whose other end looks.

Nothing else runs while it is measured: the queue is filled before, by an application that has ended
then. sdd-host has the first core; the stand-in for the controller, and what looks, the last.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evenweave_bench.sdd.arrivals import Arrivals
from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_testbed.sdd.bed import CONTROLLER, Bed, BedPlan
from evenweave_testbed.sdd.build import program
from evenweave_testbed.sdd.pki import Authority
from evenweave_testbed.sdd.priority import before_others
from evenweave_testbed.sdd.stand_in import Session, StandIn, Terms

FRAME_BYTES = 1500  # rate_source's
QUEUE = 0
PERIOD_NS = 100_000_000
BACKLOG = 15_000
"""Packets that the queue is filled with; FRAME_BYTES each."""

POLLING = {"idlePollUs": 0, "realtimePriority": 0}
"""Of sdd-host's configuration: never asleep, as DPDK's programs are on cores of their own. A
real-time priority is refused then, where the kernel limits it."""

_FAR_END = "p1"
_PEER = "10.9.0.2"  # nobody; the link's far end only looks
_PEER_HARDWARE = "02:00:00:00:00:02"
_FILL_BPS = 2 * 10**9
_FILL_S = 0.1
_ANYTHING = {
    "source": bytes(16),
    "destination": bytes(16),
    "sourcePort": 0,
    "destinationPort": 0,
    "protocol": 0,
    "sourcePrefixBits": 0,
    "destinationPrefixBits": 0,
    "wildcards": 7,
}


class LoneHost:
    """Made by lone_host."""

    def __init__(self, bed: Bed, session: Session) -> None:
        self.session = session
        self._bed = bed

    def set_rate(self, bps: int) -> None:
        """The queue's drain rate, bits per second; 0: none."""
        self.session.ok(
            "CreateQueue",
            queue=QUEUE,
            priority=0,
            closedByDefault="YES",
            discipline="FIFO",
            network="CIRCUIT",
            drainRateBps=bps,
            maxPackets=BACKLOG,
            maxBytes=0,
        )

    def fill(self) -> None:
        """Returns when the queue is full."""
        deadline = time.monotonic() + EVENT_LIMIT_S
        while self.queued() < BACKLOG:
            source = [str(program("rate_source")), _PEER, "1", str(_FILL_BPS), str(_FILL_S)]
            done = self._bed.run("h1", *source)
            if done.returncode != 0 or time.monotonic() > deadline:
                raise RuntimeError(f"the queue does not fill: {done.stderr}")

    def queued(self) -> int:
        """Packets in the queue."""
        queues = self._bed.statistics()["hosts"]["h1"]["queues"]
        return next(queue["packets"] for queue in queues if queue["number"] == QUEUE)

    def look(self) -> Arrivals:
        """What arrives at the far end from now on."""
        return Arrivals(_FAR_END)

    def check(self) -> None:
        """RuntimeError if the host has not followed its controller all the time."""
        if "PolicyChanged" in self.session.latest:
            raise RuntimeError("the host fell back while it was measured")


@contextmanager
def lone_host(process: dict) -> Iterator[LoneHost]:
    """process: fields of sdd-host's configuration. The caller has the last core, at a real-time
    priority, until it is left."""
    cores = os.sched_getaffinity(0)
    terms = Terms(period_ns=PERIOD_NS, lost_after_periods=10**6)
    plan = BedPlan(
        hosts=1,
        circuit_switch=False,
        driver="af_xdp",
        veth=True,
        process={"cores": {"evaluate": min(cores)}, **process},
    )
    with tempfile.TemporaryDirectory(prefix="evw-") as name:
        authority = Authority(Path(name))
        controller = StandIn(authority.issue(CONTROLLER), authority.certificate, terms)
        try:
            with Bed(plan, Path(name), controller.port, authority) as bed:
                bed.run(
                    "h1", "ip", "neighbour", "add", _PEER, "lladdr", _PEER_HARDWARE, "dev", "tap0"
                )
                host = LoneHost(bed, controller.session("h1"))
                host.set_rate(0)
                host.session.ok("MapFlow", queue=QUEUE, flowPriority=0, match=_ANYTHING)
                with _on_core(max(cores)), before_others():
                    yield host
        finally:
            controller.close()


@contextmanager
def _on_core(core: int) -> Iterator[None]:
    """Has this thread, and what it starts meanwhile, on that core only."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)
