"""Keeps the logs of a run that failed or was interrupted when its run directory is removed."""

from __future__ import annotations

import re
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from evenweave_testbed.run_directory import RunDirectory

_KEPT = Path(__file__).resolve().parents[2] / "target" / "failed-runs"
_LOGS = ("*.log", "*.err", "*.out")
_LAST_LINES = 5
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def keep_logs(run: Path, kept: Path | None = None) -> Path | None:
    """Copies the logs of a run; returns the new folder, or None if the run has none."""
    logs = sorted({log for pattern in _LOGS for log in run.rglob(pattern) if _is_log(log, run)})
    if not logs:
        return None
    folder = (kept or _KEPT) / f"{time.strftime('%Y%m%d-%H%M%S')}-{run.name}"
    for log in logs:
        copy = folder / log.relative_to(run)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(log, copy)
    return folder


def keep_logs_at_signals(program: str, doing: Callable[[], str]) -> None:
    """Has SIGINT and SIGTERM keep the logs of this run, and show what they said last, before they
    end it: ending all that runs may take longer than the run has.

    `doing` is what the run does now, for the message.
    """

    def end(number: int, _frame: object) -> None:
        # Once: a second signal must not interrupt the clearing up.
        for ending in (signal.SIGINT, signal.SIGTERM):
            signal.signal(ending, signal.SIG_IGN)
        run = RunDirectory.current()
        logs = keep_logs(run.path) if run else None
        if logs:
            print(
                f"\n{program}: {doing()}: ended by {signal.Signals(number).name}", file=sys.stderr
            )
            for line in last_lines(logs):
                print(f"  {line}", file=sys.stderr)
            print(f"{program}: the logs are in {logs}", file=sys.stderr, flush=True)
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        raise SystemExit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)


def last_lines(folder: Path) -> list[str]:
    """The last lines of each log that is not empty, with its name before them."""
    lines = []
    for log in sorted(path for path in folder.rglob("*") if path.suffix in (".log", ".err")):
        text = _COLOUR.sub("", log.read_text(errors="replace"))
        said = text.strip().splitlines()[-_LAST_LINES:]
        lines += [f"{log.relative_to(folder)}: {line}" for line in said]
    return lines


def _is_log(path: Path, run: Path) -> bool:
    """Not those of an instance's own copy of ONOS, whose output is in the log beside it."""
    depth = len(path.relative_to(run).parts)
    return path.is_file() and depth <= 2
