"""The fabrics of Figure 3.7 and the traffic over them (Tewari 2015, section 3.7.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import FIRST_SOURCE_PORT, Flow
from evenweave_topos.fabric_file import FabricSpec, clos

SWITCHES = 6
"""S1 switches, and S2 switches (K of the paper)."""

UPLINKS = (7, 8, 9)
"""Of each S1 switch (N of the paper): with 1, 2 and 3 S2 switches the first and the last S1 switch
are asymmetrically connected. The paper names K=6, N=9; the others are those with which "the number
of oversubscribed S2 switches" grows."""

_FIRST, _LAST = "s1-0", f"s1-{SWITCHES - 1}"
_PORT = 5002


def striping(uplinks: int) -> list[list[int]]:
    """Links between each S1 and each S2 switch by group striping, for one of the UPLINKS.

    Of K S2 switches N - K take two links of an S1 switch; groups of that many columns are given to
    the S1 switches in turn, as many to each group (section 3.4.2).
    """
    doubled = uplinks - SWITCHES
    per_group = doubled  # as many S1 switches as columns, or downlinks would differ
    return [
        [2 if s2 // doubled == s1 // per_group else 1 for s2 in range(SWITCHES)]
        for s1 in range(SWITCHES)
    ]


def ideal_rates(uplinks: int, weighted: bool) -> list[tuple[float, float]]:
    """One-to-one with perfect hashing: parts of the flows, and the rate of each in terms of what
    all would get if they shared the fabric evenly."""
    up, down = striping(uplinks)[0], striping(uplinks)[-1]
    paths = [min(a, b) for a, b in zip(up, down, strict=True)]
    parts = [(path if weighted else links) for path, links in zip(paths, up, strict=True)]
    flows, capacity = sum(parts), sum(paths)
    return [
        (part / flows, path / part * flows / capacity)
        for part, path in zip(parts, paths, strict=True)
    ]


@dataclass(frozen=True)
class OneToOne:
    """Each of nine hosts sends over parallel connections to a host of its own."""

    connections: int
    name: str = "one-to-one"
    # Six paths of 12 Mb/s are 18,000 packets a second through the switches, half a core.
    mbps: float = 12.0
    warm_up_s: float = 8.0
    hosts: int = 9

    def fabric(self, uplinks: int) -> FabricSpec:
        spec = clos(striping(uplinks))
        ends = [subnet for subnet in spec.subnets if subnet.switch in (_FIRST, _LAST)]
        return replace(spec, subnets=tuple(ends))

    def flows(self, fabric: Fabric) -> list[Flow]:
        pairs = list(zip(fabric.hosts_of(_FIRST), fabric.hosts_of(_LAST), strict=True))
        return _numbered(pairs * self.connections)


@dataclass(frozen=True)
class AllToAll:
    """Each of 30 hosts sends to each host of the other S1 switches."""

    connections: int = 1
    name: str = "all-to-all"
    # 54 links of 3 Mb/s are 40,000 packets a second through the switches, a core.
    mbps: float = 3.0
    # 200 packets in a queue take 0.8 s, and TCP some of those until flows share evenly.
    warm_up_s: float = 15.0
    hosts: int = 5

    def fabric(self, uplinks: int) -> FabricSpec:
        return clos(striping(uplinks))

    def flows(self, fabric: Fabric) -> list[Flow]:
        pairs = [
            (source, destination)
            for source in fabric.hosts
            for destination in fabric.hosts
            if source.switch != destination.switch
        ]
        return _numbered(pairs * self.connections)


TRAFFIC: dict[str, OneToOne | AllToAll] = {
    # The paper's, and eight times as many flows, which hashing spreads more evenly.
    "one-to-one-36": OneToOne(4),
    "one-to-one": OneToOne(32),
    "all-to-all": AllToAll(),
}


def _numbered(pairs: Sequence[tuple]) -> list[Flow]:
    return [
        Flow(source, destination, FIRST_SOURCE_PORT + number, _PORT)
        for number, (source, destination) in enumerate(pairs)
    ]
