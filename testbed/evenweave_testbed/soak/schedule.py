"""The schedule of faults: drawn from a seed and the world alone, never from the course of a run."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from evenweave_testbed.soak.faults import ACTS, KINDS, RESTARTS, Category, Fault, choose
from evenweave_testbed.soak.world import World

# Single faults are judged most exactly; several at once, or overlapping, find more.
_SINGLE, _TOGETHER = 0.45, 0.7
_MOST_FAULTS = 3
# A plan takes tens of milliseconds on an idle machine and a second on a busy one.
_LONGEST_DELAY_MS = 1500
# Long enough for Open vSwitch to have doubled its back-off a few times.
_LONGEST_DOWNTIME_MS = 6000

_LOSES_SESSION = frozenset(
    {"switch-removed", "switch-powered-off", "switch-flushed", "disconnected"}
)
_TAKES_RULES = frozenset({"all-switches-crash", "switch-back", "rules-deleted", "group-changed"})
_GETS_SESSION = frozenset({"switch-back", "connected"})


@dataclass(frozen=True)
class Step:
    """Faults of which each comes before the answer to the one before it need be complete. A
    controller that one of them ended is started `downtime_ms` after the last of them. Then
    everything has to be as it should be."""

    faults: tuple[Fault, ...]
    downtime_ms: int = 0

    @property
    def restarts(self) -> bool:
        return any(fault.kind in RESTARTS for fault in self.faults)

    @property
    def category(self) -> Category:
        """Whose account the step's losses go to: the worst of its faults', in the order of
        `Category`."""
        categories = {fault.category for fault in self.faults}
        return next((each for each in Category if each in categories), Category.CHANGE)

    def keeps_tables(self) -> bool:
        """Whether no table may change: only the controller and its sessions were touched."""
        return bool(self.faults) and all(
            fault.category is Category.RESTART or fault.kind == "session-reset"
            for fault in self.faults
        )

    def renewed(self) -> set[str]:
        """The switches that lose the controller and get it back within the step."""
        lost: set[str] = set()
        renewed: set[str] = set()
        for fault in self.faults:
            if fault.kind in _LOSES_SESSION:
                lost.add(fault.subject)
            elif fault.kind in _GETS_SESSION and fault.subject in lost:
                renewed.add(fault.subject)
        return renewed

    def apply(self, world: World) -> None:
        for fault in self.faults:
            fault.apply(world)

    def __str__(self) -> str:
        started = f", controller started {self.downtime_ms} ms later" if self.restarts else ""
        return (", ".join(map(str, self.faults)) or "no faults") + started


class Schedule:
    """Deals kinds of faults like cards, so that in a run of a few dozen faults every kind that can
    happen does. `deck`: the cards that are left of those before."""

    def __init__(
        self, rng: random.Random, kinds: Sequence[str] = tuple(KINDS), deck: Sequence[str] = ()
    ) -> None:
        self._rng = rng
        self._kinds = tuple(kinds)
        self._deck = list(deck)

    def deck(self) -> list[str]:
        """The cards that have not been dealt yet."""
        return list(self._deck)

    def step(self, world: World, most: int) -> Step | None:
        """The next step in a world, of at most so many faults; None if none of the kinds can
        happen. Does not change the world."""
        draw = self._rng.random()
        wanted = 1 if draw < _SINGLE else min(most, self._rng.randint(2, _MOST_FAULTS))
        overlapping = draw >= _TOGETHER
        ahead = world.copy()
        faults: list[Fault] = []
        while len(faults) < wanted and not any(fault.kind in ACTS for fault in faults):
            fault = self._deal(ahead, faults)
            if fault is None:
                break
            if faults and overlapping:
                delay_ms = self._rng.randint(0, _LONGEST_DELAY_MS)
                fault = Fault(fault.kind, fault.subject, fault.detail, delay_ms)
            fault.apply(ahead)
            faults.append(fault)
        if not faults:
            return None
        step = Step(tuple(faults))
        if step.restarts:
            step = Step(step.faults, self._rng.randint(0, _LONGEST_DOWNTIME_MS))
        return step

    def _deal(self, world: World, before: Sequence[Fault]) -> Fault | None:
        for refilled in (False, True):
            if refilled:
                new = [kind for kind in self._kinds for _ in range(KINDS[kind].cards)]
                self._rng.shuffle(new)
                self._deck += new
            for index, kind in enumerate(self._deck):
                if not _may_follow(kind, before):
                    continue
                fault = choose(kind, world, self._rng)
                if fault is not None:
                    del self._deck[index]
                    return fault
        return None


def _may_follow(kind: str, before: Sequence[Fault]) -> bool:
    """There is one controller, and one that is down cannot be configured. A switch whose rules are
    being put in can be disconnected with any of them. What others do is a step of its own."""
    if kind in ACTS and before:
        return False
    if kind in _LOSES_SESSION and any(fault.kind in _TAKES_RULES for fault in before):
        return False
    down = any(fault.kind in RESTARTS for fault in before)
    return not (down and (kind in RESTARTS or KINDS[kind].category is Category.CHANGE))


def healing(world: World) -> Step | None:
    """Everything that is wrong made good at once; None if nothing is."""
    faults = [
        Fault(kind, subject, detail)
        for kind in ("link-up", "silence-ends", "switch-back", "host-port-up", "connected")
        for subject, detail in sorted(KINDS[kind].choose(world))
    ]
    faults += [Fault("included", *choice) for choice in sorted(KINDS["included"].choose(world))]
    if world.strategy != "wcmp":
        faults.append(Fault("strategy", "wcmp"))
    return Step(tuple(faults)) if faults else None
