"""evenweave-edge in hosts of a fabric of Open vSwitch switches: one controller routes it, and tells
edges the shares of its groups (docs/reference/edge.md)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from controlled_edge import ADDRESS, controller_of, exchange
from openflow_versions import OPENFLOW_15
from runtimes import command_of
from sdd_controller import PORT, ask, configure
from waiting import eventually

from conftest import HANG_S
from evenweave_testbed.edge.namespaces import EdgeNamespaces, NoBpfError
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.openvswitch import OPENFLOW
from evenweave_testbed.sdd.bed import CONTROLLER
from evenweave_testbed.sdd.pki import Authority
from evenweave_topos.fabric_file import IMBALANCED_3X3, load
from evenweave_topos.topologies import interface_name

pytestmark = pytest.mark.fabric

NAMES = ("e1", "e2")
LEAVES = ("s1-0", "s1-2")
# One round at the start; the next by itself would be in a day.
DISCOVER = {"discover": 8, "candidates": 16, "periodS": 86400}
# Of shares in protocol and reports.
_ROUNDING = 0.001
# A round of discovery ends within it, so that one that is asked for meanwhile is rare.
_ROUND_S = 5.0
_APPLICATIONS = "evenweave_testbed.edge.applications"


class FabricEdges(EdgeNamespaces):
    """Edges in a host under the first and one under the last switch of a fabric that is live."""

    def __init__(self, directory: Path, fabric: Fabric, authority: Authority) -> None:
        super().__init__(directory, ())
        self._fabric = fabric
        self._authority = authority
        self._hosts = dict(zip(NAMES, (fabric.hosts_of(leaf)[0] for leaf in LEAVES), strict=True))

    def pid(self, name: str) -> int:
        return self._fabric.net.get(self._hosts[name].name).shell.pid

    def inner(self, name: str) -> str:
        return f"10.77.{NAMES.index(name)}.1"

    def _wire(self) -> None:
        """A wire from each host to the controller, beside the fabric."""
        for i, name in enumerate(NAMES):
            far_end = f"peer name c{i} netns {os.getpid()}"
            for command in (
                f"address add {self.inner(name)}/32 dev lo",
                f"link add c0 type veth {far_end}",
                f"address add 10.98.{i}.1/24 dev c0",
                "link set dev c0 up",
            ):
                self.check(name, "ip", *command.split())
            for command in (f"address add 10.98.{i}.254/24 dev c{i}", f"link set dev c{i} up"):
                subprocess.run(["ip", *command.split()], check=True)
            self.check(name, *f"ip route add {ADDRESS} via 10.98.{i}.254".split())

    def _start(self, name: str, config: dict) -> None:
        try:
            self.start_edge(name, config)
        except NoBpfError as error:
            pytest.skip(f"no BPF programs can be loaded here: {error}")

    def start_edges(self) -> None:
        for name, other in (NAMES, NAMES[::-1]):
            identity = self._authority.issue(name)
            peer = {
                "address": str(self._hosts[other].address),
                "prefixes": [f"{self.inner(other)}/32"],
                "scheme": "edge-flowlet",
                "paths": DISCOVER,
            }
            self._start(
                name,
                {
                    "device": f"{self._hosts[name].name}-eth0",
                    "address": str(self._hosts[name].address),
                    "source": self.inner(name),
                    "rttUs": 1000,
                    "peers": [peer],
                    "controller": controller_of(
                        name, PORT, identity, self._authority.certificate, CONTROLLER
                    ),
                },
            )


@contextmanager
def live(authority: Authority, tmp_path: Path, openflow: str) -> Iterator[Fabric]:
    """The fabric of Figure 3.2, whose switches speak the newest of these versions of OpenFlow."""
    settings = configure(
        authority,
        tmp_path,
        listen=f"{ADDRESS}:{PORT}",
        edge={"hosts": list(NAMES), "reportMs": 100},
    )
    command = [*command_of("embedded"), "--sdd", str(settings)]
    subprocess.run(["ip", "address", "add", f"{ADDRESS}/32", "dev", "lo"], check=True)
    try:
        with Fabric(
            load(IMBALANCED_3X3), hosts=1, controller_command=command, openflow=openflow
        ) as fabric:
            fabric.ready()
            yield fabric
    finally:
        subprocess.run(["ip", "address", "del", f"{ADDRESS}/32", "dev", "lo"], check=True)


@pytest.fixture
def fabric(authority: Authority, tmp_path: Path, live_fabric) -> Iterator[Fabric]:
    """Its switches spread UDP over groups, which OpenFlow 1.5 alone can have them do."""
    live_fabric.close()
    with live(authority, tmp_path, OPENFLOW_15) as fabric:
        yield fabric


@pytest.fixture
def tcp_fabric(authority: Authority, tmp_path: Path, live_fabric) -> Iterator[Fabric]:
    """Its switches spread TCP over groups, and no UDP, as Open vSwitch does in OpenFlow 1.3."""
    live_fabric.close()
    with live(authority, tmp_path, OPENFLOW) as fabric:
        yield fabric


def discover(fabric: Fabric) -> None:
    """Both at once: what the first tried before the second was there had no answer."""
    request = urllib.request.Request(f"{fabric.controller.base}/sdd/edge/discovery", method="POST")
    urllib.request.urlopen(request, timeout=HANG_S).close()


def holds_or_is_discovered_anew(fabric: Fabric, holds: Callable[[], bool]) -> bool:
    """On a busy machine an answer may come too late for a round, and a hop stay unknown."""
    if holds():
        return True
    discover(fabric)
    return False


def connected(fabric: Fabric) -> bool:
    return all(
        ask(fabric.controller.base, f"sdd/edge/{name}").get("connected", False) for name in NAMES
    )


def ways(fabric: Fabric, name: str) -> list[tuple[frozenset[str], float]]:
    """The switch ports by which each path of an edge's last report comes in from a link, and its
    prior."""
    ports = {
        i["address"]: f"{i['switch']}/{i['port']}"
        for i in fabric.controller.interfaces()
        if "link" in i
    }
    peers = ask(fabric.controller.base, f"sdd/edge/{name}").get("report", {}).get("peers", [])
    return [
        (frozenset(ports[hop] for hop in path["hops"] if hop in ports), path["prior"])
        for peer in peers
        for path in peer["paths"]
        if "hops" in path
    ]


def entered(link: str) -> str:
    """The switch port at the far end of a link such as s1-0/1-s2-0/1."""
    return link[link.index("-s", 1) + 1 :]


def begins_with_the_groups_shares(fabric: Fabric, name: str) -> bool:
    """Whether an edge has paths over several ways that there are, each with the share as prior that
    the groups give its way, among those of its paths."""
    source, destination = LEAVES if name == NAMES[0] else LEAVES[::-1]
    shares = {
        frozenset(entered(link) for link in path["links"]): path["realisedShare"]
        for path in fabric.controller.paths(source, destination)
    }
    found = ways(fabric, name)
    if not {way for way, _ in found} <= set(shares) or len({way for way, _ in found}) < 3:
        return False
    total = sum(shares[way] for way, _ in found)
    return all(abs(prior - shares[way] / total) < _ROUNDING for way, prior in found)


def test_edges_begin_with_the_shares_of_the_fabrics_groups_and_follow_them(
    fabric: Fabric, authority: Authority, tmp_path: Path
):
    with FabricEdges(tmp_path, fabric, authority) as edges:
        edges.start_edges()
        eventually(lambda: connected(fabric), "sessions of both")
        discover(fabric)
        agree = [partial(begins_with_the_groups_shares, fabric, name) for name in NAMES]
        for agrees, name in zip(agree, NAMES, strict=True):
            eventually(
                partial(holds_or_is_discovered_anew, fabric, agrees),
                lambda name=name: f"shares as prior: {ways(fabric, name)}",
                poll_s=_ROUND_S,
            )
        edges.start_server("e2", _APPLICATIONS, "serve", edges.inner("e2"))
        held = edges.start("e1", _APPLICATIONS, "hold", edges.inner("e2"), 100_000)
        exchange(held)

        # The heaviest way, with a third of the traffic.
        fabric.cut("s1-0/3-s2-1/1")
        eventually(lambda: len(fabric.controller.paths(*LEAVES)) == 4, "a way less")
        for agrees, name in zip(agree, NAMES, strict=True):
            eventually(agrees, lambda name=name: f"shares after the cut: {ways(fabric, name)}")
        exchange(held)
        fabric.heal("s1-0/3-s2-1/1")
        for agrees, name in zip(agree, NAMES, strict=True):
            eventually(agrees, lambda name=name: f"shares once it is back: {ways(fabric, name)}")
        exchange(held)


def uplink_bytes(fabric: Fabric) -> dict[str, int]:
    """What the first leaf has sent by each of its ports to spines."""
    shown = subprocess.run(["ip", "-j", "-s", "link"], capture_output=True, text=True, check=True)
    sent = {link["ifname"]: link["stats64"]["tx"]["bytes"] for link in json.loads(shown.stdout)}
    ends = [link.end_at(LEAVES[0]) for link in fabric.uplinks(LEAVES[0])]
    names = [interface_name(end.switch, end.port) for end in ends]
    return {name: sent[name] for name in names}


def uplinks_of_paths(fabric: Fabric) -> int:
    """By how many of the first leaf's ports its host's paths lead."""
    ends = {str(link.other_end(LEAVES[0])) for link in fabric.uplinks(LEAVES[0])}
    return len({end for way, _ in ways(fabric, NAMES[0]) for end in way & ends})


def ways_taken(fabric: Fabric, edges: FabricEdges) -> int:
    """By how many of the first leaf's ports 200 connections leave: those with a part in 50 of all
    that they send, which is more than LLDP is, and less than a sixth, the least of a way's shares.
    """
    before = uplink_bytes(fabric)
    command = [sys.executable, "-m", _APPLICATIONS, "requests", edges.inner("e2")]
    edges.check("e1", *command, "200", "20000")
    after = uplink_bytes(fabric)
    sent = [after[name] - count for name, count in before.items()]
    assert sum(sent) > 200 * 20_000
    return sum(count > sum(sent) / 50 for count in sent)


@pytest.mark.extended
def test_overlay_takes_all_ways_in_what_looks_like_tcp_where_udp_is_not_hashed(
    tcp_fabric: Fabric, authority: Authority, tmp_path: Path
):
    fabric = tcp_fabric
    with FabricEdges(tmp_path, fabric, authority) as edges:
        edges.start_edges()
        eventually(lambda: connected(fabric), "sessions of both")
        edges.start_server("e2", _APPLICATIONS, "serve", edges.inner("e2"))
        held = edges.start("e1", _APPLICATIONS, "hold", edges.inner("e2"), 100_000)
        exchange(held)
        assert ways_taken(fabric, edges) == 1

        for name in NAMES:
            edges.change(name, transport="tcp")
        eventually(
            lambda: all(edges.show(name)["transport"] == "tcp" for name in NAMES), "TCP at both"
        )
        discover(fabric)
        agree = [partial(begins_with_the_groups_shares, fabric, name) for name in NAMES]
        for agrees, name in zip(agree, NAMES, strict=True):
            eventually(agrees, lambda name=name: f"shares as prior: {ways(fabric, name)}")
        exchange(held)
        assert ways_taken(fabric, edges) == uplinks_of_paths(fabric) > 1

        fabric.cut("s1-0/3-s2-1/1")
        exchange(held)
        for agrees, name in zip(agree, NAMES, strict=True):
            eventually(agrees, lambda name=name: f"shares after the cut: {ways(fabric, name)}")
        assert ways_taken(fabric, edges) == uplinks_of_paths(fabric) > 1
        fabric.heal("s1-0/3-s2-1/1")
        for agrees, name in zip(agree, NAMES, strict=True):
            eventually(agrees, lambda name=name: f"shares once it is back: {ways(fabric, name)}")
        exchange(held)
        for name in NAMES:
            assert sum(edges.show(name)["drops"].values()) == 0
