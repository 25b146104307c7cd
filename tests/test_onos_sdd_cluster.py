"""The SDD controller in a cluster of three instances of ONOS: hosts and circuit switch know all
three, and whichever instance leads may end."""

from __future__ import annotations

import os
import re
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from onos_sdd import PORT, Hosts, Keys, Operator, make_keys
from runtimes import LiveFabric, needs_cluster, onos_application
from sdd_takeover import HOSTS, TERMS, Connection, has_circuit, is_followed, out_of_slot
from waiting import eventually

from evenweave_testbed.onos.cluster import Onos
from evenweave_testbed.onos.distribution import Distribution
from evenweave_testbed.onos.rest import OnosRest
from evenweave_testbed.polling import READY_LIMIT_S
from evenweave_topos.fabric_file import IMBALANCED_3X3, load

pytestmark = [pytest.mark.fabric, pytest.mark.real_time, *needs_cluster]

INSTANCES = range(3)
# Three instances share two cores, so that their orders come later than those of a controller alone.
_TIMES = {
    "periodNs": 500_000_000,
    "guardNs": 50_000_000,
    # Hosts fall back after 60 s without any controller, and tell of it after 30.
    "lostAfterPeriods": 120,
}
_CEILING_BPS = 200_000
_SHARING = {
    "classes": [
        {
            "name": "put",
            "ceilingBps": _CEILING_BPS,
            "flows": [{"protocol": 17, "destinationPort": 9}],
        }
    ]
}
_SAID = re.compile(r"sdd-host: (\w+): ([\d.]+):\d+: controller: (.*)")
_WATCH_S = 0.002


@dataclass
class World:
    """Hosts and a switch under the cluster's controller, with a connection."""

    onos: Onos
    hosts: Hosts
    connection: Connection
    operators: list[Operator]

    def running(self) -> list[int]:
        return [i for i in INSTANCES if self.onos.instances[i].status() is None]

    def status(self, index: int) -> dict:
        """The controller's, by the account of one instance; empty while it runs nowhere."""
        status, answer = self.operators[index].get("sdd/status")
        return answer if status == 200 else {}

    def leading(self, among: list[int]) -> tuple[int, dict]:
        """The instance that hosts and switch are on by the account of all these, and the
        controller's status there."""
        said: list[dict] = []

        def agreed() -> bool:
            said[:] = [self.status(index) for index in among]
            return all(s and is_followed(s) for s in said) and len({s["runsOn"] for s in said}) == 1

        eventually(agreed, lambda: f"instance that all agree on: {said}")
        return [self.onos.address(i) for i in INSTANCES].index(said[0]["runsOn"]), said[0]

    def followed(self) -> dict[str, list[str]]:
        """The addresses of the controllers that each host has followed, in their order."""
        return said_of(self.hosts, "connected")

    def put_classes(self, index: int) -> None:
        """By REST of one instance, where there were none: what was put before ended with the
        configuration then."""
        operator = self.operators[index]
        assert operator.get("sdd/sharing") == (200, {})
        assert operator.ask("PUT", "evenweave/sdd/sharing", _SHARING) == (200, _SHARING)

    def acts_on_classes(self, index: int) -> None:
        """REST of one instance has what was put, and hosts got rates by it."""
        assert self.operators[index].get("sdd/sharing") == (200, _SHARING)

        def rates() -> list[int]:
            return [row["rateBps"] for row in self.operators[index].get("sdd/rates")[1]["rates"]]

        eventually(
            lambda: len(rates()) == len(HOSTS.names())
            and all(0 < rate <= _CEILING_BPS for rate in rates()),
            lambda: self.operators[index].get("sdd/rates"),
        )

    def hosts_leave(self, leading: int) -> None:
        """Waits until all hosts follow another instance, and prints after what time."""
        since = time.monotonic()
        left = self.onos.address(leading)
        eventually(
            lambda: all(said[-1] != left for said in self.followed().values()),
            "hosts at another instance",
            poll_s=_WATCH_S,
        )
        print(f"hosts were on another instance after {time.monotonic() - since:.3f} s")

    def carries_on(self, leading: int) -> None:
        """No schedule contradicts another: what the switch drops left its host after its slot, if
        the switch has had all its orders in time."""
        self.connection.goes_on()
        misses = self.operators[leading].get("sdd/misses")[1]
        dropped, late = out_of_slot(misses)
        assert dropped <= late or misses["circuitSwitch"]["lateConfigurations"] > 0, misses

    def has_not_gone_back(
        self, returned: int, generation: int, before_return: dict[str, list[str]]
    ) -> None:
        """All agree on a controller of this generation, or a later one if the machine stood still
        for so long that there was another takeover; else no host followed the one that is back."""
        leading, status = self.leading(list(INSTANCES))
        assert status["generation"] >= generation
        if status["generation"] == generation:
            for name, said in self.followed().items():
                assert self.onos.address(returned) not in said[len(before_return[name]) :]
        self.carries_on(leading)


def said_of(hosts: Hosts, wanted: str) -> dict[str, list[str]]:
    """Of which controllers' addresses each host says that, in the order of its log."""
    said: dict[str, list[str]] = {name: [] for name in HOSTS.names()}
    for name, address, event in _SAID.findall(hosts.log("sdd-host")):
        if event == wanted:
            said[name].append(address)
    return said


def listens(address: str) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((address, PORT)) == 0


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_keys(
        tmp_path_factory.mktemp("sdd") / "keys", *HOSTS.names(), TERMS["circuitSwitch"]
    ).folder


@pytest.fixture(scope="module")
def onos(live_fabric: LiveFabric, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Onos]:
    live_fabric.close()
    with Onos(Distribution.find(), tmp_path_factory.mktemp("onos"), instances=3) as running:
        running.deploy(onos_application(), load(IMBALANCED_3X3).to_json())
        yield running


@pytest.fixture(params=["tight", "loose"])
def world(request, onos: Onos, keys: Path, tmp_path: Path) -> Iterator[World]:
    """All three instances at work. One runs the controller, another one stands by."""
    for instance in onos.instances:
        if instance.status() is not None:
            instance.start()
    onos.wait_until_up()
    onos.wait_until_everywhere(
        OnosRest.evenweave_answers, "answer from the application", READY_LIMIT_S
    )
    addresses = [onos.address(index) for index in INSTANCES]
    operators = [Operator(onos, tmp_path, index) for index in INSTANCES]
    document = (TERMS | _TIMES) | {
        "hosts": HOSTS.names(),
        "listen": f"0.0.0.0:{PORT}",
        "keys": str(keys),
        "loop": request.param,
    }
    with ExitStack() as stack:
        stack.callback(
            lambda: eventually(
                lambda: not any(listens(address) for address in addresses), "end of listening"
            )
        )
        stack.callback(operators[0].configure_none)
        assert operators[0].configure(document)[0] == 200
        # shown if the test fails
        stack.callback(lambda: [print(log.read_text()) for log in tmp_path.glob("*.log")])
        hosts = stack.enter_context(Hosts(HOSTS, tmp_path, Keys(keys), addresses))
        world = World(onos, hosts, Connection(hosts, tmp_path), operators)
        leading, _ = world.leading(list(INSTANCES))
        eventually(
            lambda: all(
                set(said) - {addresses[leading]} for said in said_of(hosts, "stands by").values()
            ),
            "controller that stands by",
        )
        world.connection.goes_on()
        yield world


def test_another_instance_takes_over_from_one_that_is_killed(world):
    leading, before = world.leading(list(INSTANCES))
    others = [index for index in INSTANCES if index != leading]
    world.put_classes(others[0])
    killed = time.monotonic()
    os.kill(world.onos.instances[leading].pid, signal.SIGKILL)
    world.hosts_leave(leading)
    world.onos.instances[leading].kill()
    now, after = world.leading(others)
    print(f"REST told of it after {time.monotonic() - killed:.3f} s")
    assert after["generation"] > before["generation"]
    world.carries_on(now)
    world.acts_on_classes(now)
    eventually(
        lambda: has_circuit(world.operators[now].get("sdd/schedule")[1]),
        "circuit for the connection",
    )
    # The instance is one like another when it is back.
    followed = world.followed()
    world.onos.instances[leading].start()
    world.onos.wait_until_up()
    world.onos.wait_until_everywhere(
        OnosRest.evenweave_answers, "answer from the application", READY_LIMIT_S
    )
    world.has_not_gone_back(leading, after["generation"], before_return=followed)
    world.acts_on_classes(leading)


def test_an_instance_that_stood_still_is_refused_when_it_is_back(world):
    leading, before = world.leading(list(INSTANCES))
    others = [index for index in INSTANCES if index != leading]
    os.kill(world.onos.instances[leading].pid, signal.SIGSTOP)
    try:
        world.hosts_leave(leading)
        now, after = world.leading(others)
        world.carries_on(now)
        assert after["generation"] > before["generation"]
        followed = world.followed()
    finally:
        os.kill(world.onos.instances[leading].pid, signal.SIGCONT)
    # It may still believe that it leads, and say so; nobody listens.
    world.has_not_gone_back(leading, after["generation"], before_return=followed)
