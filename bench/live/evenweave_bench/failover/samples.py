"""What one failure showed, and the figures of many."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Sample:
    """One failure; times are milliseconds after the port went down.

    `confirmed_ms`: the last switch had confirmed the new tables. `last_change_ms`: the last change
    of a group or rule reached its switch, as captured at the switches. `outage_ms`: the last lost
    probe had been sent (0 if none was lost). `refused`: the number of changes that switches
    refused. `late`: the changes that came after the confirmation. `stages`: the milliseconds of
    each stage (see stages), None if they are not known.
    """

    link: str
    confirmed_ms: float
    last_change_ms: float
    outage_ms: float
    lost: int
    sent: int
    changed: int
    refused: int
    late: tuple[str, ...] = ()
    stages: dict[str, float] | None = None


@dataclass(frozen=True)
class Outage:
    """One failure that nobody confirms: what probes say; the fields are those of `Sample`."""

    link: str
    outage_ms: float
    lost: int
    sent: int


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest of the values that at least `percent` % of them do not exceed (nearest rank)."""
    if not values or not 0 < percent <= 100:
        raise ValueError("a percentile needs values and a percentage above 0, at most 100")
    return sorted(values)[math.ceil(len(values) * percent / 100) - 1]


def p50_p99(values: Sequence[float], digits: int = 1) -> dict[str, float]:
    return {
        "p50": round(percentile(values, 50), digits),
        "p99": round(percentile(values, 99), digits),
    }


def figures(samples: Sequence[Sample]) -> dict:
    """A runtime's part of the result."""
    confirmed = p50_p99([s.confirmed_ms for s in samples])
    return {
        "p50Ms": confirmed["p50"],
        "p99Ms": confirmed["p99"],
        "lastChangeMs": p50_p99([s.last_change_ms for s in samples]),
        **outages(samples),
        "changed": p50_p99([s.changed for s in samples]),
        "refused": sum(s.refused for s in samples),
        "lateChanges": [f"{s.link}: {change}" for s in samples for change in s.late],
    }


def stage_figures(samples: Sequence[Sample]) -> dict:
    """The part of the result that `--stages` adds: percentiles of each stage, and the stages of the
    slowest failure; empty if no failure's are known."""
    known = [s for s in samples if s.stages]
    if not known:
        return {}
    slowest = max(known, key=lambda s: s.confirmed_ms)
    names = list(slowest.stages or ())
    return {
        "stagesMs": {name: p50_p99([(s.stages or {})[name] for s in known], 2) for name in names},
        "slowest": {
            "link": slowest.link,
            "confirmedMs": round(slowest.confirmed_ms, 1),
            "stagesMs": {name: round(ms, 2) for name, ms in (slowest.stages or {}).items()},
        },
    }


def outages(samples: Sequence[Sample] | Sequence[Outage]) -> dict:
    """The part of the result that probes alone give."""
    return {
        "n": len(samples),
        "outageMs": p50_p99([s.outage_ms for s in samples]),
        "lostPerFailure": p50_p99([s.lost for s in samples]),
        "lost": sum(s.lost for s in samples),
        "sent": sum(s.sent for s in samples),
    }


def compare_outages(runtimes: dict[str, dict]) -> None:
    """Adds to each runtime that ran `outageTimesFrr`, its median outage over FRR's, if that ran."""
    theirs = runtimes.get("frr", {}).get("outageMs", {}).get("p50")
    if theirs:
        for found in runtimes.values():
            if "n" in found:
                found["outageTimesFrr"] = round(found["outageMs"]["p50"] / theirs, 2)


# What others are compared with: what ONOS has by itself, if it ran.
_BASELINES = ("onosStock", "standalone")


def compare(runtimes: dict[str, dict]) -> str | None:
    """Adds to each runtime that ran `timesBaseline`, its median over the baseline's; returns the
    baseline's name, None if neither of them ran."""
    baseline = next((name for name in _BASELINES if "n" in runtimes.get(name, {})), None)
    if baseline:
        for found in runtimes.values():
            if "p50Ms" in found:
                found["timesBaseline"] = round(found["p50Ms"] / runtimes[baseline]["p50Ms"], 2)
    return baseline
