"""Counts what a controller reports while nothing fails."""

from __future__ import annotations

import os
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager

from evenweave_testbed.controller import Controller, ControllerError

_POLL_S = 1.0
_HOGS_PER_CORE = 2


@contextmanager
def cpu_load() -> Iterator[int]:
    """Keeps all cores busy, twice over, for the body of a `with`; gives the number of processes."""
    count = _HOGS_PER_CORE * (os.cpu_count() or 1)
    with ExitStack() as hogs:
        for _ in range(count):
            hog = subprocess.Popen(["sh", "-c", "while :; do :; done"])
            hogs.callback(hog.wait)
            hogs.callback(hog.kill)
        yield count


class FalseLosses:
    """Events of links, none of which has failed."""

    def __init__(self) -> None:
        self._down: Counter[str] = Counter()
        self._kinds: Counter[str] = Counter()
        self._changes: dict[int, int] = {}

    def add(self, events: Iterable[dict]) -> None:
        for event in events:
            self._kinds[event["kind"]] += 1
            if event["kind"] == "link-down":
                self._down[event["subject"]] += 1
            # Events that are answered together have the same change.
            if event.get("confirmedEpochMicros"):
                self._changes[event["confirmedEpochMicros"]] = event["groupsChanged"]

    def figures(self) -> dict:
        """Links that went down, by number and by link; links damped; changes that came of it."""
        return {
            "falseLosses": self._kinds["link-down"],
            "byLink": dict(self._down.most_common()),
            "damped": self._kinds["link-damped"],
            "released": self._kinds["link-released"],
            "changes": sum(1 for changed in self._changes.values() if changed),
            "groupsChanged": sum(self._changes.values()),
        }


def watch(controller: Controller, seconds: float, done: Callable[[float], None]) -> dict:
    """Follows the controller's events for a time. They are kept a thousand at a time."""
    found = FalseLosses()
    since = controller.last_sequence()
    start = time.monotonic()
    while (passed := time.monotonic() - start) < seconds:
        time.sleep(min(_POLL_S, seconds - passed))
        since = _follow(controller, since, found)
        done(min(1.0, (time.monotonic() - start) / seconds))
    return found.figures()


def _follow(controller: Controller, since: int, found: FalseLosses) -> int:
    """Counts events from a sequence number on, up to the first that is not confirmed yet."""
    try:
        events = controller.events(since)
    except ControllerError:
        return since  # busy; the events are there the next time
    ready = []
    for event in events:
        if not event.get("confirmedEpochMicros") and event["kind"].startswith("link-"):
            break
        ready.append(event)
    found.add(ready)
    return max((event["sequence"] for event in ready), default=since)
