"""Runs a program on a file and says what it took."""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

_CHUNK = 1 << 20


class ToolError(Exception):
    """A program failed."""


@dataclass(frozen=True)
class Run:
    """What one process took, with its start and all its threads."""

    seconds: float
    cpuSeconds: float
    peakMb: float
    """Of its resident memory."""

    outputBytes: int | None
    """None if nobody counted."""


def measured(program: list[str], given: Path, *, counted: bool = False) -> Run:
    """Runs a program with a file as its standard input, and drops or counts what it writes."""
    out = subprocess.PIPE if counted else subprocess.DEVNULL
    size = 0
    with given.open("rb") as stream:
        start = time.monotonic()
        with subprocess.Popen(program, stdin=stream, stdout=out) as process:
            while process.stdout is not None and (text := process.stdout.read(_CHUNK)):
                size += len(text)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
    if process.returncode != 0:
        raise ToolError(f"{program[0]} ended with exit status {process.returncode}")
    return Run(
        round(seconds, 3),
        round(usage.ru_utime + usage.ru_stime, 3),
        round(usage.ru_maxrss / 1024, 1),
        size if counted else None,
    )


def output(program: list[str], given: Path) -> bytes:
    """What a program writes."""
    with given.open("rb") as stream:
        done = subprocess.run(program, stdin=stream, stdout=subprocess.PIPE)
    if done.returncode != 0:
        raise ToolError(f"{program[0]} ended with exit status {done.returncode}")
    return done.stdout
