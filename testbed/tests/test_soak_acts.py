"""What others do to a soak's fabrics: how long it takes until it is named, in virtual time, and
what may not be said meanwhile."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from evenweave_testbed.controller import ControllerError
from evenweave_testbed.soak.acts import links, tables
from evenweave_testbed.soak.acts.act import Act, ActError, Site
from evenweave_testbed.soak.acts.registry import ACTS, act_of
from evenweave_testbed.soak.fading import Fading
from evenweave_testbed.soak.faults import ACTS as KINDS_OF_ACTS
from evenweave_testbed.soak.faults import Fault
from evenweave_testbed.soak.naming import named_us
from evenweave_testbed.soak.observe import Observation, Observed
from evenweave_testbed.soak.render import render
from evenweave_testbed.soak.report import Report
from evenweave_testbed.soak.truth import Claim, Said, Truth, claims
from evenweave_testbed.soak.verification import unverified
from evenweave_testbed.soak.watch import Confirmed
from evenweave_testbed.soak.world import World
from evenweave_topos.fabric_file import clos
from evenweave_topos.topologies import host_places

RULE = Fault("foreign-rule", "s1-0", "priority=65000,ip,actions=drop")
REASON = "s1-0: foreign rule priority=65000,ip actions=drop is lost"


class Clock:
    """Virtual time, in seconds."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def pause(self, seconds: float) -> None:
        self.now += seconds


class Deed(Act):
    """Something that is done at once and undone at once."""

    named_by = ("foreign-rule",)
    by_audit = True
    detect_s, clear_s = 40.0, 60.0

    def __init__(self, clock: Clock) -> None:
        super().__init__(Site(None, None, ()), RULE)
        self.clock = clock
        self.done = False

    def begin(self) -> None:
        self.done = True
        self.began_us = round(self.clock.now * 1e6)

    def end(self) -> None:
        self.done = False

    def reason(self) -> str:
        return "s1-0: foreign rule "


class Auditing:
    """A controller that finds a deed by audits alone, one each `period_s`."""

    def __init__(self, deed: Deed, clock: Clock, period_s: float = 30.0) -> None:
        self.deed, self.clock, self.period_s = deed, clock, period_s
        self.next_s = clock.now + period_s
        self.found: list[dict] = []
        self.said = False
        self.audits = 0
        self.refusals = 0

    def _look(self) -> None:
        if self.deed.done and not self.said:
            at = round(self.clock.now * 1e6)
            subject = REASON
            self.found.append(
                {"kind": "foreign-rule", "subject": subject, "detectedEpochMicros": at}
            )
        self.said = self.deed.done

    def _pass(self) -> None:
        while self.clock.now >= self.next_s:
            self.next_s += self.period_s
            self._look()

    def status(self) -> dict:
        self._pass()
        return {"state": "x", "reasons": [REASON] if self.said else []}

    def events(self, since: int = 0) -> list[dict]:
        self._pass()
        return self.found[since:]

    def audit(self) -> list[str]:
        if self.refusals:
            self.refusals -= 1
            raise ControllerError("POST /audit: 409 a plan is in progress")
        self.audits += 1
        self._look()
        return []


def observed(
    hasten: bool = False,
    period_s: float = 30.0,
    lost: Callable[[], bool] = lambda: True,
    always: bool = True,
    refusals: int = 0,
) -> tuple[Observed, Auditing]:
    clock = Clock()
    deed = Deed(clock)
    deed.always = always
    controller = Auditing(deed, clock, period_s)
    controller.refusals = refusals
    observation = Observation(deed, controller, lost, clock, clock.pause)
    found = observation.run(0, hasten)
    assert not deed.done
    return found, controller


def test_the_time_until_an_own_audit_is_measured_and_so_is_that_until_silence():
    found, controller = observed()
    assert found.wrong == []
    assert found.named_s == pytest.approx(30, abs=0.2)
    # 1.5 s after it was named it ends, and the next audit comes 30 s after the first.
    assert found.cleared_s == pytest.approx(28.5, abs=0.4)
    assert controller.audits == 0


def test_an_audit_that_is_asked_for_hastens_and_its_time_does_not_count():
    found, controller = observed(hasten=True, refusals=3)
    assert found.wrong == []
    assert found.named_s is None
    assert found.cleared_s == pytest.approx(0, abs=0.2)
    assert controller.audits == 2


def test_what_is_never_named_or_always_said_is_wrong():
    found, _ = observed(period_s=1000)
    assert found.named_s is None
    assert found.wrong == ["it was not named within 40 s"]
    found, _ = observed(period_s=39)
    assert found.wrong == []
    clock = Clock()
    deed = Deed(clock)
    stubborn = Auditing(deed, clock)
    stubborn.status = lambda: {"reasons": [REASON]}
    found = Observation(deed, stubborn, lambda: True, clock, clock.pause).run(0, False)
    assert found.wrong == ["60 s after its end it is still said"]


def test_a_rule_by_which_nothing_is_lost_need_not_be_named():
    found, controller = observed(period_s=1000, lost=lambda: False, always=False)
    # The audit finds it anyway, as this controller names all rules.
    assert (found.wrong, controller.audits) == ([], 2)
    clock = Clock()
    deed = Deed(clock)
    deed.always = False
    silent = Auditing(deed, clock)
    silent._look = lambda: None
    found = Observation(deed, silent, lambda: False, clock, clock.pause).run(0, False)
    assert (found.wrong, found.named_s) == ([], None)
    assert clock.now - 1000 < 10
    found = Observation(deed, silent, lambda: True, clock, clock.pause).run(0, False)
    assert found.wrong == ["it was not named within 40 s, and packets are lost"]


def test_a_verification_is_asked_for_once_while_the_act_goes_on():
    clock = Clock()
    deed = Deed(clock)
    asked = []
    observation = Observation(
        *(deed, Auditing(deed, clock), lambda: True, clock, clock.pause),
        verify=lambda: asked.append((clock.now, deed.done)),
    )
    observation.run(0, False)
    # 1.5 s after the audit that found it.
    assert asked == [(pytest.approx(1031.5, abs=0.2), True)]


def test_an_act_that_fails_midway_is_undone():
    clock = Clock()
    deed = Deed(clock)

    class Broken(RuntimeError):
        pass

    def fail() -> None:
        deed.done = True
        raise Broken

    deed.begin = fail
    with pytest.raises(Broken):
        Observation(deed, Auditing(deed, clock), lambda: True, clock, clock.pause).run(0, False)
    assert not deed.done


def test_a_lossy_link_that_was_down_may_be_said_once_it_is_back():
    deed = Deed(Clock())
    in_sight = [True]
    deed.is_in_sight = lambda: in_sight[0]
    said, unsaid = {"reasons": [REASON]}, {"reasons": []}
    fading = Fading()
    fading.add(deed)
    fading.follow(said)
    assert fading
    in_sight[0] = False
    fading.follow(unsaid)
    assert fading, "it cannot be measured"
    in_sight[0] = True
    fading.follow(unsaid)
    assert fading, "it has not been judged yet"
    fading.follow(said)
    assert fading
    fading.follow(unsaid)
    assert not fading


def test_what_is_still_said_at_the_end_is_waited_for():
    deed = Deed(Clock())
    pauses = []
    fading = Fading()
    assert fading.take(pauses.append) == []
    assert pauses == []
    fading.add(deed)
    assert fading.take(pauses.append) == [deed]
    assert len(pauses) == 1
    assert not fading


def test_every_kind_of_what_others_do_has_an_act():
    assert set(ACTS) == KINDS_OF_ACTS


def test_probes_between_two_statuses_that_say_converged_are_claimed():
    said = [
        Said(0, 2, "converged"),
        Said(10, 12, "converged"),
        Said(20, 21, "degraded"),
        Said(30, 33, "converged"),
        Said(33, 33, "converged"),
        Said(40, 41, "no answer"),
    ]
    assert claims(said) == [Claim(2, 10)]
    assert claims([*said, Said(50, 50, "converged"), Said(60, 61, "converged")])[1:] == [
        Claim(50, 60)
    ]


class Saying:
    """A controller that says one thing after the other."""

    def __init__(self, *states: str) -> None:
        self.states = list(states)

    def status(self) -> dict:
        return {"state": self.states.pop(0) if self.states else "degraded"}


def test_a_packet_lost_under_a_claim_is_wrong_unless_its_time_is_excused():
    truth = Truth(Saying(), lambda: 0)
    truth._said = [
        Said(0, 0, "converged"),
        Said(100, 100, "converged"),
        Said(200, 200, "computing"),
    ]
    truth.excuse(1_000_000, 2_000_000, 2.0)
    # Probe n was sent at n tenths of a second; number 9 was on its way when the fault began.
    lost = [8, 9, 15, 40, 41, 99, 150]
    assert truth.lost_in_claims(lost, lambda number: number * 100_000) == [8, 41, 99]
    # What was excused once is so no longer, and a claim needs two statuses.
    assert truth.lost_in_claims([15], lambda number: number * 100_000) == []


class Verifying:
    """A controller whose verifications say this, one after the other."""

    def __init__(self, *oks: bool | None) -> None:
        self.oks = list(oks)

    def verification(self) -> dict:
        ok = self.oks.pop(0)
        if ok is None:
            raise ControllerError("GET /verification: 503 the switches could not be read in time")
        return {"ok": ok}


def test_nothing_excuses_a_packet_lost_while_a_verification_says_ok():
    marks = iter([10, 20, 30, 40, 50])
    truth = Truth(Verifying(True, False, None), lambda: next(marks))
    for _ in range(3):
        truth.verify()
    truth.excuse(0, 10_000_000, 10.0)
    assert truth.lost_in_claims(range(60), lambda number: number * 100_000) == [*range(10, 20)]
    assert truth.lost_in_claims(range(60), lambda number: number * 100_000) == []


SPEC = clos([[1, 1], [1, 1]])


def test_a_lossy_link_that_fades_is_no_violation_of_the_controller():
    world = World(SPEC, host_places(SPEC, 1), True)
    link = str(SPEC.links[0])
    lossy = {"kind": "lossy-link", "switch": "s1-0", "destination": link}
    blocked = {"kind": "port-blocked", "switch": "s1-0", "destination": "s1-0/5"}
    answer = {"ok": False, "violations": [lossy, blocked], "differences": [], "unread": []}
    status = {"converged": False, "state": "degraded"}
    confirmed = Confirmed(status, 0, frozenset(), frozenset(), frozenset())
    both = ["verification finds lossy-link at s1-0 to " + link]
    both.append("verification finds port-blocked at s1-0 to s1-0/5")
    assert unverified(answer, confirmed, world, {}) == both
    assert unverified(answer, confirmed, world, {}, {link}) == both[1:]


def test_a_switch_that_is_disconnected_need_not_be_read():
    world = World(SPEC, host_places(SPEC, 1))
    unread = {"switch": "s1-0", "problem": "it is not connected"}
    answer = {"ok": False, "violations": [], "differences": [], "unread": [unread]}
    confirmed = Confirmed({"converged": False}, 0, frozenset(), frozenset(), frozenset())
    assert unverified(answer, confirmed, world, {}) == [f"verification finds {unread}"]
    world.disconnected.add("s1-0")
    assert unverified(answer, confirmed, world, {}) == []


class Wire:
    """Notes which faults are put on it."""

    def __init__(self) -> None:
        self.faults: list[tuple[str, float]] = []

    def __getattr__(self, fault: str):
        return lambda amount: self.faults.append((fault, amount))


class Load:
    """Notes whether it is on."""

    def __init__(self, interface: str, pps: int, frame_bytes: int) -> None:
        self.interface, self.pps = interface, pps
        self.bps = 8 * pps * frame_bytes
        self.log: list[str] = []

    def start(self) -> None:
        self.log.append("start")

    def stop(self) -> None:
        self.log.append("stop")


class Bed:
    """Fabric with one wire."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self.asked: list[tuple[str, str]] = []

    def wire(self, sender: str, receiver: str) -> Wire:
        self.asked.append((sender, receiver))
        return self._wire


@pytest.mark.parametrize(
    ("kind", "amount", "faults", "pps"),
    [
        ("lossy-link", "0.1", [("lose", 0.1), ("lose", 0)], 0),
        ("faint-link", "0.01", [("lose", 0.01), ("lose", 0)], 200),
        ("corrupt-link", "0.2", [("damage", 0.2), ("damage", 0)], 0),
        # A tenth of 150 frames of 1400 bytes a second.
        ("narrow-link", "0.1", [("slow", 168_000), ("slow", 0)], 150),
    ],
)
def test_a_grey_link_is_worse_in_one_direction_until_its_end(
    monkeypatch, kind, amount, faults, pps
):
    monkeypatch.setattr(links, "Load", Load)
    wire, link = Wire(), SPEC.links[0]
    bed = Bed(wire)
    fault = Fault(kind, str(link), f"{link.b} {amount}")
    act = act_of(fault, Site(bed, World(SPEC, [], True), ()))
    assert bed.asked == [(str(link.b), str(link.a))]
    act.begin()
    assert act.began_us > 0
    assert wire.faults == faults[:1]
    assert act._load.pps == pps
    assert act._load.interface == f"{link.b.switch}-eth{link.b.port}"
    act.end()
    assert wire.faults == faults
    assert act._load.log == (["start", "stop"] if pps else ["stop"])
    event = {"kind": "link-lossy", "detectedEpochMicros": 7}
    assert act.named_us([event | {"subject": f"{link}: loses about 20 % of probes"}]) == 7
    assert act.named_us([event | {"subject": "s9-0/1-s9-1/1: loses"}]) is None
    assert act.is_said({"reasons": [f"link {link} is lossy: it loses"]})
    assert not act.is_said({"reasons": [f"link {link} is down"]})


PLACE = "priority=10024,ip,dl_dst=02:45:56:57:00:01,nw_dst=10.0.1.0/24"
CONTEST = Fault("contested-rule", "s1-0", "10.0.1.0/24")


class Contested:
    """A switch whose controller puts its rule back after so many looks."""

    def __init__(self, looks: float = 2) -> None:
        self.patience, self.looks = looks, 0.0
        self.puts: list[str] = []
        self.is_foreign = False
        self.deletions = 0

    def ofctl(self, command: str, *arguments: str) -> str:
        if command == "add-flow":
            assert not self.is_foreign, "it puts back what is still there"
            self.puts.append(arguments[1])
            self.is_foreign, self.looks = True, self.patience
        elif command == "del-flows":
            self.deletions += 1
            self.is_foreign = False
        elif "cookie=0xbad/-1" in arguments:
            self.looks -= 1
            self.is_foreign &= self.looks > 0
            return f" cookie=0xbad, {PLACE} actions=drop\n" if self.is_foreign else ""
        else:
            return (
                f" cookie=0x1, table=20, {PLACE} actions=drop\n"
                " cookie=0x1, priority=10024,ip,nw_dst=10.0.10.0/24 actions=group:1\n"
                f" cookie=0x1, {PLACE.replace('10024', '10025')}1 actions=group:1\n"
                f" cookie=0x1, {PLACE} actions=group:1163329537\n"
            )
        return ""


def contest(monkeypatch, switch: Contested) -> tables.ContestedRule:
    clock = Clock()
    monkeypatch.setattr(tables, "_ofctl", switch.ofctl)
    monkeypatch.setattr(tables.time, "monotonic", clock)
    monkeypatch.setattr(tables.time, "sleep", clock.pause)
    act = act_of(CONTEST, Site(None, None, ()))
    act.begin()
    return act


def test_a_contested_rule_is_put_back_after_each_repair_three_times(monkeypatch):
    switch = Contested()
    act = contest(monkeypatch, switch)
    assert switch.puts == [f"cookie=0xbad,{PLACE},actions=drop"] * 3
    assert switch.is_foreign
    act.end()
    assert (switch.is_foreign, switch.deletions) == (False, 0)
    sentence = "s1-0: rule 10.0.1.0/24 (and 1 more) is contested: cookie 0xbad holds a rule"
    event = {"kind": "rule-contested", "subject": sentence, "detectedEpochMicros": 7}
    assert act.named_us([event]) == 7
    assert act.named_us([event | {"subject": sentence.replace("s1-0", "s1-1")}]) is None
    assert act.is_said({"reasons": ["x", sentence]})
    assert not act.is_said({"reasons": ["s1-0: rule 10.0.1.0/24 is missing"]})


def test_a_rule_that_is_never_repaired_is_put_once_and_taken_away(monkeypatch):
    switch = Contested(looks=float("inf"))
    act = contest(monkeypatch, switch)
    assert len(switch.puts) == 1
    act.end()
    assert (switch.is_foreign, switch.deletions) == (False, 1)


def test_a_switch_without_a_rule_to_the_prefix_cannot_be_contested(monkeypatch):
    monkeypatch.setattr(tables, "_ofctl", lambda *_: "")
    with pytest.raises(ActError, match="s1-0 has no rule to 10.0.1.0/24"):
        act_of(CONTEST, Site(None, None, ())).begin()


def test_faults_are_named_by_events_about_their_subject():
    def event(kind: str, subject: str, at: int) -> dict:
        return {"kind": kind, "subject": subject, "detectedEpochMicros": at}

    link = Fault("silent-link", "s1-0/1-s2-0/1", "s1-0/1")
    assert named_us(link, [event("link-down", "s2-0/1-s1-0/1", 7)]) == 7
    assert named_us(link, [event("link-down", "s1-0/1-s2-0/10", 7)]) is None
    assert named_us(link, [event("link-up", "s1-0/1-s2-0/1", 7)]) is None
    switch = Fault("switch-removed", "s1-1")
    events = [event("switch-down", "s1-10", 3), event("switch-down", "s1-1", 9)]
    assert named_us(switch, events) == 9
    assert named_us(Fault("strategy", "ecmp"), [event("strategy", "ecmp", 2)]) == 2
    assert named_us(Fault("controller-killed", "controller"), events) is None


def test_the_report_has_a_line_for_each_kind():
    report = Report(7, "embedded", reproduce="...")
    report.add_named("foreign-rule", 28.0, 1.0)
    report.add_named("foreign-rule", 30.0, 2.0)
    report.add_named("foreign-rule", None)
    report.add_lost_of("foreign-rule", 4711)
    report.add_named("port-flap", None)
    found = json.loads(json.dumps(report.to_json()))["byKind"]
    assert found["foreign-rule"] == {
        "n": 3,
        "packetsLost": 4711,
        "named": {"n": 2, "medianS": 29.0, "maxS": 30.0},
        "cleared": {"n": 2, "medianS": 1.5, "maxS": 2.0},
    }
    assert found["port-flap"] == {"n": 1, "packetsLost": 0, "named": None, "cleared": None}
    (row,) = [line for line in render(report).splitlines() if line.startswith("foreign-rule")]
    assert row.split() == ["foreign-rule", "3", "29.0", "30.0", "1.5", "4711"]
