"""The effect of a failure in the middle of a run: on flows that arrived soon after it, and the time
in which the first leaf moved traffic off the links whose share was reduced."""

from __future__ import annotations

import statistics
from typing import Any

# As in the simulator (workload/result.h): intervals of a millisecond around the failure.
_BEFORE = 10

# The interval after the failure from which traffic counts as settled.
_SETTLED_FROM = 40

# If shares before the failure and in the end differ by less, no traffic was moved.
_LEAST_MOVED = 0.03


def metrics(failure: dict[str, Any]) -> dict[str, float]:
    """Returns `avgFct50ms` and `p99Fct50ms` of flows that arrived within 50 ms; the share of the
    links that lead to less capacity, before the failure (`shareBefore`), in the first 5 ms
    (`share5ms`) and in the end (`shareAfter`); and `settleMs`, the area between the share and its
    final value divided by its total change, which is the time constant of an exponential
    approach."""
    found: dict[str, float] = {}
    if failure["soon"]["count"]:
        found["avgFct50ms"] = failure["soon"]["meanNs"] / 1e6
        found["p99Fct50ms"] = failure["soon"]["p99Ns"] / 1e6
    shares = failure["bins"]
    after = shares[_BEFORE:]
    if len(after) <= _SETTLED_FROM or not all(after[_SETTLED_FROM:]):
        return found  # the run ended earlier
    before, end = statistics.fmean(shares[:_BEFORE]), statistics.fmean(after[_SETTLED_FROM:])
    found |= {
        "shareBefore": before,
        "share5ms": statistics.fmean(after[:5]),
        "shareAfter": end,
    }
    if before - end >= _LEAST_MOVED:
        area = sum(share - end for share in after[:_SETTLED_FROM])
        found["settleMs"] = area / (before - end)
    return found
