"""Comparing measurements of the edge's demo with a simulation of the same fabric."""

import json

import pytest

from evenweave_sim import emulation, experiment, page
from evenweave_sim.intervals import student95

CHOSEN = experiment.load("edge-demo")


def demo(times: dict[str, float | None], load: float = 0.6, seed: int = 7) -> dict:
    """Returns output like that of ./evenweave demo edge --json; the other metrics are multiples of
    the mean."""
    return {
        "seed": seed,
        "load": load,
        "fabric": {"rttUs": 5000},
        "degradation": {"atS": 20.0},
        "schemes": {
            name: {
                "flows": 400,
                "meanFctMs": mean,
                "p99FctMs": mean and 10 * mean,
                "smallMeanFctMs": None,
                "lateStartP99Ms": 0.5,
            }
            for name, mean in times.items()
        },
    }


def runs(*seeds: dict[str, float]) -> dict:
    return {
        0.6: [{s: {"avgFct": v, "p99Fct": 5 * v, "avgFctSmall": v} for s, v in seed.items()}
              for seed in seeds]
    }  # fmt: skip


def beside(tmp_path, answer, simulated, *others) -> dict:
    paths = [tmp_path / name for name in ("demo.json", "two.json", "three.json")]
    paths = paths[: 1 + len(others)]
    for path, shown in zip(paths, (answer, *others), strict=True):
        path.write_text(json.dumps(shown))
    return emulation.beside(paths, CHOSEN, simulated)


def test_schemes_are_compared_by_ecmps_time_and_by_their_order(tmp_path):
    answer = demo({"ecmp": 200, "conga": 50, "alb": 150, "wcmp": 100, "own": 1})
    one = {"ecmp": 20, "wcmp": 12, "conga": 4, "alb": 10, "mptcp": 1}
    two = {"ecmp": 10, "wcmp": 4, "conga": 3, "alb": 5, "mptcp": 1}
    found = beside(tmp_path, answer, runs(one, two))
    assert (found["seeds"], found["flows"], found["seconds"]) == ([7], 400, 20)
    mean, p99, small = found["metrics"]
    assert [row["scheme"] for row in mean["schemes"]] == ["ecmp", "wcmp", "conga", "alb"]
    assert mean["schemes"][2] == {
        "scheme": "conga",
        "simulated": pytest.approx(0.25),
        "ci95": pytest.approx(student95(1) * 0.05),
        "emulated": 0.25,
        "emulatedCi95": None,
    }
    # wcmp and alb are equal in the simulation, so that one of four ranks is undecided.
    assert mean["rankCorrelation"] == pytest.approx(0.9487, abs=1e-4)
    assert p99["rankCorrelation"] == mean["rankCorrelation"]
    assert (small["schemes"], small["rankCorrelation"]) == ([], None)


def test_emulations_of_several_seeds_have_an_interval(tmp_path):
    one = demo({"ecmp": 200, "wcmp": 100, "conga": 50})
    two = demo({"ecmp": 100, "wcmp": 60}, seed=3)
    two["schemes"]["wcmp"] |= {"flows": 300, "lateStartP99Ms": 2.5}
    found = beside(tmp_path, one, runs({"ecmp": 20, "wcmp": 4, "conga": 10}), two)
    assert (found["seeds"], found["flows"], found["lateStartP99Ms"]) == ([7, 3], 300, 2.5)
    _, wcmp, conga = found["metrics"][0]["schemes"]
    assert wcmp["emulated"] == pytest.approx(0.55)
    assert wcmp["emulatedCi95"] == pytest.approx(student95(1) * 0.05)
    assert (conga["emulated"], conga["emulatedCi95"]) == (0.25, None)
    part = emulation.part(found)
    assert "seeds 7, 3, until" in part
    assert "| wcmp | 0.20 (1) | 0.55 ±0.64 (2) |" in part


@pytest.mark.parametrize(
    ("other", "error"),
    [
        (demo({"ecmp": 3}), "has seed 7, like an earlier file"),
        (demo({"ecmp": 3}, 0.5, 8), "differs in fabric, load or time from {first}"),
    ],
)
def test_emulations_differ_in_their_seeds_only(tmp_path, other, error):
    with pytest.raises(experiment.BadInput) as refused:
        beside(tmp_path, demo({"ecmp": 3}), runs({"ecmp": 1}), other)
    said = error.format(first=tmp_path / "demo.json")
    assert str(refused.value) == f"{tmp_path / 'two.json'}: {said}"


@pytest.mark.parametrize(
    ("a", "b", "correlation"),
    [
        ([1, 2, 3, 4], [10, 20, 25, 99], 1),
        ([1, 2, 3, 4], [4, 3, 2, 1], -1),
        ([1, 2, 3, 4, 5], [2, 1, 4, 3, 5], 0.8),
        ([1, 1, 1], [1, 2, 3], None),
        ([1, 2], [1, 2], None),
    ],
)
def test_ranks_are_correlated_as_spearman_has_it(a, b, correlation):
    assert emulation.rank_correlation(a, b) == correlation


def test_a_page_has_both_orders(tmp_path):
    answer = demo({"ecmp": 200, "wcmp": 100, "conga": 50})
    found = beside(tmp_path, answer, runs({"ecmp": 20, "wcmp": 4, "conga": 10}))
    part = emulation.part(found)
    name = emulation.block(CHOSEN)
    text = page.replaced(f"<!-- {name} -->\nold\n<!-- end {name} -->\n", name, part)
    assert "Emulated: 400 flows of each scheme at a load of 0.6, seed 7, until a link" in text
    assert "began 0.5 ms late at most (99th percentile), less than a round trip of 5 ms." in text
    assert "| wcmp | 0.20 (1) | 0.50 (2) | 0.20 (1) | 0.50 (2) | - | - |" in text
    assert "| rank correlation | 0.50 |  | 0.50 |  | - |  |" in text


def test_a_page_says_where_the_machine_was_too_slow(tmp_path):
    answer = demo({"ecmp": 200, "wcmp": 100})
    answer["schemes"]["wcmp"]["lateStartP99Ms"] = 5.5
    part = emulation.part(beside(tmp_path, answer, runs({"ecmp": 20, "wcmp": 4})))
    assert "5.5 ms late at most (99th percentile), more than a round trip of 5 ms, so" in part


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ([], "{path}: must be the output of ./evenweave demo edge --json"),
        ({"schemes": {}}, "{path}: must be the output of ./evenweave demo edge --json"),
        (demo({}), "{path}: must be the output of ./evenweave demo edge --json"),
        (demo({"alb": 3}), "{path}: has no flows of ecmp, with which others are compared"),
        (demo({"ecmp": None}), "{path}: has no flows of ecmp, with which others are compared"),
        (
            demo({"ecmp": 3}, load=0.5),
            "{path}: has a load of 0.5, at which there are no runs",
        ),
    ],
)
def test_what_is_no_answer_of_the_demo_is_refused(tmp_path, answer, error):
    with pytest.raises(experiment.BadInput) as refused:
        beside(tmp_path, answer, runs({"ecmp": 1, "alb": 2}))
    assert str(refused.value) == error.format(path=tmp_path / "demo.json")


def test_runs_without_ecmp_are_refused(tmp_path):
    with pytest.raises(experiment.BadInput, match="^--emulation: needs runs of ecmp"):
        beside(tmp_path, demo({"ecmp": 3}), runs({"alb": 2}))


def test_no_demo_has_the_fabric_of_another_experiment(tmp_path):
    other = experiment.load("clove-asymmetric")
    with pytest.raises(experiment.BadInput, match="^--emulation: no demo has the fabric of clove"):
        emulation.beside([tmp_path], other, {})
