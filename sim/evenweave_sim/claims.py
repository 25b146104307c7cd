"""What a paper claims of its schemes, and whether it holds here.

A claim is about a metric of a scheme at a point of the experiment's axis, in one of these forms:
the metric over another scheme's (`over`) or over its own at another point (`over_at`), the share
that the scheme has of what CONGA gains over ECMP, (ECMP - scheme) / (ECMP - CONGA) (`gain`), or,
with none of these, the metric itself. All are computed seed by seed.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evenweave_sim.intervals import interval95

# Papers give their figures to two digits, read off plots as often as not.
NEAR = 0.1

# How a claim's relation is written before the paper's figure.
SIGNS = {"about": "", "above": ">", "below": "<", "most": "<="}

# What one seed gave: by scheme, by metric.
Run = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Claim:
    scheme: str
    at: float
    metric: str
    value: float
    source: str
    over: str | None = None
    gain: bool = False
    relation: str = "about"  # or above, below, most
    over_at: float | None = None
    why: str | None = None  # it differs, as far as is known

    def what(self) -> str:
        if self.gain:
            return f"{self.scheme}'s share of CONGA's gain in {self.metric} at {self.at:g}"
        if self.over_at is not None:
            return f"{self.scheme}'s {self.metric} at {self.at:g} over that at {self.over_at:g}"
        if self.over is None:
            return f"{self.scheme}'s {self.metric} at {self.at:g}"
        return f"{self.scheme} over {self.over} in {self.metric} at {self.at:g}"

    def measured(self, run: Run, there: Run | None = None) -> float | None:
        """None if a scheme that the claim names has not run, or has no such flows. there: the run
        of the same seed at over_at."""
        mine = run.get(self.scheme, {}).get(self.metric)
        if self.gain:
            worst, best = (run.get(s, {}).get(self.metric) for s in ("ecmp", "conga"))
            if mine is None or worst is None or best is None or worst == best:
                return None
            return (worst - mine) / (worst - best)
        if self.over is None and self.over_at is None:
            return mine
        compared = run if self.over_at is None else there or {}
        other = compared.get(self.over or self.scheme, {}).get(self.metric)
        return None if mine is None or not other else mine / other

    @property
    def is_order(self) -> bool:
        return self.relation in ("above", "below")

    def verdict(self, mean: float, ci95: float | None) -> str:
        """The gain's difference is one of shares; all others are relative."""
        if self.relation == "above":
            holds = mean > self.value
        elif self.relation == "below":
            holds = mean < self.value
        elif self.relation == "most":
            holds = mean <= self.value
        else:
            holds = abs(mean - self.value) <= NEAR * self.value
        apart = mean - self.value
        near = ci95 is not None and abs(apart) <= ci95
        if holds:
            return "holds" + (", by less than the interval" if near and self.is_order else "")
        by = (
            f"{apart:+.2f}"
            if self.gain or self.value == 0
            else f"{100 * apart / self.value:+.0f} %"
        )
        return f"differs by {by}" + (", less than the interval" if near else "")


def judged(claims: Sequence[Claim], runs: dict[float, list[Run]]) -> list[dict[str, Any]]:
    """The claims that the runs can say something on. runs: by point, one for each seed."""
    found = []
    for claim in claims:
        seeds = runs.get(claim.at, [])
        there = seeds if claim.over_at is None else runs.get(claim.over_at, [])
        measured = [claim.measured(*pair) for pair in zip(seeds, there, strict=False)]
        values = [value for value in measured if value is not None]
        if not values:
            continue
        mean, ci95 = statistics.fmean(values), interval95(values)
        verdict = claim.verdict(mean, ci95)
        found.append(
            {
                "claim": claim.what(),
                "source": claim.source,
                "relation": claim.relation,
                "paper": claim.value,
                "here": mean,
                "ci95": ci95,
                "verdict": verdict,
                "why": None if verdict.startswith("holds") else claim.why,
            }
        )
    return found


def verdict_of(judgement: dict[str, Any]) -> str:
    """With the reason, if there is one."""
    why = judgement["why"]
    return f"{judgement['verdict']}: {why}" if why else str(judgement["verdict"])
