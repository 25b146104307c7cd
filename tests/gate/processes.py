"""Runs the programs of the suites and accounts for the processor time that they take."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

_account = threading.local()


def run(command: Sequence[str], log: Path, cwd: Path, niceness: int) -> int:
    """Runs a program to its end, its output in the file, and returns its exit status."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w") as output:
        process = subprocess.Popen(
            ["nice", "-n", str(niceness), *command],
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)  # so that Popen does not wait again
    _account.seconds = cpu_seconds() + usage.ru_utime + usage.ru_stime
    return process.returncode


def cpu_seconds() -> float:
    """Processor time in seconds of all programs that this thread has run, their children included
    (those that detached themselves are not)."""
    return getattr(_account, "seconds", 0.0)
