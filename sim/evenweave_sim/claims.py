"""Compares a paper's claims about its schemes with measurements.

A claim is about a metric of a scheme at a point of the experiment's axis, in one of these forms:
the ratio of the metric to another scheme's (`over`) or to its own at another point (`over_at`); the
scheme's share of CONGA's gain over ECMP, (ECMP - scheme) / (ECMP - CONGA) (`gain`); or, with none
of these, the metric itself. All are computed seed by seed, because for a seed all schemes have the
same flows."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evenweave_sim import verdict
from evenweave_sim.intervals import interval95
from evenweave_sim.verdict import Span, Verdict

# How a claim's relation is written before the paper's figure.
SIGNS = {"about": "", "range": "", "above": ">", "below": "<", "most": "<="}

# The metrics of one seed: by scheme, by metric.
Run = dict[str, dict[str, float]]


@dataclass(frozen=True)
class NoFigure:
    """Why a seed gives no figure."""

    why: str
    is_infinite: bool = False  # a division by 0, so that the mean over seeds is not finite either


@dataclass(frozen=True)
class Claim:
    scheme: str
    at: float
    metric: str
    value: float  # for a range, its start
    source: str
    over: str | None = None
    gain: bool = False
    relation: str = "about"  # or range, above, below, most
    over_at: float | None = None
    why: str | None = None  # the known reason for a difference
    to: float | None = None  # for a range, its end

    def what(self) -> str:
        if self.gain:
            return f"{self.scheme}'s share of CONGA's gain in {self.metric} at {self.at:g}"
        if self.over_at is not None:
            return f"{self.scheme}'s {self.metric} at {self.at:g} over that at {self.over_at:g}"
        if self.over is None:
            return f"{self.scheme}'s {self.metric} at {self.at:g}"
        return f"{self.scheme} over {self.over} in {self.metric} at {self.at:g}"

    def measured(self, run: Run, there: Run | None = None) -> float | NoFigure:
        """Returns the measured value. there: the run of the same seed at over_at."""
        mine = run[self.scheme].get(self.metric)
        if self.gain:
            worst, best = (run[s].get(self.metric) for s in ("ecmp", "conga"))
            if mine is None or worst is None or best is None:
                return NoFigure(f"there is no {self.metric}")
            if worst == best:
                return NoFigure(f"CONGA's {self.metric} is ECMP's", is_infinite=True)
            return (worst - mine) / (worst - best)
        if not self.is_ratio:
            return NoFigure(f"there is no {self.metric}") if mine is None else mine
        of = self.over or self.scheme
        other = (run if self.over_at is None else there or {})[of].get(self.metric)
        if mine is None or other is None:
            return NoFigure(f"there is no {self.metric}")
        if other == 0:
            return NoFigure(f"{of}'s {self.metric} is 0", is_infinite=True)
        return mine / other

    @property
    def is_ratio(self) -> bool:
        return self.over is not None or self.over_at is not None

    @property
    def is_compared(self) -> bool:
        """Whether the claim has a gain: ratio - 1, or the share itself."""
        return self.is_ratio or self.gain

    @property
    def schemes(self) -> set[str]:
        """The schemes of which it needs runs."""
        conga = ("ecmp", "conga") if self.gain else ()
        return {self.scheme, *conga, *([] if self.over is None else [self.over])}

    @property
    def claimed(self) -> Span:
        """The claimed figures."""
        if self.relation == "above":
            return Span(self.value, math.inf)
        if self.relation in ("below", "most"):
            return Span(-math.inf, self.value)
        return self.named

    @property
    def named(self) -> Span:
        """The figures in the paper's text; for a bound, the bound itself."""
        return Span(self.value, self.value if self.to is None else self.to)

    def gains(self, figures: Span) -> Span:
        """Returns the gains of figures; only for a claim for which is_compared is true."""
        none = 1 if self.is_ratio else 0
        return Span(figures.low - none, figures.high - none)

    def verdict(self, mean: float | None, ci95: float | None) -> Verdict:
        interval = None if mean is None else verdict.around(mean, ci95)
        if not self.is_compared:
            return verdict.verdict(self.claimed, interval, of_gain=False)
        measured = None if interval is None else self.gains(interval)
        return verdict.verdict(self.gains(self.claimed), measured, of_gain=True)


def judged(claims: Sequence[Claim], runs: dict[float, list[Run]]) -> list[dict[str, Any]]:
    """Judges the claims on schemes and points that have run. runs: by point, one for each seed."""
    found = []
    for claim in claims:
        seeds = runs.get(claim.at, [])
        there = seeds if claim.over_at is None else runs.get(claim.over_at, [])
        if seeds and there and claim.schemes <= set(seeds[0]) & set(there[0]):
            pairs = zip(seeds, there, strict=False)
            found.append(_judged(claim, [claim.measured(*pair) for pair in pairs]))
    return found


def _judged(claim: Claim, measured: Sequence[float | NoFigure]) -> dict[str, Any]:
    """Judges a claim. measured: by seed."""
    values = [value for value in measured if not isinstance(value, NoFigure)]
    lacking = {seed: value for seed, value in enumerate(measured, 1) if isinstance(value, NoFigure)}
    mean = statistics.fmean(values) if values else None
    is_finite = not any(one.is_infinite for one in lacking.values())
    ci95 = interval95(values) if is_finite else None
    found = claim.verdict(mean, ci95)
    explained = found in (Verdict.DIFFERS, Verdict.HOLDS_IN_DIRECTION)
    return {
        "claim": claim.what(),
        "source": claim.source,
        "relation": claim.relation,
        "paperValue": None if claim.to is not None else claim.value,
        "paperRange": None if claim.to is None else [claim.value, claim.to],
        "value": mean,
        "ci95": ci95,
        "gains": _gains(claim, mean) if claim.is_compared else None,
        "leftOut": [{"seed": seed, "why": one.why} for seed, one in lacking.items()],
        "verdict": str(found),
        "why": claim.why if explained else None,
    }


def _gains(claim: Claim, mean: float | None) -> dict[str, Any]:
    """Returns the paper's gain, from and to, and the measured gain."""
    paper = claim.gains(claim.named)
    here = None if mean is None else claim.gains(Span(mean, mean)).low
    return {"paper": [paper.low, paper.high], "here": here}


def paper_of(judgement: dict[str, Any]) -> str:
    """Returns the paper's figure as text."""
    if judgement["paperRange"]:
        return " to ".join(f"{end:g}" for end in judgement["paperRange"])
    return f"{SIGNS[judgement['relation']]} {judgement['paperValue']:g}".lstrip()


def verdict_of(judgement: dict[str, Any]) -> str:
    """Returns the verdict as text, with both gains if they differ, the seeds without a figure, and
    the reason if it is known."""
    found = Verdict(judgement["verdict"])
    text = found.words
    if judgement["gains"] and found in (Verdict.HOLDS_IN_DIRECTION, Verdict.DIFFERS):
        text += f": {_both_gains(judgement)}"
    for one in judgement["leftOut"]:
        text += f"; without seed {one['seed']}: {one['why']}"
    return f"{text}; {judgement['why']}" if judgement["why"] else text


def _both_gains(judgement: dict[str, Any]) -> str:
    """Returns both gains as text; for an order, which has no figure, only the measured one."""
    gains, ci95 = judgement["gains"], judgement["ci95"]
    here = f"{_percent(gains['here'])} ±{_percent(ci95).lstrip('+')} % here"
    if gains["paper"] == [0, 0]:
        return here
    paper = " to ".join(_percent(gain) for gain in dict.fromkeys(gains["paper"]))
    sign = f"{SIGNS[judgement['relation']]} ".lstrip()
    return f"{sign}{paper} % in the paper, {here}"


def _percent(gain: float) -> str:
    """Returns a percentage with its sign."""
    shown = 100 * gain
    text = f"{shown:+,.1f}" if 0.05 <= abs(shown) < 9.95 else f"{shown:+,.0f}"
    return text.removesuffix(".0")
