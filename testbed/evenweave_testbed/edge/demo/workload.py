"""What the clients ask for, and when: the same for every scheme, drawn from a seed.

Flows arrive as a Poisson process whose mean rate is the load's share of the bisection, with sizes
of the web search workload, scaled, as in the papers' experiments and in `./evenweave sim`.
"""

from __future__ import annotations

import bisect
import csv
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

# The simulator has the distributions; there is no second copy of them.
WEB_SEARCH = Path(__file__).resolve().parents[4] / "sim" / "workloads" / "web_search.csv"
# Of an overlay's host, below those that Linux takes for its own connections.
_FIRST_PORT, _LAST_PORT = 10_000, 32_000


class Sizes:
    """An empirical distribution: points (bytes, probability of at most so many), linear between."""

    def __init__(self, points: Sequence[tuple[float, float]]) -> None:
        pairs = list(pairwise(points))
        rise = all(a[0] < b[0] and a[1] <= b[1] for a, b in pairs)
        if not pairs or not rise or points[0][0] < 0 or points[-1][1] != 1:
            raise ValueError("sizes and their probabilities must rise, the last of them to 1")
        self._bytes = [point[0] for point in points]
        self._probabilities = [point[1] for point in points]

    @classmethod
    def read(cls, path: Path, scale: float = 1.0) -> Sizes:
        """Of a file of the simulator's workloads, each size times `scale`."""
        with path.open(newline="") as file:
            rows = csv.DictReader(line for line in file if not line.startswith("#"))
            return cls([(float(row["bytes"]) * scale, float(row["cdf"])) for row in rows])

    def draw(self, uniform: float) -> int:
        """The size for a number in [0, 1); at least a byte."""
        last = len(self._bytes) - 1
        above = bisect.bisect_right(self._probabilities, uniform, 1, last)
        low, high = self._probabilities[above - 1], self._probabilities[above]
        share = (uniform - low) / (high - low) if high > low else 0.0
        share = min(max(share, 0.0), 1.0)
        start = self._bytes[above - 1]
        return max(1, round(start + share * (self._bytes[above] - start)))

    def mean(self) -> float:
        points = list(zip(self._bytes, self._probabilities, strict=True))
        least = points[0][0] * points[0][1]
        return least + sum((b[1] - a[1]) * (a[0] + b[0]) / 2 for a, b in pairwise(points))


@dataclass(frozen=True)
class Request:
    """A client's connection, with one answer of `size` bytes. Its source port is fixed, so that
    what hashes five-tuples hashes the same ones under each scheme."""

    at_s: float
    client: int
    size: int
    source_port: int


@dataclass(frozen=True)
class Workload:
    """`servers[c]` is the server of client c: a permutation, since of two clients at one server
    neither could have its load. `requests` are in the order of their arrivals."""

    servers: tuple[int, ...]
    requests: tuple[Request, ...]

    @property
    def total_bytes(self) -> int:
        return sum(request.size for request in self.requests)


def draw(
    seed: int, load: float, bisection_bps: float, seconds: float, clients: int, sizes: Sizes
) -> Workload:
    """The workload of a seed: arrivals for `seconds`, at `clients` clients alike."""
    chance = random.Random(seed)
    servers = list(range(clients))
    chance.shuffle(servers)
    mean_gap_s = 8 * sizes.mean() / (load * bisection_bps)
    ports = [_FIRST_PORT] * clients
    requests: list[Request] = []
    at_s = -math.log1p(-chance.random()) * mean_gap_s
    while at_s < seconds:
        client = int(chance.random() * clients)
        requests.append(Request(at_s, client, sizes.draw(chance.random()), ports[client]))
        ports[client] = _FIRST_PORT if ports[client] == _LAST_PORT else ports[client] + 1
        at_s -= math.log1p(-chance.random()) * mean_gap_s
    return Workload(tuple(servers), tuple(requests))
