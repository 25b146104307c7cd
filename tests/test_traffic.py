"""The traffic matrix that the controller measures, against what hosts send on the live fabric."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from demand import FRAME_BYTES, TICKS_PER_SECOND, SteadyDemand
from waiting import eventually

from evenweave_testbed.fabric import Fabric

pytestmark = pytest.mark.fabric

# Of a demand that was sent as steadily as its neighbour: Open vSwitch counts up to a second late.
_TOLERANCE = 0.25
# Rates are within a few per cent after so many periods, of six in a time constant.
_SETTLED_PERIODS = 24


@pytest.fixture
def measured(fabric: Fabric) -> Iterator[Fabric]:
    whole = fabric.controller.configuration()
    fabric.controller.put_configuration(whole | {"traffic": {"enabled": True, "periodSeconds": 1}})
    yield fabric
    fabric.controller.put_configuration(whole)


def demands(fabric: Fabric) -> dict[tuple[str, str], int]:
    return {(d["from"], d["to"]): d["bps"] for d in fabric.controller.traffic()["demands"]}


def prefix(fabric: Fabric, switch: str) -> str:
    (subnet,) = [s for s in fabric.controller.configuration()["subnets"] if s["switch"] == switch]
    return subnet["prefix"]


def test_the_demand_measured_is_the_demand_sent(measured):
    hosts = {switch: measured.hosts_of(switch)[0] for switch in ("s1-0", "s1-1", "s1-2")}
    shares = {
        (hosts["s1-0"], hosts["s1-2"]): 6,
        (hosts["s1-0"], hosts["s1-1"]): 3,
        (hosts["s1-1"], hosts["s1-2"]): 1,
    }
    with SteadyDemand(measured, shares) as traffic:
        eventually(
            lambda: min(traffic.sent.values(), default=0) >= _SETTLED_PERIODS * TICKS_PER_SECOND,
            lambda: traffic.sent,
        )
        found = demands(measured)
    shares_of = {(a.switch, prefix(measured, b.switch)): n for (a, b), n in shares.items()}
    wanted = {(a.switch, prefix(measured, b.switch)): n for (a, b), n in traffic.sent.items()}
    least = min(wanted.values())
    # Nobody else sends more than ARP and the like, and all hosts do together.
    large = {pair: bps for pair, bps in found.items() if bps > min(found[p] for p in wanted) / 10}
    assert sorted(large) == sorted(wanted)
    smallest = min(large.values())
    for pair, packets in wanted.items():
        assert large[pair] / smallest == pytest.approx(packets / least, rel=_TOLERANCE), found
        # The sender never catches up on a pause.
        most = shares_of[pair] * TICKS_PER_SECOND * FRAME_BYTES * 8
        assert large[pair] <= most * (1 + _TOLERANCE)


def test_nothing_is_measured_unless_configured(fabric):
    traffic = fabric.controller.traffic()
    assert (traffic["enabled"], traffic["switches"], traffic["demands"]) == (False, [], [])
