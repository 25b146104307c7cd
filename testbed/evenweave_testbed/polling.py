"""Polling with generous time limits, and a report of progress on long waits.

A limit ends only a wait for something that never happens. Callers also check that the processes
they wait for are running, so a generous limit costs nothing if all is well. The user decides
whether a machine is slow or stuck: the progress shows what is awaited, and for how long.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

# What is waited for, the seconds waited so far, and the limit.
Waiting = Callable[[str, float, float], None]

# The switches' answer to an event takes tens of milliseconds on an idle machine. On two cores with
# a load of 25, ONOS has taken more than 10 s.
EVENT_LIMIT_S = 180.0
# Discovery, the first plan and the hosts' first ARP: seconds on an idle machine.
READY_LIMIT_S = 300.0
_POLL_S = 0.02


class Polling:
    """Polls until a time limit; tests pass a virtual clock."""

    def __init__(
        self,
        on_wait: Waiting = lambda what, waited_s, limit_s: None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._on_wait = on_wait
        self._clock = clock
        self._sleep = sleep

    def polls(self, what: str | Callable[[], str], limit_s: float) -> Iterator[None]:
        """Yields once per poll until the limit; at least once. What is waited for may change."""
        started = self._clock()
        waited = 0.0
        while True:
            yield
            waited = self._clock() - started
            if waited >= limit_s:
                return
            self._on_wait(what if isinstance(what, str) else what(), waited, limit_s)
            self._sleep(_POLL_S)
