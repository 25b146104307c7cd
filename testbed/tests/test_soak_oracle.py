"""What the soak says of tables that are not as planned, and what it reads from switches."""

from __future__ import annotations

from typing import ClassVar

import pytest

from evenweave_testbed.openvswitch import Bucket, Group
from evenweave_testbed.soak import oracle as module
from evenweave_testbed.soak.bed import change_of_group, established, parse_port_states
from evenweave_testbed.soak.oracle import Oracle
from evenweave_testbed.soak.tables import Tables, changed_groups, changed_rules
from evenweave_testbed.soak.world import World
from evenweave_topos.fabric_file import clos
from evenweave_topos.topologies import host_places

SPEC = clos([[1, 1], [1, 1]])
HOSTS = host_places(SPEC, 1)
TO_0, TO_1 = "10.0.0.0/24", "10.0.1.0/24"
OWN = frozenset({"arp", "dl_type=0x88cc"})


def group(number: int, *ports: int) -> Group:
    return Group(number, "select", tuple(Bucket(1, port, port) for port in ports))


def leaf(own: str, other: str, host: str, slots: tuple[int, ...] = (1, 2, 1, 2)) -> Tables:
    members = group(5, *slots)
    return Tables(
        groups={5: members},
        routes={own: None, other: {p: slots.count(p) for p in set(slots)}},
        group_of={other: 5},
        hosts={host: 3},
        others=OWN,
    )


def spine() -> Tables:
    return Tables({}, {TO_0: {1: 1}, TO_1: {2: 1}}, others=frozenset({"dl_type=0x88cc"}))


def whole() -> dict[str, Tables]:
    return {
        "s1-0": leaf(TO_0, TO_1, "10.0.0.2"),
        "s1-1": leaf(TO_1, TO_0, "10.0.1.2"),
        "s2-0": spine(),
        "s2-1": spine(),
    }


class Tool:
    """`plan` answers as planned, `verify` with the violations that the test wants."""

    violations: ClassVar[list[dict]] = []

    def __init__(self, command: list[str]) -> None:
        self.name = command[-1]

    def run(self, request: dict) -> dict:
        if self.name == "verify":
            assert request["maxOversubscription"] >= 1
            return {"ok": not self.violations, "violations": self.violations}
        present = {s["id"] for s in request["fabric"]["switches"]}
        state = [t.to_json(s) for s, t in whole().items() if s in present]
        return {"state": {"switches": state}, "summary": [{"oversubscription": 1.0}]}

    def close(self) -> None:
        pass


@pytest.fixture
def differences(monkeypatch):
    monkeypatch.setattr(module, "Tool", Tool)
    monkeypatch.setattr(Tool, "violations", [])
    with Oracle(["tools"]) as oracle:
        yield lambda found, world=None, own=True: oracle.differences(
            world or World(SPEC, HOSTS), (), found, own
        )


def test_tables_as_planned_differ_in_nothing(differences):
    assert differences(whole()) == []


def test_ports_of_equal_weight_may_share_the_last_slot_either_way(differences):
    assert differences(whole() | {"s1-0": leaf(TO_0, TO_1, "10.0.0.2", (1, 2, 1, 1))}) == []
    (found,) = differences(whole() | {"s1-0": leaf(TO_0, TO_1, "10.0.0.2", (1, 1, 1, 1))})
    assert (
        found
        == "s1-0 sends 10.0.1.0/24 to ports 1 (4 slots), not to ports 1 (2 slots), 2 (2 slots)"
    )
    (found,) = differences(whole() | {"s1-0": leaf(TO_0, TO_1, "10.0.0.2", (1, 2, 1))})
    assert found.startswith("s1-0 sends 10.0.1.0/24 to ports 1 (2 slots), 2 (1 slots), not")


def changed(table: Tables, **fields) -> Tables:
    return Tables(**(vars(table) | fields))


def test_rules_and_groups_that_are_missing_or_too_many_are_named(differences):
    spare = changed(spine(), groups={9: group(9, 1)})
    assert differences(whole() | {"s2-0": spare}) == ["s2-0 has group 9 that no rule uses"]
    short = changed(spine(), routes={TO_0: {1: 1}})
    assert differences(whole() | {"s2-0": short}) == ["s2-0 has no rule for 10.0.1.0/24"]
    more = changed(spine(), routes=spine().routes | {"10.9.0.0/24": {1: 1}})
    assert differences(whole() | {"s2-0": more}) == [
        "s2-0 has a rule for 10.9.0.0/24 that it should not have"
    ]
    blind = Group(5, "select", tuple(Bucket(1, port, None) for port in (1, 2, 1, 2)))
    watchless = changed(leaf(TO_0, TO_1, "10.0.0.2"), groups={5: blind})
    assert differences(whole() | {"s1-0": watchless}) == [
        "s1-0 has group 5 with a bucket that watches no port"
    ]


def test_the_rules_of_the_controllers_own_and_of_hosts_are_needed_too(differences):
    isolated = changed(leaf(TO_0, TO_1, "10.0.0.2"), others=frozenset({"arp"}), hosts={})
    found = {"s1-0": isolated}
    assert differences(whole() | found) == [
        "s1-0 delivers 10.0.0.2 to None, not to port 3",
        "s1-0 has no rule for dl_type=0x88cc",
    ]
    world = World(SPEC, HOSTS)
    world.hosts_down.add("h0-1")
    assert differences(whole() | found, world, own=False) == []


def test_switches_without_a_controller_are_not_judged(differences):
    world = World(SPEC, HOSTS)
    world.disconnected.add("s2-0")
    empty = Tables({}, {})
    assert differences(whole() | {"s2-0": empty}, world) == []


def test_loops_and_black_holes_are_reported_but_not_parts_without_a_link(differences, monkeypatch):
    def violation(kind: str) -> dict:
        return {"kind": kind, "switch": "s1-0", "destination": TO_1, "detail": "so it is"}

    monkeypatch.setattr(Tool, "violations", [violation("unreachable"), violation("loop")])
    assert differences(whole()) == ["verify: loop at s1-0 to 10.0.1.0/24: so it is"]


def test_groups_and_rules_that_changed_are_counted_bucket_by_bucket():
    before = {"a": Tables({1: group(1, 1, 2), 2: group(2, 3)}, {}, rules=frozenset("xy"))}
    assert changed_groups(before, before) == changed_rules(before, before) == 0
    after = {"a": Tables({1: group(1, 2, 1), 3: group(3, 3)}, {}, rules=frozenset("yz"))}
    assert changed_groups(before, after) == 3
    assert changed_rules(before, after) == 2


def test_tables_with_a_rule_whose_group_is_missing_are_not_of_one_moment():
    assert leaf(TO_0, TO_1, "10.0.0.2").is_whole()
    assert not Tables({}, {}, group_of={TO_1: 5}).is_whole()


def test_a_groups_change_is_made_from_what_the_switch_holds():
    groups = [group(7, 4, 5), group(3, 2, 1)]
    assert change_of_group(groups, "one bucket", 77) == (
        *("mod-group", "group_id=3,type=select,bucket=output:2"),
    )
    assert change_of_group(groups, "deleted", 77) == ("del-groups", "group_id=3")
    assert change_of_group([], "deleted", 77) is None
    assert change_of_group([], "one more", 77) == (
        *("add-group", "group_id=77,type=select,bucket=output:1"),
    )
    assert change_of_group([group(77, 1)], "one more", 77) == (
        *("add-group", "group_id=78,type=select,bucket=output:1"),
    )


def test_ports_without_carrier_are_read_from_a_switchs_own_words():
    text = """OFPST_PORT_DESC reply (OF1.3) (xid=0x3):
 1(s1-0-eth1): addr:6e:64:ab:c8:86:5c
     config:     0
     state:      LIVE
     current:    10GB-FD COPPER
 12(s1-0-eth12): addr:76:43:f6:91:e9:1b
     config:     0
     state:      LINK_DOWN
 LOCAL(s1-0): addr:3a:e6:6f:5d:8e:45
     config:     PORT_DOWN
     state:      LINK_DOWN
"""
    assert parse_port_states(text) == {12}


def test_sessions_are_told_apart_by_their_local_ports():
    text = """  sl  local_address rem_address   st tx_queue
   0: 0100007F:19FD 00000000:0000 0A 0
   1: 0100007F:A000 0100007F:19FD 01 0
   2: 0100007F:A001 0100007F:19FD 06 0
   3: 0100007F:A002 0100007F:1F90 01 0
"""
    assert established(text, {6653}) == {0xA000}
