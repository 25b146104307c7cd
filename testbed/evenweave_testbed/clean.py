"""Ends recorded runs and removes what dead ones left: python3 -m evenweave_testbed.clean

Only processes that a run's record names are ended, and only if their start time shows that the pid
has not been reused. Everything else of a run lives in namespaces that end with those processes,
except for what a killed sdd-host leaves: the empty folder that DPDK makes while it starts, and
its TAP devices, which are there for the next one.

Exit status: 0 done, 1 if something belongs to another user and could not be ended or removed.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from evenweave_testbed import left_edge_files, left_taps
from evenweave_testbed.isolation import GRACE_S
from evenweave_testbed.processes import ProcessId
from evenweave_testbed.run_directory import RUNS, RunDirectory, all_runs, remove_tree

DPDK_FOLDERS = Path("/var/run/dpdk")


class CleanError(RuntimeError):
    """Something belongs to another user. `done` says what was done anyway."""

    def __init__(self, refused: list[str], done: list[str]) -> None:
        super().__init__("; ".join(refused))
        self.done = done


def clean(runs: Path = RUNS, dpdk_folders: Path = DPDK_FOLDERS) -> list[str]:
    """Ends live runs, removes all run directories; returns a sentence for each thing done.

    Raises CleanError, after the rest is done, for what this user may not end or remove.
    """
    done: list[str] = []
    refused: list[str] = []
    for path in all_runs(runs):
        try:
            done += _clean_run(path)
        except PermissionError:
            refused.append(f"{path} belongs to {path.owner()}")
    with suppress(OSError):  # not empty: a run is starting, or is another user's
        runs.rmdir()
    for folder in _left_by_dpdk(dpdk_folders):
        try:
            folder.rmdir()
            done.append(f"removed {folder}, left by a dead sdd-host")
        except PermissionError:
            refused.append(f"{folder} belongs to {folder.owner()}")
        except OSError:
            continue  # not empty, so it is none that sdd-host left
    done += left_taps.remove()
    try:
        done += left_edge_files.remove()
    except PermissionError:
        refused.append(f"{left_edge_files.FOLDER} belongs to {left_edge_files.FOLDER.owner()}")
    if refused:
        raise CleanError(refused, done)
    return done


def _clean_run(path: Path) -> Iterator[str]:
    run = RunDirectory.read(path)
    if run is None:
        if not _starting(path):
            remove_tree(path)
            yield f"removed {path.name}, left by a run that died while starting"
        return
    live = [process for process in run.processes if process.alive()]
    # The supervisor is first: on SIGTERM it ends the others and removes the directory itself.
    for process in live:
        process.end(((signal.SIGTERM, GRACE_S + 2), (signal.SIGKILL, GRACE_S)))
    run.remove()
    yield f"ended {path.name}" if live else f"removed {path.name}, left by a dead run"


def _starting(path: Path) -> bool:
    """Whether a directory without a record may belong to a run that is just being started."""
    return _pid_alive(path)


def _left_by_dpdk(folders: Path) -> list[Path]:
    """Folders of sdd-hosts that are gone. A pid of another namespace looks gone as well, and its
    folder may go: sdd-host has no files in it."""
    return [path for path in sorted(folders.glob("sdd-host-*")) if not _pid_alive(path)]


def _pid_alive(path: Path) -> bool:
    """Whether there is a process with the pid that the name ends with."""
    pid = path.name.rpartition("-")[2]
    return pid.isdigit() and ProcessId.of(int(pid)) is not None


def main(runs: Path = RUNS, dpdk_folders: Path = DPDK_FOLDERS) -> int:
    try:
        done = clean(runs, dpdk_folders)
    except CleanError as error:
        for sentence in error.done:
            print(sentence)
        print(f"evenweave clean: {error}: run it as that user, or as root", file=sys.stderr)
        return 1
    for sentence in done or ["nothing to clean"]:
        print(sentence)
    return 0


def command(arguments: Sequence[str], runs: Path = RUNS, dpdk_folders: Path = DPDK_FOLDERS) -> int:
    """The command line. It has no options; a request for help ends no run."""
    description = """Ends all runs, even those for which a process waits, and removes what
    crashed runs left behind."""
    status = """exit status: 0 done, 1 if something belongs to another user and could not be ended
    or removed, 2 for bad use"""
    argparse.ArgumentParser("evenweave clean", description=description, epilog=status).parse_args(
        arguments
    )
    return main(runs, dpdk_folders)


if __name__ == "__main__":
    sys.exit(command(sys.argv[1:]))
