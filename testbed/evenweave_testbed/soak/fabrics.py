"""Random fabrics, small enough for two cores: parallel links, uneven striping, mixed rates."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evenweave_topos.fabric_file import FabricSpec, parse

RATES_BPS = (10_000_000_000, 10_000_000_000, 25_000_000_000, 40_000_000_000)
# Groups of 256 slots for four destinations fit into 1024 entries; 768 makes switches reduce some.
TABLES = (768, 1024, 2048)
# How often two switches of neighbouring stages are joined by no link, one, or two parallel links.
_PARALLEL_LINKS = (0, 1, 1, 1, 2, 2)
_THREE_STAGES = 0.35

Pair = tuple[str, str]


@dataclass(frozen=True)
class RandomFabric:
    """A fabric, the number of hosts under each of its S1 switches, and whether its links have a
    middle in which packets can be lost."""

    spec: FabricSpec
    hosts: int
    middles: bool = False

    def describe(self) -> str:
        stages = [switch.stage for switch in self.spec.switches]
        sizes = " x ".join(str(stages.count(stage)) for stage in sorted(set(stages)))
        links = f"{len(self.spec.links)} links"
        middles = ", links with a middle" if self.middles else ""
        return f"{sizes} switches, {links}, {self.hosts} hosts under each S1 switch{middles}"


def random_fabric(rng: random.Random) -> RandomFabric:
    """A fabric of two or three stages; every switch below the last stage has two uplinks or more,
    to two switches or more."""
    hosts = rng.choice((1, 2, 2))
    if rng.random() < _THREE_STAGES:
        return RandomFabric(_three_stages(rng), hosts)
    s1, s2 = rng.randint(3, 5), rng.randint(2, 4)
    return RandomFabric(_number(rng, [s1, s2], _stripe(rng, _ids(1, s1), _ids(2, s2))), hosts)


def _three_stages(rng: random.Random) -> FabricSpec:
    """Two pods of two S1 switches, each under two S2 switches of its own, under two S3 switches."""
    pairs: list[Pair] = []
    for pod in (0, 2):
        pairs += _stripe(rng, _ids(1, 2, pod), _ids(2, 2, pod))
    pairs += _stripe(rng, _ids(2, 4), _ids(3, 2))
    return _number(rng, [4, 4, 2], pairs)


def _ids(stage: int, count: int, first: int = 0) -> list[str]:
    return [f"s{stage}-{first + index}" for index in range(count)]


def _stripe(rng: random.Random, lower: Sequence[str], upper: Sequence[str]) -> list[Pair]:
    """Random numbers of links between any two switches; at least two neighbours above each lower
    switch, and one below each upper one."""
    counts = {(a, b): rng.choice(_PARALLEL_LINKS) for a in lower for b in upper}
    for a in lower:
        missing = [b for b in upper if not counts[a, b]]
        rng.shuffle(missing)
        while len(upper) - len(missing) < 2:
            counts[a, missing.pop()] = 1
    for b in upper:
        if not any(counts[a, b] for a in lower):
            counts[rng.choice(lower), b] = 1
    return [pair for pair, count in counts.items() for _ in range(count)]


def _number(rng: random.Random, sizes: Sequence[int], pairs: Iterable[Pair]) -> FabricSpec:
    """Ports in random order, so that parallel links are not always neighbours."""
    shuffled = list(pairs)
    rng.shuffle(shuffled)
    next_port: dict[str, int] = {}

    def end(switch: str) -> str:
        next_port[switch] = next_port.get(switch, 0) + 1
        return f"{switch}/{next_port[switch]}"

    table = rng.choice(TABLES)
    return parse(
        {
            "switches": [
                {"id": switch, "stage": stage, "table": table}
                for stage, size in enumerate(sizes, 1)
                for switch in _ids(stage, size)
            ],
            "links": [
                {"a": end(a), "b": end(b), "bps": rng.choice(RATES_BPS)} for a, b in shuffled
            ],
            "subnets": [
                {"switch": switch, "prefix": f"10.0.{index}.0/24"}
                for index, switch in enumerate(_ids(1, sizes[0]))
            ],
        }
    )
