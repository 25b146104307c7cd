"""Failures and repairs of links and switches at the rates of a production network.

Tewari 2015, Tables 3.1 and 3.2, has the availability of switches and links; section 3.2 says that
at a link availability of 99.945 % more than 300 of 3072 links fail in a month, which makes a repair
take 4.1 hours. Of switches the paper has no such number: their repairs are taken to be as long.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from statistics import mean

from evenweave_testbed.soak.faults import Fault, choose
from evenweave_testbed.soak.schedule import Step
from evenweave_testbed.soak.world import World

# Percent: Table 3.1, October to January, then Table 3.2, four weeks.
SWITCHES = mean((99.989, 99.984, 99.993, 99.987, 99.996, 99.997, 99.984, 99.993)) / 100
LINKS = mean((99.929, 99.932, 99.968, 99.955, 99.977, 99.976, 99.978, 99.968)) / 100
_HOURS_PER_MONTH = 365.25 * 24 / 12
REPAIR_HOURS = (1 - 0.99945) * _HOURS_PER_MONTH * 3072 / 300
# An hour of the model is a second of the run: what comes within so many is one step.
_MS_PER_HOUR = 1000
_LONGEST_DELAY_HOURS = 1.5
_MOST_AT_ONCE = 3
_REPAIRS = ("link-up", "switch-back")


def failures_per_hour(availability: float) -> float:
    """Of a part that works, where repairs take REPAIR_HOURS: availability = up / (up + down)."""
    return (1 - availability) / (availability * REPAIR_HOURS)


class AvailabilitySchedule:
    """Draws what happens next to each part, independently of the others; times are exponential.

    Time passes between the steps of a run only in the model, whose clock goes on over fabrics.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._hours = 0.0
        self._kinds: Counter[str] = Counter()
        self._part_hours = {"links": 0.0, "switches": 0.0}
        self._down_hours = {"links": 0.0, "switches": 0.0}

    def step(self, world: World, most: int) -> Step | None:
        """The next step in a world, of at most so many faults. Does not change the world."""
        ahead = world.copy()
        faults: list[Fault] = []
        while len(faults) < min(most, _MOST_AT_ONCE):
            hours = self._rng.expovariate(sum(rate for _, rate in _rates(ahead)))
            if faults and hours > _LONGEST_DELAY_HOURS:
                # Exponential times have no memory: the rest is drawn anew by the next step.
                self._pass(ahead, _LONGEST_DELAY_HOURS)
                break
            fault = self._draw(ahead)
            if fault is None:
                break
            self._pass(ahead, hours)
            delay_ms = round(hours * _MS_PER_HOUR) if faults else 0
            faults.append(Fault(fault.kind, fault.subject, fault.detail, delay_ms))
            fault.apply(ahead)
        return Step(tuple(faults)) if faults else None

    def _draw(self, world: World) -> Fault | None:
        """What happens; another time what would part the hosts' switches, mostly (`choose`)."""
        kinds, rates = zip(*_rates(world), strict=True)
        for kind in self._rng.choices(kinds, rates, k=_MOST_AT_ONCE * len(kinds)):
            fault = choose(kind, world, self._rng)
            if fault is not None:
                self._kinds[kind] += 1
                return fault
        return None

    def _pass(self, world: World, hours: float) -> None:
        self._hours += hours
        for parts, all_of, down in (
            ("links", world.spec.links, world.down),
            ("switches", world.spec.switches, world.gone),
        ):
            self._part_hours[parts] += hours * len(all_of)
            self._down_hours[parts] += hours * len(down)

    def figures(self) -> dict:
        """What has been drawn so far: `months` of the model, and the availability in them."""
        failures = sum(count for kind, count in self._kinds.items() if kind not in _REPAIRS)
        return {
            "name": "availability",
            "months": round(self._hours / _HOURS_PER_MONTH, 2),
            "failures": failures,
            "repairs": sum(self._kinds[kind] for kind in _REPAIRS),
            "repairHours": round(REPAIR_HOURS, 2),
            "links": {"table": round(LINKS, 5), "drawn": self._available("links")},
            "switches": {"table": round(SWITCHES, 5), "drawn": self._available("switches")},
        }

    def _available(self, parts: str) -> float:
        all_hours = self._part_hours[parts]
        return round(1 - self._down_hours[parts] / all_hours, 5) if all_hours else 1.0


def _rates(world: World) -> Sequence[tuple[str, float]]:
    """How often each kind of event happens in a world, per hour."""
    first_stage = {s.id for s in world.spec.switches if s.stage == 1}
    whole = {s.id for s in world.spec.switches} - world.gone.keys()
    links, switches = failures_per_hour(LINKS), failures_per_hour(SWITCHES)
    return (
        ("link-down", links * len(world.working_links())),
        ("switch-powered-off", switches * len(whole - first_stage)),
        # Without its power, an S1 switch's hosts would be gone as well.
        ("switch-removed", switches * len(whole & first_stage)),
        ("link-up", len(world.down) / REPAIR_HOURS),
        ("switch-back", len(world.gone) / REPAIR_HOURS),
    )
