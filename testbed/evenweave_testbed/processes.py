"""Identifies processes so that a reused pid is never mistaken for the original process."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, AnyStr


@dataclass(frozen=True)
class ProcessId:
    """A process by pid, start time (clock ticks after boot) and boot: unique, unlike the pid
    alone."""

    pid: int
    start_ticks: int
    boot: str

    @classmethod
    def of(cls, pid: int) -> ProcessId | None:
        """The process that has `pid` now; None if there is none, or only its zombie."""
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
        except (FileNotFoundError, ProcessLookupError):
            return None
        # The command name (field 2) may hold spaces and parentheses; fields are counted after it.
        fields = stat[stat.rindex(")") + 2 :].split()
        state, start_ticks = fields[0], int(fields[19])
        return None if state in "ZX" else cls(pid, start_ticks, _boot_id())

    def alive(self) -> bool:
        return ProcessId.of(self.pid) == self

    def end(self, signals: tuple[tuple[int, float], ...]) -> bool:
        """Sends each (signal, seconds to wait after it) until the process is gone; True if it is.

        The pidfd is opened before the start time is compared, so the signal cannot reach a process
        that took over the pid in between.
        """
        try:
            descriptor = os.pidfd_open(self.pid)
        except ProcessLookupError:
            return True
        try:
            if not self.alive():
                return True
            for number, seconds in signals:
                signal.pidfd_send_signal(descriptor, number)
                if _wait(descriptor, seconds):
                    return True
            return False
        except ProcessLookupError:
            return True
        finally:
            os.close(descriptor)

    def to_json(self) -> dict:
        return {"pid": self.pid, "startTicks": self.start_ticks, "boot": self.boot}

    @classmethod
    def from_json(cls, data: dict) -> ProcessId:
        return cls(int(data["pid"]), int(data["startTicks"]), str(data["boot"]))


def children(pid: int) -> list[int]:
    """Pids of the children that the main thread of `pid` started."""
    try:
        return [
            int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        ]
    except (FileNotFoundError, ProcessLookupError):
        return []


def _wait(descriptor: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def _boot_id() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


@contextlib.contextmanager
def interrupted_later() -> Iterator[None]:
    """Holds an interruption (Ctrl-C) back until the end of the block: around the start of a
    process, so that there is none that nobody has written down and nobody ends."""
    if threading.current_thread() is not threading.main_thread():
        yield  # interruptions reach the main thread only
        return
    held_back = []
    before = signal.signal(signal.SIGINT, lambda *_: held_back.append(True))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if held_back:
        raise KeyboardInterrupt


def pipe(stream: IO[AnyStr] | None) -> IO[AnyStr]:
    """A stream of a process that was started with a pipe for it."""
    assert stream is not None, "the process was started without such a pipe"
    return stream
