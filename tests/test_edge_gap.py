"""The gap of evenweave-edge that adapts to the delays of paths (docs/reference/edge.md#the-gap).

Asserted is what one dump of the state says of gap and delays; nothing here says how soon.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from waiting import eventually

from evenweave_testbed.edge.bed import EdgeBed
from evenweave_testbed.edge.namespaces import NoBpfError

pytestmark = pytest.mark.fabric

SCHEME = "clove-latency"


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[EdgeBed]:
    with EdgeBed(tmp_path) as bed:
        yield bed


def added_ns(bed: EdgeBed, share: float) -> int:
    """What is added to h1's gap now: at most that share of how far delays are apart that were
    ever heard of, as old ones do not count."""
    peer = bed.show("h1")["peer"]
    delays = [path["delayNs"] for path in peer["paths"] if "delayNs" in path]
    added = peer["gapNowNs"] - peer["gapNs"]
    assert 0 <= added <= share * (max(delays, default=0) - min(delays, default=0))
    return added


def test_the_gap_follows_the_spread_of_delays_by_the_share_that_is_configured(bed: EdgeBed):
    try:
        bed.start_edge("h1", bed.config("h1", SCHEME, gapAdaptPercent=100))
        bed.start_edge("h2", bed.config("h2", SCHEME))
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")
    bed.slow(0)
    bed.server("h2", "serve", bed.inner("h2"))
    busy = bed.application("h1", "requests", bed.inner("h2"), 1_000_000, 30_000)
    eventually(lambda: added_ns(bed, 1) > 1_000_000, "a gap longer by a millisecond")
    # Another share is taken without a break.
    bed.end_edge("h1", signal.SIGTERM)
    bed.start_edge("h1", bed.config("h1", SCHEME, gapAdaptPercent=50))
    assert bed.show("h1")["peer"]["gapAdaptPercent"] == 50
    eventually(lambda: added_ns(bed, 0.5) > 500_000, "half of that")
    one, two = bed.show("h1")["peer"], bed.show("h2")["peer"]
    assert two["gapAdaptPercent"] == 0
    assert two["gapNowNs"] == two["gapNs"] == one["gapNs"]
    # What is old does not count any more.
    busy.kill()
    eventually(lambda: added_ns(bed, 0.5) == 0, "the gap as configured, without traffic")
