"""Two hosts with evenweave-edge on a fabric of routers that hash outer ports.

        10.77.1.1                                              10.77.2.1
    h1 ── 192.168.1.0/24 ── l1 ══ 4 links, by hash ══ l2 ── 192.168.2.0/24 ── h2

Each is a network namespace. The four links stand for four spines.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from evenweave_testbed.edge.namespaces import OVERLAY_PORT, EdgeNamespaces
from evenweave_testbed.sdd.build import program

HOSTS = ("h1", "h2")
LINKS = 4
PATHS_PER_LINK = 2
_CANDIDATES = range(50_000, 50_064)
_APPLICATIONS = "evenweave_testbed.edge.applications"


class EdgeBed(EdgeNamespaces):
    """A running test bed; a context manager. Edges are started by `start_edge`."""

    routers: tuple[str, ...] = ("l1", "l2")

    def __init__(self, directory: Path) -> None:
        super().__init__(directory, (*HOSTS, *self.routers))

    @staticmethod
    def inner(host: str) -> str:
        return f"10.77.{host[1]}.1"

    @staticmethod
    def inner6(host: str) -> str:
        return f"fd77:0:0:{host[1]}::1"

    def has_ipv6(self) -> bool:
        """Whether devices of the namespaces can have IPv6 addresses."""
        return self.run("h1", "sysctl", "-n", "net.ipv6.conf.e0.disable_ipv6").stdout == "0\n"

    def add_ipv6(self) -> None:
        """Gives hosts the inner IPv6 addresses, which the fabric knows nothing of."""
        for host in HOSTS:
            self.check(host, "ip", "address", "add", f"{self.inner6(host)}/128", "dev", "lo")

    @staticmethod
    def outer(host: str) -> str:
        return f"192.168.{host[1]}.1"

    def config(self, host: str, scheme: str = "clove-ecn", **changes: object) -> dict:
        """Of a host's edge; `changes` replace fields of the document."""
        other = HOSTS[host == HOSTS[0]]
        ports = self.source_ports(host, str(changes.get("transport", "udp")))
        return {
            "device": "e0",
            "address": self.outer(host),
            "source": self.inner(host),
            "vni": 7,
            "rttUs": 1000,
            "peers": [
                {
                    "address": self.outer(other),
                    "prefixes": [f"10.77.{other[1]}.0/24"],
                    "scheme": scheme,
                    "paths": [{"sourcePort": port} for port in ports],
                }
            ],
            **changes,
        }

    def source_ports(self, host: str, transport: str = "udp") -> list[int]:
        """Those of a host's paths: as many over each of the links of its router."""
        by_link = self.ports_over_links(host, transport, _CANDIDATES)
        return sorted(port for link in range(LINKS) for port in by_link[link][:PATHS_PER_LINK])

    def ports_over_links(
        self, host: str, transport: str, ports: Iterable[int]
    ) -> dict[int, list[int]]:
        """Which of these source ports of a host's overlay its router sends over which link."""
        other = HOSTS[host == HOSTS[0]]
        protocol = "udp" if transport == "udp" else "tcp"
        return self.ports_by_link(
            f"l{host[1]}", "d", self.outer(host), self.outer(other), ports, protocol
        )

    def start_edges(self, scheme: str = "clove-ecn", **changes: object) -> None:
        for host in HOSTS:
            self.start_edge(host, self.config(host, scheme, **changes))

    def single_path(self, host: str, scheme: str = "ecmp") -> dict:
        """A configuration that leaves the choice to the fabric."""
        config = self.config(host, scheme)
        config["peers"][0]["paths"] = [{"sourcePort": _CANDIDATES[0]}]
        return config

    def application(self, host: str, *arguments: object) -> subprocess.Popen:
        """Starts an application (see `applications`); it ends with the bed at the latest."""
        return self.start(host, _APPLICATIONS, *arguments)

    def server(self, host: str, *arguments: object) -> subprocess.Popen:
        return self.start_server(host, _APPLICATIONS, *arguments)

    def requests(self, count: int, size: int, to: str | None = None) -> None:
        """Connections from h1 to a server of h2, at its inner address or another, one after the
        other."""
        command = [sys.executable, "-m", _APPLICATIONS, "requests", to or self.inner("h2")]
        self.check("h1", *command, str(count), str(size))

    def congest(self, link: int) -> None:
        """From now on packets to h2 over this link are marked."""
        self.check("l1", "tc", "qdisc", "add", "dev", f"p{link}", "clsact")
        self.check(
            "l1", *f"tc filter add dev p{link} egress bpf da obj".split(),
            str(program("mark.bpf.o")), "sec", "tc",
        )  # fmt: skip

    def slow(self, link: int) -> None:
        """From now on packets to h2 over this link wait for those before, 1.2 ms for each of 1,500
        bytes."""
        rate = "rate 10mbit burst 2000 latency 100ms"
        self.check("l1", *f"tc qdisc add dev p{link} root tbf {rate}".split())

    def stamp(self, busy: int) -> None:
        """From now on h1's router stamps its links' utilisation into packets: that of one link as
        if its rate were so low that any packet fills it, that of the others as if nothing did."""
        for link in range(LINKS):
            stamping = self.add_port_program("l1", f"p{link}", "stamping_port.bpf.o")
            bps = 1_000_000 if link == busy else 10**12
            self.set_port("l1", stamping, bps, 1, OVERLAY_PORT)

    def link_bytes(self) -> list[int]:
        """Bytes towards h2 over each link."""
        links = json.loads(self.check("l1", "ip", "-j", "-s", "link"))
        by_name = {link["ifname"]: link["stats64"]["tx"]["bytes"] for link in links}
        return [by_name[f"p{link}"] for link in range(LINKS)]

    def set(self, router: str, **switches: int) -> None:
        """Sets switches of net.ipv4 in its kernel."""
        assignments = [f"net.ipv4.{name}={value}" for name, value in switches.items()]
        self.check(router, "sysctl", "-qw", *assignments)

    def _wire(self) -> None:
        for i in (1, 2):
            self._join(f"h{i}", "e0", f"192.168.{i}.1", f"l{i}", "d", f"192.168.{i}.254")
            self.check(f"h{i}", *f"ip address add {self.inner(f'h{i}')}/32 dev lo".split())
            self.check(f"h{i}", *f"ip route add default via 192.168.{i}.254".split())
        for router in self.routers:
            self.set(router, ip_forward=1, fib_multipath_hash_policy=1)
        self._wire_fabric()

    def _wire_fabric(self) -> None:
        for link in range(LINKS):
            self._join("l1", f"p{link}", f"10.0.{link}.1", "l2", f"p{link}", f"10.0.{link}.2")
        for i, other in ((1, 2), (2, 1)):
            hops = [f"nexthop via 10.0.{link}.{other}" for link in range(LINKS)]
            route = f"ip route add 192.168.{other}.0/24 {' '.join(hops)}"
            self.check(f"l{i}", *route.split())
