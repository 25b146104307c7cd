"""The soak's accounts: which packets are lost, which may be, and what the report says of it."""

from __future__ import annotations

import json

import pytest

from evenweave_testbed.openvswitch import Bucket, Group
from evenweave_testbed.soak.accounts import uncounted
from evenweave_testbed.soak.faults import Category, Fault
from evenweave_testbed.soak.judgement import may_lose_at_first, may_lose_later
from evenweave_testbed.soak.ledger import Ledger, Losses, Phase, flows_between_all
from evenweave_testbed.soak.report import Report, Violation
from evenweave_testbed.soak.schedule import Step
from evenweave_testbed.soak.tables import Tables, parse_tables
from evenweave_testbed.soak.watch import disconnected, is_confirmed, mismatch
from evenweave_testbed.soak.world import FLUSHED, POWERED_OFF, REMOVED, World
from evenweave_topos.fabric_file import clos
from evenweave_topos.topologies import host_places

# s1-0 has two links to s2-0 and one to s2-1, s1-1 one to each:
# s1-0/1 s1-0/2 - s2-0/1 s2-0/2, s1-0/3 - s2-1/1, s1-1/1 - s2-0/3, s1-1/2 - s2-1/2
SPEC = clos([[2, 1], [1, 1]])
HOSTS = host_places(SPEC, 1)
PAIRS = {("h0-1", "h1-1"), ("h1-1", "h0-1")}
TO_0, TO_1 = "10.0.0.0/24", "10.0.1.0/24"


def routes(**by_switch) -> dict[str, Tables]:
    return {name.replace("_", "-"): Tables({}, found) for name, found in by_switch.items()}


TABLES = routes(
    s1_0={TO_0: None, TO_1: {1: 64, 2: 64, 3: 128}},
    s1_1={TO_0: {1: 128, 2: 128}, TO_1: None},
    s2_0={TO_0: {1: 128, 2: 128}, TO_1: {3: 1}},
    s2_1={TO_0: {1: 1}, TO_1: {2: 1}},
)


class Stream:
    """A probe stream of which everything has been sent; some has not arrived."""

    def __init__(self, sent: int, lost: set[int]) -> None:
        self.count, self.lost = sent, lost

    def sent(self) -> int:
        return self.count

    def arrived(self, number: int) -> bool:
        return number not in self.lost

    def missing(self, first: int, end: int) -> list[int]:
        return sorted(n for n in self.lost if first <= n < end)


FLOWS = flows_between_all(HOSTS)


def test_all_pairs_have_as_many_flows_with_ports_of_their_own():
    pairs = [(f.source.name, f.destination.name) for f in FLOWS]
    assert set(pairs) == PAIRS
    assert pairs.count(("h0-1", "h1-1")) * 2 == len(FLOWS)
    assert len({f.key for f in FLOWS}) == len(FLOWS)


def test_a_lost_probe_is_counted_by_its_number_and_its_pair():
    ledger = Ledger(Stream(1000, {10, 11, 500, 501, 999}), FLOWS)
    (even, odd) = ledger.pair_of(10), ledger.pair_of(11)
    assert {even, odd} == PAIRS
    assert ledger.losses(Phase(0, 10)) == Losses()
    assert ledger.losses(Phase(0, 500)).wrong == (10, 11)
    assert ledger.losses(Phase(0, 501, lossy=PAIRS)) == Losses(allowed=3)
    assert ledger.losses(Phase(0, 501, lossy={even})) == Losses(allowed=2, wrong=(11,))
    assert ledger.losses(Phase(0, 501, {even}, uncounted={odd})) == Losses(2, (), 1)


def test_no_claim_covers_pairs_that_had_no_path_when_a_phase_began():
    phases = [Phase(100, 200, uncounted={("h0-1", "h1-1")}), Phase(200, 300)]
    assert uncounted(99, phases) == frozenset()
    assert uncounted(100, phases) == uncounted(199, phases) == {("h0-1", "h1-1")}
    assert uncounted(200, phases) == uncounted(300, phases) == frozenset()


def test_what_full_buffers_of_the_bed_may_have_dropped_is_not_the_networks():
    ledger = Ledger(Stream(1000, {10, 11, 12}), FLOWS)
    assert ledger.losses(Phase(0, 100, overflows=3)) == Losses(bed=3)
    assert len(ledger.losses(Phase(0, 100, overflows=2)).wrong) == 3


def test_a_probe_that_later_ones_of_its_flow_overtook_is_not_waited_for():
    period = len(FLOWS)
    pauses: list[float] = []

    def settle(stream: Stream, mark: int, arrivals: list[int], cut_off=frozenset()) -> int:
        """How often it paused; each pause lets one more probe arrive or be sent."""
        pauses.clear()

        def pause(seconds: float) -> None:
            pauses.append(seconds)
            stream.lost.discard(arrivals.pop(0))

        Ledger(stream, FLOWS).settle(mark, cut_off, pause)
        return len(pauses)

    assert settle(Stream(50, set()), 50, []) == 0
    assert settle(Stream(4 * period, {7}), 10, []) == 0
    # Only two later ones of its flow have arrived.
    waiting = {7, 7 + period, 7 + 4 * period}
    assert settle(Stream(5 * period, set(waiting)), 10, [7 + period]) == 1
    assert settle(Stream(50, {7, 8}), 10, [8, 7]) == 2
    assert settle(Stream(50, {7, 8}), 10, [], cut_off=PAIRS) == 0


def test_what_pairs_without_a_path_lose_is_no_loss():
    ledger = Ledger(Stream(3000, set(range(100, 120))), FLOWS)
    (even, odd) = ledger.pair_of(100), ledger.pair_of(101)
    assert ledger.loses(0)
    assert ledger.loses(0, {even})
    assert not ledger.loses(0, {even, odd})
    assert not ledger.loses(115)


def single(kind: str, subject: str, detail: str = "") -> Step:
    return Step((Fault(kind, subject, detail),))


def at_first(step: Step) -> set:
    return set(may_lose_at_first(step, SPEC, HOSTS, PAIRS, TABLES))


def later(step: Step) -> set:
    world = World(SPEC, HOSTS)
    step.apply(world)
    return set(may_lose_later(step, SPEC, HOSTS, PAIRS, TABLES, world))


def test_a_link_costs_those_that_cross_it_until_its_switches_have_noticed():
    # One of two parallel links: both its switches have another port for every destination.
    parallel = single("link-down", "s1-0/1-s2-0/1", "s1-0/1")
    assert at_first(parallel) == PAIRS
    assert later(parallel) == set()
    # s2-0 has no other link to s1-1, which s1-0 cannot know.
    only = single("link-down", "s1-1/1-s2-0/3", "s2-0/3")
    assert at_first(only) == PAIRS
    assert later(only) == {("h0-1", "h1-1")}


def test_a_silent_link_costs_those_that_cross_it_in_that_direction():
    assert at_first(single("silent-link", "s1-0/3-s2-1/1", "s1-0/3")) == {("h0-1", "h1-1")}
    assert at_first(single("silent-link", "s1-0/3-s2-1/1", "s2-1/1")) == {("h1-1", "h0-1")}


def test_what_nobody_sends_packets_to_costs_nothing():
    assert at_first(single("rules-deleted", "s1-0", "all")) == PAIRS
    unused = TABLES | routes(s1_0={TO_0: None, TO_1: {3: 1}}, s1_1={TO_0: {2: 1}, TO_1: None})
    step = single("switch-removed", "s2-0")
    assert set(may_lose_at_first(step, SPEC, HOSTS, PAIRS, unused)) == set()


@pytest.mark.parametrize(
    "kind", ["link-up", "switch-back", "controller-killed", "session-reset", "strategy"]
)
def test_heals_restarts_reconnections_and_changes_cost_nothing(kind):
    assert at_first(single(kind, "s1-0/1-s2-0/1")) == set()


def test_a_host_whose_port_is_down_costs_nobody_else_anything():
    third = ("h2-1", "h1-1")
    step = Step((Fault("host-port-down", "h0-1"), Fault("host-port-up", "h0-1")))
    assert set(may_lose_at_first(step, SPEC, HOSTS, PAIRS | {third}, TABLES)) == PAIRS


def test_several_faults_at_once_may_cost_anybody_something():
    quiet, cut = Fault("link-up", "s1-0/3-s2-1/1"), Fault("switch-removed", "s2-0")
    assert at_first(Step((quiet, cut))) == PAIRS
    assert at_first(Step((quiet, Fault("controller-killed", "controller")))) == set()


def test_hosts_without_a_path_are_known():
    world = World(SPEC, HOSTS)
    assert world.reachable() == PAIRS
    world.down["s1-1/1-s2-0/3"] = "s2-0/3"
    assert world.reachable() == PAIRS
    world.gone["s2-1"] = REMOVED
    assert world.reachable() == set()
    assert not world.leaves_a_path()
    del world.gone["s2-1"]
    world.disconnected.add("s2-1")
    assert world.reachable() == set()
    assert world.reachable(trusted={"s2-1"}) == PAIRS
    world.hosts_down.add("h0-1")
    assert world.reachable(trusted={"s2-1"}) == set()


def test_the_fabric_to_plan_for_has_only_what_is_to_carry_traffic():
    world = World(SPEC, HOSTS)
    assert world.fabric() == SPEC.to_json()
    world.down["s1-0/1-s2-0/1"] = "s1-0/1"
    world.silent["s1-0/2-s2-0/2"] = "s2-0/2"
    world.excluded_links.add("s1-0/3-s2-1/1")
    assert [(k["a"], k["b"]) for k in world.fabric()["links"]] == [
        ("s1-1/1", "s2-0/3"),
        ("s1-1/2", "s2-1/2"),
    ]
    world.gone["s1-1"] = POWERED_OFF
    assert [n["switch"] for n in world.fabric()["subnets"]] == ["s1-0"]
    assert world.dead_ports() == {
        *(("s1-0", 1), ("s2-0", 1), ("s1-1", 1), ("s2-0", 3), ("s1-1", 2), ("s2-1", 2)),
    }
    assert world.configuration()["excluded"] == {"switches": [], "links": ["s1-0/3"]}


def test_a_damped_link_is_seen_and_carries_nothing():
    world = World(SPEC, HOSTS)
    world.damped = frozenset({"s1-0/1-s2-0/1"})
    assert mismatch({"fabric": SPEC.to_json()}, world) is None
    assert ("s1-0/1", "s2-0/1") not in [(k["a"], k["b"]) for k in world.fabric()["links"]]
    assert "s1-0/1-s2-0/1" in map(str, world.working_links())


def test_a_link_that_comes_up_at_a_disconnected_switch_may_stay_unused():
    world = World(SPEC, HOSTS)
    flapped = "s1-0/1-s2-0/1"
    Fault("port-flap", flapped, "s1-0/1").apply(world)
    assert world.unproved() == set()
    Fault("disconnected", "s2-0").apply(world)
    assert world.unproved() == {flapped}
    world.begin_step()
    Fault("link-down", "s1-0/2-s2-0/2", "s1-0/2").apply(world)
    Fault("link-up", "s1-0/2-s2-0/2").apply(world)
    assert world.unproved() == {flapped, "s1-0/2-s2-0/2"}
    world.unseen = frozenset({flapped})
    assert flapped not in map(str, world.routed_links({"s2-0"}))
    Fault("connected", "s2-0").apply(world)
    world.begin_step()
    Fault("disconnected", "s2-0").apply(world)
    assert world.unproved() == set()


def test_links_of_a_switch_that_comes_back_beside_a_disconnected_one_may_stay_unused():
    world = World(SPEC, HOSTS)
    Fault("disconnected", "s1-1").apply(world)
    Fault("switch-removed", "s2-0").apply(world)
    Fault("switch-back", "s2-0", REMOVED).apply(world)
    assert world.unproved() == {"s1-1/1-s2-0/3"}


def test_a_controller_that_sees_another_network_has_not_answered_yet():
    world = World(SPEC, HOSTS)
    whole = {"fabric": SPEC.to_json()}
    assert mismatch(whole, world) is None
    world.down["s1-0/1-s2-0/1"] = "s1-0/1"
    assert mismatch(whole, world) == "it still sees s1-0/1-s2-0/1"
    world.gone["s2-1"] = REMOVED
    assert mismatch(whole, world) == "it still sees s2-1"
    assert mismatch({"fabric": world.fabric()}, world) is None
    assert mismatch({"fabric": world.fabric()}, World(SPEC, HOSTS)) == "it does not see s2-1"
    without = SPEC.to_json()
    without["links"] = without["links"][1:]
    assert mismatch({"fabric": without}, World(SPEC, HOSTS)) == "it does not see s1-0/1-s2-0/1"
    avoiding = {"fabric": SPEC.to_json(), "avoidedLinks": ["s1-0/1-s2-0/1"]}
    assert mismatch(avoiding, World(SPEC, HOSTS)) == "it avoids s1-0/1-s2-0/1"
    assert mismatch(avoiding | {"avoidedLinks": []}, World(SPEC, HOSTS)) is None


def test_what_has_lost_the_controller_or_is_excluded_may_be_seen_or_not():
    world = World(SPEC, HOSTS)
    world.disconnected.add("s2-0")
    world.excluded_links.add("s1-0/3-s2-1/1")
    assert mismatch({"fabric": SPEC.to_json()}, world) is None
    assert mismatch({"fabric": world.fabric()}, world) is None


def test_a_switch_that_is_gone_while_it_is_excluded_may_be_seen_or_not():
    world = World(SPEC, HOSTS)
    world.gone["s2-1"] = FLUSHED
    assert mismatch({"fabric": SPEC.to_json()}, world) == "it still sees s2-1"
    world.excluded_switches.add("s2-1")
    assert mismatch({"fabric": SPEC.to_json()}, world) is None
    assert mismatch({"fabric": world.fabric()}, world) is None
    world.down["s1-0/1-s2-0/1"] = "s1-0/1"
    assert mismatch({"fabric": SPEC.to_json()}, world) == "it still sees s1-0/1-s2-0/1"


def test_a_switch_that_is_not_back_is_waited_for_even_while_it_is_trusted():
    world = World(SPEC, HOSTS)
    world.disconnected.add("s2-0")
    assert disconnected({"switches": 3}, world) is None
    assert disconnected({"switches": 2}, world) == "it is connected to 2 switches of 3"


def test_a_crash_of_all_switches_takes_the_rules_of_those_without_a_controller():
    world = World(SPEC, HOSTS)
    world.disconnected.add("s2-0")
    Fault("all-switches-crash", "all").apply(world)
    assert (world.gone, world.disconnected) == ({"s2-0": FLUSHED}, set())


def test_confirmed_counts_where_there_is_such_a_thing():
    assert is_confirmed({"converged": True})
    assert is_confirmed({"converged": False, "confirmed": True})
    assert not is_confirmed({"converged": True, "confirmed": False})


def test_the_report_has_the_shape_that_scripts_read():
    report = Report(7, "embedded", reproduce="./evenweave bench soak --faults 3 --seed 7")
    restart, cut = Fault("controller-killed", "controller"), Fault("link-down", "a", "b")
    report.add_faults([restart])
    report.add_losses(Category.RESTART, Losses(wrong=(5, 6), uncounted=3, bed=1))
    report.add_faults([cut, Fault("link-up", "a", "b")])
    report.add_losses(Category.CUT, Losses(allowed=4))
    report.violations.append(Violation(1, 1, "controller-killed", "2 packets lost", 9.5))
    found = json.loads(json.dumps(report.to_json()))
    assert (found["seed"], found["faults"], found["steps"]) == (7, 3, 2)
    assert found["restarts"] == {"n": 1, "packetsLost": 2, "groupsChanged": 0}
    assert found["heals"] == {"n": 1, "packetsLost": 0}
    assert found["cuts"] == {"n": 1, "packetsLost": 4}
    assert found["violations"] == [
        {
            "fabric": 1,
            "step": 1,
            "faults": "controller-killed",
            "what": "2 packets lost",
            "load": 9.5,
        }
    ]
    assert found["kinds"] == {"controller-killed": 1, "link-down": 1, "link-up": 1}
    assert found["probes"] == {"sent": 0, "withoutPath": 3, "lostInTheBed": 1}


def test_routes_groups_and_hosts_are_read_from_a_switchs_own_words():
    rules = """
 cookie=0x1, priority=50000,dl_type=0x88cc actions=CONTROLLER:65535
 cookie=0x1, priority=40000,arp actions=CONTROLLER:65535
 cookie=0x1, priority=40001,arp,in_port=4,arp_op=1 actions=set_field:2->arp_op,IN_PORT
 cookie=0x1, priority=60000,vlan_tci=0x1000/0x1000 actions=drop
 cookie=0x1, priority=30000,ip,nw_src=10.0.0.2,nw_dst=10.0.0.2 actions=drop
 cookie=0x1, priority=15000,ip,in_port=4,dl_dst=02:00:00:00:00:fe,nw_dst=10.0.0.2 actions=IN_PORT
 cookie=0x1, priority=10032,ip,dl_dst=02:00:00:00:00:fe,nw_dst=10.0.0.2 actions=dec_ttl,output:4
 cookie=0x1, priority=10024,ip,dl_dst=02:00:00:00:00:fe,nw_dst=10.0.0.0/24 actions=CONTROLLER:65535
 cookie=0x1, priority=10024,ip,dl_dst=02:00:00:00:00:fe,nw_dst=10.0.1.0/24 actions=dec_ttl,group:7
 cookie=0x1, priority=10024,ip,dl_dst=02:00:00:00:00:fe,nw_dst=10.0.2.0/24 actions=dec_ttl,output:3
"""
    group = Group(7, "select", (Bucket(1, 1, 1), Bucket(1, 2, 2), Bucket(2, 1, 1)))
    tables = parse_tables(rules, [group, Group(9, "select", ())])
    assert tables.routes == {
        "10.0.0.0/24": None,
        "10.0.1.0/24": {1: 3, 2: 1},
        "10.0.2.0/24": {3: 1},
    }
    assert tables.hosts == {"10.0.0.2": 4}
    assert {"arp", "dl_type=0x88cc"} < tables.others
    assert tables.unused_groups() == [9]
    assert tables.to_json("s1-0") == {
        "id": "s1-0",
        "groups": [{"id": 1, "ports": [1, 2, 1], "weights": [1, 1, 2]}],
        "flows": [
            {"match": "10.0.0.0/24", "action": "controller"},
            {"match": "10.0.1.0/24", "action": "dec_ttl,group:1"},
            {"match": "10.0.2.0/24", "action": "dec_ttl,output:3"},
            {"match": "arp", "action": "controller"},
        ],
    }
