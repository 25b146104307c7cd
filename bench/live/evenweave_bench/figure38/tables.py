"""Markdown tables of stored results."""

from __future__ import annotations

import math
from collections.abc import Sequence

from evenweave_bench.figure38.cases import SWITCHES, ideal_rates
from evenweave_testbed.statistics import Spread, spread_of


def comparisons(cases: Sequence[dict]) -> list[dict]:
    """A row for each fabric and traffic: what WCMP changes against ECMP."""
    found: dict[tuple[str, int], dict[str, dict]] = {}
    for case in cases:
        found.setdefault((case["traffic"], case["uplinks"]), {})[case["strategy"]] = case
    return [_compare(*key, by["ecmp"], by["wcmp"]) for key, by in found.items()]


def _compare(traffic: str, uplinks: int, ecmp: dict, wcmp: dict) -> dict:
    before, after = spread_of(ecmp["kbps"]), spread_of(wcmp["kbps"])
    row = {
        "traffic": traffic,
        "uplinks": uplinks,
        "flows": len(ecmp["kbps"]),
        "ecmp": _figures(before),
        "wcmp": _figures(after),
        "covRatio": round(before.cov / after.cov, 2),
        "varianceRatio": round((before.cov * before.mean / (after.cov * after.mean)) ** 2, 2),
        "minimumRatio": round(after.minimum / before.minimum, 2) if before.minimum else None,
        "meanRatio": round(after.mean / before.mean, 3),
    }
    if traffic.startswith("one-to-one"):
        row["idealEcmpCov"] = round(ideal_cov(uplinks, weighted=False), 3)
    return row


def _figures(spread: Spread) -> dict:
    return {
        "cov": round(spread.cov, 3),
        "minimumKbps": spread.minimum,
        "fifthPercentileKbps": spread.fifth_percentile,
        "meanKbps": round(spread.mean, 1),
    }


def ideal_cov(uplinks: int, weighted: bool) -> float:
    """The coefficient of variation of one-to-one traffic with perfect hashing and perfect TCP."""
    rates = ideal_rates(uplinks, weighted)
    mean = math.fsum(part * rate for part, rate in rates)
    return math.sqrt(math.fsum(part * (rate - mean) ** 2 for part, rate in rates)) / mean


_HEADER = """\
| traffic | N | S2 switches oversubscribed | flows | CoV: ECMP | the same, perfect hashing | WCMP \
| CoV, ECMP / WCMP | variance, ECMP / WCMP | minimum, kb/s: ECMP | WCMP | WCMP / ECMP \
| mean, WCMP / ECMP |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
"""


def markdown(cases: Sequence[dict]) -> str:
    """The table of a result."""
    return _HEADER + "".join(_line(row) for row in comparisons(cases))


def _line(row: dict) -> str:
    minimum = "-" if row["minimumRatio"] is None else f"{row['minimumRatio']:.2f}"
    cells = (
        *(row["traffic"].removesuffix("-36"), row["uplinks"], row["uplinks"] - SWITCHES),
        *(row["flows"], row["ecmp"]["cov"], row.get("idealEcmpCov", "-"), row["wcmp"]["cov"]),
        *(row["covRatio"], row["varianceRatio"]),
        *(row["ecmp"]["minimumKbps"], row["wcmp"]["minimumKbps"], minimum, row["meanRatio"]),
    )
    return "| " + " | ".join(map(str, cells)) + " |\n"
