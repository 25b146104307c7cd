"""The logs of a run that failed, kept when its run directory goes."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

_KEPT = Path(__file__).resolve().parents[2] / "target" / "failed-runs"
_LOGS = ("*.log", "*.err", "*.out")


def keep_logs(run: Path, kept: Path = _KEPT) -> Path | None:
    """Copies the logs of a run; returns the new folder, or None if the run has none."""
    logs = sorted({log for pattern in _LOGS for log in run.rglob(pattern) if _is_log(log, run)})
    if not logs:
        return None
    folder = kept / f"{time.strftime('%Y%m%d-%H%M%S')}-{run.name}"
    for log in logs:
        copy = folder / log.relative_to(run)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(log, copy)
    return folder


def _is_log(path: Path, run: Path) -> bool:
    """Not those of an instance's own copy of ONOS, whose output is in the log beside it."""
    depth = len(path.relative_to(run).parts)
    return path.is_file() and depth <= 2
