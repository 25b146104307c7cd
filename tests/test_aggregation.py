"""Switches that hold merged rules (docs/reference/fabric.md, Aggregation)."""

from __future__ import annotations

import contextlib
import copy
import itertools
import json
import re
import time
from collections import Counter
from collections.abc import Iterator

import pytest
from runtimes import LiveFabric
from waiting import confirm, eventually

from evenweave_testbed.connections import connect_all
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import spread
from evenweave_testbed.frames import GATEWAY_MAC
from evenweave_testbed.loss import ProbeStream
from evenweave_testbed.openvswitch import run
from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_topos.fabric_file import clos

pytestmark = pytest.mark.fabric

_SETTLE_S = 0.5
_PORT = 6001
# One link to s2-0 and two to s2-1. The prefixes 10.0.0.0/24 to 10.0.3.0/24 fill 10.0.0.0/22.
_STRIPING = [[1, 2]] * 4
_LINKS = 12
_EDGES = [f"s1-{i}" for i in range(4)]
_WHOLE = "10.0.0.0/22"
# The link to one of the two at s1-3: then less is behind s2-1 towards 10.0.3.0/24.
_CUT = "s1-3/2-s2-1/7"


@pytest.fixture
def fabric(live_fabric: LiveFabric, runtime: str) -> Fabric:
    return live_fabric.get(clos(_STRIPING), runtime)


def routed(fabric: Fabric, switch: str) -> set[str]:
    """The prefixes of the rules by which a switch routes, as the switch itself lists them."""
    dump = run("ovs-ofctl", "-O", "OpenFlow13", "--no-stats", "dump-flows", switch, "ip")
    routes = [line for line in dump.splitlines() if "dec_ttl" in line and "set_field" not in line]
    return {match[1] for line in routes if (match := re.search(r"nw_dst=([0-9./]+)", line))}


def slots(fabric: Fabric) -> dict[tuple[str, str], list[int]]:
    """By pair of edge switches, the port of every slot of the flows of two hosts."""
    owners = {}
    for source, destination in itertools.permutations(_EDGES, 2):
        group = fabric.controller.group(source, destination)
        near, far = fabric.hosts_of(source)[0], fabric.hosts_of(destination)[0]
        owners[source, destination] = fabric.slot_owners(near, far, group["entries"])
    return owners


def unlike_computed(fabric: Fabric) -> list[tuple[str, str]]:
    """The pairs of which a port has not as many slots as the controller computed."""
    unlike = []
    for (source, destination), owners in slots(fabric).items():
        ports = fabric.controller.group(source, destination)["ports"]
        if Counter(owners) != {p["port"]: p["slots"] for p in ports if p["slots"]}:
            unlike.append((source, destination))
    return unlike


def aggregate(fabric: Fabric, switches: list[str]) -> None:
    """Has these switches alone merge their rules, and waits until they do."""
    configuration = copy.deepcopy(fabric.controller.configuration())
    for switch in configuration["switches"]:
        switch.pop("aggregate", None)
        if switch["id"] in switches:
            switch["aggregate"] = True
    fabric.controller.put_configuration(configuration)
    confirm(fabric, links=_LINKS)


@contextlib.contextmanager
def aggregated(fabric: Fabric) -> Iterator[None]:
    aggregate(fabric, [switch.id for switch in fabric.spec.switches])
    try:
        yield
    finally:
        aggregate(fabric, [])


def test_a_switch_with_merged_rules_holds_fewer_and_gives_every_flow_the_same_port(fabric):
    plain = {edge: routed(fabric, edge) for edge in _EDGES}
    before = slots(fabric)
    assert {len(rules) for rules in plain.values()} == {3}
    with aggregated(fabric):
        assert all(routed(fabric, edge) == {_WHOLE} for edge in _EDGES)
        assert slots(fabric) == before
        assert unlike_computed(fabric) == []
        assert fabric.controller.verification()["ok"]
        for source, destination in itertools.permutations(fabric.hosts, 2):
            failed = connect_all(fabric, spread([source], [destination], 2, _PORT))
            assert not failed, f"{source.name} cannot reach {destination.name}"
    assert {edge: routed(fabric, edge) for edge in _EDGES} == plain


def test_merging_rules_and_parting_them_loses_no_packet(fabric):
    flows = spread(fabric.hosts_of("s1-0"), fabric.hosts_of("s1-3"), 128, _PORT)
    with ProbeStream(fabric, flows) as stream:
        time.sleep(_SETTLE_S)
        for _ in range(3):
            with aggregated(fabric):
                time.sleep(_SETTLE_S)
    assert stream.result.sent > 0
    assert stream.result.lost_at == ()


@pytest.mark.extended
def test_a_failure_parts_a_merged_rule_and_its_end_merges_it_again(fabric):
    names = fabric.spec.link(_CUT).names()
    with aggregated(fabric):
        flows = spread(fabric.hosts_of("s1-0"), fabric.hosts_of("s1-3"), 256, _PORT)
        since = fabric.controller.last_sequence()
        with ProbeStream(fabric, flows) as stream:
            time.sleep(_SETTLE_S)
            fabric.cut(_CUT)
            fabric.controller.wait_confirmed("link-down", names, since, EVENT_LIMIT_S)
            fabric.ovs.wait_for_datapath()
            in_force_at = time.time_ns() // 1000
            confirm(fabric, links=_LINKS - 1)
            parted = {edge: routed(fabric, edge) for edge in _EDGES}
            assert unlike_computed(fabric) == []
            time.sleep(_SETTLE_S)
            healed_at = fabric.heal(_CUT)
            confirm(fabric, links=_LINKS)
            time.sleep(_SETTLE_S)
        for edge in _EDGES[:3]:
            # s1-2's own prefix is the other half of 10.0.2.0/23, and takes no part in the choice.
            assert parted[edge] - {"10.0.3.0/24", "10.0.2.0/23"} == {_WHOLE}
            assert len(parted[edge]) == 2
        assert parted["s1-3"] == {_WHOLE}
        assert stream.result.lost_between(in_force_at, healed_at) == 0
        assert stream.result.lost_from(healed_at) == 0
        assert all(routed(fabric, edge) == {_WHOLE} for edge in _EDGES)
        assert unlike_computed(fabric) == []


@pytest.mark.extended
def test_a_merged_rule_that_somebody_deletes_is_put_back(fabric):
    with aggregated(fabric):
        rule = f"priority=10022,ip,dl_dst={GATEWAY_MAC},nw_dst={_WHOLE}"
        run("ovs-ofctl", "-O", "OpenFlow13", "--strict", "del-flows", "s1-0", rule)
        eventually(lambda: _WHOLE in routed(fabric, "s1-0"), "rule is put back")
        confirm(fabric, links=_LINKS)
        assert fabric.controller.verification()["ok"]


@pytest.mark.extended
@pytest.mark.parametrize("runtime", ["embedded"], indirect=True)
def test_a_controller_that_comes_back_takes_merged_rules_over_or_parts_them(fabric):
    # The embedded controller starts from its file. A lone ONOS takes its rules out of the switches
    # when it comes back (test_failures).
    plain = {edge: routed(fabric, edge) for edge in _EDGES}
    file = fabric.fabric_file.read_text()
    flows = spread(fabric.hosts_of("s1-0"), fabric.hosts_of("s1-3"), 128, _PORT)
    with ProbeStream(fabric, flows) as stream:
        try:
            with aggregated(fabric):
                fabric.fabric_file.write_text(json.dumps(fabric.controller.configuration()))
                before = slots(fabric)
                restart(fabric)
                assert all(routed(fabric, edge) == {_WHOLE} for edge in _EDGES)
                assert slots(fabric) == before
        finally:
            fabric.fabric_file.write_text(file)
        aggregate(fabric, _EDGES)
        restart(fabric)
    assert stream.result.lost_at == ()
    assert {edge: routed(fabric, edge) for edge in _EDGES} == plain


def restart(fabric):
    fabric.process.kill()
    fabric.process.start()
    fabric.ready()
