"""The processors that a process may use, and how much of them it has used."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path


def keep_to(pid: int, cores: Collection[int]) -> None:
    """Runs a process, all of its threads, on these processors only."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        os.sched_setaffinity(int(task.name), cores)


def used_s(pid: int) -> float:
    """The processor time of a process in user mode and in the kernel (proc(5), stat)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
