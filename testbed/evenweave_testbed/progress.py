"""Progress on stderr: one line that moves on a terminal, one line per step elsewhere."""

from __future__ import annotations

import shutil
import sys
import time
from typing import TextIO

_BAR_CHARACTERS = 24
_REDRAW_S = 0.1
# Interval of lines about a long wait where stderr is not a terminal.
_STILL_WAITING_S = 10.0


class Progress:
    """Shows which of `steps` steps is running, and its progress if the step reports it."""

    def __init__(self, steps: int, stream: TextIO = sys.stderr) -> None:
        self._steps = steps
        self._stream = stream
        self._animated = stream.isatty()
        self._number = 0
        self._name = ""
        self._drawn_at = 0.0
        self._reported_s = 0.0

    @property
    def name(self) -> str:
        """The step that is under way."""
        return self._name

    def step(self, name: str) -> None:
        self._number += 1
        self._name = name
        if self._animated:
            self._draw("")
        else:
            print(f"[{self._number}/{self._steps}] {name}", file=self._stream, flush=True)

    def fraction(self, done: float) -> None:
        """Part of the current step that is done, 0 to 1."""
        if self._animated and (time.monotonic() - self._drawn_at > _REDRAW_S or done >= 1):
            filled = round(done * _BAR_CHARACTERS)
            self._draw(f" [{'#' * filled}{'.' * (_BAR_CHARACTERS - filled)}] {done:4.0%}")

    def waiting(self, what: str, waited_s: float, limit_s: float) -> None:
        """Reports a wait in progress; the callback of `polling.Polling`."""
        if waited_s < self._reported_s:
            self._reported_s = 0.0
        if self._animated and time.monotonic() - self._drawn_at > _REDRAW_S and waited_s >= 1:
            self._draw(f": {what}, {waited_s:.0f} s")
        elif not self._animated and waited_s - self._reported_s >= _STILL_WAITING_S:
            self._reported_s = waited_s
            print(
                f"  waiting for {what}: {waited_s:.0f} s, at most {limit_s:.0f} s",
                file=self._stream,
                flush=True,
            )

    def note(self, text: str) -> None:
        """A line that stays."""
        self.clear()
        print(f"  {text}", file=self._stream, flush=True)

    def clear(self) -> None:
        """Takes the moving line away, so that what follows starts on a clean one."""
        if self._animated:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _draw(self, bar: str) -> None:
        self._drawn_at = time.monotonic()
        line = f"[{self._number}/{self._steps}] {self._name}{bar}"
        width = shutil.get_terminal_size().columns - 1
        self._stream.write(f"\r\x1b[K{line[:width]}")
        self._stream.flush()
