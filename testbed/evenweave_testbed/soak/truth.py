"""Compares a controller's status, polled all the time, with the packets lost.

While the status is *converged* no packet may be lost that has a path, except within the stated
detection time of a kind of fault. The status is polled: between two polls that both return
*converged* it counts as *converged* all the time.
A verification whose answer is *ok* has read the switches, so nothing excuses packets that are lost
during the request.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from evenweave_testbed.controller import Controller, ControllerError

_POLL_S = 0.25
_CONVERGED = "converged"
# A fault meets probes that were sent before it and are still on their way. That takes less than a
# millisecond on an idle machine, and as long as a process waits for a core on a busy one. The limit
# is an estimate of that, not a measurement.
_ON_ITS_WAY_US = 100_000


@dataclass(frozen=True)
class Said:
    """A status: its `state`, and the numbers of the next probe before it was asked for and when it
    came."""

    first: int
    end: int
    state: str


@dataclass(frozen=True)
class Claim:
    """Probes number `first` to `end` - 1, all sent while the controller said that all is well."""

    first: int
    end: int


def claims(said: Sequence[Said]) -> list[Claim]:
    """The probes of which each was sent between two statuses in a row that say *converged*."""
    found = []
    for before, after in pairwise(said):
        if before.state == after.state == _CONVERGED and before.end < after.first:
            found.append(Claim(before.end, after.first))
    return found


def _is_in(number: int, claimed: Sequence[Claim]) -> bool:
    return any(claim.first <= number < claim.end for claim in claimed)


class Truth:
    """Polls a controller's status from entry to exit of a `with`, in a thread of its own."""

    def __init__(self, controller: Controller, mark: Callable[[], int]) -> None:
        """`mark`: the number of the next probe."""
        self._controller = controller
        self._mark = mark
        self._said: list[Said] = []
        # In microseconds of the epoch.
        self._excused: list[tuple[int, int]] = []
        self._verified: list[Claim] = []
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Truth:
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._ended.set()
        self._thread.join()

    def said(self) -> list[Said]:
        """All statuses since the last call, and the last one before."""
        with self._lock:
            found = list(self._said)
            self._said = found[-1:]
        return found

    def excuse(self, begin_us: int, effect_us: int, notice_s: float) -> None:
        """Excuses the loss of probes that are on their way between two moments of the epoch, or
        for some time longer."""
        self._excused.append((begin_us - _ON_ITS_WAY_US, effect_us + round(notice_s * 1e6)))

    def verify(self) -> None:
        """Asks for a verification, once it is known what is wrong. Returns when the probes that the
        answer is about have arrived, before the next fault can meet them."""
        first = self._mark()
        try:
            ok = self._controller.verification()["ok"]
        except ControllerError:
            return
        if ok:
            self._verified.append(Claim(first, self._mark()))
            time.sleep(_ON_ITS_WAY_US / 1e6)

    def lost_in_claims(self, lost: Iterable[int], sent_at: Callable[[int], int]) -> list[int]:
        """The lost probes that were sent since the last call while *ok* was said, or *converged*
        and nothing excuses them. `sent_at`: when one was sent, in microseconds of the epoch."""
        found = claims(self.said())
        verified, self._verified = self._verified, []
        windows, self._excused = self._excused, []
        return [
            number
            for number in lost
            if _is_in(number, verified)
            or (
                _is_in(number, found)
                and not any(begin <= sent_at(number) <= end for begin, end in windows)
            )
        ]

    def _run(self) -> None:
        while not self._ended.is_set():
            first = self._mark()
            try:
                status = self._controller.status()
                state = str(status.get("state", ""))
            except ControllerError:
                state = "no answer"
            with self._lock:
                self._said.append(Said(first, self._mark(), state))
            time.sleep(_POLL_S)
