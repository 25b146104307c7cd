"""Switches that hold groups otherwise than as slots (docs/reference/fabric.md, Targets)."""

from __future__ import annotations

import copy
import itertools

import pytest
from held_tables import slots_on_switch
from waiting import confirm

from evenweave_testbed.connections import connect_all
from evenweave_testbed.flows import spread
from evenweave_testbed.polling import EVENT_LIMIT_S

pytestmark = pytest.mark.fabric

_PORT = 6001


@pytest.fixture
def replicated(fabric):
    """The fabric with all switches' groups as weighted buckets, and back."""
    before = fabric.controller.configuration()
    after = copy.deepcopy(before)
    for switch in after["switches"]:
        switch["target"] = "replicated"
    fabric.controller.put_configuration(after)
    confirm(fabric)
    yield fabric
    fabric.controller.put_configuration(before)
    confirm(fabric)


def test_hardware_gets_a_weighted_bucket_for_each_port(replicated):
    group = replicated.controller.group("s1-0", "s1-2")
    assert [p["slots"] for p in group["ports"]] == [1, 1, 2, 2]
    assert (group["entries"], group["oversubscription"]) == (6, 1)
    (held,) = [g for g in replicated.groups("s1-0") if g.id == group["groupId"]]
    assert {b.port: b.weight for b in held.buckets} == {1: 1, 2: 1, 3: 2, 4: 2}
    assert len(held.buckets) == 4
    assert replicated.controller.verification()["ok"]
    for source, destination in itertools.permutations(replicated.hosts, 2):
        failed = connect_all(replicated, spread([source], [destination], 2, _PORT))
        assert not failed, f"{source.name} cannot reach {destination.name}"


def test_a_failure_changes_the_weights_of_what_is_left(replicated):
    link = "s2-0/4-s1-2/1"
    since = replicated.controller.last_sequence()
    replicated.cut(link)
    try:
        names = replicated.spec.link(link).names()
        replicated.controller.wait_confirmed("link-down", names, since, EVENT_LIMIT_S)
        confirm(replicated, links=11)
        group = replicated.controller.group("s1-0", "s1-2")
        weights = {p["port"]: p["wanted"] for p in group["ports"]}
        assert slots_on_switch(replicated, "s1-0", group["groupId"]) == weights
    finally:
        replicated.heal(link)
        confirm(replicated, links=12)
