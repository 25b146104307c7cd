"""Which length of runs is enough: one at which verdicts no longer change.

Beside NAME.csv a page's folder may have NAME-shorter.csv, NAME-longer.csv, NAME-longer-2.csv and so
on: runs of the same experiment, for all or some of its points and schemes. Each length is at least
twice the previous one. Length is the number of flows; of long-lived flows it is the window in which
their bandwidth is measured, and of a single flow its size.

A claim that is not resolved has no verdict yet: a verdict changes only where two lengths resolve
the claim, and resolve it differently."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from evenweave_sim.experiment import BadInput, Experiment
from evenweave_sim.results import Runs, read_runs
from evenweave_sim.rows import result
from evenweave_sim.verdict import Verdict

# What identifies a claim: its text, source and relation.
Key = tuple[str, str, str]

_TIMES_AS_LONG = 2

# By an experiment's length_metric: the unit of an amount, and what has it.
_UNITS = {"windowMs": (" ms", "of measurement"), "flowMbit": (" Mbit", "a flow")}


@dataclass(frozen=True)
class Length:
    path: Path | None  # of other runs than the page's own
    amounts: dict[float, float]  # by point: flows, ms of the window, or Mbit of the flow
    unit: str  # behind an amount without a space before it, such as " ms"
    of: str  # what has the amounts, such as "flows a run"
    result: dict[str, Any]

    @property
    def words(self) -> str:
        """The greatest amount of all points, such as 3,000 or 40 ms."""
        return self.amount_words(max(self.amounts.values()))

    def amount_words(self, amount: float) -> str:
        return f"{amount:,g}{self.unit}"

    @cached_property
    def verdicts(self) -> dict[Key, dict[str, Any]]:
        """The claims with their verdicts, by what identifies a claim."""
        return {identity(claim): claim for claim in self.result["claims"]}

    @cached_property
    def resolved(self) -> dict[Key, str]:
        """The verdicts of the claims that are resolved."""
        found = {key: claim["verdict"] for key, claim in self.verdicts.items()}
        return {key: said for key, said in found.items() if said != Verdict.NOT_RESOLVED}


@dataclass(frozen=True)
class Step:
    """From one length to the next one."""

    less: Length
    more: Length
    repeated: int  # the number of claims that both lengths have
    changed: list[Key]  # claims whose verdict differs from the last one at shorter lengths
    resolved_once: list[Key]  # the other claims that are resolved at one of the two only


@dataclass(frozen=True)
class Lengths:
    """All lengths of an experiment, in ascending order, the page's own among them."""

    every: list[Length]

    @property
    def own(self) -> Length:
        """That of the page's runs."""
        return next(one for one in self.every if one.path is None)

    @property
    def others(self) -> list[Length]:
        return [one for one in self.every if one.path]

    @cached_property
    def steps(self) -> list[Step]:
        last: dict[Key, str] = {}
        found = []
        for less, more in zip(self.every, self.every[1:], strict=False):
            last |= less.resolved
            both = [key for key in less.verdicts if key in more.verdicts]
            changed = [key for key in both if last.get(key) != more.resolved.get(key)]
            changed = [key for key in changed if key in last and key in more.resolved]
            once = [key for key in both if (key in less.resolved) != (key in more.resolved)]
            once = [key for key in once if key not in changed]
            found.append(Step(less, more, len(both), changed, once))
        return found

    @property
    def enough(self) -> Length | None:
        """The shortest length from which on no verdict changes; None if there is none, or if a
        claim whose verdict changed is not repeated after that."""
        found = None
        unsettled: set[Key] = set()
        for step in self.steps:
            unsettled -= step.more.verdicts.keys()
            unsettled |= set(step.changed)
            found = None if step.changed else found or step.less
        return None if unsettled else found


def identity(claim: dict[str, Any]) -> Key:
    return claim["claim"], claim["source"], claim["relation"]


def beside(
    folder: Path, experiment: Experiment, flows: dict[float, int], found: dict[str, Any]
) -> Lengths:
    """Returns the page's runs, with these flows by point and this result, and those of other
    lengths in the folder."""
    length = experiment.full_length if experiment.length_metric else None
    own = _length(None, experiment, flows, length, found)
    shorter = folder / f"{experiment.name}-shorter.csv"
    less = [_read(shorter, experiment)] if shorter.exists() else []
    more = [_read(path, experiment) for path in folder.glob(f"{experiment.name}-longer*.csv")]
    lengths = Lengths([*less, own, *sorted(more, key=lambda one: max(one.amounts.values()))])
    for step in lengths.steps:
        _check(step)
    return lengths


def _read(path: Path, experiment: Experiment) -> Length:
    flows, runs = read_runs([path], experiment)
    found = result(experiment, flows, runs)
    if found["seeds"] == 1:
        raise BadInput(f"{path}: has one seed, which gives no verdict: run at least two")
    metric = experiment.length_metric
    length = _least(metric, runs) if metric else None
    return _length(path, experiment, flows, length, found)


def _length(
    path: Path | None,
    experiment: Experiment,
    flows: dict[float, int],
    length: float | None,
    found: dict[str, Any],
) -> Length:
    if length is None:
        return Length(path, dict(flows), "", f"{experiment.counted} a run", found)
    return Length(
        path, dict.fromkeys(flows, length), *_UNITS[experiment.length_metric or ""], found
    )


def _least(metric: str, runs: Runs) -> float:
    """Returns the least value of the metric; 0 if a run has none."""
    every = (run for seeds in runs.values() for seed in seeds for run in seed.values())
    return min(run.get(metric, 0) for run in every)


def _check(step: Step) -> None:
    for point, less in step.less.amounts.items():
        more = step.more.amounts.get(point, math.inf)
        if more < _TIMES_AS_LONG * less:
            other = step.more if step.more.path else step.less
            words = [other.amount_words(amount) for amount in (less, more)]
            raise BadInput(
                f"{other.path}: is too near to the next length: {words[1]} {other.of} at "
                f"{point:g} is not {_TIMES_AS_LONG} times {words[0]}"
            )
