"""Two SDD controllers: the second takes over when the first is killed, and the first gives way when
it was only away for a while."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

import pytest
from sdd_controller import PORT, Controller, configure, running_controller
from waiting import eventually

from evenweave_testbed.sdd.bed import Bed, BedPlan

pytestmark = pytest.mark.fabric

HOSTS = BedPlan(hosts=2, link_bps=20_000_000, pace_to_link=True)
OTHER_PORT = PORT + 1
_TCP = 6
_ECHO = 7
TERMS = {
    "circuitSwitch": "switch",
    "circuitBps": HOSTS.link_bps,
    # A host would have to be late by the guard before the switch drops a packet for its time.
    "periodNs": 200_000_000,
    "nightNs": 2_000_000,
    "guardNs": 20_000_000,
    "packetFlows": [{"protocol": _TCP, "sourcePort": _ECHO}],
}
# Numbers over one TCP connection, as fast as it takes them; who gets one that is not the next ends.
SERVER = f"""
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
CLIENT = f"""
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


@dataclass
class World:
    """A bed under one of the controllers, the first, while the other stands by, with a
    connection. On a busy machine that may be the one with --standby: it had heard of no other."""

    bed: Hosts
    first: Controller
    second: Controller
    ends: list
    count: Path
    stack: ExitStack

    def carried(self) -> int:
        """How many numbers have come."""
        return int(self.count.read_text() or 0) if self.count.exists() else 0

    def goes_on(self) -> None:
        before = self.carried()
        eventually(lambda: self.carried() >= before + 300, "numbers over the connection")
        assert [end.poll() for end in self.ends] == [None, None], "the connection is kept"


@pytest.fixture(params=["tight", "loose"])
def world(request, authority, tmp_path) -> Iterator[World]:
    with ExitStack() as stack:
        controllers = []
        for name, port in (("first", PORT), ("second", OTHER_PORT)):
            folder = tmp_path / name
            folder.mkdir()
            config = configure(
                authority, folder, listen=f"127.0.0.1:{port}", loop=request.param, **TERMS
            )
            options = ["--standby"] if name == "second" else []
            controllers.append(stack.enter_context(running_controller(config, folder, *options)))
        bed = stack.enter_context(Hosts(HOSTS, tmp_path, PORT, authority))
        eventually(lambda: roles(controllers), "controller that leads and one that stands by")
        ((first, second),) = roles(controllers)
        count = tmp_path / "count"
        ends = [bed.start("h2", "python3", "-c", SERVER, str(count))]
        ends.append(bed.start("h1", "python3", "-c", CLIENT, bed.address("h2")))
        stack.callback(lambda: [print(p.read_text()) for p in tmp_path.rglob("*.log")])
        world = World(bed, first, second, ends, count, stack)
        world.goes_on()
        yield world


def roles(controllers: list[Controller]) -> list[tuple[Controller, ...]]:
    """Who leads and who stands by, once all clients agree on it."""
    return [
        (leader, other)
        for leader, other in permutations(controllers)
        if is_followed(leader) and stands_by(other)
    ]


def is_followed(controller: Controller) -> bool:
    status = controller.ask("sdd/status")
    return status["leads"] and status["connected"] == 2 and status["circuitSwitch"]


def stands_by(controller: Controller) -> bool:
    status = controller.ask("sdd/status")
    return not status["leads"] and status["connected"] == 0 and status["waiting"] == 3


def out_of_slot(controller: Controller) -> tuple[int, int]:
    """Packets for which the switch had no circuit, and those that left their host late, since the
    controller leads."""
    misses = controller.ask("sdd/misses")
    ports = misses["circuitSwitch"]["ports"]
    dropped = sum(port.get("droppedOutOfSlot", 0) + port.get("droppedInNight", 0) for port in ports)
    return dropped, misses["packetsOutOfSlot"]


def has_circuit(controller: Controller) -> bool:
    """In the schedule announced last, which may be one for a period without demand."""
    days = controller.ask("sdd/schedule")["days"]
    return any({"from": "h1", "to": "h2"} in day["circuits"] for day in days)


def test_the_standby_takes_over_from_a_controller_that_is_killed(world):
    generation = world.first.ask("sdd/status")["generation"]
    world.first.process.send_signal(signal.SIGKILL)
    eventually(lambda: is_followed(world.second), "hosts and switch at the second")
    assert world.second.ask("sdd/status")["generation"] > generation
    world.goes_on()
    # No schedule contradicts another: what the switch drops left its host after its slot.
    dropped, late = out_of_slot(world.second)
    assert dropped <= late
    eventually(lambda: has_circuit(world.second), "circuit for the connection")


def test_a_controller_that_was_away_gives_way_when_it_is_back(world):
    world.first.process.send_signal(signal.SIGSTOP)
    eventually(lambda: is_followed(world.second), "hosts and switch at the second")
    world.goes_on()
    world.first.process.send_signal(signal.SIGCONT)
    # It may still believe that it leads, and say so; nobody listens.
    eventually(lambda: stands_by(world.first), "first controller that stands by")
    world.goes_on()
    assert is_followed(world.second)
    dropped, late = out_of_slot(world.second)
    assert dropped <= late
    world.second.process.send_signal(signal.SIGKILL)
    eventually(lambda: is_followed(world.first), "hosts and switch at the first again")
    world.goes_on()
