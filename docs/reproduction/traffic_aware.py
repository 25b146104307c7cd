#!/usr/bin/python3
"""Measures traffic-aware weights against WCMP and ECMP; prints the tables of traffic-aware.md.

usage: traffic_aware.py
"""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Iterator
from itertools import combinations, permutations
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINK_BPS = 10_000_000_000

# What every switch with hosts sends, over all destinations together.
SENT_BPS = 10_000_000_000

OPTIONS = {
    "hedged": {},
    "hedged, longer": {"maxStretch": 2},
    "trusting": {"hedge": 0, "slack": 0, "maxSkew": 1e9},
    "trusting, longer": {"hedge": 0, "slack": 0, "maxSkew": 1e9, "maxStretch": 2},
}

Matrix = dict[tuple[str, str], int]


def fabric(pairs: list[tuple[str, str]], hosts: list[str]) -> dict:
    """A fabric of links between pairs of switches, with a subnet on each switch with hosts."""
    ports: dict[str, int] = {}

    def end(switch: str) -> str:
        ports[switch] = ports.get(switch, 0) + 1
        return f"{switch}/{ports[switch]}"

    links = [{"a": end(a), "b": end(b), "bps": LINK_BPS} for a, b in pairs]
    return {
        "switches": [{"id": name, "stage": 1} for name in ports],
        "links": links,
        "subnets": [{"switch": s, "prefix": f"10.0.{i}.0/24"} for i, s in enumerate(hosts)],
    }


def fat_tree_with_failures() -> dict:
    """k = 4, less two links from edge to aggregation and two from aggregation to core switches."""
    edges = [f"edge-{pod}-{i}" for pod in range(4) for i in range(2)]
    pairs = [(e, f"agg-{e[5]}-{j}") for e in edges for j in range(2)]
    pairs += [(f"agg-{p}-{c // 2}", f"core-{c}") for p in range(4) for c in range(4)]
    for failed in [
        ("edge-0-0", "agg-0-0"),
        ("edge-2-1", "agg-2-1"),
        ("agg-1-0", "core-0"),
        ("agg-3-1", "core-3"),
    ]:
        pairs.remove(failed)
    return fabric(pairs, edges)


def jellyfish() -> dict:
    """A random 4-regular graph of 16 switches: free ports shuffled until no two links are alike."""
    rng = random.Random(1)
    names = [f"s{i}" for i in range(16)]
    while True:
        stubs = names * 4
        rng.shuffle(stubs)
        pairs = [tuple(sorted(stubs[i : i + 2])) for i in range(0, len(stubs), 2)]
        if len(set(pairs)) == len(pairs) and all(a != b for a, b in pairs):
            return fabric(pairs, names)


def hyperx() -> dict:
    """4 x 4 switches, each joined to all others of its row and column."""
    places = [(x, y) for x in range(4) for y in range(4)]
    pairs = [
        (f"s{a[0]}{a[1]}", f"s{b[0]}{b[1]}")
        for a, b in combinations(places, 2)
        if a[0] == b[0] or a[1] == b[1]
    ]
    return fabric(pairs, [f"s{x}{y}" for x, y in places])


FABRICS = {
    "imbalanced 3x3": json.loads((ROOT / "mininet-topos/fabrics/imbalanced_3x3.json").read_text()),
    "fat-tree k=4, 4 links down": fat_tree_with_failures(),
    "Jellyfish 16 x 4": jellyfish(),
    "HyperX 4 x 4": hyperx(),
}


def hosts_of(network: dict) -> list[str]:
    return [subnet["switch"] for subnet in network["subnets"]]


def uniform(network: dict) -> Matrix:
    hosts = hosts_of(network)
    return {pair: SENT_BPS // (len(hosts) - 1) for pair in permutations(hosts, 2)}


def hot_spot(network: dict, seed: int = 1) -> Matrix:
    """Half of what each switch sends goes to all; the other half of a third of them to one."""
    hosts = hosts_of(network)
    rng = random.Random(seed)
    hot = rng.choice(hosts)
    senders = rng.sample([h for h in hosts if h != hot], max(2, len(hosts) // 3))
    matrix = {pair: bps // 2 for pair, bps in uniform(network).items()}
    for sender in senders:
        matrix[sender, hot] += SENT_BPS // 2
    return matrix


def permutation(network: dict) -> Matrix:
    hosts = hosts_of(network)
    shuffled = hosts.copy()
    random.Random(1).shuffle(shuffled)
    return dict.fromkeys(zip(shuffled, shuffled[1:] + shuffled[:1], strict=True), SENT_BPS)


def off_by_half(matrix: Matrix) -> Matrix:
    """Every demand is off by up to 50 %."""
    rng = random.Random(2)
    return {pair: int(bps * rng.uniform(0.5, 1.5)) for pair, bps in matrix.items()}


MATRICES = {"uniform": uniform, "hot spot": hot_spot, "permutation": permutation}


def demands(matrix: Matrix) -> list[dict]:
    return [{"from": a, "to": b, "bps": bps} for (a, b), bps in matrix.items()]


def ask(lines: list[dict]) -> Iterator[dict]:
    done = subprocess.run(
        [ROOT / "evenweave", "weights"],
        input="".join(json.dumps(line) + "\n" for line in lines),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return map(json.loads, done.stdout.splitlines())


def by_rule(report: list[dict]) -> dict[str, dict]:
    return {row["rule"]: row for row in report}


def print_table(heads: list[str], rows: list[list[str]]) -> None:
    print("| " + " | ".join(heads) + " |")
    print("|--" * 2 + "|--:" * (len(heads) - 2) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


def right_matrix() -> None:
    cases = [(f, m) for f in FABRICS for m in MATRICES]
    lines = []
    for name, matrix in cases:
        network = FABRICS[name]
        traffic = {"fabric": network, "traffic": demands(MATRICES[matrix](network))}
        lines += [{**traffic, **options} for options in OPTIONS.values()]
        lines.append({**traffic, "rule": "pair"})
    answers = ask(lines)
    utilisation, stretch = [], []
    for name, matrix in cases:
        reports = [by_rule(next(answers)["report"]) for _ in OPTIONS]
        pair = by_rule(next(answers)["report"])["pair"]
        reference = reports[0]
        lost = {row["lostBps"] for report in reports for row in report.values()}
        own = [report["traffic"] for report in reports]
        shown = [reference["ecmp"], reference["wcmp"], *own, pair]
        utilisation.append(
            [name, matrix, *(f"{row['maxUtilisation']:.3f}" for row in shown), f"{max(lost):.0f}"]
        )
        assert all(row["maxStretch"] == 1 for row in shown if row not in (own[1], own[3]))
        stretch.append(
            [name, matrix]
            + [f"{row['meanStretch']:.3f} / {row['maxStretch']:.2f}" for row in (own[1], own[3])]
        )
    heads = ["fabric", "matrix", "ECMP", "WCMP", *OPTIONS, "max-flow pairs", "lost b/s"]
    print("### Maximum link utilisation\n")
    print_table(heads, utilisation)
    print("\n### Stretch, mean / max; 1 / 1 in all other columns\n")
    print_table(["fabric", "matrix", "hedged, longer", "trusting, longer"], stretch)


def wrong_matrix() -> None:
    comings = {
        "as planned": hot_spot,
        "off by up to 50 %": lambda network: off_by_half(hot_spot(network)),
        "hot spot elsewhere": lambda network: hot_spot(network, seed=7),
        "permutation": permutation,
    }
    cases = [(f, c) for f in FABRICS for c in comings]
    lines = []
    for name, coming in cases:
        network = FABRICS[name]
        planned, actual = demands(hot_spot(network)), demands(comings[coming](network))
        lines += [
            {"fabric": network, "traffic": planned, "actual": actual, **options}
            for options in OPTIONS.values()
        ]
    answers = ask(lines)
    rows = []
    for name, coming in cases:
        reports = [by_rule(next(answers)["actualReport"]) for _ in OPTIONS]
        wcmp = reports[0]["wcmp"]["maxUtilisation"]
        ratios = [report["traffic"]["maxUtilisation"] / wcmp for report in reports]
        shown = [f"**{ratio:.3f}**" if ratio > 1.0005 else f"{ratio:.3f}" for ratio in ratios]
        rows.append([name, coming, f"{wcmp:.3f}", *shown])
    print("\n### Planned for the hot spot: maximum link utilisation over WCMP's\n")
    print_table(["fabric", "what comes", "WCMP", *OPTIONS], rows)


if __name__ == "__main__":
    right_matrix()
    wrong_matrix()
