"""Open vSwitch with a full table of rules (docs/reference/fabric.md, Refusals)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from auditing import add_rule, delete_rules, ofctl
from runtimes import LiveFabric
from waiting import eventually

from evenweave_testbed.controller import OPENFLOW_ADDRESS
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import spread
from evenweave_testbed.loss import ProbeStream
from evenweave_testbed.openvswitch import run
from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_topos.fabric_file import IMBALANCED_3X3, load

pytestmark = pytest.mark.fabric

_SWITCH = "s1-0"
_FLOWS = 192
_PORT = 6001
# Where no controller listens.
_NOBODY = "tcp:127.0.0.1:9"
_FOREIGN_GROUP = 9000
_FOREIGN_RULES = [f"priority=1,ip,nw_dst=192.0.2.{i}" for i in range(8)]
_TO_CONTROLLER = ("arp", "rarp", "dl_type=0x88cc")
# No two of them can be merged.
_MORE_PREFIXES = [f"10.9.{2 * i}.0/24" for i in range(8)]


def rules_on(switch: str) -> int:
    """How many rules the first table holds, whoever added them."""
    return sum("actions=" in line for line in ofctl("dump-flows", switch, "table=0").splitlines())


@contextmanager
def limited(switch: str, rules: int) -> Iterator[None]:
    """The switch refuses more rules than these."""
    run(
        *("ovs-vsctl", "--", "--id=@table", "create", "Flow_Table", f"flow_limit={rules}"),
        *("overflow_policy=refuse", "--", "set", "bridge", switch, "flow_tables=0=@table"),
    )
    try:
        yield
    finally:
        run("ovs-vsctl", "clear", "bridge", switch, "flow_tables")


def reconnect(fabric: Fabric, switch: str) -> None:
    """Ends the connection of a switch, which keeps its tables, and begins another."""
    since = fabric.controller.last_sequence()
    run("ovs-vsctl", "set-controller", switch, _NOBODY)
    eventually(lambda: events_of(fabric, since, "switch-down"), "end of the connection")
    run("ovs-vsctl", "set-controller", switch, f"tcp:{OPENFLOW_ADDRESS}")
    fabric.ready()


def tables_of(fabric: Fabric, switch: str) -> dict:
    return fabric.controller.client().oversubscription(switch=switch)["switches"][0]


def events_of(fabric: Fabric, since: int, kind: str) -> list[dict]:
    return [event for event in fabric.controller.events(since) if event["kind"] == kind]


@pytest.fixture
def crowded(fabric: Fabric) -> Iterator[Fabric]:
    """The fabric with rules and a group of somebody else's on one switch, until the end."""
    ofctl("add-group", _SWITCH, f"group_id={_FOREIGN_GROUP},type=select,bucket=output:1")
    for rule in _FOREIGN_RULES:
        add_rule(_SWITCH, rule, "drop")
    yield fabric
    delete_rules(_SWITCH)
    ofctl("del-groups", _SWITCH, f"group_id={_FOREIGN_GROUP}")
    reconnect(fabric, _SWITCH)
    assert "rules" not in tables_of(fabric, _SWITCH)["limits"]


def test_a_full_table_is_learned_and_nothing_that_had_a_way_is_lost(crowded):
    before = crowded.controller.configuration()
    more = [{"switch": "s1-2", "prefix": prefix} for prefix in _MORE_PREFIXES]
    flows = spread(crowded.hosts_of(_SWITCH), crowded.hosts_of("s1-2"), _FLOWS, _PORT)
    since = crowded.controller.last_sequence()
    room = rules_on(_SWITCH) + 3
    with limited(_SWITCH, room), ProbeStream(crowded, flows) as stream:
        crowded.controller.put_configuration(before | {"subnets": before["subnets"] + more})
        eventually(lambda: events_of(crowded, since, "limit-learned"), "event of the limit")
        crowded.controller.wait(lambda s: s["state"] == "degraded", "degradation", EVENT_LIMIT_S)
        assert rules_on(_SWITCH) <= room
        # The refusal degrades the fabric before the plan within the limit is published.
        eventually(lambda: "rules" in tables_of(crowded, _SWITCH)["limits"], "learned limit")
        limits = tables_of(crowded, _SWITCH)["limits"]
        assert limits["rules"] <= room - len(_FOREIGN_RULES)
        kinds = {violation["kind"] for violation in crowded.controller.verification()["violations"]}
        assert "loop" not in kinds
        # The controller tries again and again, and sees links and hosts all the time.
        eventually(lambda: len(events_of(crowded, since, "refused")) > 2, "refusals")
        held = ofctl("dump-flows", _SWITCH)
        for kind in _TO_CONTROLLER:
            assert f"{kind} actions=CONTROLLER" in held, held
        crowded.controller.put_configuration(before)
        eventually(lambda: rules_on(_SWITCH) <= room - 3, "end of the additional rules")
    (learned,) = events_of(crowded, since, "limit-learned")
    assert learned["subject"].startswith(f"{_SWITCH} has no room for more: rules ")
    assert stream.result.sent > 0
    assert stream.result.lost_at == ()
    # What others had is still theirs.
    assert str(_FOREIGN_GROUP) in ofctl("dump-groups", _SWITCH)


@pytest.mark.extended
def test_a_limit_that_the_switch_reports_is_kept_from_the_start(live_fabric: LiveFabric):
    fabric = live_fabric.get(load(IMBALANCED_3X3), "embedded")
    before = fabric.controller.configuration()
    since = fabric.controller.last_sequence()
    rules = 4 * rules_on(_SWITCH)
    try:
        with limited(_SWITCH, rules):
            reconnect(fabric, _SWITCH)
            shown = tables_of(fabric, _SWITCH)
            assert shown["limits"]["rules"] == rules
            assert 0 < shown["use"]["rules"] <= rules_on(_SWITCH)
            # Neighbours: merged, since they would take more than half of the table.
            more = [{"switch": "s1-2", "prefix": f"10.9.{i}.0/24"} for i in range(2 * rules)]
            fabric.controller.put_configuration(before | {"subnets": before["subnets"] + more})
            fabric.controller.wait(lambda s: s["converged"], "convergence", EVENT_LIMIT_S)
            assert rules_on(_SWITCH) <= rules
            assert events_of(fabric, since, "limit-learned") == []
            fabric.controller.put_configuration(before)
            fabric.controller.wait(lambda s: s["converged"], "convergence", EVENT_LIMIT_S)
    finally:
        fabric.controller.put_configuration(before)
        reconnect(fabric, _SWITCH)
