"""What is made of the runs of an experiment."""

import math

import pytest

from evenweave_sim import experiment, rows


def answer(mean_ms: float, small: int = 1) -> dict:
    part = {"count": 1, "meanNs": mean_ms * 1e6, "p99Ns": 2 * mean_ms * 1e6}
    return {"fct": {"all": part, "small": {**part, "count": small}, "large": {**part, "count": 0}}}


def test_metrics_of_no_flows_are_left_out():
    found = rows.metrics(answer(3, small=0))
    assert found == {"avgFct": 3, "p99Fct": 6}


def test_gain_is_the_share_of_what_conga_gains_over_ecmp():
    run = {
        "ecmp": rows.metrics(answer(10)),
        "clove-ecn": rows.metrics(answer(4)),
        "conga": rows.metrics(answer(2)),
    }
    found = rows.compared(run)
    assert found["clove-ecn"]["avgFctGain"] == 0.75
    assert found["ecmp"]["avgFctGain"] == 0
    assert found["ecmp"]["avgFctOverCloveEcn"] == 2.5


def test_schemes_are_compared_only_with_those_that_have_run():
    found = rows.compared({"ecmp": rows.metrics(answer(10))})
    assert set(found["ecmp"]) == {"avgFct", "p99Fct", "avgFctSmall", "p99FctSmall"}


def test_intervals_are_students():
    assert rows.interval95([5]) is None
    assert rows.interval95([1, 2, 3]) == pytest.approx(4.303 / math.sqrt(3))


def test_rows_have_the_papers_figures_beside_ours():
    chosen = experiment.load("clove-asymmetric")
    run = {s: rows.metrics(answer(m)) for s, m in (("ecmp", 9), ("clove-ecn", 3), ("conga", 2))}
    found = rows.rows(chosen, {0.7: [run, run]})
    row = next(r for r in found if (r["scheme"], r["metric"]) == ("ecmp", "avgFctOverCloveEcn"))
    assert row == {
        "scheme": "ecmp",
        "load": 0.7,
        "metric": "avgFctOverCloveEcn",
        "value": 3,
        "ci95": 0,
        "paperValue": 3.0,
    }
    assert "ecmp at 0.7: avgFctOverCloveEcn" in rows.table(chosen, found)
