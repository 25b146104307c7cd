"""Which switches that have lost the controller have to be routed around, by what they hold."""

from __future__ import annotations

from evenweave_testbed.soak.detours import routed_around
from evenweave_testbed.soak.tables import Tables
from evenweave_testbed.soak.world import World
from evenweave_topos.fabric_file import clos
from evenweave_topos.topologies import host_places

# s1-0/1-s2-0/1 s1-0/2-s2-1/1 s1-1/1-s2-0/2 s1-1/2-s2-1/2
SPEC = clos([[1, 1], [1, 1]])
TO_0, TO_1 = "10.0.0.0/24", "10.0.1.0/24"
TRUSTED = frozenset({"s2-0"})


def world() -> World:
    made = World(SPEC, host_places(SPEC, 1))
    made.disconnected.add("s2-0")
    return made


def spine(to_0: set[int], to_1: set[int]) -> dict[str, Tables]:
    routes = {TO_0: dict.fromkeys(to_0, 1), TO_1: dict.fromkeys(to_1, 1)}
    return {"s2-0": Tables({}, routes)}


def test_a_switch_whose_next_hops_are_nearer_is_used():
    assert routed_around(world(), TRUSTED, spine({1}, {2})) == {}


def test_one_that_would_send_packets_back_is_routed_around_towards_that_destination():
    assert routed_around(world(), TRUSTED, spine({1, 2}, {2})) == {TO_0: TRUSTED}


def test_one_without_a_next_hop_that_works_is_routed_around():
    broken = world()
    broken.down["s1-0/1-s2-0/1"] = "s1-0/1"
    assert routed_around(broken, TRUSTED, spine({1}, {2})) == {TO_0: TRUSTED}
    assert routed_around(world(), TRUSTED, spine({1}, set())) == {TO_1: TRUSTED}


def test_what_leads_to_one_that_is_routed_around_is_routed_around_too():
    both = frozenset({"s2-0", "s1-1"})
    tables = spine({1, 2}, {2}) | {"s1-1": Tables({}, {TO_0: {1: 1, 2: 1}, TO_1: None})}
    lost = world()
    lost.disconnected.add("s1-1")
    assert routed_around(lost, both, tables)[TO_0] == both
