"""What a failure in the middle of a run did: to flows that arrived soon after it, and how long the
first leaf took to move traffic off the links that carry less now."""

from __future__ import annotations

import statistics
from typing import Any

# As the simulator has it (workload/run.h): intervals of a millisecond around the failure.
_BEFORE = 10

# Over what part of the time after the failure traffic counts as settled.
_SETTLED_FROM = 40

# Where shares differ by less before the failure and in the end, nothing was moved.
_LEAST_MOVED = 0.03


def metrics(failure: dict[str, Any]) -> dict[str, float]:
    """`avgFct50ms` and `p99Fct50ms` of flows that arrived within 50 ms; the share that the links
    with less capacity behind them got, `shareBefore`, in the first 5 ms (`share5ms`) and in the
    end (`shareAfter`); and `settleMs`, the area between the share's course and its end, over what
    it moved by: of an exponential approach the time constant."""
    found: dict[str, float] = {}
    if failure["soon"]["count"]:
        found["avgFct50ms"] = failure["soon"]["meanNs"] / 1e6
        found["p99Fct50ms"] = failure["soon"]["p99Ns"] / 1e6
    shares = failure["bins"]
    after = shares[_BEFORE:]
    if len(after) <= _SETTLED_FROM or not all(after[_SETTLED_FROM:]):
        return found  # the run was over before
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
