"""The rule by which a claim holds, holds in direction, is not resolved or differs."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenweave_sim.verdict import Span, Verdict, around, counts, verdict

HOLDS, IN_DIRECTION = Verdict.HOLDS, Verdict.HOLDS_IN_DIRECTION
NOT_RESOLVED, DIFFERS = Verdict.NOT_RESOLVED, Verdict.DIFFERS


def of_ratio(claimed: tuple[float, float], mean: float, ci95: float | None) -> Verdict:
    measured = None if ci95 is None else Span(mean - 1 - ci95, mean - 1 + ci95)
    return verdict(Span(claimed[0] - 1, claimed[1] - 1), measured, of_gain=True)


@pytest.mark.parametrize(
    ("claimed", "mean", "ci95", "expected"),
    [
        ((1.1, 1.1), 1.12, 0.04, HOLDS),
        # A tenth of the ratio cancels the whole gain.
        ((1.1, 1.1), 1.02, 0.01, IN_DIRECTION),
        ((1.1, 1.1), 1.02, 0.03, DIFFERS),
        ((1.1, 1.1), 1.05, 0.07, NOT_RESOLVED),
        ((1.1, 1.1), 0.95, 0.01, DIFFERS),
        ((1.1, 1.1), 1.3, 0.1, IN_DIRECTION),
        ((1.1, 1.1), 1.1, None, NOT_RESOLVED),
        # For a ratio below 1 the claimed gain is negative.
        ((0.6, 0.6), 0.62, 0.05, HOLDS),
        ((0.6, 0.6), 0.8, 0.05, IN_DIRECTION),
        ((0.6, 0.6), 0.8, 0.5, NOT_RESOLVED),
        ((0.6, 0.6), 1.4, 0.1, DIFFERS),
        # A range is a single claim.
        ((1.21, 1.4), 1.3, 0.05, HOLDS),
        ((1.21, 1.4), 1.15, 0.1, HOLDS),
        ((1.21, 1.4), 1.7, 0.1, IN_DIRECTION),
        ((1.21, 1.4), 1.3, 0.4, NOT_RESOLVED),
        ((1.21, 1.4), 0.98, 0.05, DIFFERS),
        # "Up to 50 %" excludes no gain.
        ((1, 1.5), 1.2, 0.1, HOLDS),
        ((1, 1.5), 1.2, 0.2, NOT_RESOLVED),
        ((1, 1.5), 0.8, 0.1, DIFFERS),
        # An order has no figure, so it cannot hold in direction.
        ((1, math.inf), 1.2, 0.1, HOLDS),
        ((1, math.inf), 1.2, 0.3, NOT_RESOLVED),
        ((1, math.inf), 0.8, 0.1, DIFFERS),
        ((-math.inf, 1), 0.8, 0.1, HOLDS),
        ((-math.inf, 1), 1, 0, DIFFERS),
        # Neither has a bound, which the whole interval must satisfy.
        ((1.25, math.inf), 1.4, 0.1, HOLDS),
        ((1.25, math.inf), 1.3, 0.1, NOT_RESOLVED),
        ((1.25, math.inf), 1.1, 0.05, IN_DIRECTION),
        ((-math.inf, 0.01), 0.08, 0.16, NOT_RESOLVED),
        # If the claim is no gain, the interval must stay within it.
        ((0.95, 1.05), 1.02, 0.02, HOLDS),
        ((0.95, 1.05), 1.02, 0.1, NOT_RESOLVED),
        ((0.95, 1.05), 1.2, 0.1, DIFFERS),
        ((0.92, 1.06), 1.0, 0.5, NOT_RESOLVED),
    ],
)
def test_a_gain_is_judged_by_its_interval(claimed, mean, ci95, expected):
    assert of_ratio(claimed, mean, ci95) == expected


@pytest.mark.parametrize(
    ("claimed", "mean", "ci95", "expected"),
    [
        (Span(5, 5), 4.2, 1, HOLDS),
        (Span(5, 5), 4.2, 0.5, DIFFERS),
        (Span(-math.inf, 3), 2, 0.5, HOLDS),
        (Span(-math.inf, 3), 2, 1.5, NOT_RESOLVED),
        (Span(-math.inf, 0), 0, 0, HOLDS),
        (Span(-math.inf, 3), 6, 0, DIFFERS),
        (Span(0.95, 1.05), 1.01, 0, HOLDS),
        (Span(0.95, 1.05), 1.01, 0.1, NOT_RESOLVED),
    ],
)
def test_a_metric_itself_has_no_direction(claimed, mean, ci95, expected):
    assert verdict(claimed, around(mean, ci95), of_gain=False) == expected


def test_a_mean_without_a_finite_interval_has_none():
    assert around(3, None) is None
    assert around(3, math.inf) is None
    assert around(3, 1) == Span(2, 4)


def test_all_four_are_counted():
    assert counts([HOLDS, DIFFERS, HOLDS]) == {
        HOLDS: 2,
        IN_DIRECTION: 0,
        NOT_RESOLVED: 0,
        DIFFERS: 1,
    }


# A simple model: gains are hundredths on a short line, and an interval is the set of those that it
# contains. Halves lie in between, so that an interval between two hundredths is not empty.
LINE = [Fraction(i, 2) for i in range(-40, 41)]
ENDS = st.integers(-10, 10)


def contained(low: float, high: float) -> set[Fraction]:
    return {gain for gain in LINE if low <= gain <= high}


def plain(claimed: set[Fraction], measured: set[Fraction]) -> Verdict:
    is_ahead = all(gain >= 0 for gain in claimed) or all(gain <= 0 for gain in claimed)
    if is_ahead and claimed != {0}:
        claimed = claimed - {0}
        sign = 1 if max(claimed) > 0 else -1
        if claimed & measured:
            return NOT_RESOLVED if 0 in measured else HOLDS
        return IN_DIRECTION if all(sign * gain > 0 for gain in measured) else DIFFERS
    if not claimed & measured:
        return DIFFERS
    return HOLDS if measured <= claimed else NOT_RESOLVED


@given(ENDS, ENDS, ENDS, ENDS)
def test_the_rule_is_that_of_a_plain_model(a, b, c, d):
    claimed, measured = Span(min(a, b), max(a, b)), Span(min(c, d), max(c, d))
    expected = plain(contained(claimed.low, claimed.high), contained(measured.low, measured.high))
    assert verdict(claimed, measured, of_gain=True) == expected


@given(ENDS, ENDS, ENDS)
def test_the_whole_interval_has_to_keep_a_bound(bound, c, d):
    measured = Span(min(c, d), max(c, d))
    there = contained(measured.low, measured.high)
    for claimed, sign in ((Span(bound, math.inf), 1), (Span(-math.inf, bound), -1)):
        kept = {gain for gain in there if gain in claimed and (gain or sign * bound < 0)}
        if kept:
            model = HOLDS if kept == there else NOT_RESOLVED
        else:
            is_ahead = sign * bound >= 0 and all(sign * gain > 0 for gain in there)
            model = IN_DIRECTION if is_ahead else DIFFERS
        assert verdict(claimed, measured, of_gain=True) == model


@given(ENDS, ENDS, ENDS, ENDS)
def test_a_loss_is_judged_as_the_gain_is(a, b, c, d):
    claimed, measured = Span(min(a, b), max(a, b)), Span(min(c, d), max(c, d))
    turned = [Span(-span.high, -span.low) for span in (claimed, measured)]
    assert verdict(*turned, of_gain=True) == verdict(claimed, measured, of_gain=True)


@given(ENDS, ENDS, ENDS, ENDS, st.integers(0, 10))
def test_a_wider_interval_never_resolves_what_a_narrower_did_not(a, b, c, d, more):
    claimed, measured = Span(min(a, b), max(a, b)), Span(min(c, d), max(c, d))
    if verdict(claimed, measured, of_gain=True) == NOT_RESOLVED:
        wider = Span(measured.low - more, measured.high + more)
        assert verdict(claimed, wider, of_gain=True) == NOT_RESOLVED
