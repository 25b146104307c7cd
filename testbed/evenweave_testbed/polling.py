"""Waiting on machines of any speed: generous limits, and word of every wait that takes long.

A limit only ends what will never happen; whoever waits also watches the processes it waits for, so
a generous one costs nothing on a machine where all is well. What would tell a slow machine from one
that is stuck is a person, who sees from the progress what is waited for, and how long already.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

# What is waited for, for how many seconds already, and for how many at most.
Waiting = Callable[[str, float, float], None]

# The switches' answer to an event takes tens of milliseconds on an idle machine. On two cores with
# a load of 25, ONOS has taken more than 10 s.
EVENT_LIMIT_S = 180.0
# Discovery, the first plan and the hosts' first ARP: seconds on an idle machine.
READY_LIMIT_S = 300.0
_POLL_S = 0.02


class Polling:
    """Polls until a limit; tests give it a clock that stands still while they do not look."""

    def __init__(
        self,
        on_wait: Waiting = lambda what, waited_s, limit_s: None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._on_wait = on_wait
        self._clock = clock
        self._sleep = sleep

    def polls(self, what: str, limit_s: float) -> Iterator[None]:
        """One element for each look at what is waited for; ends after the limit, but not before
        the first look."""
        started = self._clock()
        waited = 0.0
        while True:
            yield
            waited = self._clock() - started
            if waited >= limit_s:
                return
            self._on_wait(what, waited, limit_s)
            self._sleep(_POLL_S)
