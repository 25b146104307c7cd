"""Two SDD controllers: the second takes over when the first is killed, and the first yields if
it was only away for a while."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest
from sdd_controller import PORT, Controller, configure, running_controller
from sdd_takeover import (
    HOSTS,
    OTHER_PORT,
    TERMS,
    Connection,
    Hosts,
    agreed,
    has_circuit,
    leads,
    out_of_slot,
    stands_by,
)
from waiting import eventually

pytestmark = [pytest.mark.fabric, pytest.mark.real_time]


@dataclass
class World:
    """A bed under one of the controllers, the first, while the other stands by, with a
    connection. On a busy machine that may be the one with --standby: it had heard of no other."""

    first: Controller
    second: Controller
    bed: Hosts
    connection: Connection


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
        first, second = agreed(controllers)
        stack.callback(lambda: [print(p.read_text()) for p in tmp_path.rglob("*.log")])
        world = World(first, second, bed, Connection(bed, tmp_path))
        world.connection.goes_on()
        yield world


def all_dropped_were_late(controller: Controller) -> bool:
    dropped, late = out_of_slot(controller.ask("sdd/misses"))
    return dropped <= late


@pytest.mark.core_cases(1)
def test_the_standby_takes_over_from_a_controller_that_is_killed(world):
    generation = world.first.ask("sdd/status")["generation"]
    world.first.process.send_signal(signal.SIGKILL)
    eventually(lambda: leads(world.second), "hosts and switch at the second")
    assert world.second.ask("sdd/status")["generation"] > generation
    world.connection.goes_on()
    # No schedule contradicts another: what the switch drops left its host after its slot. Reports
    # of hosts may come after the switch's.
    eventually(lambda: all_dropped_were_late(world.second), "account of what the switch dropped")
    eventually(lambda: has_circuit(world.second.ask("sdd/schedule")), "circuit for the connection")


@pytest.mark.extended
def test_a_circuit_switch_that_hangs_does_not_keep_the_standby_from_leading(world):
    circuit_switch = world.bed.alive()["circuit-switch"]
    os.kill(circuit_switch, signal.SIGSTOP)
    world.first.process.send_signal(signal.SIGKILL)
    eventually(lambda: world.second.ask("sdd/status")["connected"] == 2, "hosts at the second")
    os.kill(circuit_switch, signal.SIGCONT)
    eventually(lambda: leads(world.second), "the switch at the second")
    world.connection.goes_on()


@pytest.mark.extended
def test_a_controller_that_was_away_gives_way_when_it_is_back(world):
    world.first.process.send_signal(signal.SIGSTOP)
    eventually(lambda: leads(world.second), "hosts and switch at the second")
    world.connection.goes_on()
    world.first.process.send_signal(signal.SIGCONT)
    # It may still believe that it leads, and say so; nobody listens.
    eventually(lambda: stands_by(world.first), "first controller that stands by")
    world.connection.goes_on()
    assert leads(world.second)
    eventually(lambda: all_dropped_were_late(world.second), "account of what the switch dropped")
    world.second.process.send_signal(signal.SIGKILL)
    eventually(lambda: leads(world.first), "hosts and switch at the first again")
    world.connection.goes_on()


@pytest.mark.extended
def test_hosts_fall_back_where_the_clock_of_the_one_that_leads_is_off(authority, tmp_path):
    terms = TERMS | {"safePolicy": "open", "lostAfterPeriods": 20}
    with ExitStack() as stack:
        configs = []
        for name, port in (("right", PORT), ("off", OTHER_PORT)):
            (tmp_path / name).mkdir()
            listen = f"127.0.0.1:{port}"
            configs.append(configure(authority, tmp_path / name, listen=listen, **terms))
        behind = ["unshare", "--time", "--monotonic", "-5"]
        stack.callback(lambda: [print(p.read_text()) for p in tmp_path.rglob("*.log")])
        right = stack.enter_context(running_controller(configs[0], tmp_path / "right"))
        bed = stack.enter_context(Hosts(HOSTS, tmp_path, PORT, authority))
        eventually(lambda: leads(right), "hosts and switch at the one that is right")
        off = stack.enter_context(
            running_controller(configs[1], tmp_path / "off", "--standby", inside=behind)
        )
        eventually(lambda: stands_by(off), "hosts and switch wait at the one that is off")
        connection = Connection(bed, tmp_path)
        connection.goes_on()

        right.process.send_signal(signal.SIGKILL)
        eventually(lambda: off.ask("sdd/status")["leads"], "the one that is off leads")
        eventually(lambda: set(fallbacks(off)) == {"controller-lost"}, "hosts fall back")
        assert not any(host["clock"]["good"] for host in off.ask("sdd/hosts")["hosts"])
        log = (tmp_path / "off/controller.log").read_text()
        assert "ahead of this controller's, and may be off by" in log
        connection.goes_on()

        again = stack.enter_context(running_controller(configs[0], tmp_path / "right", "--standby"))
        eventually(lambda: leads(again), "hosts and switch at the one that is right again")
        eventually(lambda: set(fallbacks(again)) == {"none"}, "hosts follow it")
        connection.goes_on()


def fallbacks(controller: Controller) -> list[str]:
    """Of each host; it may not have told yet."""
    return [host.get("fallback", "") for host in controller.ask("sdd/hosts")["hosts"]]
