"""The benchmarks, run as a user runs them, with tiny parameters: their form, not their figures."""

from __future__ import annotations

import json

import pytest

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


def test_reduction_compares_four_algorithms_on_the_same_groups(bench):
    result = bench("reduction", "--quick", "--seed", "7")
    assert result["seed"] == 7
    (case,) = result["cases"]
    assert (case["ports"], case["maxWeight"], case["limit"]) == (8, 1000, 1.05)
    assert_compares(case, ALGORITHMS)
    # All but scale-and-floor are optimal in size, and none exceeds the limit.
    entries = case["meanEntries"]
    assert entries["evenweave"] == entries["paper"] == entries["heap"]
    assert entries["evenweave"] <= entries["scaleAndFloor"]
    assert max(case["maxOversubscription"].values()) <= case["limit"]


def test_fitting_compares_them_for_one_group_and_for_many(bench):
    one, many = bench("fitting", "--quick")["cases"]
    assert (one["groupsPerTable"], one["entries"]) == (1, 16)
    assert_compares(one, ALGORITHMS)
    assert many["groupsPerTable"] > 1
    assert_compares(many, ALGORITHMS - {"heap"})
    for case in (one, many):
        worst = case["maxOversubscription"]
        assert worst["evenweave"] <= worst["paper"]
        assert case["overfullTables"]["evenweave"] == 0
        assert case["worstRatio"]["paper"] >= case["worstRatio"]["evenweave"] == 1


@pytest.mark.parametrize("arguments", [("bench",), ("bench", "nothing")])
def test_a_benchmark_that_is_not_there_is_refused(evenweave, arguments):
    done = evenweave(*arguments)
    assert done.returncode == 2
    assert "--help" in done.stderr
    assert done.stdout == ""
