"""The few statistics that reports need, with their definitions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Spread:
    """How evenly flows share: `jain` is Jain's fairness index, `cov` the coefficient of variation.

    fifth_percentile = the smallest value that at least one in twenty of the values does not exceed.
    cov = (population standard deviation) / mean, 0 when all are equal.
    jain = (sum x)^2 / (n * sum x^2) = 1 / (1 + cov^2), 1 when all are equal, 1/n when one has all
    (Jain, Chiu, Hawe 1984, "A quantitative measure of fairness").
    """

    mean: float
    minimum: float
    fifth_percentile: float
    cov: float
    jain: float


def spread_of(values: Sequence[float]) -> Spread:
    """Spread of at least one value, none negative, not all 0."""
    if not values or min(values) < 0 or not any(values):
        raise ValueError("a spread needs values, none negative and not all 0")
    mean = math.fsum(values) / len(values)
    variance = math.fsum((value - mean) ** 2 for value in values) / len(values)
    squares = math.fsum(value * value for value in values)
    jain = math.fsum(values) ** 2 / (len(values) * squares)
    ascending = sorted(values)
    fifth_percentile = ascending[math.ceil(len(ascending) / 20) - 1]
    return Spread(mean, ascending[0], fifth_percentile, math.sqrt(variance) / mean, jain)


def share_standard_error(share: float, flows: int) -> float:
    """Standard error of a measured share when each of `flows` flows takes a port independently
    with probability `share` (binomial): sqrt(share * (1 - share) / flows)."""
    return math.sqrt(share * (1 - share) / flows)


def within_standard_errors(
    measured: float, expected: float, flows: int, errors: float = 3.0
) -> bool:
    """Whether a measured share is within `errors` standard errors of the expected one.

    Three leave a right share a chance of 0.3 % to fail. A share of 0 or 1 must be met exactly.
    """
    return abs(measured - expected) <= errors * share_standard_error(expected, flows)


def nearest_rank(values: Sequence[float], percent: float) -> float:
    """A percentile: the smallest value that at least `percent` % of the values do not exceed;
    percent in (0, 100]. ValueError if there are none."""
    if not values or not 0 < percent <= 100:
        raise ValueError("a percentile needs values, and a share of them above 0 and up to 100 %")
    return sorted(values)[math.ceil(len(values) * percent / 100) - 1]
