"""The result that is computed from the runs of an experiment."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenweave_sim import experiment, files, page, rows
from evenweave_sim.intervals import interval95, student95
from evenweave_sim.length import Lengths


def answer(mean_ms: float, small: int = 1) -> dict:
    percentiles = {"p50Ns": mean_ms * 5e5, "p90Ns": mean_ms * 1e6, "p99Ns": 2 * mean_ms * 1e6}
    part = {"count": 1, "meanNs": mean_ms * 1e6, **percentiles}
    link = {"frames": 1, "bytes": 300, "drops": 0, "marks": 0, "lost": 0}
    return {
        "fct": {"all": part, "small": {**part, "count": small}, "large": {**part, "count": 0}},
        "links": {**link, "drops": 7},
        "between": {"l1/1": link, "l1/2": {**link, "bytes": 100}, "l10/1": link, "s1/1": link},
        "tcp": {"recoveries": 2, "timeouts": 1},
        "flowlets": 5,
        "reroutes": {"small": 0, "medium": 4, "large": 9},
        "goodputBps": 3e9,
    }


def runs() -> dict:
    means = (("ecmp", 9), ("clove-ecn", 3), ("conga", 2))
    return {0.7: [{s: rows.metrics(answer(m), "l1") for s, m in means}] * 2}


def test_metrics_of_no_flows_are_left_out():
    found = rows.metrics(answer(3, small=0), "l1")
    assert (found["avgFct"], found["p50Fct"], found["p99Fct"]) == (3, 1.5, 6)
    assert found["goodputGbps"] == 3
    assert not any("FctSmall" in name or "FctLarge" in name for name in found)


def test_shares_are_of_the_bytes_that_the_first_leaf_sends_up():
    found = rows.metrics(answer(3), "l1")
    shares = {name: share for name, share in found.items() if name.startswith("share")}
    assert shares == {"share l1/1": 0.75, "share l1/2": 0.25}


def test_reroutes_are_counted_by_the_size_of_flows():
    found = rows.metrics(answer(3), "l1")
    counted = {name: n for name, n in found.items() if name.startswith("reroutes")}
    assert counted == {"reroutesSmall": 0, "reroutesMedium": 4, "reroutesLarge": 9}


def test_intervals_are_students():
    assert interval95([5]) is None
    assert interval95([1, 2, 3]) == pytest.approx(4.302653 / math.sqrt(3))
    eleven = [0.0, 1.0] * 5 + [0.5]
    assert interval95(eleven) == pytest.approx(2.228139 * 0.5 / math.sqrt(11))


# Quantiles of Student's t from tables, by degrees of freedom.
@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (10, 2.228), (11, 2.201), (30, 2.042), (999, 1.962)],
)
def test_students_t_is_that_of_tables(freedom, quantile):
    assert student95(freedom) == pytest.approx(quantile, abs=0.0005)


@given(st.integers(1, 400))
def test_students_t_leaves_a_twentieth_outside(freedom):
    """Integrates its density, with t as the square root of the degrees of freedom times a
    tangent."""
    end, steps = math.atan(student95(freedom) / math.sqrt(freedom)), 2000
    log_scale = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)
    scale = math.exp(log_scale) / math.sqrt(math.pi)
    middles = (end * (i + 0.5) / steps for i in range(steps))
    inside = 2 * scale * sum(math.cos(x) ** (freedom - 1) for x in middles) * end / steps
    assert inside == pytest.approx(0.95, abs=1e-5)


def test_a_result_has_rows_and_what_the_paper_claims_of_schemes_that_ran():
    chosen = experiment.load("clove-asymmetric")
    found = rows.result(chosen, {0.7: 60}, runs())
    assert found["flows"] == {"0.7": 60}
    assert found["seeds"] == 2
    row = {"scheme": "ecmp", "load": 0.7, "metric": "avgFct", "value": 9, "ci95": 0}
    assert row | {"paperValue": None} in found["rows"]
    claims = {claim["claim"]: claim for claim in found["claims"]}
    assert claims["ecmp over clove-ecn in avgFct at 0.7"] == {
        "claim": "ecmp over clove-ecn in avgFct at 0.7",
        "source": "section 6.2, Figure 8b",
        "relation": "about",
        "paperValue": 3.0,
        "paperRange": None,
        "value": 3,
        "ci95": 0,
        "gains": {"paper": [2.0, 2.0], "here": 2},
        "leftOut": [],
        "verdict": "holds",
        "why": None,
    }
    assert not any("presto" in name for name in claims)
    table = rows.table(chosen, found)
    assert "ecmp over clove-ecn in avgFct at 0.7" in table


def test_the_csv_has_a_line_for_each_run():
    chosen = experiment.load("clove-asymmetric")
    lines = files.runs_csv(chosen, {0.7: 60}, runs()).splitlines()
    assert lines[0].startswith("experiment,scheme,load,seed,flows,avgFct,p50Fct,p90Fct,p99Fct,")
    assert [line.split(",")[:6] for line in lines[1:3]] == [
        ["clove-asymmetric", "ecmp", "0.7", "1", "60", "9"],
        ["clove-asymmetric", "clove-ecn", "0.7", "1", "60", "3"],
    ]
    assert len(lines) == 1 + 6


def test_a_page_gets_the_result_between_its_comments():
    chosen = experiment.load("clove-asymmetric")
    found = rows.result(chosen, {0.7: 60}, runs())
    begin, end = "<!-- clove-asymmetric -->", "<!-- end clove-asymmetric -->"
    part = page.part(chosen, found, Lengths([]))
    once = page.replaced(f"# Clove\n\n{begin}\nold\n{end}\n\nWhy.\n", chosen.name, part)
    assert once.startswith(f"# Clove\n\n{begin}\n60 flows a run, 2 seeds;")
    assert once.endswith(f"{end}\n\nWhy.\n")
    assert "\nold\n" not in once
    assert (
        "| ecmp over clove-ecn in avgFct at 0.7 | section 6.2, Figure 8b | 3 | 3.00 ±0.00 | holds |"
        in once
    )
    assert "| 0.7 | conga | 2.00 ±0.00 |" in once
    assert page.replaced(once, chosen.name, part) == once
    with pytest.raises(experiment.BadInput):
        page.replaced("# Clove\n", chosen.name, part)


def test_a_page_says_the_size_at_each_point_if_it_is_not_one():
    chosen = experiment.load("clove-asymmetric")
    all_runs = dict.fromkeys((0.3, 0.7, 0.8), runs()[0.7])
    found = rows.result(chosen, {0.3: 1000, 0.7: 3000, 0.8: 1000}, all_runs)
    part = page.part(chosen, found, Lengths([]))
    assert part.startswith("Flows a run: 1,000 at 0.3, 0.8; 3,000 at 0.7, 2 seeds; times in ms")


def test_the_axis_and_the_metrics_of_the_table_are_the_experiments():
    chosen = experiment.load("clove-incast")
    found = rows.result(chosen, {16: 3}, {16: runs()[0.7]})
    row = {"scheme": "ecmp", "fanout": 16, "metric": "drops", "value": 7, "ci95": 0}
    assert row | {"paperValue": None} in found["rows"]
    table = rows.table(chosen, found)
    assert "fanout 16" in table
    assert "goodputGbps" in table
    written = files.runs_csv(chosen, {16: 3}, {16: runs()[0.7]})
    assert written.startswith("experiment,scheme,fanout,seed,")


def test_a_variant_changes_the_case_of_its_scheme():
    chosen = experiment.load("clove-sensitivity")
    plain, changed = (chosen.case_of(s, 0.8, 1, 60) for s in ("clove-ecn", "gap-0.2"))
    assert changed["scheme"] == plain["scheme"] == "clove-ecn"
    assert (plain["edge"]["gapRtts"], changed["edge"]["gapRtts"]) == (1, 0.2)
    assert {**changed, "edge": plain["edge"]} == plain


def test_an_incast_case_has_a_fanout_and_no_load():
    workload = experiment.load("clove-incast").case_of("ecmp", 16, 1, 50)["workload"]
    assert workload == {"bytes": 10_000_000, "fanout": 16, "requests": 50}


def long_answer(least_mbps: float) -> dict:
    rates = {f"p{p}Bps": 1e6 * (least_mbps + p) for p in rows.PERCENTILES}
    return {
        **answer(1),
        "fct": {part: {"count": 0} for part in ("all", "small", "large")},
        "rates": {"meanBps": 50e6, "variance": 4e14, **rates},
    }


def long_runs() -> dict:
    of = {"ecmp": long_answer(1), "wcmp": long_answer(20)}
    return {n: [{s: rows.metrics(a, "l1") for s, a in of.items()}] * 2 for n in (8, 9)}


def test_long_flows_have_a_bandwidth_and_no_completion_time():
    found = rows.metrics(long_answer(3), "l1")
    assert (found["minRate"], found["meanRate"], found["p50Rate"], found["p100Rate"]) == (
        *(3, 50, 53),
        103,
    )
    assert (found["varRate"], found["covRate"]) == (400, 40)
    assert not any("Fct" in name for name in found)


def test_flows_of_a_size_have_metrics_where_the_experiment_asks_for_them():
    size = {"aboveBytes": 10**6, "count": 2, "meanBps": 2e6, "stdBps": 1e6, "stdFctNs": 3e6}
    asked = {**answer(1), "bySize": [size]}
    found = rows.metrics(asked, "l1", by_size=True)
    assert (found["meanRate 1M"], found["stdRate 1M"], found["stdFct 1M"]) == (2, 1, 3)
    assert "meanRate 1M" not in rows.metrics(asked, "l1")


def test_a_page_of_long_flows_is_in_megabits():
    chosen = experiment.load("wcmp-one-to-one")
    found = rows.result(chosen, {8: 36, 9: 36}, long_runs())
    part = page.part(chosen, found, Lengths([]))
    assert part.startswith("36 flows a run, 2 seeds; bandwidth in Mb/s, covRate in %, mean")
    assert "| 9 | wcmp | 50.00 ±0.00 | 20.00 ±0.00 |" in part


def test_a_striping_makes_a_fabric():
    fabric = experiment.clos([[2, 1], [1, 2]], 10, {"table": 7})
    assert fabric["switches"][0] == {"id": "s1-0", "stage": 1, "table": 7}
    assert [switch["id"] for switch in fabric["switches"]] == ["s1-0", "s1-1", "s2-0", "s2-1"]
    assert fabric["links"] == [
        {"a": a, "b": b, "bps": 10}
        for a, b in (
            *(("s1-0/1", "s2-0/1"), ("s1-0/2", "s2-0/2"), ("s1-0/3", "s2-1/1")),
            *(("s1-1/1", "s2-0/3"), ("s1-1/2", "s2-1/2"), ("s1-1/3", "s2-1/3")),
        )
    ]
    assert [subnet["switch"] for subnet in fabric["subnets"]] == ["s1-0", "s1-1"]


def test_a_plan_is_asked_for_by_scheme_and_point():
    chosen = experiment.load("wcmp-one-to-one")
    assert chosen.plan_question("wcmp", 7) == chosen.fabric_at(7)
    asked = chosen.plan_question("ecmp-perfect", 9)
    assert asked == {"fabric": chosen.fabric_at(9), "strategy": "ecmp"}
    assert len(chosen.fabric_at(7)["links"]) == 6 * 7
    assert len(chosen.fabric_at(9)["links"]) == 6 * 9
    case = chosen.case_of("ecmp-perfect", 9, 1, 36)
    assert (case["scheme"], case["fabric"]["perfectHashing"]) == ("wcmp", True)
    assert "planned" not in case


def test_starts_are_the_axis_of_the_mptcp_experiment():
    workload = experiment.load("wcmp-mptcp").case_of("ecmp", 130, 1, 96)["workload"]
    assert (workload["startsWithinNs"], workload["flows"]) == (130_000_000, 96)
