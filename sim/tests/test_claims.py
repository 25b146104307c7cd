"""Judging a paper's claims by runs."""

import pytest

from evenweave_sim import experiment
from evenweave_sim.claims import Claim, NoFigure, judged, paper_of, verdict_of
from evenweave_sim.intervals import student95

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
    [found] = judged([across], {0.2: [there] * 2, 0.7: [RUN] * 2})
    assert found["verdict"] == "holds"
    assert judged([across], {0.7: [RUN]}) == []


def test_schemes_that_have_not_run_are_not_judged():
    only_ecmp = {0.7: [{"ecmp": {"avgFct": 1.0}}]}
    assert judged([claim(over=None, gain=True)], only_ecmp) == []
    assert judged([claim(over="alb"), claim(at=0.8)], {0.7: [RUN]}) == []


@pytest.mark.parametrize(
    ("changed", "mean", "ci95", "verdict"),
    [
        ({}, 2.7, 0.3, "holds"),
        ({}, 2.0, 0.4, "holdsInDirection"),
        ({}, 2.5, 1.6, "notResolved"),
        ({}, 2.5, None, "notResolved"),
        ({"to": 3, "relation": "range"}, 2.7, 0.1, "holds"),
        ({"over": None, "gain": True, "value": 0.8}, 0.98, 0.02, "holdsInDirection"),
        ({"over": None, "gain": True, "value": 0.8}, 0.62, 0.82, "notResolved"),
        ({"relation": "above", "value": 1}, 1.4, 0.3, "holds"),
        ({"relation": "above", "value": 1}, 1.4, 0.4, "notResolved"),
        ({"relation": "below", "value": 1}, 0.9, 0.05, "holds"),
        ({"relation": "most", "value": 0, "over": None}, 0.0, 0.0, "holds"),
        ({"relation": "most", "value": 0, "over": None}, 0.2, 0.1, "differs"),
        ({"over": None, "over_at": 0.2}, 2.4, 0.2, "holds"),
    ],
)
def test_ratios_are_judged_by_their_gain_and_shares_and_metrics_as_they_are(
    changed, mean, ci95, verdict
):
    assert claim(**changed).verdict(mean, ci95) == verdict


def test_claims_are_judged_seed_by_seed():
    other = {"ecmp": {"avgFct": 6.0}, "clove-ecn": {"avgFct": 4.0}}
    [found] = judged([claim()], {0.7: [RUN, other]})
    assert found["value"] == 2.0
    assert found["ci95"] == pytest.approx(student95(1) * 0.5)
    assert found["gains"] == {"paper": [1.5, 1.5], "here": 1.0}
    assert found["leftOut"] == []


def with_ratios(*ratios: float) -> dict[float, list]:
    return {0.7: [{"ecmp": {"avgFct": r}, "clove-ecn": {"avgFct": 1.0}} for r in ratios]}


def test_both_gains_and_the_reason_are_beside_a_verdict_that_is_not_the_papers():
    because = claim(why="queues are shorter")
    [less] = judged([because], with_ratios(1.2, 1.22))
    assert (less["verdict"], less["why"]) == ("holdsInDirection", "queues are shorter")
    gains = "+150 % in the paper, +21 ±13 % here"
    assert verdict_of(less) == f"holds in direction: {gains}; queues are shorter"
    [differs] = judged([claim()], with_ratios(0.99, 1.01))
    assert verdict_of(differs) == "differs: +150 % in the paper, +0 ±13 % here"
    [holds] = judged([because], with_ratios(2.4, 2.6))
    assert verdict_of(holds) == "holds"
    [unknown] = judged([because], with_ratios(2.5))
    assert (verdict_of(unknown), unknown["ci95"]) == ("not resolved", None)


def test_an_order_has_no_gain_of_the_papers():
    [found] = judged([claim(relation="above", value=1)], with_ratios(0.8, 0.8))
    assert verdict_of(found) == "differs: -20 ±0 % here"


def test_a_range_is_one_claim():
    [found] = judged([claim(relation="range", value=1.5, to=1.8)], with_ratios(1.2, 1.2))
    assert (found["paperValue"], found["paperRange"]) == (None, [1.5, 1.8])
    assert paper_of(found) == "1.5 to 1.8"
    assert verdict_of(found).endswith(": +50 to +80 % in the paper, +20 ±0 % here")


def test_a_seed_whose_denominator_is_0_is_named_and_leaves_the_claim_unresolved():
    runs = with_ratios(2.5, 2.5, 2.5)
    runs[0.7][1]["clove-ecn"]["avgFct"] = 0
    [found] = judged([claim()], runs)
    assert found["leftOut"] == [{"seed": 2, "why": "clove-ecn's avgFct is 0"}]
    assert (found["value"], found["ci95"], found["verdict"]) == (2.5, None, "notResolved")
    assert verdict_of(found) == "not resolved; without seed 2: clove-ecn's avgFct is 0"


def test_a_share_of_no_gain_is_named():
    level = {**RUN, "conga": RUN["ecmp"]}
    share = claim(scheme="clove-ecn", over=None, gain=True)
    assert share.measured(level) == NoFigure("CONGA's avgFct is ECMP's", is_infinite=True)


def test_a_seed_without_such_flows_is_named_and_the_others_count():
    runs = with_ratios(2.4, 2.5, 2.6)
    del runs[0.7][0]["ecmp"]["avgFct"]
    [found] = judged([claim()], runs)
    assert found["leftOut"] == [{"seed": 1, "why": "there is no avgFct"}]
    assert (found["value"], found["verdict"]) == (2.55, "holds")
    for run in runs[0.7]:
        run["ecmp"].pop("avgFct", None)
    [none] = judged([claim()], runs)
    assert (none["value"], none["verdict"], len(none["leftOut"])) == (None, "notResolved", 3)


@pytest.mark.parametrize("name", experiment.names())
def test_no_figure_is_claimed_twice(name):
    """Neither as a figure and as an order, nor as both ends of a range."""
    claims = experiment.load(name).claims
    named = [(c.what(), c.source) for c in claims]
    assert len(set(named)) == len(named)
    ratios = [c for c in claims if c.is_ratio]
    orders = {c.what() for c in ratios if c.value == 1 and c.relation != "range"}
    assert not orders & {c.what() for c in ratios if c.value != 1 or c.relation == "range"}
    assert all(c.value != 1 for c in claims if c.is_ratio and c.relation == "about")


@pytest.mark.parametrize("name", experiment.names())
def test_claims_are_at_points_that_some_size_runs(name):
    chosen = experiment.load(name)
    points = {point for size in chosen.sizes.values() for point in size.points}
    claimed = {point for c in chosen.claims for point in (c.at, c.over_at) if point is not None}
    assert claimed <= points
    schemes = {s for c in chosen.claims for s in (c.scheme, c.over) if s is not None}
    assert schemes <= set(chosen.schemes)
