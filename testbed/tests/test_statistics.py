import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenweave_testbed.statistics import (
    share_standard_error,
    spread_of,
    within_standard_errors,
)

rates = st.lists(st.floats(min_value=1e-3, max_value=1e9), min_size=1, max_size=50)


def test_equal_flows_have_no_spread():
    spread = spread_of([5.0, 5.0, 5.0])
    assert (spread.mean, spread.minimum, spread.cov, spread.jain) == (5.0, 5.0, 0.0, 1.0)


def test_one_flow_with_everything_is_the_worst_case():
    spread = spread_of([0.0, 0.0, 0.0, 8.0])
    assert spread.jain == pytest.approx(1 / 4)
    assert spread.cov == pytest.approx(math.sqrt(3))


def test_the_dissertations_ecmp_example_has_these_figures():
    # Section 3.2.1: six flows get 1.66 Gb/s and six get 3.33 Gb/s.
    spread = spread_of([10 / 6] * 6 + [10 / 3] * 6)
    assert spread.mean == pytest.approx(2.5)
    assert spread.cov == pytest.approx(1 / 3)
    assert spread.jain == pytest.approx(0.9)


@given(rates)
def test_one_value_in_twenty_is_at_most_the_fifth_percentile_and_fewer_are_below_it(values):
    percentile = spread_of(values).fifth_percentile
    assert 20 * sum(value <= percentile for value in values) >= len(values)
    assert 20 * sum(value < percentile for value in values) < len(values)


@given(rates)
def test_jains_index_follows_from_the_coefficient_of_variation(values):
    spread = spread_of(values)
    # Both are sums of up to 50 rounded terms; 1e-9 is far above their rounding.
    assert spread.jain == pytest.approx(1 / (1 + spread.cov**2), rel=1e-9)


@given(rates, st.floats(min_value=0.01, max_value=100))
def test_evenness_does_not_depend_on_the_unit(values, factor):
    # Rounding leaves equal values a variance of some 1e-16 of the mean squared: 1e-8 in cov.
    scaled = spread_of([value * factor for value in values])
    assert scaled.cov == pytest.approx(spread_of(values).cov, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("values", [[], [0.0, 0.0], [1.0, -1.0]])
def test_a_spread_of_nothing_or_of_negative_rates_is_refused(values):
    with pytest.raises(ValueError, match="a spread needs values"):
        spread_of(values)


def test_standard_error_is_the_binomial_one():
    assert share_standard_error(0.5, 100) == pytest.approx(0.05)
    assert share_standard_error(1 / 6, 1200) == pytest.approx(0.01076, abs=1e-5)


@pytest.mark.parametrize(
    ("measured", "expected", "inside"),
    [(0.65, 0.5, True), (0.651, 0.5, False), (0.0, 0.0, True), (0.001, 0.0, False)],
)
def test_three_standard_errors_are_the_limit_and_zero_is_exact(measured, expected, inside):
    assert within_standard_errors(measured, expected, 100) is inside
