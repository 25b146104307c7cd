"""What a takeover of the SDD controller must leave alone: a connection, and the circuits."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

from sdd_controller import PORT, Controller
from waiting import eventually

from evenweave_testbed.sdd.bed import Bed, BedPlan

OTHER_PORT = PORT + 1
HOSTS = BedPlan(hosts=2, link_bps=20_000_000, pace_to_link=True)
_TCP = 6
_ECHO = 7
TERMS = {
    "circuitSwitch": "switch",
    "circuitBps": HOSTS.link_bps,
    # A host would have to be late by the guard before the switch drops a packet for its time.
    "periodNs": 200_000_000,
    "nightNs": 2_000_000,
    "guardNs": 20_000_000,
    # Hours before hosts fall back, and 2 s before they leave a controller that hangs.
    "lostAfterPeriods": 100_000,
    "takeOverAfterPeriods": 10,
    "safePolicy": "closed",
    "packetFlows": [{"protocol": _TCP, "sourcePort": _ECHO}],
}
# Numbers over one TCP connection, as fast as it takes them; who gets one that is not the next ends.
_SERVER = f"""
import socket, struct, sys
with socket.create_server(("", {_ECHO})) as server:
    connection, _ = server.accept()
expected = 0
with connection, connection.makefile("rb") as numbers:
    while record := numbers.read(1000):
        (number,) = struct.unpack_from(">Q", record)
        assert number == expected, (number, expected)
        expected += 1
        if number % 10 == 0:
            open(sys.argv[1], "w").write(f"{{number:020}}")
"""
_CLIENT = f"""
import itertools, socket, struct, sys, time
while True:
    try:
        connection = socket.create_connection((sys.argv[1], {_ECHO}))
        break
    except ConnectionRefusedError:
        time.sleep(0.1)
for number in itertools.count():
    connection.sendall(struct.pack(">Q", number) + bytes(992))
"""


class Hosts(Bed):
    """Hosts and a switch that know both controllers."""

    def _control(self, name: str) -> dict:
        other = {"address": "127.0.0.1", "port": OTHER_PORT}
        return super()._control(name) | {"standby": [other]}


class Connection:
    """An application's, from h1 to h2."""

    def __init__(self, bed: Bed, folder: Path) -> None:
        self._count = folder / "count"
        self._ends = [
            bed.start("h2", "python3", "-c", _SERVER, str(self._count)),
            bed.start("h1", "python3", "-c", _CLIENT, bed.address("h2")),
        ]

    def carried(self) -> int:
        """How many numbers have come."""
        return int(self._count.read_text() or 0) if self._count.exists() else 0

    def goes_on(self) -> None:
        before = self.carried()
        eventually(lambda: self.carried() >= before + 300, "numbers over the connection")
        assert [end.poll() for end in self._ends] == [None, None], "the connection is kept"


def is_followed(status: dict) -> bool:
    """Whether hosts and switch are on the controller with this status."""
    return status["leads"] and status["connected"] == 2 and status["circuitSwitch"]


def out_of_slot(misses: dict) -> tuple[int, int]:
    """Packets for which the switch had no circuit, and those that left their host late, since the
    controller leads."""
    ports = misses["circuitSwitch"]["ports"]
    dropped = sum(port.get("droppedOutOfSlot", 0) + port.get("droppedInNight", 0) for port in ports)
    return dropped, misses["packetsOutOfSlot"]


def has_circuit(schedule: dict) -> bool:
    """In the one announced last, which may be one for a period without demand."""
    return any({"from": "h1", "to": "h2"} in day["circuits"] for day in schedule["days"])


def roles(controllers: list[Controller]) -> list[tuple[Controller, ...]]:
    """Who leads and who stands by, once all clients agree on it."""
    return [
        (leader, other)
        for leader, other in permutations(controllers)
        if leads(leader) and stands_by(other)
    ]


def agreed(controllers: list[Controller]) -> tuple[Controller, ...]:
    """Waits until all clients agree on it, and gives who leads and who stands by."""
    found: list[tuple[Controller, ...]] = []

    def is_agreed() -> bool:
        found[:] = roles(controllers)
        return len(found) == 1

    eventually(is_agreed, "controller that leads and one that stands by")
    return found[0]


def leads(controller: Controller) -> bool:
    return is_followed(controller.ask("sdd/status"))


def stands_by(controller: Controller) -> bool:
    status = controller.ask("sdd/status")
    return not status["leads"] and status["connected"] == 0 and status["waiting"] == 3
