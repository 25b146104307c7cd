"""Runs jobs side by side: as many at a time as there are slots, each after those it needs.

A job that may start is chosen in the order of the list, so the list is one of priority. Jobs that
a failed one was needed for do not run and count as failed.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from gate.processes import cpu_seconds
from gate.suite import Suite


@dataclass(frozen=True)
class Job:
    """`run` returns the suite's outcome, or None for a job without tests, such as a build, which
    raises `JobFailed` if it fails. `after` names the jobs that have to be over before."""

    name: str
    run: Callable[[], Suite | None]
    after: Sequence[str] = field(default=())


class JobFailed(Exception):
    """A job without tests failed; the message says why."""


def run_jobs(
    jobs: Sequence[Job], slots: int, say: Callable[[str], None] = lambda line: None
) -> list[Suite]:
    """The outcomes, in the order of the list; a job without tests has one only if it failed."""
    return _Run(jobs, slots, say).outcomes()


class _Run:
    def __init__(self, jobs: Sequence[Job], slots: int, say: Callable[[str], None]) -> None:
        self._jobs, self._slots, self._say = jobs, slots, say
        self._done: dict[str, Suite | None] = {}
        self._broken: set[str] = set()
        self._started: set[str] = set()
        self._changed = threading.Condition()

    def outcomes(self) -> list[Suite]:
        with self._changed:
            while len(self._done) < len(self._jobs):
                self._start_what_may()
                self._changed.wait(timeout=1)  # an interrupt arrives only between waits
        return [suite for job in self._jobs if (suite := self._done[job.name]) is not None]

    def _start_what_may(self) -> None:
        for job in self._jobs:
            if job.name in self._started or not all(name in self._done for name in job.after):
                continue
            if needed := [name for name in job.after if name in self._broken]:
                self._started.add(job.name)
                self._end(job, failed(job.name, f"not run: {', '.join(needed)} failed"), 0.0, 0.0)
            elif len(self._started) - len(self._done) < self._slots:
                self._started.add(job.name)
                self._say(f"{job.name}: started")
                threading.Thread(target=self._run, args=[job], daemon=True).start()

    def _run(self, job: Job) -> None:
        began = time.monotonic()
        try:
            suite = job.run()
        except JobFailed as error:
            suite = failed(job.name, str(error))
            self._broken.add(job.name)
        except Exception:  # a fault of the job itself: the run must end and name it
            suite = failed(job.name, traceback.format_exc())
            self._broken.add(job.name)
        with self._changed:
            self._end(job, suite, time.monotonic() - began, cpu_seconds())
            self._changed.notify_all()

    def _end(self, job: Job, suite: Suite | None, seconds: float, cpu_s: float) -> None:
        if suite is not None:
            suite.seconds = seconds
        self._done[job.name] = suite
        counts = "" if suite is None else f": {suite.passed} passed, {suite.failed} failed"
        self._say(f"{job.name}: ended after {seconds:.0f} s, {cpu_s:.0f} s of CPU{counts}")


def failed(name: str, why: str) -> Suite:
    suite = Suite(name, failed=1)
    suite.failures.append((name, why))
    return suite
