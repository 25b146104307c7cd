import json
from math import isclose
from pathlib import Path

import pytest

from evenweave_bench.figure38.cases import SWITCHES, UPLINKS, ideal_rates, striping
from evenweave_bench.figure38.plot import svg
from evenweave_bench.figure38.tables import comparisons, ideal_cov, markdown

REPRODUCTION = Path(__file__).resolve().parents[3] / "docs/reproduction"


def case(uplinks, strategy, kbps, traffic="one-to-one"):
    return {"uplinks": uplinks, "traffic": traffic, "strategy": strategy, "kbps": kbps}


@pytest.mark.parametrize("uplinks", UPLINKS)
def test_all_switches_have_as_many_links_and_the_pair_is_asymmetric(uplinks):
    rows = striping(uplinks)
    assert [sum(row) for row in rows] == [uplinks] * SWITCHES
    assert [sum(column) for column in zip(*rows, strict=True)] == [uplinks] * SWITCHES
    oversubscribed = [s2 for s2 in range(SWITCHES) if rows[0][s2] > rows[-1][s2]]
    assert len(oversubscribed) == uplinks - SWITCHES


@pytest.mark.parametrize("uplinks", UPLINKS)
def test_with_perfect_hashing_wcmp_is_even_and_ecmp_is_not(uplinks):
    for weighted in (False, True):
        rates = ideal_rates(uplinks, weighted)
        assert isclose(sum(part for part, _ in rates), 1)
        assert isclose(sum(part * rate for part, rate in rates), 1)
    assert ideal_cov(uplinks, weighted=True) == pytest.approx(0)
    assert ideal_cov(uplinks, weighted=False) > 0.25


def test_a_row_says_what_wcmp_changes():
    cases = [case(9, "ecmp", [100, 300]), case(9, "wcmp", [190, 210])]
    (row,) = comparisons(cases)
    assert (row["ecmp"]["cov"], row["wcmp"]["cov"]) == (0.5, 0.05)
    assert (row["covRatio"], row["varianceRatio"]) == (10.0, 100.0)
    assert (row["minimumRatio"], row["meanRatio"]) == (1.9, 1.0)
    assert row["idealEcmpCov"] == 0.354
    assert "| one-to-one | 9 | 3 | 2 | 0.5 | 0.354 | 0.05 |" in markdown(cases)


def test_a_flow_that_got_nothing_has_no_ratio():
    (row,) = comparisons(
        [case(7, "ecmp", [0, 2], "all-to-all"), case(7, "wcmp", [1, 2], "all-to-all")]
    )
    assert row["minimumRatio"] is None
    assert "idealEcmpCov" not in row


def test_the_figure_has_a_curve_for_every_case_but_the_small_ones():
    cases = [
        case(uplinks, strategy, [1, 2, 3], traffic)
        for uplinks in UPLINKS
        for strategy in ("ecmp", "wcmp")
        for traffic in ("one-to-one-36", "one-to-one", "all-to-all")
    ]
    assert svg(json.loads(json.dumps(cases))).count("<polyline") == 12


def test_the_report_shows_the_stored_result():
    cases = json.loads((REPRODUCTION / "figure-3.8.json").read_text())["cases"]
    assert len(cases) == 18
    assert markdown(cases) in (REPRODUCTION / "figure-3.8.md").read_text()
    assert svg(cases) == (REPRODUCTION / "figure-3.8.svg").read_text()
