"""Groups for pairs on live switches, where no weights by destination are right for two sources.

s1-0 reaches s3-0, the bottleneck on its way to s1-2, by s2-1 too: what it gives to s2-0 should all
go by s3-1, and then it gets both links into s1-2. s1-1 has s2-0 alone, which should use both ways.

    s1-1 === s2-0 --- s3-1 --- s1-2
            /    \\           /
        s1-0       \\        /
            \\       \\      /
             s2-1 --- s3-0
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from held_tables import route_rules
from runtimes import LiveFabric

from evenweave_testbed.connections import connect_all
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import spread
from evenweave_testbed.loss import ProbeStream
from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_testbed.syn_capture import SynCapture
from evenweave_topos.fabric_file import parse
from evenweave_topos.topologies import interface_name

pytestmark = pytest.mark.fabric

# By chance alone, no flow of so many takes a way that a quarter of them should: 0.75 ** 300.
_FLOWS = 300
_PORT = 5998
_SHARED, _OWN, _PAST = 1, 2, 3
WAYS = {
    _SHARED: interface_name("s2-0", 4),
    _OWN: interface_name("s2-1", 2),
    _PAST: interface_name("s2-0", 5),
}
_SPLIT = parse(
    {
        "switches": [
            {"id": name, "stage": int(name[1])}
            for name in ("s1-0", "s1-1", "s1-2", "s2-0", "s2-1", "s3-0", "s3-1")
        ],
        "links": [
            {"a": a, "b": b, "bps": 10_000_000_000}
            for a, b in (
                ("s1-0/1", "s2-0/1"),
                ("s1-0/2", "s2-1/1"),
                ("s1-1/1", "s2-0/2"),
                ("s1-1/2", "s2-0/3"),
                ("s2-0/4", "s3-0/1"),
                ("s2-0/5", "s3-1/1"),
                ("s2-1/2", "s3-0/2"),
                ("s3-0/3", "s1-2/1"),
                ("s3-1/2", "s1-2/2"),
            )
        ],
        "subnets": [{"switch": f"s1-{i}", "prefix": f"10.0.{i}.0/24"} for i in range(3)],
    }
)


@pytest.fixture
def fabric(live_fabric: LiveFabric, runtime: str) -> Iterator[Fabric]:
    live = live_fabric.get(_SPLIT, runtime)
    yield live
    live.controller.set_strategy("wcmp")


def ways(fabric: Fabric, source: str) -> dict[int, int]:
    """How many flows from a switch's hosts to those of s1-2 take each way."""
    flows = spread(fabric.hosts_of(source), fabric.hosts_of("s1-2"), _FLOWS, _PORT)
    with SynCapture(WAYS) as capture:
        assert connect_all(fabric, flows) == []
        return dict(capture.sightings().flows_per_port(flow.key for flow in flows))


def pair_rules(switch: str) -> list[str]:
    return [rule for rule in route_rules(switch) if "nw_src=" in rule]


def share_of_bottleneck(fabric: Fabric, source: str) -> float:
    """The share of a pair's traffic that comes to s1-2 by s3-0."""
    return sum(
        path["realisedShare"]
        for path in fabric.controller.paths(source, "s1-2")
        if path["links"][-1].startswith("s3-0/")
    )


def test_packets_of_each_pair_take_the_ways_of_their_own_maximum_flow(fabric):
    fabric.controller.set_strategy("wcmp")
    # By destination alone s2-0 must send s1-0's packets where s1-1's need half of it to go: with
    # 3/4 on one of two equal links, s1-0 gets 2/3 of its maximum flow.
    assert share_of_bottleneck(fabric, "s1-0") == pytest.approx(3 / 4)
    assert set(ways(fabric, "s1-0")) == {_SHARED, _OWN, _PAST}
    assert not any(pair_rules(switch.id) for switch in fabric.spec.switches)

    fabric.controller.set_strategy("pair")
    assert share_of_bottleneck(fabric, "s1-0") == pytest.approx(1 / 2)
    assert share_of_bottleneck(fabric, "s1-1") == pytest.approx(1 / 2)
    assert set(ways(fabric, "s1-0")) == {_OWN, _PAST}
    assert set(ways(fabric, "s1-1")) == {_SHARED, _PAST}
    (rule,) = [r for r in pair_rules("s2-0") if "nw_dst=10.0.2.0/24" in r]
    assert "nw_src=10.0.0.0/24" in rule
    assert rule.endswith("output:5")
    assert fabric.controller.verification()["ok"]


@pytest.mark.extended
def test_rules_for_pairs_come_and_go_without_losing_a_packet(fabric):
    flows = spread(fabric.hosts_of("s1-0"), fabric.hosts_of("s1-2"), 64, _PORT)
    flows += spread(fabric.hosts_of("s1-1"), fabric.hosts_of("s1-2"), 64, _PORT)
    with ProbeStream(fabric, flows) as stream:
        for _ in range(3):
            for strategy in ("pair", "wcmp"):
                fabric.controller.set_strategy(strategy)
                fabric.ovs.wait_for_datapath()
    assert stream.result.sent > 0
    assert stream.result.lost_at == ()


@pytest.mark.extended
def test_after_a_failure_a_pair_has_the_maximum_flow_that_is_left(fabric):
    fabric.controller.set_strategy("pair")
    since = fabric.controller.last_sequence()
    link = "s1-0/2-s2-1/1"
    fabric.cut(link)
    try:
        names = fabric.spec.link(link).names()
        fabric.controller.wait_confirmed("link-down", names, since, EVENT_LIMIT_S)
        # Answered as by strategy wcmp; the pairs' rules follow.
        fabric.controller.wait(lambda s: s["state"] == "degraded", "pairs' rules", EVENT_LIMIT_S)
        # Without the other way to the bottleneck it needs both, as all others do.
        assert not any("nw_dst=10.0.2.0/24" in rule for rule in pair_rules("s2-0"))
        assert set(ways(fabric, "s1-0")) == {_SHARED, _PAST}
        assert fabric.controller.verification()["ok"]
    finally:
        fabric.heal(link)
        fabric.ready()
    assert set(ways(fabric, "s1-0")) == {_OWN, _PAST}
