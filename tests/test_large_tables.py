"""Groups of more than 256 slots in Open vSwitch (docs/reference/fabric.md, Targets)."""

from __future__ import annotations

import copy
import json
import time
from collections import Counter
from collections.abc import Iterator
from itertools import cycle, islice

import pytest
from large_tables import LIMIT, SLOTS, WEIGHTS, owners, slots_on_switch, uneven
from openflow_versions import EMBEDDED, ONOS, allowing
from runtimes import LiveFabric
from waiting import confirm, eventually

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import spread
from evenweave_testbed.loss import ProbeStream
from evenweave_testbed.openvswitch import run
from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_testbed.shares import measure_shares
from evenweave_testbed.soak.bed import ports_without_carrier
from evenweave_testbed.statistics import within_standard_errors

pytestmark = pytest.mark.fabric

_FLOWS = 2000
_TRACED = 64
_PORT = 6001
_SETTLE_S = 0.5
# A lone ONOS that is started again has forgotten its configuration: test_onos_restart.
_controller_that_restarts = pytest.mark.parametrize("plain", EMBEDDED, indirect=True)


@pytest.fixture(scope="module", params=[*EMBEDDED, ONOS])
def plain(live_fabric: LiveFabric, request: pytest.FixtureRequest) -> Iterator[Fabric]:
    """The fabric with groups of 256 slots, in each version of OpenFlow: the newest allowed."""
    runtime, protocols = request.param
    with allowing(live_fabric.get(uneven(), runtime), protocols) as fabric:
        yield fabric


@pytest.fixture
def fabric(plain: Fabric) -> Iterator[Fabric]:
    """With large tables because of the limit that is asked for; afterwards with groups again."""
    before = plain.controller.configuration()
    limited = before | {"maxOversubscription": LIMIT}
    # For a controller that is started again, too.
    plain.fabric_file.write_text(json.dumps(limited))
    plain.controller.put_configuration(limited)
    confirm(plain)
    yield plain
    plain.fabric_file.write_text(json.dumps(before))
    plain.controller.put_configuration(before)
    confirm(plain)


@pytest.mark.extended
def test_a_limit_that_256_slots_exceed_is_met_by_a_large_table(fabric):
    group = fabric.controller.group("s1-0", "s1-1")
    assert [p["wanted"] for p in group["ports"]] == list(WEIGHTS)
    assert group["entries"] == SLOTS
    assert group["oversubscription"] <= LIMIT
    slots = owners(slots_on_switch("s1-0", group["groupId"]))
    assert Counter(slots) == {p["port"]: p["slots"] for p in group["ports"]}
    assert Counter(slots) == {p["port"]: p["installed"] for p in group["ports"]}
    (lead,) = [held for held in fabric.groups("s1-0") if held.id == group["groupId"]]
    assert lead.slots == SLOTS
    assert fabric.controller.verification()["ok"]


@pytest.mark.extended
def test_the_switch_looks_slots_up_by_the_hash(fabric):
    group = fabric.controller.group("s1-0", "s1-1")
    slots = owners(slots_on_switch("s1-0", group["groupId"]))
    source, sink = fabric.hosts_of("s1-0")[0], fabric.hosts_of("s1-1")[0]
    traced = fabric.slot_owners(source, sink, _TRACED)
    assert traced == list(islice(cycle(slots), _TRACED))


@pytest.mark.core_cases(1)
def test_flows_spread_by_the_weights(fabric):
    flows = spread(fabric.hosts_of("s1-0"), fabric.hosts_of("s1-1"), _FLOWS, _PORT)
    measured = measure_shares(fabric, "s1-0", flows)
    assert (measured.failed, measured.moved) == (0, 0)
    for port in fabric.controller.group("s1-0", "s1-1")["ports"]:
        share = measured.share(port["port"])
        assert within_standard_errors(share, port["idealShare"], _FLOWS, 4), measured


@pytest.mark.extended
@_controller_that_restarts
def test_a_dead_port_is_skipped_without_a_controller(fabric):
    link = fabric.spec.links[1]
    flows = spread(fabric.hosts_of("s1-0"), fabric.hosts_of("s1-1"), 256, _PORT)
    fabric.process.kill()
    try:
        with ProbeStream(fabric, flows) as stream:
            time.sleep(_SETTLE_S)
            fabric.cut(str(link))
            port = link.end_at("s1-0").port
            eventually(lambda: port in ports_without_carrier("s1-0"), "end of the carrier")
            fabric.ovs.wait_for_datapath()
            in_force_at = time.time_ns() // 1000
            time.sleep(_SETTLE_S)
        assert stream.result.sent > 0
        assert stream.result.lost_from(in_force_at) == 0
    finally:
        fabric.heal(str(link))
        fabric.process.start()
        fabric.ready()


@pytest.mark.core_cases(1)
def test_a_failure_reweights_the_table_and_no_packet_is_lost_when_it_heals(fabric):
    link = fabric.spec.links[1]
    flows = spread(fabric.hosts_of("s1-0"), fabric.hosts_of("s1-1"), 256, _PORT)
    since = fabric.controller.last_sequence()
    fabric.cut(str(link))
    fabric.controller.wait_confirmed("link-down", link.names(), since, EVENT_LIMIT_S)
    confirm(fabric, links=5)
    group = fabric.controller.group("s1-0", "s1-1")
    assert {p["port"] for p in group["ports"]} == {1, 3}
    if group["entries"] > 256:
        assert set(owners(slots_on_switch("s1-0", group["groupId"]))) == {1, 3}
    fabric.ovs.wait_for_datapath()
    with ProbeStream(fabric, flows) as stream:
        time.sleep(_SETTLE_S)
        fabric.heal(str(link))
        confirm(fabric, links=6)
        time.sleep(_SETTLE_S)
    assert stream.result.sent > 0
    assert stream.result.lost_at == ()
    assert fabric.controller.group("s1-0", "s1-1")["entries"] == SLOTS


@pytest.mark.extended
def test_no_packet_is_lost_while_a_table_changes_its_size_or_becomes_a_group(fabric):
    flows = spread(fabric.hosts_of("s1-0"), fabric.hosts_of("s1-1"), 256, _PORT)
    before = fabric.controller.configuration()
    sizes = []
    with ProbeStream(fabric, flows) as stream:
        for limit in (1.002, 1.1, LIMIT):
            fabric.controller.put_configuration(before | {"maxOversubscription": limit})
            confirm(fabric)
            sizes.append(fabric.controller.group("s1-0", "s1-1")["entries"])
        time.sleep(_SETTLE_S)
    assert sizes == [512, 32, SLOTS]
    assert stream.result.sent > 0
    assert stream.result.lost_at == ()


@pytest.mark.extended
def test_the_fabric_file_can_ask_for_large_tables(plain):
    before = plain.controller.configuration()
    asked = copy.deepcopy(before)
    for switch in asked["switches"]:
        switch["target"] = "ovs-large"
    plain.controller.put_configuration(asked)
    confirm(plain)
    try:
        group = plain.controller.group("s1-0", "s1-1")
        # As near to the weights as the switch's table of 8192 entries allows.
        assert group["entries"] == 8192
        slots = owners(slots_on_switch("s1-0", group["groupId"]))
        assert Counter(slots) == {p["port"]: p["slots"] for p in group["ports"]}
    finally:
        plain.controller.put_configuration(before)
        confirm(plain)
    group = plain.controller.group("s1-0", "s1-1")
    assert group["entries"] == 256
    assert slots_on_switch("s1-0", group["groupId"]) == {}


@pytest.mark.extended
@_controller_that_restarts
def test_a_controller_that_comes_back_leaves_the_table_as_it_is(fabric):
    group = fabric.controller.group("s1-0", "s1-1")
    before = slots_on_switch("s1-0", group["groupId"])
    fabric.process.kill()
    fabric.process.start()
    fabric.ready()
    assert fabric.controller.audit() == []
    after = slots_on_switch("s1-0", group["groupId"])
    assert owners(after) == owners(before)
    assert all(after[slot].age_s >= before[slot].age_s for slot in before)


@pytest.mark.core_cases(1)
def test_rules_that_someone_removed_or_changed_are_repaired(fabric):
    group = fabric.controller.group("s1-0", "s1-1")
    before = slots_on_switch("s1-0", group["groupId"])
    first = group["groupId"] << 16
    # To the port that has just lost a slot: another one would have one too many, and give up any.
    other = 0x20000000 | (group["groupId"] & 0xFFF) << 16 | before[3].port
    changed = f"table=20,priority=1,metadata={first + 7},actions=group:{other}"
    if before[7].port == before[3].port:
        changed = f"table=20,priority=1,metadata={first + 7},actions=drop"
    since = fabric.controller.last_sequence()
    # In one step, as the audit of every 30 s may come at any moment; then it finds both, not this.
    bundle = fabric.directory / "changes"
    bundle.write_text(f"delete table=20,metadata={first + 3}\nmodify {changed}\n")
    run("ovs-ofctl", "-O", "OpenFlow13", "--bundle", "add-flows", "s1-0", str(bundle))
    assert fabric.controller.audit() in (["s1-0"], [])
    fabric.controller.wait_confirmed("drift", ["s1-0"], since, EVENT_LIMIT_S)
    confirm(fabric)
    after = slots_on_switch("s1-0", group["groupId"])
    # Any ports may get the two slots by which shares stay within the limit; no other is written.
    others = before.keys() - {3, 7}
    assert all(after[slot].port == before[slot].port for slot in others)
    assert all(after[slot].age_s >= before[slot].age_s for slot in others)
    repaired = fabric.controller.group("s1-0", "s1-1")
    assert repaired["oversubscription"] <= LIMIT
    assert Counter(owners(after)) == {p["port"]: p["slots"] for p in repaired["ports"]}
    assert fabric.controller.audit() == []
