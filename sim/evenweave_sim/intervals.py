"""Confidence intervals."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from functools import cache

_CONFIDENCE = 0.95


def interval95(values: Sequence[float]) -> float | None:
    """Returns half the width of the mean's 95 % confidence interval by Student's t; None for fewer
    than two values."""
    if len(values) < 2:
        return None
    return student95(len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))


@cache
def student95(freedom: int) -> float:
    """Returns Student's t, two-sided 95 %, for degrees of freedom of at least 1, by bisection of
    its distribution."""
    low, high = 0.0, math.pi / 2
    while (middle := (low + high) / 2) not in (low, high):
        if _within(middle, freedom) < _CONFIDENCE:
            low = middle
        else:
            high = middle
    return math.sqrt(freedom) * math.tan(low)


def _within(angle: float, freedom: int) -> float:
    """Returns the probability that |T| <= sqrt(freedom) tan(angle): a finite sum for integer
    degrees of freedom (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and
    26.7.4)."""
    sine, cosine = math.sin(angle), math.cos(angle)
    is_odd = freedom % 2 == 1
    term, total = (cosine, 0.0) if is_odd else (1.0, 0.0)
    for i in range(2 if is_odd else 1, freedom, 2):
        total += term
        term *= cosine * cosine * i / (i + 1)
    return 2 / math.pi * (angle + sine * total) if is_odd else sine * total
