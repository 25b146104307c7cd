"""Table 5.1: from a START or STOP datagram to the first or last packet on the wire.

An application sends small packets so fast that some always wait. The stand-in controller sends
START, then STOP, again and again, at times that do not fit any rhythm of the host's. Times are:
when the datagram was handed to the kernel, and the packet's time stamp at the far end.
"""

from __future__ import annotations

import random
import socket
import struct
import threading
import time
from itertools import pairwise
from pathlib import Path

from evenweave_testbed.sdd.bed import CONTROLLER, Bed, BedPlan
from evenweave_testbed.sdd.pki import Authority
from evenweave_testbed.sdd.stand_in import StandIn, Terms

_SO_TIMESTAMPNS = 35  # asm-generic/socket.h
_ETH_P_IP = 0x0800
_FOR_EVER = 2**63 - 1
# A day of 3 to 5 ms at this rate holds 18 to 30 packets of 2 KB, and no backlog is ever used up.
_DRAIN_BPS = 10**8
_PORT = 7
_SOURCE = """
import socket, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
while True:
    for _ in range(20):
        s.sendto(bytes(1000), (sys.argv[1], 7))
    time.sleep(0.001)
"""


def reaction(folder: Path, rounds: int, seed: int = 1) -> list[dict]:
    """Rows for START and STOP with p50 and p99 in microseconds."""
    authority = Authority(folder)
    terms = Terms(lost_after_periods=10**6)
    controller = StandIn(authority.issue(CONTROLLER), authority.certificate, terms)
    try:
        plan = BedPlan(hosts=2, circuit_switch=False)
        with Bed(plan, folder, controller.port, authority) as bed:
            session = controller.session("h1")
            _set_up(session)
            bed.start("h1", "python3", "-c", _SOURCE, bed.address("h2"))
            time.sleep(1)  # until it sends
            stamps = _Stamps("p1")
            commands = _send_commands(session, rounds, random.Random(seed))
            stamps.stop()
            if "PolicyChanged" in session.latest:
                raise RuntimeError("the host fell back while it was measured")
    finally:
        controller.close()
    return _rows(commands, stamps.times)


def _set_up(session) -> None:
    anything = {"source": bytes(16), "destination": bytes(16), "sourcePort": 0} | {
        "destinationPort": 0,
        "protocol": 0,
        "sourcePrefixBits": 0,
        "destinationPrefixBits": 0,
        "wildcards": 7,
    }
    session.ok(
        "CreateQueue",
        queue=0,
        priority=0,
        closedByDefault="YES",
        discipline="FIFO",
        network="CIRCUIT",
        drainRateBps=_DRAIN_BPS,
        maxPackets=1000,
        maxBytes=0,
    )
    session.ok("MapFlow", queue=0, flowPriority=0, match=anything)


def _send_commands(session, rounds: int, rng: random.Random) -> list[tuple[str, int]]:
    """(START or STOP, when it was sent, nanoseconds of the epoch) in order."""
    sent = []
    for _ in range(rounds):
        for action, until in (("START", _FOR_EVER), ("STOP", 0)):
            datagram = session.datagram((0, action, until))
            sent.append((action, time.time_ns()))
            session.send_datagram(datagram)
            time.sleep(rng.uniform(0.003, 0.005))
    return sent


class _Stamps:
    """Collects the kernel's time stamps of the packets that arrive at an interface."""

    def __init__(self, interface: str) -> None:
        self.times: list[int] = []
        self._running = True
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ETH_P_IP))
        self._socket.bind((interface, _ETH_P_IP))
        self._socket.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
        self._socket.setsockopt(socket.SOL_SOCKET, 33, 64 << 20)  # SO_RCVBUFFORCE
        self._socket.settimeout(0.2)
        self._thread = threading.Thread(target=self._collect)
        self._thread.start()

    def stop(self) -> None:
        self._running = False
        self._thread.join()
        self._socket.close()

    def _collect(self) -> None:
        while self._running:
            try:
                frame, extra, _, _ = self._socket.recvmsg(64, 128)
            except TimeoutError:
                continue
            if frame[23] != 17 or struct.unpack_from(">H", frame, 36)[0] != _PORT:
                continue
            seconds, nanoseconds = struct.unpack("qq", extra[0][2][:16])
            self.times.append(seconds * 10**9 + nanoseconds)


def _rows(commands: list[tuple[str, int]], times: list[int]) -> list[dict]:
    """For START the first packet after it; for STOP the last one before the next START, which is 0
    if it was before the STOP."""
    delays: dict[str, list[float]] = {"START": [], "STOP": []}
    at = 0
    for (action, sent), (_, until) in pairwise(commands):
        while at < len(times) and times[at] < sent:
            at += 1
        mine = []
        while at < len(times) and times[at] < until:
            mine.append(times[at])
            at += 1
        if action == "START" and mine:
            delays[action].append((mine[0] - sent) / 1e3)
        elif action == "STOP":
            delays[action].append((mine[-1] - sent) / 1e3 if mine else 0.0)
    return [_row(action, values) for action, values in delays.items()]


def _row(action: str, values: list[float]) -> dict:
    values = sorted(values)

    def at(share: float) -> float:
        return values[min(len(values) - 1, int(share * len(values)))]

    return {
        "command": action,
        "txBps": _DRAIN_BPS,
        "n": len(values),
        "p50Us": at(0.5),
        "p99Us": at(0.99),
        "maxUs": values[-1],
    }
