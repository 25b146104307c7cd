"""Three instances of ONOS and the fabric: whichever ends, the fabric goes on as before.

Each instance is a process in a network namespace of its own; all share an Atomix node. The switches
are connected to all three.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import pytest
from held_tables import Tables, changed, rules, shares, tables, unlike_wanted
from runtimes import LiveFabric, needs_cluster, onos_application
from waiting import eventually

from evenweave_testbed.connections import connect_all
from evenweave_testbed.controller import ControllerError
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import Flow, spread
from evenweave_testbed.frames import arp_request, dropped_of, mac_of, send_frames
from evenweave_testbed.loss import ProbeStream
from evenweave_testbed.onos.cluster import NETWORK, Onos
from evenweave_testbed.onos.distribution import Distribution
from evenweave_testbed.onos.rest import OnosError, OnosRest
from evenweave_testbed.polling import EVENT_LIMIT_S, READY_LIMIT_S
from evenweave_testbed.silence import end_silence, silence
from evenweave_topos.fabric_file import IMBALANCED_3X3, load
from evenweave_topos.topologies import interface_name

pytestmark = [pytest.mark.fabric, *needs_cluster]

INSTANCES = range(3)
_STEADY_S = 1.0
# ONOS sends its probes of links every 3 s.
_PROBE_PAUSE_S = 4.0
# ONOS reads the rules of its switches every 5 s, and acts on what it finds.
_RULES_POLL_S = 6.0
_PORT = 6001
_OVSDB_PORT = 6640
_BFD_MS = 100
# Both ends of two links; twelve links are set up one after another.
_SET_UP_AT_CHANGE = 4
# The leader compares every 2 s.
_BFD_PASS_S = 5.0


@dataclass
class Cluster:
    """The fabric and the instances that control it."""

    fabric: Fabric
    onos: Onos
    cuts: int = 0

    def leader(self, among: Collection[int] | None = None) -> int | None:
        """The instance that works as the leader by the account of all these (of all that run);
        None while they do not agree or there is none."""
        said = {self.leader_by(i) for i in (self.running() if among is None else among)}
        return said.pop() if len(said) == 1 else None

    def leader_by(self, index: int) -> int | None:
        """The leader by the account of one instance; None if it knows none that answers."""
        try:
            name = self.onos.controller(index).status()["leader"]
        except ControllerError:
            return None
        return [self.onos.address(i) for i in INSTANCES].index(name)

    def wait_for_leader(self, among: Collection[int] | None = None) -> int:
        eventually(lambda: self.leader(among) is not None, "leader that all agree on")
        return self.leader(among)

    def make_master(self, index: int) -> None:
        """Lets one instance be the master of all switches."""
        rest, address = self.onos.rest(index), self.onos.address(index)
        devices = [f"of:{switch.dpid}" for switch in self.fabric.spec.switches]

        def is_master_of_all() -> bool:
            # Asked again: ONOS ignores it while a switch is not yet connected to it, and answers
            # 500 when its store of masters takes longer than the store's own timeout.
            others = [device for device in devices if rest.master(device) != address]
            for device in others:
                with contextlib.suppress(OnosError):
                    rest.set_master(device, address)
            return not others

        eventually(is_master_of_all, f"mastership of {address}")

    def running(self) -> list[int]:
        return [i for i in INSTANCES if self.onos.instances[i].status() is None]

    def ask(self, index: int) -> None:
        """Lets the fabric's controller be what this instance answers."""
        self.fabric.controller = self.onos.controller(index)

    def converge(self, links: int = 12) -> None:
        """Waits until the fabric has so many links and every switch is as the engine wants it."""
        self.fabric.controller.wait(
            lambda status: status["confirmed"]
            and (status["switches"], status["links"], status["hosts"]) == (6, links, 12),
            f"convergence with {links} links",
            READY_LIMIT_S,
        )
        eventually(self._is_as_wanted, "switches that are as wanted")

    def _is_as_wanted(self) -> bool:
        """Not while a switch changes its master: it is not connected then, and has no groups."""
        try:
            return unlike_wanted(self.fabric) == {}
        except ControllerError:
            return False

    def numbers(self, index: int) -> tuple[int, int]:
        """The version of the network and the latest event, by the account of one instance."""
        controller = self.onos.controller(index)
        return controller.status()["version"], controller.last_sequence()

    def tables(self) -> Tables:
        return tables(self.fabric)

    def flows(self) -> list[Flow]:
        return spread(self.fabric.hosts_of("s1-0"), self.fabric.hosts_of("s1-2"), 256, _PORT)

    def failed_tasks(self) -> list[str]:
        """What the logs of all instances say of tasks of the engine that ended in an exception."""
        lines = [
            line
            for i in self.onos.instances
            for line in i.log.read_text(errors="replace").splitlines()
        ]
        return [line for line in lines if "a task of the engine failed" in line]

    def start(self, index: int) -> None:
        """Starts an instance that ended, and waits until it takes part again."""
        self.onos.instances[index].start()
        self.onos.wait_until_up()
        self.onos.wait_until_everywhere(
            OnosRest.evenweave_answers, "answer from the application", READY_LIMIT_S
        )

    def survives_a_cut(self) -> None:
        """A link fails and heals, and the switches follow both. Another one each time: one that
        fails three times in quick succession is damped."""
        links = self.fabric.spec.links
        link = links[self.cuts % len(links)]
        self.cuts += 1
        before = self.tables()
        since = self.fabric.controller.last_sequence()
        self.fabric.cut(str(link))
        try:
            self.fabric.controller.wait_confirmed("link-down", link.names(), since, EVENT_LIMIT_S)
            self.converge(links=11)
            assert not connect_all(self.fabric, self.flows()[:64])
        finally:
            self.fabric.heal(str(link))
        self.converge()
        assert changed(shares(before), shares(self.tables())) == []


@pytest.fixture(scope="module")
def live(live_fabric: LiveFabric) -> Iterator[Cluster]:
    live_fabric.close()
    with (
        Fabric(load(IMBALANCED_3X3)) as fabric,
        Onos(Distribution.find(), fabric.directory / "onos", instances=3) as onos,
    ):
        fabric.connect_switches(*onos.openflow_targets())
        onos.deploy(onos_application(), fabric.spec.to_json())
        fabric.controller = onos.controller(0)
        fabric.ready(READY_LIMIT_S)
        yield Cluster(fabric, onos)


@pytest.fixture
def cluster(live: Cluster) -> Cluster:
    """All three instances at work, and the fabric whole."""
    for index in INSTANCES:
        live.onos.machines.join(index + 1)
        if index not in live.running():
            live.start(index)
    live.ask(0)
    live.converge()
    return live


def test_one_instance_leads_and_all_answer_alike(cluster):
    assert cluster.leader() is not None
    answers = []
    for index in INSTANCES:
        cluster.ask(index)
        answers.append(
            [cluster.fabric.controller.groups(s.id) for s in cluster.fabric.spec.switches]
        )
    assert answers[0] == answers[1] == answers[2]
    assert any(answers[0])


def test_packets_that_a_master_drops_are_counted_by_every_instance(cluster):
    leading = cluster.wait_for_leader()
    cluster.make_master((leading + 1) % len(INSTANCES))
    flooding, neighbour = cluster.fabric.hosts_of("s1-0")[:2]
    before = dropped_of(cluster.fabric, flooding)
    asks = arp_request(mac_of(flooding), flooding.address.packed, neighbour.address.packed)
    send_frames(cluster.fabric, flooding, [asks] * 10_000)

    def has_counted() -> bool:
        try:
            return dropped_of(cluster.fabric, flooding) > before
        except ControllerError:
            return False  # 503 while another instance takes the lead, as on a busy machine

    for index in INSTANCES:
        cluster.ask(index)
        eventually(has_counted, "count of dropped packets")


@pytest.mark.parametrize("role", ["the leader", "a master", "another"])
def test_an_instance_that_is_killed_takes_no_group_and_no_packet_with_it(cluster, role):
    leading = cluster.wait_for_leader()
    other = (leading + 1) % len(INSTANCES)
    cluster.make_master(other if role == "a master" else leading)
    victim = leading if role == "the leader" else other
    cluster.converge()
    before = cluster.tables()
    numbers = cluster.numbers(leading)
    with ProbeStream(cluster.fabric, cluster.flows()) as stream:
        time.sleep(_STEADY_S)
        cluster.onos.instances[victim].kill()
        cluster.ask((victim + 1) % len(INSTANCES))
        leading = cluster.wait_for_leader()
        cluster.converge()
        time.sleep(_STEADY_S)
    assert stream.result.sent > 0
    assert stream.result.lost_at == ()
    assert changed(before, cluster.tables()) == []
    cluster.survives_a_cut()
    assert all(now > then for now, then in zip(cluster.numbers(leading), numbers, strict=True))


def test_a_rolling_restart_loses_no_packet(cluster):
    before = cluster.tables()
    with ProbeStream(cluster.fabric, cluster.flows()) as stream:
        for index in INSTANCES:
            cluster.onos.instances[index].stop()
            cluster.ask((index + 1) % len(INSTANCES))
            cluster.wait_for_leader()
            cluster.start(index)
            cluster.converge()
        time.sleep(_STEADY_S)
    assert stream.result.sent > 0
    assert stream.result.lost_at == ()
    assert changed(before, cluster.tables()) == []


def test_a_link_that_dies_silently_with_the_leader_is_not_called_converged(cluster):
    """The next leader finds it in ONOS's store, which keeps it until no probe has passed for 10 s,
    and for good if the instance has ended that found it."""
    link = cluster.fabric.spec.links[0]
    ends = [interface_name(end.switch, end.port) for end in (link.a, link.b)]
    leading = cluster.wait_for_leader()
    said: list[tuple[str, int]] = []

    def lost(status: dict) -> bool:
        said.append((status["state"], status["links"]))
        return status["confirmed"] and status["links"] == len(cluster.fabric.spec.links) - 1

    try:
        for end in ends:
            silence(end)
        cluster.onos.instances[leading].kill()
        cluster.ask((leading + 1) % len(INSTANCES))
        cluster.wait_for_leader()
        cluster.fabric.controller.wait(lost, "loss of the silent link", READY_LIMIT_S)
        assert not connect_all(cluster.fabric, cluster.flows()[:64])
    finally:
        for end in ends:
            end_silence(end)
    assert [each for each in said if each[0] == "converged"] == []
    cluster.converge()


def test_a_restart_of_the_whole_cluster_at_once_changes_no_group_and_loses_no_packet(cluster):
    before = cluster.tables()
    with ProbeStream(cluster.fabric, cluster.flows()) as stream:
        time.sleep(_STEADY_S)
        for index in INSTANCES:
            cluster.onos.instances[index].kill()
        for index in INSTANCES:
            cluster.onos.instances[index].start()
        cluster.onos.wait_until_up()
        cluster.onos.wait_until_everywhere(
            OnosRest.evenweave_answers, "answer from the application", READY_LIMIT_S
        )
        cluster.wait_for_leader()
        cluster.converge()
        time.sleep(_RULES_POLL_S)
    assert stream.result.sent > 0
    assert stream.result.lost_at == ()
    assert changed(before, cluster.tables()) == []


@pytest.mark.parametrize("leader", [True, False], ids=["the leader", "another"])
def test_a_partition_heals_to_the_same_state(cluster, leader):
    before = cluster.tables()
    leading = cluster.wait_for_leader()
    alone = leading if leader else (leading + 1) % len(INSTANCES)
    others = [i for i in INSTANCES if i != alone]
    cluster.ask(others[0])
    cluster.onos.machines.partition(alone + 1)
    try:
        assert cluster.wait_for_leader(others) != alone
        cluster.converge()
        cluster.survives_a_cut()
        with ProbeStream(cluster.fabric, cluster.flows()) as stream:
            time.sleep(_STEADY_S)
            cluster.onos.machines.join(alone + 1)
            cluster.wait_for_leader()
            # The instance that was alone reports links as lost that it heard no probes of, until
            # the next probe: all may seem well before.
            time.sleep(_PROBE_PAUSE_S)
            eventually(
                lambda: changed(shares(before), shares(cluster.tables())) == [],
                "state as it was before",
            )
            cluster.converge()
    finally:
        cluster.onos.machines.join(alone + 1)
    assert stream.result.sent > 0
    assert stream.result.lost_at == ()
    assert changed(shares(before), shares(cluster.tables())) == []
    assert cluster.failed_tasks() == []


def test_the_next_leader_goes_on_setting_up_bfd_and_leaves_what_is_there_alone(cluster):
    fabric = cluster.fabric
    whole = fabric.controller.configuration()
    server = fabric.ovs.serve_database(_OVSDB_PORT, f"{NETWORK}.254")
    bfd = {"enabled": True, "intervalMs": _BFD_MS, "ovsdb": [server]}
    # Whether sessions stay up on a busy machine is not the question here.
    fabric.controller.put_configuration(whole | {"bfd": bfd, "damping": {"enabled": False}})
    eventually(lambda: len(fabric.ovs.detection()) >= _SET_UP_AT_CHANGE, "first sessions")
    leading = cluster.wait_for_leader()
    cluster.onos.instances[leading].kill()
    cluster.ask((leading + 1) % len(INSTANCES))
    ends = 2 * len(fabric.spec.links)
    eventually(lambda: len(fabric.ovs.detection()) == ends, "BFD on all links", READY_LIMIT_S)
    cluster.wait_for_leader()
    time.sleep(_BFD_PASS_S)
    assert list(fabric.ovs.detection_changes().values()) == [1] * ends
    fabric.controller.put_configuration(whole)
    eventually(lambda: fabric.ovs.detection() == [], "end of BFD", READY_LIMIT_S)
    cluster.converge()


def test_uninstalling_takes_every_rule_out_whichever_instance_is_master(cluster):
    """Right after a change. It is the last test of this fabric, which has no application from here
    on."""
    leading = cluster.wait_for_leader()
    cluster.make_master((leading + 1) % len(INSTANCES))
    cluster.converge()
    cluster.survives_a_cut()
    switches = [switch.id for switch in cluster.fabric.spec.switches]
    assert all(rules(switch) for switch in switches)
    cluster.onos.rest(leading).uninstall()
    eventually(lambda: not any(rules(switch) for switch in switches), "end of all rules")
    time.sleep(_RULES_POLL_S)
    assert [rules(switch) for switch in switches] == [[] for _ in switches]
