"""What long flows would get under ECMP and WCMP if TCP were perfectly fair; prints a table of
wcmp.md.

usage: wcmp_shares.py

Draws the links that flows take, by hash or dealt in turn (perfect hashing), and shares those links
max-min fairly: each flow gets an equal share of its bottleneck. No packets, no queues, no time;
the remaining difference between ECMP and WCMP is due to weights and draws. Fabrics are
those of sim/fabrics; an uplink to an S2 switch with `up` links from the source and `down` to the
destination weighs min(up, down) / up, as WCMP has it.
"""

from __future__ import annotations

import json
import random
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path

FABRICS = Path(__file__).resolve().parents[2] / "sim" / "fabrics"

Link = tuple[str, int, int, int]
Pairs = list[tuple[int, int]]


def max_min(flows: Sequence[Sequence[Link]], capacity: dict[Link, float]) -> list[float]:
    """Each flow's rate; flows are the links that they take."""
    on: dict[Link, set[int]] = {}
    for number, links in enumerate(flows):
        for link in links:
            on.setdefault(link, set()).add(number)
    left = dict(capacity)
    rates = [0.0] * len(flows)
    while on:
        tightest = min(on, key=lambda link: left[link] / len(on[link]))
        share = left[tightest] / len(on[tightest])
        for number in list(on[tightest]):
            rates[number] = share
            for link in flows[number]:
                left[link] -= share
                on[link].discard(number)
                if not on[link]:
                    del on[link]
    return rates


class Draws:
    """Where flows go, by a hash, or so that each way has its share to within one flow."""

    def __init__(self, source: random.Random, perfect: bool) -> None:
        self._random, self._perfect = source, perfect
        self._flows: dict[tuple[int, ...], list[int]] = {}

    def draw(self, table: tuple[int, ...], weights: Sequence[float]) -> int:
        if not self._perfect:
            return self._random.choices(range(len(weights)), weights)[0]
        flows = self._flows.setdefault(table, [0] * len(weights))
        filled = [round((n + 1) / w, 6) for n, w in zip(flows, weights, strict=True)]
        least = [way for way, n in enumerate(filled) if n == min(filled)]
        way = self._random.choice(least)
        flows[way] += 1
        return way


def rates(
    striping: list[list[int]], hosts: int, nic: float, pairs: Pairs, weighted: bool, draws: Draws
) -> list[float]:
    """hosts: of each S1 switch. nic: a host's link, where one between switches has 1."""
    flows: list[list[Link]] = []
    capacity: dict[Link, float] = {}
    for source, destination in pairs:
        up, down = striping[source // hosts], striping[destination // hosts]
        uplinks = [(s2, i) for s2, links in enumerate(up) for i in range(links)]
        weights = [min(up[s2], down[s2]) / up[s2] if weighted else 1.0 for s2, _ in uplinks]
        s1, last = source // hosts, destination // hosts
        s2, i = uplinks[draws.draw((1, s1, last), weights)]
        j = draws.draw((2, s2, last), [1.0] * down[s2])
        nics: list[Link] = [("from", source, 0, 0), ("to", destination, 0, 0)]
        between: list[Link] = [("up", s1, s2, i), ("down", last, s2, j)]
        capacity |= dict.fromkeys(nics, nic) | dict.fromkeys(between, 1.0)
        flows.append(nics + between)
    return max_min(flows, capacity)


def one_to_one(leaves: int, hosts: int, _draws: random.Random) -> Pairs:
    return [(i, (leaves - 1) * hosts + i) for i in range(hosts)] * 4


def all_to_all(leaves: int, hosts: int, _draws: random.Random) -> Pairs:
    every = range(leaves * hosts)
    return [(a, b) for a in every for b in every if a // hosts != b // hosts]


def permutation(leaves: int, hosts: int, draws: random.Random) -> Pairs:
    to = list(range(leaves * hosts))
    draws.shuffle(to)
    for a in range(len(to)):
        while to[a] // hosts == a // hosts:
            b = draws.randrange(len(to))
            if to[b] // hosts != a // hosts and to[a] // hosts != b // hosts:
                to[a], to[b] = to[b], to[a]
    return list(enumerate(to))


def main() -> None:
    print(
        "| figure | uplinks | flows | hashing | CoV: ECMP | WCMP | variance, ECMP / WCMP |", end=""
    )
    print(" least over mean: ECMP | WCMP |")
    print("|---|--:|--:|---|--:|--:|--:|--:|--:|")
    for uplinks in (7, 8, 9):
        _rows("3.8a, b", f"group-6x6-{uplinks}", uplinks, 9, 1.0, one_to_one, 400)
    for uplinks in (7, 8, 9):
        _rows("3.8c", f"group-6x6-{uplinks}", uplinks, 5, 2.0, all_to_all, 5)
    _rows("3.11, TCP", "group-8x8-12", 12, 12, 1.0, permutation, 100)
    _rows("3.13", "group-19x57-96", 96, 96, 1.0, permutation, 2)


def _rows(
    figure: str,
    fabric: str,
    uplinks: int,
    hosts: int,
    nic: float,
    traffic: Callable[[int, int, random.Random], Pairs],
    repeats: int,
) -> None:
    striping = json.loads((FABRICS / f"{fabric}.json").read_text())["striping"]
    for perfect in (False, True):
        covs: dict[bool, list[float]] = {False: [], True: []}
        least: dict[bool, list[float]] = {False: [], True: []}
        count = 0
        for seed in range(repeats):
            source = random.Random(seed)
            pairs = traffic(len(striping), hosts, source)
            for weighted in (False, True):
                got = rates(striping, hosts, nic, pairs, weighted, Draws(source, perfect))
                mean, count = statistics.fmean(got), len(got)
                covs[weighted].append(statistics.pstdev(got) / mean)
                least[weighted].append(min(got) / mean)
        ecmp, wcmp = (statistics.fmean(covs[weighted]) for weighted in (False, True))
        ratio = f"{(ecmp / wcmp) ** 2:.1f}" if wcmp > 1e-6 else "-"
        cells = [figure, str(uplinks), str(count), "perfect" if perfect else "by hash"]
        cells += [f"{ecmp:.2f}", f"{wcmp:.2f}", ratio]
        cells += [f"{statistics.fmean(least[weighted]):.2f}" for weighted in (False, True)]
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
