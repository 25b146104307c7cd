"""Sizes and arrivals of the edge's demonstration; Hypothesis prints the seeds that fail."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenweave_testbed.edge.demo.workload import WEB_SEARCH, Sizes, draw

SIZES = Sizes([(0, 0), (100, 0.5), (1000, 1)])
SEEDS = st.integers(0, 2**31 - 1)


@pytest.mark.parametrize(
    ("uniform", "size"), [(0, 1), (0.25, 50), (0.5, 100), (0.75, 550), (1 - 2**-53, 1000)]
)
def test_sizes_are_linear_between_the_points(uniform, size):
    assert SIZES.draw(uniform) == size


def test_the_mean_of_the_web_search_sizes_is_the_published_one():
    assert Sizes.read(WEB_SEARCH).mean() == pytest.approx(1_711_250)
    assert Sizes.read(WEB_SEARCH, 0.1).mean() == pytest.approx(171_125)


def test_drawn_sizes_have_the_distributions_mean():
    steps = 100_000
    drawn = [SIZES.draw((i + 0.5) / steps) for i in range(steps)]
    assert sum(drawn) / steps == pytest.approx(SIZES.mean(), rel=1e-3)


@pytest.mark.parametrize(
    "points", [[], [(0, 1)], [(0, 0), (5, 0.9)], [(5, 0), (5, 1)], [(0, 0.5), (5, 0.4), (6, 1)]]
)
def test_what_is_no_distribution_is_refused(points):
    with pytest.raises(ValueError, match="must rise"):
        Sizes(points)


@given(SEEDS)
def test_a_seed_gives_one_workload_and_another_seed_another(seed):
    one, same, other = (draw(s, 0.5, 1e5, 20, 4, SIZES) for s in (seed, seed, seed + 1))
    assert one == same
    assert one.requests != other.requests


@given(SEEDS)
def test_arrivals_are_in_order_with_a_server_and_a_port_of_their_own(seed):
    drawn = draw(seed, 0.5, 1e5, 20, 4, SIZES)
    times = [request.at_s for request in drawn.requests]
    assert times == sorted(times)
    assert times[0] >= 0
    assert times[-1] < 20
    assert sorted(drawn.servers) == [0, 1, 2, 3]
    ends = [(request.client, request.source_port) for request in drawn.requests]
    assert len(set(ends)) == len(ends)
    assert all(0 <= client < 4 and 10_000 <= port <= 32_000 for client, port in ends)


@given(SEEDS)
def test_what_arrives_is_the_loads_share_of_the_bisection(seed):
    seconds, load, bisection_bps = 40, 0.6, 1e5
    drawn = draw(seed, load, bisection_bps, seconds, 4, SIZES)
    flows = load * bisection_bps * seconds / 8 / SIZES.mean()
    # The number of arrivals is Poisson's: seven standard deviations fail once in 10^11 seeds. A
    # size has a standard deviation below its mean, so the sum's is below sqrt(2 * flows) means.
    assert abs(len(drawn.requests) - flows) < 7 * math.sqrt(flows)
    assert abs(drawn.total_bytes / SIZES.mean() - flows) < 7 * math.sqrt(2 * flows)
