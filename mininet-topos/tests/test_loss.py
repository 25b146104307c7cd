"""The pace of probes; what becomes of them on a fabric is in test_fabric_live."""

from __future__ import annotations

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from evenweave_topos.loss import Pace

_BURST_S = 0.01


@given(
    st.integers(100, 100_000),
    st.lists(st.floats(0, _BURST_S / 2), min_size=1, max_size=200),
)
def test_a_sender_that_is_in_time_keeps_the_rate(rate_pps, pauses_s):
    pace = Pace(rate_pps, 0.0)
    sent = sum(pace.due(now_s) for now_s in accumulate(pauses_s))
    # The one that is due next may be due by a rounding error.
    assert abs(sent - rate_pps * sum(pauses_s)) <= 1 + 1e-6


@given(st.integers(100, 100_000), st.lists(st.floats(0, 10), min_size=1, max_size=50))
def test_a_sender_that_was_late_does_not_make_up_for_it(rate_pps, pauses_s):
    pace = Pace(rate_pps, 0.0)
    counts = [pace.due(now_s) for now_s in accumulate(pauses_s)]
    assert max(counts) <= rate_pps * _BURST_S + 1e-6
    for count, pause_s in zip(counts, pauses_s, strict=True):
        # One more can be left from before.
        assert count <= rate_pps * pause_s + 1 + 1e-6
