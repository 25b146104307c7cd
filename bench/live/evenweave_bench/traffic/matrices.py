"""The traffic matrices of docs/reproduction/traffic-aware.md on the imbalanced 3x3 fabric."""

from __future__ import annotations

from itertools import permutations

Matrix = dict[tuple[str, str], int]
"""What the hosts of a switch send to those of another, in bits per second."""

EDGES = ("s1-0", "s1-1", "s1-2")

_UNIFORM: Matrix = dict.fromkeys(permutations(EDGES, 2), 5_000_000_000)
_HOT_SPOT: Matrix = {pair: bps // 2 for pair, bps in _UNIFORM.items()}
for _sender in ("s1-1", "s1-2"):
    _HOT_SPOT[_sender, "s1-0"] += 5_000_000_000

MATRICES: dict[str, Matrix] = {
    "uniform": _UNIFORM,
    "hot-spot": _HOT_SPOT,
    "permutation": dict.fromkeys(
        [("s1-1", "s1-2"), ("s1-2", "s1-0"), ("s1-0", "s1-1")], 10_000_000_000
    ),
}

UNIT_BPS = 2_500_000_000
"""Divides every demand."""


def demands(matrix: Matrix) -> list[dict]:
    """As the tool `weights` takes them."""
    return [{"from": a, "to": b, "bps": bps} for (a, b), bps in matrix.items()]
