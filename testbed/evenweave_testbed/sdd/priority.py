"""Processes that are scheduled before all others, or behind them.

If the kernel groups processes by session (autogroup, man 7 sched), nice values count only within a
session, and each session has a share of its own. So such a process gets a session of its own with
the highest share, or the lowest.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

_LOWEST = 19


def start_first(
    command: Sequence[str], realtime_priority: int = 0, **options: Any
) -> subprocess.Popen:
    """As subprocess.Popen, but it comes before all others; with a real-time priority, before all
    that have none. Needs root."""
    first = ["chrt", "--rr", str(realtime_priority)] if realtime_priority else ["nice", "-n", "-20"]
    process = subprocess.Popen([*first, *command], start_new_session=True, **options)
    _weigh_session(process.pid, -20)
    return process


def start_last(command: Sequence[str], **options: Any) -> subprocess.Popen:
    """As subprocess.Popen, but all others come before it."""
    process = subprocess.Popen(command, start_new_session=True, **options)
    os.setpriority(os.PRIO_PROCESS, process.pid, _LOWEST)
    _weigh_session(process.pid, _LOWEST)
    return process


def _weigh_session(pid: int, niceness: int) -> None:
    # a kernel without autogroup has no such file
    with contextlib.suppress(FileNotFoundError):
        Path(f"/proc/{pid}/autogroup").write_text(str(niceness))


@contextlib.contextmanager
def before_others() -> Iterator[None]:
    """This thread has a real-time priority until it is left; what it starts is as usual. Needs
    root."""
    policy = os.sched_getscheduler(0)
    os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    try:
        yield
    finally:
        os.sched_setscheduler(0, policy, os.sched_param(0))
