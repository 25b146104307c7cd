"""The verdict on a claim: the rule, in one place.

A claim is a set of figures: a single figure (from 1.8 to 1.8), a range (from 1.21 to 1.4), or all
figures above or below a bound (to infinity). A measurement is a 95 % confidence interval. If
schemes are compared, both are gains, ratio - 1: a claimed ratio near 1 is a claim of a small gain,
which a tenth of the ratio may cancel. The gain of a share is the share itself. A metric without a
comparison has no gain."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """The values are those of --json."""

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

# The text on every page with claims.
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
    """The closed interval from low to high; either may be infinite."""

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
    """Returns the verdict on claimed figures by the measured interval. measured: None if there is
    no interval. of_gain: whether both are gains, where 0 means no gain; otherwise they are values
    of a metric. A claim that ends at a gain of 0, such as "up to 50 %" or "better", does not
    include 0."""
    if measured is None:
        return Verdict.NOT_RESOLVED
    if of_gain and (claimed.low >= 0 or claimed.high <= 0) and claimed != Span(0, 0):
        return _of_a_gain(claimed, measured)
    if not measured.meets(claimed):
        return Verdict.DIFFERS
    is_figure = claimed.low == claimed.high and not of_gain
    return Verdict.HOLDS if is_figure or measured.is_within(claimed) else Verdict.NOT_RESOLVED


def _of_a_gain(claimed: Span, measured: Span) -> Verdict:
    """Returns the verdict on a claim that one scheme is better than another."""
    if claimed.low >= 0:
        reaches, has_sign = measured.high > 0, measured.low > 0
    else:
        reaches, has_sign = measured.low < 0, measured.high < 0
    if measured.meets(claimed) and reaches:
        is_kept = claimed.is_figures or measured.is_within(claimed)
        return Verdict.HOLDS if is_kept and 0 not in measured else Verdict.NOT_RESOLVED
    return Verdict.HOLDS_IN_DIRECTION if has_sign else Verdict.DIFFERS


def counts(verdicts: Iterable[Verdict]) -> dict[Verdict, int]:
    """Returns the number of each of the four verdicts."""
    found = Counter(verdicts)
    return {kind: found[kind] for kind in Verdict}


def around(value: float, ci95: float | None) -> Span | None:
    """Returns the interval with that mean and half width."""
    if ci95 is None or not math.isfinite(ci95):
        return None
    return Span(value - ci95, value + ci95)
