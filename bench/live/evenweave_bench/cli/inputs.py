"""What the tools are given: groups as next hops of fabrics have them, and a large fabric."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from math import comb

_LINK_DOWN = 0.02
_LIMIT = "1.05"
_PORTS = (8, 16)
_LINKS = range(2, 9)
_BPS = 10**10
_MISSING = 2000
"""One in so many links of the fabric is missing, so that its weights are not all alike."""


def groups(count: int, seed: int) -> Iterator[str]:
    """JSON lines for `reduce`: ports with 2 to 8 parallel links each, in half of the groups with
    one more on some, each link down with a chance of 2 %."""
    chance = random.Random(seed)
    for _ in range(count):
        links = chance.choice(_LINKS)
        with_one_more = chance.choice((0, 0, 0.25, 0.5))
        weights, shares = zip(*_weights(links, with_one_more).items(), strict=True)
        ports = chance.choices(weights, shares, k=chance.choice(_PORTS))
        yield f'{{"weights":[{",".join(ports)}],"maxOversubscription":{_LIMIT}}}\n'


_known: dict[tuple[int, float], dict[str, float]] = {}


def _weights(links: int, with_one_more: float) -> dict[str, float]:
    """How likely a port has how many links up; it has at least one."""
    if (links, with_one_more) not in _known:
        shares: dict[str, float] = {}
        for wired, share in ((links, 1 - with_one_more), (links + 1, with_one_more)):
            for down in range(wired + 1):
                up = str(max(1, wired - down))
                likely = comb(wired, down) * _LINK_DOWN**down * (1 - _LINK_DOWN) ** (wired - down)
                shares[up] = shares.get(up, 0) + share * likely
        _known[links, with_one_more] = shares
    return _known[links, with_one_more]


def otherwise_written(line: str) -> str:
    """The same line, its limit with an exponent: only the general way through a tree reads that."""
    return line.replace(_LIMIT, _LIMIT + "e0")


def clos(leaves: int, spines: int, seed: int) -> str:
    """One JSON line for `weights`: all pairs of a fabric of two stages, with some links missing."""
    chance = random.Random(seed)
    links = [
        {"a": f"l{leaf}/{spine + 1}", "b": f"s{spine}/{leaf + 1}", "bps": _BPS}
        for leaf in range(leaves)
        for spine in range(spines)
        if chance.randrange(_MISSING)
    ]
    switches = [{"id": f"l{leaf}", "stage": 1} for leaf in range(leaves)]
    switches += [{"id": f"s{spine}", "stage": 2} for spine in range(spines)]
    subnets = [
        {"switch": f"l{leaf}", "prefix": f"10.{leaf // 256}.{leaf % 256}.0/24"}
        for leaf in range(leaves)
    ]
    return json.dumps({"fabric": {"switches": switches, "links": links, "subnets": subnets}}) + "\n"
