"""Numbered probes over all pairs of hosts, and the count of lost ones.

Everything is by the number of a probe, never by a clock: a probe belongs to what happened after the
mark that was taken before it was sent, however late a busy machine sends or carries it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import permutations
from typing import Protocol

from evenweave_testbed.flows import FIRST_SOURCE_PORT, Flow
from evenweave_testbed.soak.faults import PROBE_PORT
from evenweave_testbed.soak.world import HostPair
from evenweave_topos.topologies import HostPlace

RATE_PPS = 1000
# Each flow has its path; so that every path of a pair is likely to carry some.
_FLOWS = 240
# Probes of a flow take one path, in order, unless it is changed under way.
_OVERTAKING = 3
# So many lost ones may be the bed's.
_STRAY = 5
_SETTLE_TIMEOUT_S = 30.0
_POLL_S = 0.01


class Probing(Protocol):
    """What a ledger needs of a `loss.ProbeStream`."""

    def sent(self) -> int: ...
    def missing(self, first: int, end: int) -> list[int]: ...
    def arrived(self, number: int) -> bool: ...


def flows_between_all(hosts: Sequence[HostPlace]) -> list[Flow]:
    """As many flows from each host to each other one."""
    pairs = list(permutations(hosts, 2))
    each = max(2, _FLOWS // len(pairs))
    return [
        Flow(*pairs[index % len(pairs)], FIRST_SOURCE_PORT + index, PROBE_PORT)
        for index in range(each * len(pairs))
    ]


@dataclass(frozen=True)
class Phase:
    """Probes number `first` to `end` - 1. `lossy`: pairs that may lose some meanwhile; `uncounted`:
    pairs without a path. `overflows`: packets that the test bed itself dropped meanwhile."""

    first: int
    end: int
    lossy: AbstractSet[HostPair] = frozenset()
    uncounted: AbstractSet[HostPair] = frozenset()
    overflows: int = 0


@dataclass(frozen=True)
class Losses:
    """Probes lost in a phase: `allowed` of pairs that might, `wrong` of others, and how many
    of `uncounted` pairs. What the bed's full buffers may have swallowed is `bed`'s."""

    allowed: int = 0
    wrong: tuple[int, ...] = ()
    uncounted: int = 0
    bed: int = 0


class Ledger:
    """Which probe is whose, and which are lost."""

    def __init__(self, stream: Probing, flows: Sequence[Flow]) -> None:
        self._stream = stream
        self._pairs = [(flow.source.name, flow.destination.name) for flow in flows]
        self._settled = 0

    def pair_of(self, number: int) -> HostPair:
        return self._pairs[number % len(self._pairs)]

    def mark(self) -> int:
        """The number of the next probe: all that are sent from now on have this one or a higher."""
        return self._stream.sent()

    def loses(self, first: int, cut_off: AbstractSet[HostPair] = frozenset()) -> bool:
        """Whether packets are lost from a probe on, by those that were sent a second ago; pairs
        that are `cut_off` do not count."""
        missing = self._stream.missing(first, self._stream.sent() - RATE_PPS)
        return sum(self.pair_of(number) not in cut_off for number in missing) > _STRAY

    def settle(
        self,
        mark: int,
        cut_off: AbstractSet[HostPair] = frozenset(),
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """Waits until every probe between the mark before and this one has arrived or is lost:
        overtaken by later ones of its flow. Pairs that are `cut_off` are not waited for."""
        waiting = self._stream.missing(self._settled, mark)
        self._settled = mark
        deadline = time.monotonic() + _SETTLE_TIMEOUT_S
        while True:
            waiting = [n for n in waiting if not self._is_settled(n, cut_off)]
            if not waiting or time.monotonic() > deadline:
                return
            pause(_POLL_S)

    def _is_settled(self, number: int, cut_off: AbstractSet[HostPair]) -> bool:
        if self._stream.arrived(number) or self.pair_of(number) in cut_off:
            return True
        overtaken_by = 0
        for later in range(number + len(self._pairs), self._stream.sent(), len(self._pairs)):
            overtaken_by += self._stream.arrived(later)
            if overtaken_by >= _OVERTAKING:
                return True
        return False

    def losses(self, phase: Phase) -> Losses:
        """What was lost of a phase whose probes have settled."""
        wrong, allowed, uncounted = [], 0, 0
        for number in self._stream.missing(phase.first, phase.end):
            pair = self.pair_of(number)
            if pair in phase.uncounted:
                uncounted += 1
            elif pair in phase.lossy:
                allowed += 1
            else:
                wrong.append(number)
        # A full buffer of the bed looks like loss in the network.
        if len(wrong) <= phase.overflows:
            return Losses(allowed, (), uncounted, len(wrong))
        return Losses(allowed, tuple(wrong), uncounted)

    def describe(self, numbers: Iterable[int], shown: int = 6) -> str:
        """How many probes of which pairs."""
        counts: dict[HostPair, int] = {}
        for number in numbers:
            counts[self.pair_of(number)] = counts.get(self.pair_of(number), 0) + 1
        worst = sorted(counts.items(), key=lambda item: -item[1])
        named = ", ".join(f"{n} {one}->{two}" for (one, two), n in worst[:shown])
        return named + (", ..." if len(worst) > shown else "")
