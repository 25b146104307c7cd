"""The leaf-spine fabric of `spines` in IPv6 only: links have link-local addresses, routers one on
their loopback device, which they answer with; hosts' edges find each other by IPv6.

                             ┌─ s0 ─┐
h1 ── fd92:0:0:1::/64 ── l1 ─── ..  ─── l2 ── fd92:0:0:2::/64 ── h2
                             └─ s3 ─┘
"""

from __future__ import annotations

from evenweave_testbed.edge.bed import HOSTS
from evenweave_testbed.edge.spines import LEAVES, SPINES, SpineBed


class Spine6Bed(SpineBed):
    """A running test bed; needs a kernel with IPv6 (`has_ipv6`)."""

    @staticmethod
    def outer(host: str) -> str:
        return f"fd92:0:0:{host[1]}::1"

    @staticmethod
    def router_address(router: str) -> str:
        return f"fd93::{router[0].translate(str.maketrans('ls', 'ab'))}{router[1]}"

    def config(self, host: str, scheme: str = "clove-ecn", **changes: object) -> dict:
        """With IPv4 and IPv6 behind the peer."""
        config = super().config(host, scheme, source6=self.inner6(host), **changes)
        other = HOSTS[host == HOSTS[0]]
        config["peers"][0]["prefixes"].append(f"{self.inner6(other)[:-1]}/64")
        return config

    def set_ipv6(self, router: str, **switches: int) -> None:
        """Sets switches of net.ipv6 in its kernel; two underscores are a dot."""
        assignments = [
            f"net.ipv6.{name.replace('__', '.')}={value}" for name, value in switches.items()
        ]
        self.check(router, "sysctl", "-qw", *assignments)

    def forward(self, spine: str, forwards: bool) -> None:
        self.set_ipv6(spine, conf__all__forwarding=int(forwards))

    @classmethod
    def spine_of(cls, path: dict) -> str | None:
        hops = path.get("hops", [])
        by_address = {cls.router_address(spine): spine for spine in SPINES}
        return by_address.get(hops[1]) if len(hops) > 1 else None

    def _wire(self) -> None:
        for name in (*HOSTS, *self.routers):
            # An address is there at once: nobody else can have it.
            self.set_ipv6(name, conf__default__accept_dad=0)
        for router in self.routers:
            self.set_ipv6(
                router, conf__all__forwarding=1, fib_multipath_hash_policy=1, icmp__ratelimit=0
            )
            self._add(router, f"{self.router_address(router)}/128", "lo")
        for host, leaf in zip(HOSTS, LEAVES, strict=True):
            self._pair(host, "e0", leaf, "d")
            self._add(host, f"{self.outer(host)}/64", "e0")
            self._add(leaf, f"{self.outer(host)[:-1]}fe/64", "d")
            self._add(host, f"{self.inner6(host)}/128", "lo")
            self.check(host, "ip", "address", "add", f"{self.inner(host)}/32", "dev", "lo")
            self._route(host, "default", f"via {self.outer(host)[:-1]}fe")
        self._wire_fabric()

    def _wire_fabric(self) -> None:
        for i, spine in enumerate(SPINES):
            for side, (leaf, host) in enumerate(zip(LEAVES, HOSTS, strict=True)):
                self._pair(leaf, f"p{i}", spine, f"d{side}")
                self._add(leaf, "fe80::1/64", f"p{i}")
                self._add(spine, "fe80::2/64", f"d{side}")
                self._route(spine, f"{self.outer(host)[:-1]}/64", f"via fe80::1 dev d{side}")
        for leaf, host in zip(LEAVES, reversed(HOSTS), strict=True):
            hops = [f"nexthop via fe80::2 dev p{i}" for i in range(len(SPINES))]
            self._route(leaf, f"{self.outer(host)[:-1]}/64", " ".join(hops))

    def _pair(self, a: str, device: str, b: str, peer: str) -> None:
        there = str(self.pid(b))
        self.check(a, *f"ip link add {device} type veth peer name {peer} netns {there}".split())
        self.check(a, "ip", "link", "set", "dev", device, "up")
        self.check(b, "ip", "link", "set", "dev", peer, "up")

    def _add(self, name: str, address: str, device: str) -> None:
        self.check(name, *f"ip -6 address add {address} dev {device} nodad".split())

    def _route(self, name: str, destination: str, hops: str) -> None:
        self.check(name, *f"ip -6 route add {destination} {hops}".split())
