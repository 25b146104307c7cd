"""A leaf-spine fabric of Linux routers with shaped links, switches that mark, and a degraded link.

            s1   s2   s3   s4          h1..h4: servers, h5..h8: clients, each with evenweave-edge
            | \\  / \\  / \\  / |          links of 50 Mb/s, those of hosts too
             l1        l2             s4-l2 has half of that from the start
        h1 .. h4        h5 .. h8

A switch port is a token bucket with a queue, in front of it the marking of `marking_queue.bpf.c`
and, for clove-int and leaves, the stamps of `stamping_port.bpf.c`.
Where leaves choose, l1 and l2 have the programs of `leaf_port.bpf.c`, and hosts one path. Otherwise
the leaf's own routing is queried for the spine of each outer source port, as an operator would do,
and each path gets a port.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evenweave_testbed.edge.demo.schemes import Scheme
from evenweave_testbed.edge.leaf import Fabric, Leaf, Uplink
from evenweave_testbed.edge.namespaces import (
    OVERLAY_PORT,
    EdgeError,
    EdgeNamespaces,
)

SPINES = 4
HOSTS_PER_LEAF = 4
SERVERS = tuple(f"h{i}" for i in range(1, HOSTS_PER_LEAF + 1))
CLIENTS = tuple(f"h{i}" for i in range(HOSTS_PER_LEAF + 1, 2 * HOSTS_PER_LEAF + 1))

# Two cores carry it: 30 % of each at a load of 60 %.
LINK_BPS = 50_000_000
# (spine, leaf) of the link that has half the rate from the start: not one of the sender's own leaf,
# so that its ECMP sees nothing of it.
DEGRADED, DEGRADED_BPS = (4, 2), LINK_BPS // 2
BISECTION_BPS = (SPINES - 1) * LINK_BPS + DEGRADED_BPS
# DCTCP's 20 packets for 1 to 10 Gb/s, and a switch's queue of 130.
MARK_BYTES, BUFFER_BYTES = 30_000, 200_000
# The kernel adds no delay, so round trips are as long as queues: 4.8 ms at the threshold of marks.
# The gap is one round trip, as Clove's (section 5.2).
RTT_US = GAP_US = 5000
METRIC_AGE_US = 10_000  # two round trips
SETTLE_US = 4 * RTT_US  # evenweave-edge's default
# Two packets more than the kernel is late by on a busy machine (1 ms).
_BURST_BYTES = 6000
# By so much links are slower than the 10 Gb/s that CONGA's estimator of rates is made for.
_SLOWER = 10_000_000_000 // LINK_BPS
_PORT_TRIES = 64
_FIRST_SOURCE_PORT = 50_000
# As data centres set it: Linux's own 200 ms are 40 round trips here.
_LEAST_RTO_US = 20_000
_SUBFLOWS = SPINES
# IntFlow's thresholds: times of the paper as multiples of its round trip of 100 us, and its size of
# a small flow, 600 kB, scaled as the workload is.
_INTFLOW = {
    "linkMbps": LINK_BPS // 1_000_000,
    "delayUs": RTT_US * 180 // 100,
    "windowUs": RTT_US * 4000 // 100,
    "timeoutUs": _LEAST_RTO_US,
    "sizeBytes": 60_000,
}


def weights() -> list[int]:
    """WCMP's weights of the paths from either leaf: the capacities of the paths, by spine."""
    capacities = [DEGRADED_BPS if DEGRADED[0] == spine + 1 else LINK_BPS for spine in range(SPINES)]
    unit = math.gcd(*capacities)
    return [capacity // unit for capacity in capacities]


def leaf_of(host: str) -> str:
    return "l1" if host in SERVERS else "l2"


def inner(host: str, subflow: int = 0) -> str:
    return f"10.77.{host[1:]}.{subflow + 1}"


def outer(host: str) -> str:
    return f"192.168.{host[1:]}.1"


@dataclass(frozen=True)
class Tuning:
    """Options of the command line that apply to all edges: the age at which a path's measured delay
    or utilisation is discarded, and the minimum time between two moves of a flow by IntFlow."""

    metric_age_us: int = METRIC_AGE_US
    settle_us: int = SETTLE_US


class LeafSpine(EdgeNamespaces):
    """The running fabric; `servers[c]` is the server of client c."""

    def __init__(
        self, directory: Path, scheme: Scheme, servers: Sequence[int], tuning: Tuning
    ) -> None:
        spines = [f"s{spine + 1}" for spine in range(SPINES)]
        super().__init__(directory, (*SERVERS, *CLIENTS, "l1", "l2", *spines))
        self._scheme = scheme
        self._tuning = tuning
        # The maps that hold ports' rates, by namespace and device.
        self._marking: dict[tuple[str, str], int] = {}
        self._stamping: dict[tuple[str, str], int] = {}
        self._leaves: dict[str, Leaf] = {}
        pairs = {CLIENTS[client]: SERVERS[server] for client, server in enumerate(servers)}
        self.server_of = pairs
        self._peers = pairs | {server: client for client, server in pairs.items()}

    def start_edges(self) -> None:
        for host, peer in self._peers.items():
            self.start_edge(host, self._config(host, peer))

    def degrade(self, spine: int, leaf: int, bps: int) -> None:
        """Sets the rate of a link between a spine and a leaf, both ways, traffic or not."""
        for name, device in ((f"s{spine}", f"p{leaf}"), (f"l{leaf}", f"p{spine}")):
            self._set_rate(name, device, bps, "change")

    def leaf_states(self) -> dict[str, dict]:
        """What leaves that choose have done so far, by name; none where hosts choose."""
        return {name: leaf.state() for name, leaf in self._leaves.items()}

    def transmitted(self, name: str) -> dict[str, int]:
        """Bytes that each device of a namespace has sent, with their Ethernet headers."""
        lines = Path(f"/proc/{self.pid(name)}/net/dev").read_text().splitlines()[2:]
        counts = (line.split(":") for line in lines)
        return {device.strip(): int(numbers.split()[8]) for device, numbers in counts}

    def counters(self, name: str) -> dict[str, int]:
        """The kernel's counters of IP and TCP, as nstat names them: "TcpInSegs"."""
        found: dict[str, int] = {}
        for file in ("snmp", "netstat"):
            lines = Path(f"/proc/{self.pid(name)}/net/{file}").read_text().splitlines()
            for names, numbers in zip(lines[::2], lines[1::2], strict=True):
                prefix, *fields = names.split()
                values = map(int, numbers.split()[1:])
                found |= {prefix[:-1] + f: v for f, v in zip(fields, values, strict=True)}
        return found

    def _config(self, host: str, peer: str) -> dict:
        ports = [_FIRST_SOURCE_PORT] if self._scheme.leaf else self._source_ports(host, peer)
        shares = weights() if self._scheme.weighted else [1] * len(ports)
        paths = [{"sourcePort": p, "weight": w} for p, w in zip(ports, shares, strict=True)]
        return {
            "device": "e0",
            "address": outer(host),
            "source": inner(host),
            "vni": 7,
            "port": OVERLAY_PORT,
            "rttUs": RTT_US,
            "gapUs": GAP_US,
            "metricAgeUs": self._tuning.metric_age_us,
            "intflow": _INTFLOW | {"settleUs": self._tuning.settle_us},
            "peers": [
                {
                    "address": outer(peer),
                    "prefixes": [f"10.77.{peer[1:]}.0/24"],
                    "scheme": self._scheme.edge,
                    "paths": paths,
                }
            ],
        }

    def _source_ports(self, host: str, peer: str) -> list[int]:
        """For each spine a source port that leads through it."""
        candidates = range(_FIRST_SOURCE_PORT, _FIRST_SOURCE_PORT + _PORT_TRIES)
        by_spine = self.ports_by_link(leaf_of(host), host, outer(host), outer(peer), candidates)
        if len(by_spine) < SPINES:
            raise EdgeError(f"{_PORT_TRIES} source ports lead to {sorted(by_spine)} only")
        return [by_spine[spine + 1][0] for spine in range(SPINES)]

    def _wire(self) -> None:
        for host in (*SERVERS, *CLIENTS):
            self._add_host(host)
        for leaf in (1, 2):
            self._route(f"l{leaf}")
            for spine in range(1, SPINES + 1):
                net = f"10.{leaf}.{spine}"
                self._join(f"l{leaf}", f"p{spine}", f"{net}.1", f"s{spine}", f"p{leaf}", f"{net}.2")
                for name, device in ((f"l{leaf}", f"p{spine}"), (f"s{spine}", f"p{leaf}")):
                    self._add_switch_programs(name, device)
                    self._set_rate(name, device, LINK_BPS, "add")
        for leaf, hosts in ((1, CLIENTS), (2, SERVERS)):
            hops = " ".join(f"nexthop via 10.{leaf}.{s + 1}.2" for s in range(SPINES))
            routes = "\n".join(f"route add 192.168.{host[1:]}.0/24 {hops}" for host in hosts)
            self.check(f"l{leaf}", "ip", "-batch", "-", text=routes)
        for spine in range(1, SPINES + 1):
            self._route(f"s{spine}")
            routes = "\n".join(
                f"route add 192.168.{host[1:]}.0/24 via 10.{leaf_of(host)[1]}.{spine}.1"
                for host in (*SERVERS, *CLIENTS)
            )
            self.check(f"s{spine}", "ip", "-batch", "-", text=routes)
        if self._scheme.leaf:
            self._add_leaves(self._scheme.leaf)
        self.degrade(*DEGRADED, DEGRADED_BPS)

    def _add_leaves(self, scheme: str) -> None:
        prefixes = [[f"192.168.{host[1:]}.0/24" for host in hosts] for hosts in (SERVERS, CLIENTS)]
        fabric = Fabric(scheme, GAP_US, _SLOWER, prefixes)
        for number, hosts in enumerate((SERVERS, CLIENTS)):
            uplinks = [
                Uplink(f"p{spine}", f"10.{number + 1}.{spine}.2", LINK_BPS)
                for spine in range(1, SPINES + 1)
            ]
            name = f"l{number + 1}"
            self._leaves[name] = Leaf(self, name, number, fabric, hosts, uplinks)

    def _add_host(self, host: str) -> None:
        gateway = f"192.168.{host[1:]}.254"
        self._join(host, "e0", outer(host), leaf_of(host), host, gateway)
        # A packet a segment: a larger one would be a burst of several milliseconds on these links.
        self.check(host, *["ip", "link", "set", "dev", "e0", "gso_max_segs", "1"])
        for subflow in range(_SUBFLOWS):
            self.check(host, *f"ip address add {inner(host, subflow)}/32 dev lo".split())
        self.check(host, *f"ip route add default via {gateway}".split())
        # Guests do not see marks of the underlay (Clove, section 4), and forget what they learned.
        tcp = ("net.ipv4.tcp_ecn=0", "net.ipv4.tcp_no_metrics_save=1")
        self.check(host, "sysctl", "-qw", *tcp)
        # From Linux 6.11 on.
        self.run(host, "sysctl", "-qw", f"net.ipv4.tcp_rto_min_us={_LEAST_RTO_US}")
        if self._scheme.multipath:
            self._use_subflows(host)
        for name, device in ((host, "e0"), (leaf_of(host), host)):
            self._shape(name, device, LINK_BPS, "add")

    def _use_subflows(self, host: str) -> None:
        """A client's connections open subflows from each of its addresses; a server takes them."""
        commands = [f"limits set subflows {_SUBFLOWS - 1} add_addr_accepted 0"]
        if host in CLIENTS:
            commands += [f"endpoint add {inner(host, i)} subflow" for i in range(1, _SUBFLOWS)]
        for command in commands:
            self.check(host, "ip", "mptcp", *command.split())

    def _route(self, name: str) -> None:
        """Makes a namespace a router that hashes ports."""
        switches = ("ip_forward=1", "fib_multipath_hash_policy=1")
        self.check(name, "sysctl", "-qw", *(f"net.ipv4.{switch}" for switch in switches))

    def _shape(self, name: str, device: str, bps: int, verb: str) -> None:
        bucket = f"rate {bps}bit burst {_BURST_BYTES} limit {BUFFER_BYTES}"
        self.check(name, *f"tc qdisc {verb} dev {device} root tbf {bucket}".split())

    def _add_switch_programs(self, name: str, device: str) -> None:
        self._marking[name, device] = self.add_port_program(name, device, "marking_queue.bpf.o")
        self._stamping[name, device] = self.add_port_program(name, device, "stamping_port.bpf.o")

    def _set_rate(self, name: str, device: str, bps: int, verb: str) -> None:
        """Of a switch port: of its bucket, of its marking, of its stamps and of its leaf's."""
        self._shape(name, device, bps, verb)
        self.set_port(name, self._marking[name, device], bps // 8, MARK_BYTES, BUFFER_BYTES)
        self.set_port(name, self._stamping[name, device], bps, _SLOWER, OVERLAY_PORT)
        if name in self._leaves:
            self._leaves[name].set_rate(device, bps)
