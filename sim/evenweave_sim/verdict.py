"""The verdict on a claim: the rule, in one place.

What is claimed is a set of figures: one figure (from 1.8 to 1.8), a range (from 1.21 to 1.4), or
all above or below a bound (to infinity). What was measured is a 95 % confidence interval. Both are
gains, ratio - 1, where schemes are compared: a claim of a ratio near 1 is a claim of a small gain,
and a tenth of the ratio may be all of it. Of a share the gain is the share itself. A metric that is
compared with nothing has no gain.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """As --json has it."""

    HOLDS = "holds"
    HOLDS_IN_DIRECTION = "holdsInDirection"
    NOT_RESOLVED = "notResolved"
    DIFFERS = "differs"

    @property
    def words(self) -> str:
        return _WORDS[self]


_WORDS = {
    Verdict.HOLDS: "holds",
    Verdict.HOLDS_IN_DIRECTION: "holds in direction",
    Verdict.NOT_RESOLVED: "not resolved",
    Verdict.DIFFERS: "differs",
}

# On every page with claims.
RULE = """\
A claim is judged by the 95 % interval of the measurement (Student's t over the seeds), and by
gains, ratio - 1. Ratios are computed seed by seed, because all schemes have the same flows.

- It *holds* if the interval contains the claimed figure, or a figure of the claimed range, and not
  "no gain".
- It *holds in direction* if the interval contains neither and the gain has the claimed sign.
- It is *not resolved* if the interval contains both, or if there is no interval.
- Otherwise it *differs*.

A claim of similarity ("similar" means 0.95 to 1.05), or of a bound ("better", "more than 25 %"),
holds if the whole interval satisfies it, and is not resolved if only a part does. A figure of a
metric itself holds if the interval contains it."""


@dataclass(frozen=True)
class Span:
    """Numbers from low to high, both of them included; either may be infinite."""

    low: float
    high: float

    def __contains__(self, number: float) -> bool:
        return self.low <= number <= self.high

    @property
    def is_figures(self) -> bool:
        """Whether it is a figure or a range, not a bound."""
        return math.isfinite(self.low) and math.isfinite(self.high)

    def meets(self, other: Span) -> bool:
        return self.low <= other.high and other.low <= self.high

    def is_within(self, other: Span) -> bool:
        return other.low <= self.low and self.high <= other.high


def verdict(claimed: Span, measured: Span | None, of_gain: bool) -> Verdict:
    """The verdict on claimed figures by the measured interval; measured: None if there is no
    interval. of_gain: whether both are gains, of which 0 is none; else they are values of a metric.
    A claim that ends at a gain of 0, such as "up to 50 %" or "better", does not include 0."""
    if measured is None:
        return Verdict.NOT_RESOLVED
    if of_gain and (claimed.low >= 0 or claimed.high <= 0) and claimed != Span(0, 0):
        return _of_a_gain(claimed, measured)
    if not measured.meets(claimed):
        return Verdict.DIFFERS
    is_figure = claimed.low == claimed.high and not of_gain
    return Verdict.HOLDS if is_figure or measured.is_within(claimed) else Verdict.NOT_RESOLVED


def _of_a_gain(claimed: Span, measured: Span) -> Verdict:
    """Of claims that one scheme is ahead of another."""
    if claimed.low >= 0:
        reaches, has_sign = measured.high > 0, measured.low > 0
    else:
        reaches, has_sign = measured.low < 0, measured.high < 0
    if measured.meets(claimed) and reaches:
        is_kept = claimed.is_figures or measured.is_within(claimed)
        return Verdict.HOLDS if is_kept and 0 not in measured else Verdict.NOT_RESOLVED
    return Verdict.HOLDS_IN_DIRECTION if has_sign else Verdict.DIFFERS


def counts(verdicts: Iterable[Verdict]) -> dict[Verdict, int]:
    """How many there are of each of the four."""
    found = Counter(verdicts)
    return {kind: found[kind] for kind in Verdict}


def around(value: float, ci95: float | None) -> Span | None:
    """The interval of that mean and half width."""
    if ci95 is None or not math.isfinite(ci95):
        return None
    return Span(value - ci95, value + ci95)
