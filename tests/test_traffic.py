"""The traffic matrix that the controller measures, against what hosts send on the live fabric, and
the weights that follow it, against those of the offline tool for the same matrix."""

from __future__ import annotations

import itertools
import json
import subprocess
from collections.abc import Iterator

import pytest
from jvm import JAVA
from runtimes import JAR, needs_onos, onos_solver
from waiting import eventually

from evenweave_testbed.controller import HTTP_ADDRESS, ControllerError
from evenweave_testbed.credentials import Credentials
from evenweave_testbed.demand import FRAME_BYTES, TICKS_PER_SECOND, SteadyDemand
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.onos.rest import SOLVER, OnosRest
from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_topos.fabric_file import IMBALANCED_3X3, load

pytestmark = pytest.mark.fabric

# Of a demand that was sent as steadily as its neighbour: Open vSwitch counts up to a second late.
_TOLERANCE = 0.25
# Rates are within a few per cent after so many periods, of six in a time constant.
_SETTLED_PERIODS = 24
_STEADY_PERIODS = 10


@pytest.fixture
def measured(fabric: Fabric) -> Iterator[Fabric]:
    whole = fabric.controller.configuration()
    fabric.controller.put_configuration(whole | {"traffic": {"enabled": True, "periodSeconds": 1}})
    yield fabric
    fabric.controller.put_configuration(whole)


def demands(fabric: Fabric) -> dict[tuple[str, str], int]:
    return {(d["from"], d["to"]): d["bps"] for d in fabric.controller.traffic()["demands"]}


def prefix(fabric: Fabric, switch: str) -> str:
    (subnet,) = [s for s in fabric.controller.configuration()["subnets"] if s["switch"] == switch]
    return subnet["prefix"]


def test_the_demand_measured_is_the_demand_sent(measured):
    hosts = {switch: measured.hosts_of(switch)[0] for switch in ("s1-0", "s1-1", "s1-2")}
    shares = {
        (hosts["s1-0"], hosts["s1-2"]): 6,
        (hosts["s1-0"], hosts["s1-1"]): 3,
        (hosts["s1-1"], hosts["s1-2"]): 1,
    }
    with SteadyDemand(measured, shares) as traffic:
        traffic.wait(_SETTLED_PERIODS * TICKS_PER_SECOND)
        found = demands(measured)
    shares_of = {(a.switch, prefix(measured, b.switch)): n for (a, b), n in shares.items()}
    wanted = {(a.switch, prefix(measured, b.switch)): n for (a, b), n in traffic.sent.items()}
    least = min(wanted.values())
    # Nobody else sends more than ARP and the like, and all hosts do together.
    large = {pair: bps for pair, bps in found.items() if bps > min(found[p] for p in wanted) / 10}
    assert sorted(large) == sorted(wanted)
    smallest = min(large.values())
    for pair, packets in wanted.items():
        assert large[pair] / smallest == pytest.approx(packets / least, rel=_TOLERANCE), found
        # The sender never catches up on a pause.
        most = shares_of[pair] * TICKS_PER_SECOND * FRAME_BYTES * 8
        assert large[pair] <= most * (1 + _TOLERANCE)


@pytest.mark.extended
def test_nothing_is_measured_unless_configured(fabric):
    traffic = fabric.controller.traffic()
    assert (traffic["enabled"], traffic["switches"], traffic["demands"]) == (False, [], [])


@pytest.fixture
def solver(fabric: Fabric, runtime: str) -> Iterator[OnosRest | None]:
    """The ONOS that has the solver's application now; None for the embedded controller."""
    if runtime == "embedded":
        yield None
        return
    onos = OnosRest(HTTP_ADDRESS, Credentials.of_onos())
    onos.install(onos_solver())
    eventually(lambda: "traffic" in fabric.controller.strategies(), "solver")
    yield onos
    onos.uninstall(SOLVER)
    eventually(lambda: "traffic" not in fabric.controller.strategies(), "end of the solver")


@pytest.fixture
def following(fabric: Fabric, solver: OnosRest | None) -> Iterator[Fabric]:
    """The fabric with weights that may follow the traffic at once, if they gain much."""
    whole = fabric.controller.configuration()
    traffic = {"periodSeconds": 1, "minGainPercent": 12, "maxChurnPercentPerMinute": 100}
    fabric.controller.put_configuration(whole | {"traffic": traffic})
    yield fabric
    fabric.controller.put_configuration(whole)
    fabric.controller.set_strategy("auto")


def hot_spot(fabric: Fabric) -> dict:
    """As in docs/reproduction/traffic-aware.md: half of what two switches send goes to s1-0 in
    addition to its part of the other half."""
    hosts = {switch: fabric.hosts_of(switch)[0] for switch in ("s1-0", "s1-1", "s1-2")}
    shares = dict.fromkeys(itertools.permutations(hosts.values(), 2), 1)
    for sender in ("s1-1", "s1-2"):
        shares[hosts[sender], hosts["s1-0"]] = 3
    return shares


def weights(groups: list[dict]) -> dict[tuple[str, str], dict[int, int]]:
    """By switch and destination, the weights wanted."""
    return {
        (g["switch"], g["destination"]): {p["port"]: p["wanted"] for p in g["ports"] if p["wanted"]}
        for g in groups
    }


def library_answer(fabric: Fabric, demands: list[dict]) -> dict:
    line = {"fabric": fabric.controller.topology()["fabric"], "traffic": demands}
    command = [*JAVA, "-jar", str(JAR), "weights"]
    return json.loads(subprocess.check_output(command, input=json.dumps(line) + "\n", text=True))


@pytest.mark.extended
def test_weights_follow_a_hot_spot_as_the_library_computes_and_stay(following):
    controller = following.controller
    switches = [s.id for s in following.spec.switches]
    before = weights([g for s in switches for g in controller.groups(s)])
    since = controller.last_sequence()
    with SteadyDemand(following, hot_spot(following)) as traffic:
        controller.set_strategy("traffic")
        traffic.wait(_SETTLED_PERIODS * TICKS_PER_SECOND)
        eventually(
            lambda: controller.traffic().get("planned", {}).get("churnLeftPercent") == 0,
            controller.traffic,
        )
        controller.wait(lambda s: s["confirmed"], "confirmation", EVENT_LIMIT_S)
        planned = controller.traffic()["planned"]
        held = {s: following.groups(s) for s in switches}
        installed = weights([g for s in switches for g in controller.groups(s)])
        traffic.wait(_STEADY_PERIODS * TICKS_PER_SECOND)
        # The demand stayed, and so has all that follows from it.
        assert controller.traffic()["planned"] == planned
        assert {s: following.groups(s) for s in switches} == held
        assert controller.verification()["ok"]
    answer = library_answer(following, planned["demands"])
    wanted = {
        (group["switch"], to["to"]): {p["port"]: p["weight"] for p in group["ports"]}
        for to in answer["destinations"]
        for group in to["groups"]
    }
    assert {pair: w for pair, w in installed.items() if len(w) > 1} == {
        pair: w for pair, w in wanted.items() if len(w) > 1
    }
    assert installed != before
    utilisation = {report["rule"]: report["maxUtilisation"] for report in answer["report"]}
    # By how much depends on what a busy machine lets each sender send: 0.91 of it was seen.
    assert utilisation["traffic"] < utilisation["wcmp"]
    assert planned["maxUtilisation"] == pytest.approx(utilisation["traffic"])
    assert planned["maxUtilisationOfWcmp"] == pytest.approx(utilisation["wcmp"])
    events = [event for event in controller.events(since) if event["kind"] == "traffic"]
    assert events
    assert all(event["confirmedEpochMicros"] for event in events)


@pytest.mark.extended
@pytest.mark.parametrize("runtime", [pytest.param("onos", marks=needs_onos)], indirect=True)
def test_without_its_solver_the_strategy_has_the_weights_of_wcmp_and_says_so(following, solver):
    controller = following.controller
    controller.set_strategy("traffic")
    assert controller.status()["state"] == "converged"
    solver.deactivate(SOLVER)
    reason = 'strategy "traffic" has no solver'
    eventually(lambda: any(reason in r for r in controller.status()["reasons"]), controller.status)
    assert controller.status()["state"] == "degraded"
    controller.put_configuration(controller.configuration() | {"maxOversubscription": 1.2})
    assert controller.status()["strategy"] == "traffic"
    solver.activate(SOLVER)
    following.ready()


def test_a_runtime_without_a_solver_refuses_the_strategy(fabric, runtime):
    if runtime == "embedded":
        assert "traffic" in fabric.controller.strategies()
        return
    assert "traffic" not in fabric.controller.strategies()
    with pytest.raises(ControllerError, match='409 .*"traffic.* needs a solver'):
        fabric.controller.put_strategy("traffic")
    assert fabric.controller.status()["strategy"] == "auto"


def test_the_strategy_is_refused_where_switches_merge_rules(live_fabric):
    controller = live_fabric.get(load(IMBALANCED_3X3), "embedded").controller
    whole = controller.configuration()
    merging = [switch | {"aggregate": True} for switch in whole["switches"]]
    with pytest.raises(ControllerError, match="409 .*s1-0 merges their rules"):
        controller.put_configuration(whole | {"strategy": "traffic", "switches": merging})
    assert controller.configuration() == whole
