"""The soak's random fabrics and faults: the same for a seed, possible, and repaired in the end."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from evenweave_testbed.soak.fabrics import random_fabric
from evenweave_testbed.soak.faults import (
    ACTS,
    KINDS,
    LATEST_SESSION_S,
    MOST_DEFECTS,
    Category,
    Fault,
    late_sessions,
)
from evenweave_testbed.soak.schedule import Schedule, Step, healing
from evenweave_testbed.soak.world import World, components
from evenweave_topos.topologies import host_places

SEEDS = range(20)
# Need links with a middle.
_GREY = {"lossy-link", "faint-link", "corrupt-link", "narrow-link", "late-link", "small-mtu"}
FAULTS = 60


def world_of(seed: int, middles: bool = False) -> World:
    made = random_fabric(random.Random(seed))
    return World(made.spec, host_places(made.spec, made.hosts), middles)


def steps(
    seed: int, kinds=tuple(KINDS), middles: bool = False, faults: int = FAULTS
) -> list[tuple[World, Step]]:
    """What is scheduled, each step with the world before it."""
    world, schedule = world_of(seed, middles), Schedule(random.Random(seed), kinds)
    found, left = [], faults
    while left > 0 and (step := schedule.step(world, left)):
        found.append((world.copy(), step))
        step.apply(world)
        left -= len(step.faults)
    return found


def test_switches_that_lose_the_controller_and_get_it_back_within_a_step_are_known():
    lost, back = Fault("switch-flushed", "s2-0"), Fault("switch-back", "s2-0", "flushed")
    assert Step((lost, back)).renewed() == {"s2-0"}
    assert Step((back, lost)).renewed() == set()
    assert Step((Fault("disconnected", "s1-0"), Fault("connected", "s2-0"))).renewed() == set()


@pytest.mark.parametrize("seed", SEEDS)
def test_every_switch_below_the_last_stage_has_two_neighbours_above_it(seed):
    spec = random_fabric(random.Random(seed)).spec
    stage = {switch.id: switch.stage for switch in spec.switches}
    for switch in spec.switches:
        above = {
            link.other_end(switch.id).switch
            for link in spec.links_of(switch.id)
            if stage[link.other_end(switch.id).switch] > switch.stage
        }
        assert len(above) >= 2 or switch.stage == max(stage.values())
    assert len(set(components(stage, spec.links).values())) == 1
    assert all(len(spec.links_of(switch)) > 0 for switch in stage)


def test_fabrics_have_parallel_links_different_rates_and_two_or_three_stages():
    specs = [random_fabric(random.Random(seed)).spec for seed in SEEDS]
    assert {max(s.stage for s in spec.switches) for spec in specs} == {2, 3}
    for spec in specs:
        assert len(spec.switches) <= 10
    pairs = [Counter((k.a.switch, k.b.switch) for k in spec.links) for spec in specs]
    assert sum(max(count.values()) == 2 for count in pairs) > len(specs) / 2
    assert sum(len({k.bps for k in spec.links}) > 1 for spec in specs) > len(specs) / 2


@pytest.mark.parametrize("seed", [0, 1])
def test_a_seed_gives_the_same_fabric_and_faults_again(seed):
    assert world_of(seed).spec == world_of(seed).spec
    assert [step for _, step in steps(seed)] == [step for _, step in steps(seed)]


def test_seeds_give_different_faults():
    assert [step for _, step in steps(1)] != [step for _, step in steps(2)]


@pytest.mark.parametrize("seed", SEEDS)
def test_faults_are_possible_where_and_when_they_are_done(seed):
    for before, step in steps(seed):
        world, controller_is_up = before.copy(), True
        for fault in step.faults:
            kind = KINDS[fault.kind]
            assert (fault.subject, fault.detail) in set(kind.choose(world))
            assert controller_is_up or kind.category is not Category.CHANGE
            if kind.category is Category.RESTART:
                assert controller_is_up, "it is ended once a step"
                controller_is_up = False
            fault.apply(world)
        assert world.defects() <= MOST_DEFECTS + 1
        assert controller_is_up == (step.downtime_ms == 0 and not step.restarts)


@pytest.mark.parametrize("seed", SEEDS)
def test_healing_makes_everything_good(seed):
    world, step = steps(seed)[-1]
    step.apply(world)
    if end := healing(world):
        end.apply(world)
    assert world.defects() == 0
    assert world.strategy == "wcmp"
    assert healing(world) is None
    assert len(world.reachable()) == len(world.hosts) * (len(world.hosts) - 1)


def test_a_hundred_faults_are_of_nearly_all_kinds_single_and_several_at_once():
    of_two_hosts = {"guest-migrates", "guests-swap", "guest-restarts", "ports-renumbered"}
    for seed in range(8):
        found = [step for _, step in steps(seed, faults=100)]
        kinds = {fault.kind for step in found for fault in step.faults}
        needed = KINDS.keys() - _GREY
        if random_fabric(random.Random(seed)).hosts == 1:
            assert not kinds & of_two_hosts
            needed -= of_two_hosts
        assert len(kinds) >= len(needed) - 4
        assert any(len(step.faults) == 1 for step in found)
        assert any(len(step.faults) > 1 for step in found)
        assert any(fault.delay_ms for step in found for fault in step.faults)


def test_links_with_a_middle_are_grey_and_their_ports_do_not_go_down():
    for seed in range(4):
        kinds = {f.kind for _, step in steps(seed, middles=True) for f in step.faults}
        assert _GREY | {"silent-link"} <= kinds
        assert not kinds & {"link-down", "port-flap", "link-flaps", "switch-powered-off"}
    assert not {f.kind for _, step in steps(1) for f in step.faults} & _GREY


@pytest.mark.parametrize("seed", SEEDS)
def test_what_others_do_is_a_step_of_its_own(seed):
    for middles in (False, True):
        for _, step in steps(seed, middles=middles):
            assert len(step.faults) == 1 or not any(f.kind in ACTS for f in step.faults)


def test_foreign_rules_are_where_traffic_to_other_switches_passes():
    found = [
        f for seed in SEEDS for _, s in steps(seed, ("foreign-rule",), faults=5) for f in s.faults
    ]
    assert {f.detail.rpartition("actions=")[2].partition(":")[0] for f in found} == {
        *("drop", "output", "group")
    }
    assert any("tp_dst" in f.detail for f in found)
    assert {f.subject[:2] for f in found} >= {"s1", "s2"}
    for fault in found:
        number = fault.detail.partition("nw_dst=10.0.")[2].partition(".")[0]
        assert fault.subject != f"s1-{number}"


def test_contested_rules_are_those_of_switches_with_hosts_to_hosts_of_others():
    found = [
        f for seed in SEEDS for _, s in steps(seed, ("contested-rule",), faults=3) for f in s.faults
    ]
    assert {f.subject[:2] for f in found} == {"s1"}
    for fault in found:
        number = fault.detail.removeprefix("10.0.").partition(".")[0]
        assert fault.subject != f"s1-{number}"


def test_only_the_kinds_that_are_asked_for_are_dealt_and_none_that_cannot_happen():
    found = steps(3, ("link-down", "link-up"))
    assert {f.kind for _, step in found for f in step.faults} == {"link-down", "link-up"}
    assert Schedule(random.Random(1), ("link-up",)).step(world_of(1), 5) is None


def test_a_steps_losses_go_to_the_account_of_its_worst_fault():
    up, killed = Fault("link-up", "a"), Fault("controller-killed", "controller")
    assert Step((up,)).category is Category.HEAL
    assert Step((up, killed)).category is Category.RESTART
    assert Step((up, killed, Fault("link-down", "b"))).category is Category.CUT
    assert Step((killed,)).keeps_tables()
    assert Step((killed, Fault("session-reset", "s"))).keeps_tables()
    assert not Step((killed, up)).keeps_tables()
    assert not Step(()).keeps_tables()


def test_most_faults_leave_a_path_between_all_hosts():
    left = [world.leaves_a_path() for seed in SEEDS for world, _ in steps(seed)]
    assert sum(left) > 0.75 * len(left)


def test_late_sessions_come_in_any_order_and_up_to_half_a_minute_late():
    switches = {f"s1-{number}" for number in range(8)}
    orders = set()
    times = []
    for number in range(50):
        sessions = late_sessions(f"order {number}", switches)
        assert sessions == late_sessions(f"order {number}", sorted(switches))
        assert {switch for _, switch in sessions} == switches
        orders.add(tuple(switch for _, switch in sessions))
        times += [late_s for late_s, _ in sessions]
        assert sessions == sorted(sessions)
    assert len(orders) == 50
    assert 0 <= min(times) < 1 and LATEST_SESSION_S - 1 < max(times) <= LATEST_SESSION_S


def test_late_sessions_are_a_restart_that_keeps_all_tables():
    found = steps(4, ("late-sessions", "session-reset"))
    assert all(step.keeps_tables() for _, step in found)
    late = [f for _, step in found for f in step.faults if f.kind == "late-sessions"]
    assert len({fault.detail for fault in late}) > 1
    assert all(step.category is Category.RESTART for _, step in found if step.restarts)
