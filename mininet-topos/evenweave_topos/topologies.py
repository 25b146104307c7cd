"""Mininet topologies of Evenweave's fabrics.

For Mininet's own command:

    PYTHONPATH=mininet-topos mn --custom mininet-topos/evenweave_topos/topologies.py \
        --topo clos,211/121/112 --switch ovs,datapath=user,protocols=OpenFlow13 --link tc,txo=0

Ports are numbered exactly as the fabric's links say; hosts come after them. Host number n (from 1)
of subnet number i is `h<i>-<n>`; it has the n-th address after the gateway, a default route through
the gateway and a MAC address made from its IP address.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address

from mininet.topo import Topo

from evenweave_topos.fabric_file import (
    IMBALANCED_3X3,
    FabricError,
    FabricSpec,
    clos,
    fat_tree,
    load,
)

HOSTS_PER_SUBNET = 4
# Linux allows 15 characters in an interface name; Mininet calls a switch's interfaces NAME-ethPORT.
_INTERFACE_NAME_LIMIT = 15


def interface_name(switch: str, port: int) -> str:
    """Mininet's name of a switch's interface."""
    return f"{switch}-eth{port}"


@dataclass(frozen=True)
class HostPlace:
    """A host and where it is attached: `port` of `switch`."""

    name: str
    address: IPv4Address
    prefix_bits: int
    gateway: IPv4Address
    switch: str
    port: int

    @property
    def mac(self) -> str:
        """A locally administered MAC address that spells the IP address."""
        return ":".join(f"{octet:02x}" for octet in b"\x02\x00" + self.address.packed)


def host_places(fabric: FabricSpec, hosts: int) -> list[HostPlace]:
    """`hosts` hosts for each subnet, on the ports after the fabric's."""
    next_port = {
        switch.id: 1
        + max((k.end_at(switch.id).port for k in fabric.links_of(switch.id)), default=0)
        for switch in fabric.switches
    }
    places = []
    for index, subnet in enumerate(fabric.subnets):
        for number in range(hosts):
            places.append(
                HostPlace(
                    name=f"h{index}-{number + 1}",
                    address=subnet.host_address(number),
                    prefix_bits=subnet.prefix.prefixlen,
                    gateway=subnet.gateway,
                    switch=subnet.switch,
                    port=next_port[subnet.switch],
                )
            )
            next_port[subnet.switch] += 1
    return places


class _Fabric(Topo):
    """What all topologies are made of; each has parameters of its own to `build` with."""

    def add(self, fabric: FabricSpec, hosts: int, mbps: float | None) -> None:
        for switch in fabric.switches:
            self.addSwitch(switch.id, dpid=switch.dpid)
        fastest_bps = max((link.bps for link in fabric.links), default=0)
        for link in fabric.links:
            for end in (link.a, link.b):
                if len(interface_name(end.switch, end.port)) > _INTERFACE_NAME_LIMIT:
                    raise FabricError(f"{end}: Linux allows no such long interface name")
            shape = {} if mbps is None else {"bw": mbps * link.bps / fastest_bps}
            self.addLink(
                link.a.switch, link.b.switch, port1=link.a.port, port2=link.b.port, **shape
            )
        for host in host_places(fabric, hosts):
            self.addHost(
                host.name,
                ip=f"{host.address}/{host.prefix_bits}",
                mac=host.mac,
                defaultRoute=f"via {host.gateway}",
            )
            self.addLink(host.name, host.switch, port1=0, port2=host.port)


class FabricTopo(_Fabric):
    """Any fabric, shaped in proportion: the fastest link gets `mbps` (None leaves all unshaped)."""

    def build(
        self, fabric: FabricSpec, hosts: int = HOSTS_PER_SUBNET, mbps: float | None = None
    ) -> None:
        self.add(fabric, hosts, mbps)


class Clos(_Fabric):
    r"""A 2-stage Clos fabric of any striping; "211/121/112" has one row per S1, one digit per S2.

    s2-0     s2-1     s2-2          S2
    | \ \   / | \   / / |
    |  \  x   |   x  /  |           striping[l][k] links join s1-l and s2-k
    | /  \ \  | /  \  \ |
    s1-0     s1-1     s1-2          S1
    ||||     ||||     ||||
    hosts    hosts    hosts
    """

    def build(
        self,
        striping: str | int = "11/11",
        hosts: int = HOSTS_PER_SUBNET,
        mbps: float | None = None,
    ) -> None:
        self.add(clos(parse_striping(str(striping))), hosts, mbps)


class Imbalanced(_Fabric):
    r"""The imbalanced fabric of Figure 3.2 (Tewari 2015): weights from s1-0 to s1-2 are 1:1:2:2.

      s2-0            s2-1            s2-2
    12   3   4      1   23   4      1   2   34      ports of S2
    ||   |   |      |   ||   |      |   |   ||
    |s1-0|   |      |   s1-1 |      |   |   s1-2
    |    |   |      |        |      |   |
    s1-0 s1-1 s1-2  s1-0     s1-2   s1-0 s1-1

    s1-0: 1,2 to s2-0, 3 to s2-1, 4 to s2-2
    s1-1: 1 to s2-0, 2,3 to s2-1, 4 to s2-2
    s1-2: 1 to s2-0, 2 to s2-1, 3,4 to s2-2
    """

    def build(self, hosts: int = HOSTS_PER_SUBNET, mbps: float | None = None) -> None:
        self.add(load(IMBALANCED_3X3), hosts, mbps)


class FatTree(_Fabric):
    r"""A k-ary fat tree; k=4 has 4 pods of 2+2 switches under 4 cores.

       s3-0  s3-1    s3-2  s3-3              core (stage 3)
        |  \  |  .. one link to every pod ..
    +---+----+   +--------+
    | s2-0 s2-1| | s2-2 s2-3|  ...           aggregation (stage 2)
    |  | \/ |  | |  | \/ |  |
    |  | /\ |  | |  | /\ |  |
    | s1-0 s1-1| | s1-2 s1-3|  ...           edge (stage 1)
    +----------+ +----------+
       pod 0        pod 1
    """

    def build(self, k: int = 4, hosts: int | None = None, mbps: float | None = None) -> None:
        self.add(fat_tree(k), k // 2 if hosts is None else hosts, mbps)


def parse_striping(text: str) -> list[list[int]]:
    """ "211/121/112" or, where a count needs two digits, "10-2/2-10"."""
    try:
        return [
            [int(count) for count in (row.split("-") if "-" in row else row)]
            for row in text.split("/")
        ]
    except ValueError as error:
        raise FabricError(f"striping: {text!r} is not rows of digits separated by '/'") from error


topos = {"clos": Clos, "imbalanced": Imbalanced, "fattree": FatTree}
