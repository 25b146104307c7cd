"""Confidence intervals."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

# Student's t, two-sided 95 %, by degrees of freedom; beyond, the normal distribution's.
_T95 = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262]
_NORMAL95 = 1.96


def interval95(values: Sequence[float]) -> float | None:
    """Half the width of the mean's 95 % confidence interval; none of fewer than two values."""
    if len(values) < 2:
        return None
    freedom = len(values) - 1
    t = _T95[freedom - 1] if freedom <= len(_T95) else _NORMAL95
    return t * statistics.stdev(values) / math.sqrt(len(values))
