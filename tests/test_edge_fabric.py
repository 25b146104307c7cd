"""evenweave-edge in hosts of a fabric of Open vSwitch switches: one controller routes it, and tells
edges the shares of its groups (docs/reference/edge.md)."""

from __future__ import annotations

import os
import subprocess
import urllib.request
from collections.abc import Iterator
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
from evenweave_testbed.sdd.bed import CONTROLLER
from evenweave_testbed.sdd.pki import Authority
from evenweave_topos.fabric_file import IMBALANCED_3X3, load

pytestmark = pytest.mark.fabric

NAMES = ("e1", "e2")
LEAVES = ("s1-0", "s1-2")
# One round at the start; the next by itself would be in a day.
DISCOVER = {"discover": 8, "candidates": 16, "periodS": 86400}
# Of shares in protocol and reports.
_ROUNDING = 0.001
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


@pytest.fixture
def fabric(authority: Authority, tmp_path: Path, live_fabric) -> Iterator[Fabric]:
    """That of Figure 3.2. Its switches spread UDP over groups, which OpenFlow 1.5 alone can have
    them do."""
    live_fabric.close()
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
            load(IMBALANCED_3X3), hosts=1, controller_command=command, openflow=OPENFLOW_15
        ) as fabric:
            fabric.ready()
            yield fabric
    finally:
        subprocess.run(["ip", "address", "del", f"{ADDRESS}/32", "dev", "lo"], check=True)


def discover(fabric: Fabric) -> None:
    """Both at once: what the first tried before the second was there had no answer."""
    request = urllib.request.Request(f"{fabric.controller.base}/sdd/edge/discovery", method="POST")
    urllib.request.urlopen(request, timeout=HANG_S).close()


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
            eventually(agrees, lambda name=name: f"shares as prior: {ways(fabric, name)}")
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
