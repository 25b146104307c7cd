"""The benchmarks, run as a user runs them, with tiny parameters: their form, not their figures."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest

REPRODUCTION = Path(__file__).resolve().parents[1] / "docs/reproduction"
ALGORITHMS = {"paper", "heap", "scaleAndFloor", "evenweave"}
FIGURES = {"medianNs", "timesOurs", "meanEntries", "maxOversubscription"}


@pytest.fixture
def bench(evenweave):
    """Runs a benchmark with --json and gives what it printed."""

    def run(*arguments: str) -> dict:
        done = evenweave("bench", *arguments, "--json")
        assert done.returncode == 0, done.stderr[-2000:]
        return json.loads(done.stdout)

    return run


def assert_compares(case: dict, algorithms: set[str]) -> None:
    for figure in FIGURES:
        assert set(case[figure]) == algorithms, figure
    assert all(ns > 0 for ns in case["medianNs"].values())
    assert all(limit >= 1 for limit in case["maxOversubscription"].values())
    assert case["timesOurs"]["evenweave"] == 1


@pytest.mark.extended
def test_reduction_compares_seven_algorithms_on_the_same_groups(bench):
    result = bench("reduction", "--quick", "--seed", "7")
    assert result["seed"] == 7
    uniform, fabric = result["cases"]
    assert (uniform["ports"], uniform["maxWeight"], uniform["limit"]) == (8, 1000, 1.05)
    assert (fabric["weights"], fabric["ports"]) == ("fabric", 16)
    for case in (uniform, fabric):
        assert_compares(case, ALGORITHMS | {"tightHeap", "evenweaveNew", "evenweaveLeavingOut"})
        assert 1 <= case["distinctGroups"] <= case["groups"]
        # All but scale-and-floor are optimal in size, and none exceeds the limit.
        entries = case["meanEntries"]
        assert entries["evenweave"] == entries["paper"] == entries["heap"] == entries["tightHeap"]
        assert entries["evenweaveNew"] == entries["evenweave"]
        assert entries["evenweaveLeavingOut"] <= entries["evenweave"] <= entries["scaleAndFloor"]
        assert max(case["maxOversubscription"].values()) <= case["limit"]


@pytest.mark.extended
def test_fitting_compares_them_for_one_group_and_for_many(bench):
    one, many = bench("fitting", "--quick")["cases"]
    assert (one["groupsPerTable"], one["entries"]) == (1, 16)
    fitting = ALGORITHMS | {"largestRemainders", "evenweaveL1", "evenweaveUtilisation"}
    assert_compares(one, fitting)
    assert many["groupsPerTable"] > 1
    assert_compares(many, fitting - {"heap"})
    for case in (one, many):
        worst = case["maxOversubscription"]
        assert worst["evenweave"] <= worst["paper"]
        assert case["overfullTables"]["evenweave"] == 0
        assert case["worstRatio"]["paper"] >= case["worstRatio"]["evenweave"] == 1
        fit = [name for name, overfull in case["overfullTables"].items() if not overfull]
        for measure in ("L1", "Utilisation"):
            figures = case[f"mean{measure}"]
            assert figures[f"evenweave{measure}"] <= min(figures[name] for name in fit) + 1e-12


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("arguments", [("bench",), ("bench", "nothing")])
def test_a_benchmark_that_is_not_there_is_refused(evenweave, arguments):
    done = evenweave(*arguments)
    assert done.returncode == 2
    assert "--help" in done.stderr
    assert done.stdout == ""


@pytest.mark.extended
def test_scale_measures_events_and_ends_as_a_full_computation(bench):
    result = bench("scale", "--quick")
    assert [size["servers"] for size in result["growth"]] == [16, 54, 128]
    assert (result["servers"], result["switches"], result["links"]) == (128, 80, 256)
    for size in result["growth"]:
        assert size["identical"] is True
        assert size["fullMs"] > 0
        assert size["memoryMb"] < size["heapMb"]
        for kind in ("linkEvent", "switchEvent", "randomEvent"):
            assert 0 < size[f"{kind}Ms"]["p50"] <= size[f"{kind}Ms"]["p99"]
            assert size["groupsTouched"][kind]["mean"] > 0
            assert size["fullToEvent"][kind] > 0
        assert size["routesOnly"]["fullMs"] == size["fullMs"]
        whole = size["whole"]
        assert whole["identical"] is True
        assert whole["confirmed"] is True
        assert whole["hosts"] == size["servers"]
        assert whole["firstPlanOperations"] > size["switches"]
        for kind in ("linkEvent", "switchEvent", "linkEventAmongFailures"):
            assert 0 < whole[f"{kind}Ms"]["p50"] <= whole[f"{kind}Ms"]["p99"]
            assert whole[f"{kind}Operations"]["p50"] > 0
        merged = size["aggregated"]
        assert merged["identical"] is True
        assert merged["linkEventOperations"]["p50"] > 0
        foreign = size["foreignRules"]
        assert foreign["identical"] is True
        assert foreign["named"] == 10
        assert 0 < foreign["foreignRuleMs"]["p50"] <= foreign["foreignRuleMs"]["p99"]
        pairs = size["pairs"]
        assert pairs["identical"] is True
        assert pairs["linkEventAmongFailuresMs"]["p50"] > 0
        for way in (whole, merged):
            assert 0 < way["linkEventCpuMs"]["p50"] < way["linkEventConfirmedCpuMs"]["p50"]
        assert set(whole["parts"]) == {"routes", "groups", "tables", "plan", "verify"}


@pytest.mark.extended
def test_the_arbiter_admits_what_is_asked_for_and_starves_no_pair(bench):
    result = bench("arbiter", "--quick", "--seed", "7")
    assert result["seed"] == 7
    assert [case["load"] for case in result["cases"]] == [0.1, 0.2]
    for case in result["cases"]:
        fair, shortest = case["leastRecentlyServed"], case["shortestRemaining"]
        for order in (fair, shortest):
            assert order["timeslotsPerSecond"] > 0
            assert 0.9 < order["admittedShare"] <= 1  # these loads leave slots free
        assert fair["longestWaitTimeslots"] <= fair["waitBoundTimeslots"]
        # what the order is for
        assert shortest["meanCompletionTimeslots"] < fair["meanCompletionTimeslots"]
    # If everybody wants everything, all pairs get alike but for the turn that is not over.
    assert result["allToAll"]["mostOfAPair"] - result["allToAll"]["leastOfAPair"] <= 1
    assert "--authors" in result["authors"]["skipped"]


@pytest.mark.extended
def test_solstice_is_compared_with_three_others_on_five_workloads(bench):
    result = bench("solstice", "--quick", "--seed", "7")
    workloads = ["noisy", "exact", "uneven", "permutation", "dense"]
    assert [case["workload"] for case in result["cases"]] == workloads
    for case in result["cases"]:
        planners = [case, case["paper"], case["birkhoff"], case["tdma"]]
        assert all(0 < planner["circuitServed"] <= 1 for planner in planners)
        assert all(planner["medianMs"] > 0 for planner in planners)
        # few days with long slots: what Solstice is for
        assert case["circuitServed"] > case["birkhoff"]["circuitServed"]
        assert case["days"] < case["birkhoff"]["days"]
    assert "--authors" in result["authors"]["skipped"]


@pytest.mark.extended
def test_pairs_times_both_kinds_of_paths(bench):
    result = bench("pairs", "--quick", "--seed", "5")
    assert (result["seed"], result["switches"], result["heapMb"]) == (5, 8, 256)
    assert [case["paths"] for case in result["cases"]] == ["shortest", "all"]
    for case in result["cases"]:
        assert case["pairs"] == 8 * 7
        assert case["seconds"] > 0
        assert case["answerBytes"] > 0


@pytest.mark.extended
def test_cli_times_the_tools_beside_others_on_the_same_lines(bench):
    result = bench("cli", "--quick", "--seed", "5")
    ours, baselines = result["reduce"], result["baselines"]
    assert (result["seed"], ours["groups"]) == (5, 2000)
    assert set(baselines) == {"general", "python", "jq"}
    for rate in (ours, baselines["general"], baselines["python"]):
        assert rate["groupsPerSecond"] > 0
        assert rate["startCpuSeconds"] > 0
        assert rate["groupsPerCpuSecond"] > 0
    assert baselines["python"]["groups"] == 200
    weights = result["weights"]
    assert (weights["switches"], weights["pairs"], weights["heapMb"]) == (14, 90, 64)
    assert weights["answerBytes"] > 0


@pytest.mark.extended
def test_sim_carries_the_same_flows_on_every_network(bench):
    result = bench("sim", "--quick", "--seed", "5")
    assert (result["seed"], result["repetitions"]) == (5, 2)
    names = ["pair", "onePath", "leafSpine", "marks"]
    assert [traffic["traffic"] for traffic in result["traffics"]] == names
    for traffic in result["traffics"]:
        networks = traffic["networks"]
        assert {"evenweave", "ns3", "ns3Tuned"} <= set(networks)
        assert ("ns3Global" in networks) == (traffic["traffic"] == "onePath")
        assert networks["evenweave"]["timesOurs"] == 1
        assert len({network["bytes"] for network in networks.values()}) == 1
        for network in networks.values():
            assert network["transmissionsPerCpuSecond"] > 0
            assert network["drops"] == 0
            assert network["timesOursRange"][0] <= network["timesOurs"]
        # One event brings a frame to the end of a link. ns-3's own device has another when the wire
        # is free, and a third that asks the queue disc for more where there is one.
        events = {name: network["eventsPerTransmission"] for name, network in networks.items()}
        more = 2 if traffic["traffic"] == "marks" else 1
        assert events["ns3"] == pytest.approx(events["evenweave"] + more, abs=0.1)
    pair = result["traffics"][0]
    for network in pair["networks"].values():
        assert network["transmissions"] == pair["networks"]["evenweave"]["transmissions"]
        assert network["againstOurs"] == {
            "sameFlows": pair["flows"],
            "meanRelative": 0,
            "largestNs": 0,
        }


@pytest.mark.extended
def test_leave_out_prints_the_table_of_the_reproduction_report(evenweave):
    done = evenweave("bench", "leave-out")
    assert done.returncode == 0, done.stderr
    assert done.stdout in (REPRODUCTION / "leave-out.md").read_text()


@pytest.mark.extended
def test_sharing_is_never_below_the_bound_that_is_proved(bench):
    result = bench("sharing", "--quick")
    assert (result["destinations"], result["groups"], result["ports"]) == (200, 20, 16)
    fresh, after = result["fresh"], result["afterEvent"]
    assert fresh["oversubscription"] >= fresh["leastOversubscription"] > 1
    assert after["oversubscription"] >= after["leastOversubscription"] >= 1
    assert (fresh["alone"], after["alone"]) == (0, 0)
    assert after["moved"] < result["destinations"]


@pytest.mark.extended
def test_optimality_counts_the_groups_of_the_reproduction_report(evenweave, bench):
    result = bench("optimality", "--quick")
    assert (result["groups"], len(result["cases"])) == (120, 12)
    assert result["suboptimal"] == result["suboptimalEvenweave"] == 0
    assert all(case["meanOptimalEntries"] >= 8 for case in result["cases"])
    done = evenweave("bench", "optimality")
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout in (REPRODUCTION / "algorithm-1.md").read_text()


@pytest.mark.extended
def test_the_report_on_ports_left_out_shows_the_fabrics_of_the_figure(evenweave, tmp_path):
    svg = tmp_path / "figure.svg"
    done = evenweave("bench", "figure-3.12", "--leave-out", "--svg", str(svg))
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.strip() in (REPRODUCTION / "leave-out.md").read_text()
    assert svg.read_text() == (REPRODUCTION / "leave-out.svg").read_text()


def test_the_reproduction_report_shows_what_the_command_prints(evenweave, tmp_path):
    svg = tmp_path / "figure.svg"
    done = evenweave("bench", "figure-3.12", "--svg", str(svg))
    assert done.returncode == 0, done.stderr[-2000:]
    assert "| 19 | 12816 |" in done.stdout
    assert done.stdout in (REPRODUCTION / "figure-3.12.md").read_text()
    assert svg.read_text() == (REPRODUCTION / "figure-3.12.svg").read_text()


@pytest.mark.extended
def test_a_figure_that_cannot_be_written_is_one_clear_error(evenweave, tmp_path):
    done = evenweave("bench", "figure-3.12", "--svg", str(tmp_path / "none/f.svg"))
    assert done.returncode == 2
    assert "--svg: cannot write" in done.stderr
    assert "\tat " not in done.stderr
    assert done.stdout == ""


@pytest.mark.extended
def test_figure_3_12_has_every_point_of_every_curve(bench):
    result = bench("figure-3.12")
    assert (result["experiment"], result["paper"]) == ("figure-3.12", "figure 3.12")
    rows = {(r["uplinks"], r["s1"], r["scheme"], r["sharing"]): r["value"] for r in result["rows"]}
    schemes = ("no reduction", "limit 1.05", "limit 1.1")
    assert set(rows) == set(product((96, 192), range(5, 20), schemes, (False, True)))
    for (uplinks, s1, scheme, sharing), entries in rows.items():
        # A group needs an entry for every uplink, and reduction or sharing never adds any.
        assert uplinks <= entries <= rows[uplinks, s1, "no reduction", False]
        assert not sharing or entries <= rows[uplinks, s1, scheme, False]
    # 8 S1 switches divide 32 and 64 downlinks evenly: all weights are 1.
    assert rows[192, 8, "no reduction", False] == 7 * 192
    assert rows[192, 8, "no reduction", True] == 192
    assert all(set(c) == {"paper", "here", "holds"} for c in result["claims"])


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("seed", ["-1", "4294967296", "1x", ""])
def test_edge_refuses_what_is_no_seed(evenweave, seed):
    done = evenweave("bench", "edge", "--seed", seed)
    assert done.returncode == 2
    assert done.stdout == ""
    error = f"bench edge: --seed must be 0 to 4294967295, not {seed}; --help says more"
    assert done.stderr.splitlines()[-1] == error


def test_edge_tells_the_cost_of_every_scheme(bench):
    result = bench("edge", "--quick", "--seed", "5")
    assert result["seed"] == 5
    schemes = {"ecmp", "wcmp", "presto", "edge-flowlet", "clove-ecn", "clove-int"}
    schemes |= {"clove-latency", "alb", "intflow"}
    assert set(result["schemes"]) == schemes
    assert all(case["nsPerPacket"] > 0 for case in result["schemes"].values())
    assert all(case["bytesPerDestination"] > 0 for case in result["schemes"].values())
    assert result["schemes"]["ecmp"]["timesHash"] == 1
    assert all(case["timesHash"] == 1 for case in result["cases"] if case["scheme"] == "ecmp")
    counted = {(case["scheme"], case["destinations"], case["paths"]) for case in result["cases"]}
    assert counted == set(product(schemes, (1, 100, 1000, 10000), (4, 8, 16, 64)))
