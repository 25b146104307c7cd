"""The same hosts on a leaf-spine fabric, each spine a Linux router of its own.

                          ┌─ s0 ─┐
h1 ── 192.168.1.0/24 ── l1 ─ ..  ─ l2 ── 192.168.2.0/24 ── h2
                          └─ s3 ─┘
"""

from __future__ import annotations

import time

from evenweave_testbed.edge.bed import HOSTS, LINKS, EdgeBed
from evenweave_testbed.edge.leaf import Fabric, Leaf, Uplink
from evenweave_testbed.edge.namespaces import OVERLAY_PORT, EdgeError
from evenweave_testbed.polling import EVENT_LIMIT_S

SPINES = tuple(f"s{i}" for i in range(LINKS))
LEAVES = ("l1", "l2")
# Of links that are not shaped: more than two processors carry.
_LINK_BPS = 10_000_000_000
# Source ports that a host's discovery tries, in a row. Of 32 that a hash spreads over 4 spines,
# none is over one of them in 1 of 2,500 boots, so that there is a choice of rows.
CANDIDATES = 32
_ROWS = range(50_000, 50_000 + 8 * CANDIDATES, CANDIDATES)


class SpineBed(EdgeBed):
    """A running test bed. Routers answer at once and with the address that a packet came to, as
    docs/reference/edge.md advises, unless `use_defaults` is called."""

    routers = (*LEAVES, *SPINES)

    def _wire_fabric(self) -> None:
        for i, spine in enumerate(SPINES):
            for side, leaf in enumerate(LEAVES):
                self._join(leaf, f"p{i}", f"10.{side}.{i}.1", spine, f"d{side}", f"10.{side}.{i}.2")
                route = f"ip route add 192.168.{side + 1}.0/24 via 10.{side}.{i}.1"
                self.check(spine, *route.split())
        for side, leaf in enumerate(LEAVES):
            hops = [f"nexthop via 10.{side}.{i}.2" for i in range(LINKS)]
            route = f"ip route add 192.168.{2 - side}.0/24 {' '.join(hops)}"
            self.check(leaf, *route.split())
        for router in self.routers:
            self.set(router, icmp_ratelimit=0, icmp_errors_use_inbound_ifaddr=1)

    def use_defaults(self) -> None:
        """Routers answer as Linux does by itself: one error a second to a host, and six at once."""
        for router in self.routers:
            self.set(router, icmp_ratelimit=1000, icmp_errors_use_inbound_ifaddr=0)

    def start_leaves(self, scheme: str, gap_us: int, slower: int = 1) -> list[Leaf]:
        """From now on leaves choose what uplink their host's flowlets take; see `leaf`."""
        fabric = Fabric(scheme, gap_us, slower, [["192.168.1.0/24"], ["192.168.2.0/24"]])
        return [
            Leaf(
                self, leaf, side, fabric, ["d"],
                [Uplink(f"p{i}", f"10.{side}.{i}.2", _LINK_BPS) for i in range(LINKS)],
            )
            for side, leaf in enumerate(LEAVES)
        ]  # fmt: skip

    def stamp_load(self, spine: str) -> None:
        """From now on this spine stamps what it sends to h2's leaf as if any packet filled the
        link."""
        stamping = self.add_port_program(spine, "d1", "stamping_port.bpf.o")
        self.set_port(spine, stamping, 1_000_000, 1, OVERLAY_PORT)

    def connect(self, spine: str, up: bool) -> None:
        """Whether a spine's links to both leaves are up, at the leaves' ends."""
        for leaf in LEAVES:
            device = f"p{SPINES.index(spine)}"
            self.check(leaf, "ip", "link", "set", "dev", device, "up" if up else "down")

    def forward(self, spine: str, forwards: bool) -> None:
        """Whether a spine forwards; nobody is told where it does not."""
        self.set(spine, ip_forward=int(forwards))

    def discovering(
        self, host: str, scheme: str = "clove-ecn", transport: str = "udp", **paths: int
    ) -> dict:
        """A configuration with discovery, which begins at the process's start and at commands."""
        config = self.config(host, scheme, transport=transport)
        config["peers"][0]["paths"] = {
            "discover": LINKS,
            "firstPort": self._first_port(host, transport),
            "candidates": CANDIDATES,
            "periodS": 3600,
            "timeoutMs": 500,  # late answers to the first of three probes count too
            **paths,
        }
        return config

    def _first_port(self, host: str, transport: str) -> int:
        """Of candidates that lead over all spines, as the host's leaf hashes them."""
        ports = range(_ROWS.start, _ROWS.stop)
        by_link = self.ports_over_links(host, transport, ports)
        for first in _ROWS:
            row = range(first, first + CANDIDATES)
            if all(any(port in row for port in by_link.get(link, ())) for link in range(LINKS)):
                return first
        raise EdgeError(f"no {CANDIDATES} source ports in a row lead over all spines: {by_link}")

    def start_discovery(
        self, scheme: str = "clove-ecn", transport: str = "udp", **paths: int
    ) -> None:
        for host in HOSTS:
            self.start_edge(host, self.discovering(host, scheme, transport, **paths))
        for host in HOSTS:
            self.discover(host)

    def discover(self, host: str) -> dict:
        """Has the host discover its paths, until there are some; what `show` says then."""
        deadline = time.monotonic() + EVENT_LIMIT_S
        while (done := self.edge(host, "discover")).returncode != 0:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{host} discovers no paths: {done.stderr}")
        return self.show(host)

    @staticmethod
    def spine_of(path: dict) -> str | None:
        """The spine that a path of h1 leads over, by its second hop."""
        hops = path.get("hops", [])
        return f"s{hops[1].split('.')[2]}" if len(hops) > 1 and hops[1] != "*" else None
