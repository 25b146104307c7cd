"""The run directory: the only files of a running test bed, with a record of its owner.

`<repository>/.run/<name>-<pid>/` holds `run.json` (the processes to end, by pid and start time),
the Open vSwitch database and sockets, and the logs. The kernel takes care of everything else, since
the run's processes and interfaces live in namespaces that die with it (see `isolation.py`).
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from evenweave_testbed.processes import ProcessId

ENVIRONMENT_VARIABLE = "EVENWEAVE_RUN_DIRECTORY"
RUNS = Path(__file__).resolve().parents[2] / ".run"

_RECORD = "run.json"
# sun_path holds 108 bytes with the final NUL; the longest socket Open vSwitch makes in its run
# directory is `ovs-vswitchd.4194304.ctl`, or `<bridge of 15 characters>.snoop`.
_SOCKET_PATH_LIMIT = 107
_LONGEST_SOCKET_NAME = len("/ovs-vswitchd.4194304.ctl")


@dataclass(frozen=True)
class RunDirectory:
    """A run's directory. `sockets` is inside it, or a short directory of its own under /tmp."""

    path: Path
    sockets: Path
    processes: tuple[ProcessId, ...] = ()

    @classmethod
    def create(cls, name: str, owner: ProcessId, runs: Path = RUNS) -> RunDirectory:
        """Makes the directory of a run owned by the process `owner`."""
        path = runs / f"{name}-{owner.pid}"
        sockets = path / "sockets"
        if len(os.fsencode(sockets)) + _LONGEST_SOCKET_NAME > _SOCKET_PATH_LIMIT:
            sockets = Path(tempfile.gettempdir()) / f"evw-{owner.pid}-{secrets.token_hex(4)}"
        # A directory of this name can only be left from a dead run: this process has the pid now.
        left = cls.read(path)
        if left:
            left.remove()
        remove_tree(path)
        path.mkdir(parents=True)
        run = cls(path, sockets, (owner,))
        run.write()
        sockets.mkdir(mode=0o700)
        return run

    @classmethod
    def current(cls) -> RunDirectory | None:
        """The run this process is part of, or None outside of any."""
        path = os.environ.get(ENVIRONMENT_VARIABLE)
        return cls.read(Path(path)) if path else None

    @classmethod
    def read(cls, path: Path) -> RunDirectory | None:
        """Reads a run's record; None where it has none (killed before it was written)."""
        try:
            record = json.loads((path / _RECORD).read_text())
            processes = tuple(ProcessId.from_json(process) for process in record["processes"])
            return cls(path, Path(record["sockets"]), processes)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def with_processes(self, *processes: ProcessId) -> RunDirectory:
        """Records more processes, outermost first."""
        run = RunDirectory(self.path, self.sockets, (*self.processes, *processes))
        run.write()
        return run

    def write(self) -> None:
        record = {
            "processes": [process.to_json() for process in self.processes],
            "sockets": str(self.sockets),
        }
        partial = self.path / (_RECORD + ".part")
        partial.write_text(json.dumps(record, indent=1))
        partial.rename(self.path / _RECORD)

    def remove(self) -> None:
        """Removes what the run has on the disk; also the parent if this was the last run."""
        remove_tree(self.sockets)
        remove_tree(self.path)
        # The parent goes with its last run; it is not empty while another run lives.
        with contextlib.suppress(OSError):
            self.path.parent.rmdir()


def all_runs(runs: Path = RUNS) -> list[Path]:
    """Directories of live and dead runs."""
    return sorted(path for path in runs.iterdir() if path.is_dir()) if runs.is_dir() else []


def remove_tree(path: Path, timeout_s: float = 5.0) -> None:
    """Removes a directory; tries again for a while if a dying process still writes into it.
    PermissionError, at once, if it belongs to another user."""
    deadline = time.monotonic() + timeout_s
    while path.exists():
        try:
            shutil.rmtree(path)
        except FileNotFoundError:
            continue
        except PermissionError:
            raise
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
