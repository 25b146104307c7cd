"""Ends recorded runs and removes what dead ones left: python3 -m evenweave_topos.clean

Only processes that a run's record names are ended, and only if their start time shows that the pid
has not been reused. Everything else of a run lives in namespaces that go with those processes.
"""

from __future__ import annotations

import signal
import sys
from pathlib import Path

from evenweave_topos.isolation import GRACE_S
from evenweave_topos.processes import ProcessId
from evenweave_topos.run_directory import RUNS, RunDirectory, all_runs, remove_tree


def clean(runs: Path = RUNS) -> list[str]:
    """Ends live runs, removes all run directories; returns a sentence for each thing done."""
    done = []
    for path in all_runs(runs):
        run = RunDirectory.read(path)
        if run is None:
            if not _starting(path):
                remove_tree(path)
                done.append(f"removed {path.name}, left by a run that died while starting")
            continue
        live = [process for process in run.processes if process.alive()]
        # The supervisor is first: asked to end, it ends the others and removes the directory
        # itself.
        for process in live:
            process.end(((signal.SIGTERM, GRACE_S + 2), (signal.SIGKILL, GRACE_S)))
        run.remove()
        done.append(f"ended {path.name}" if live else f"removed {path.name}, left by a dead run")
    if runs.is_dir() and not any(runs.iterdir()):
        runs.rmdir()
    return done


def _starting(path: Path) -> bool:
    """Whether a directory without a record may belong to a run that is just being started."""
    pid = path.name.rpartition("-")[2]
    return pid.isdigit() and ProcessId.of(int(pid)) is not None


def main() -> int:
    for sentence in clean() or ["nothing to clean"]:
        print(sentence)
    return 0


if __name__ == "__main__":
    sys.exit(main())
