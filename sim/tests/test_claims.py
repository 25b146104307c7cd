"""Whether a paper's claim holds of the runs."""

import pytest

from evenweave_sim import experiment
from evenweave_sim.claims import Claim, judged, verdict_of

RUN = {"ecmp": {"avgFct": 10.0}, "clove-ecn": {"avgFct": 4.0}, "conga": {"avgFct": 2.0}}


def claim(**changed) -> Claim:
    fields = {"scheme": "ecmp", "at": 0.7, "metric": "avgFct", "value": 2.5, "source": "Figure 1"}
    return Claim(**{**fields, "over": "clove-ecn", **changed})


def test_a_claim_is_a_ratio_or_a_share_of_congas_gain():
    assert claim().measured(RUN) == 2.5
    assert claim(scheme="clove-ecn", over=None, gain=True).measured(RUN) == 0.75


def test_a_claim_may_be_the_metric_itself_or_compare_two_points():
    assert claim(over=None).measured(RUN) == 10.0
    assert claim(over=None).what() == "ecmp's avgFct at 0.7"
    there = {"ecmp": {"avgFct": 4.0}}
    across = claim(over=None, over_at=0.2)
    assert across.measured(RUN, there) == 2.5
    assert across.what() == "ecmp's avgFct at 0.7 over that at 0.2"
    [found] = judged([across], {0.2: [there], 0.7: [RUN]})
    assert found["verdict"] == "holds"
    assert judged([across], {0.7: [RUN]}) == []


def test_schemes_that_have_not_run_are_not_judged():
    assert claim(over="alb").measured(RUN) is None
    assert claim(over=None, gain=True).measured({"ecmp": {"avgFct": 1.0}}) is None
    assert judged([claim(over="alb"), claim(at=0.8)], {0.7: [RUN]}) == []


@pytest.mark.parametrize(
    ("changed", "mean", "ci95", "verdict"),
    [
        ({}, 2.7, None, "holds"),
        ({}, 2.0, None, "differs by -20 %"),
        ({}, 2.0, 0.4, "differs by -20 %"),
        ({}, 2.0, 0.6, "differs by -20 %, less than the interval"),
        ({"over": None, "gain": True, "value": 0.8}, 0.6, None, "differs by -0.20"),
        ({"relation": "above", "value": 1}, 1.4, None, "holds"),
        ({"relation": "above", "value": 1}, 1.4, 0.3, "holds"),
        ({"relation": "above", "value": 1}, 1.4, 0.4, "holds, by less than the interval"),
        ({"relation": "below", "value": 1}, 0.9, 0.2, "holds, by less than the interval"),
        ({}, 2.7, 0.5, "holds"),
        ({"relation": "above", "value": 1}, 0.9, None, "differs by -10 %"),
        ({"relation": "below", "value": 1}, 0.9, None, "holds"),
        ({"relation": "most", "value": 0}, 0.0, None, "holds"),
        ({"relation": "most", "value": 0}, 0.2, None, "differs by +0.20"),
    ],
)
def test_a_figure_holds_within_a_tenth_and_an_order_as_it_is(changed, mean, ci95, verdict):
    assert claim(**changed).verdict(mean, ci95) == verdict


def test_claims_are_judged_seed_by_seed():
    other = {"ecmp": {"avgFct": 6.0}, "clove-ecn": {"avgFct": 4.0}}
    [found] = judged([claim()], {0.7: [RUN, other]})
    assert found["here"] == 2.0
    assert found["ci95"] == pytest.approx(12.706 * 0.5)


def test_why_a_claim_differs_is_beside_the_verdict_and_not_where_it_holds():
    because = claim(why="queues are shorter")
    [differs] = judged([because], {0.7: [{**RUN, "ecmp": {"avgFct": 4.0}}]})
    assert (differs["verdict"], differs["why"]) == ("differs by -60 %", "queues are shorter")
    assert verdict_of(differs) == "differs by -60 %: queues are shorter"
    [holds] = judged([because], {0.7: [RUN]})
    assert verdict_of(holds) == "holds"
    [unknown] = judged([claim(value=9)], {0.7: [RUN]})
    assert verdict_of(unknown) == "differs by -72 %"


@pytest.mark.parametrize("name", experiment.names())
def test_claims_are_at_points_that_some_size_runs(name):
    chosen = experiment.load(name)
    points = {point for size in chosen.sizes.values() for point in size.points}
    claimed = {point for c in chosen.claims for point in (c.at, c.over_at) if point is not None}
    assert claimed <= points
    schemes = {s for c in chosen.claims for s in (c.scheme, c.over) if s is not None}
    assert schemes <= set(chosen.schemes)
