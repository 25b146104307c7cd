"""Files by which a device has one process of evenweave-edge, left by one that was killed: nobody
has their locks. The next start and `stop` would remove them too.

An isolated run has a folder of its own there, mounted on the machine's. The kernel lets others
remove a folder that is mounted on in another namespace, and takes the mount away with it.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

FOLDER = Path("/run/evenweave-edge")


def remove(folder: Path = FOLDER) -> list[str]:
    """Removes them; a sentence for each process.

    Raises PermissionError for a folder of another user's.
    """
    if not folder.is_dir():
        return []
    with _alone(folder):
        left = [lock for lock in sorted(folder.glob("*.lock")) if not _is_held(lock)]
        for lock in left:
            lock.with_suffix(".socket").unlink(missing_ok=True)
            lock.unlink()
        _remove_empty(folder)
    return [f"removed {lock}, left by a dead evenweave-edge" for lock in left]


def hide(folder: Path = FOLDER) -> None:
    """Puts an empty folder of this mount namespace's in its place."""
    hidden = False
    while not hidden:
        folder.mkdir(0o700, exist_ok=True)
        with suppress(FileNotFoundError), _alone(folder) as descriptor:
            if os.fstat(descriptor).st_nlink > 0:  # else the last run has removed it meanwhile
                mount = ["mount", "-t", "tmpfs", "-o", "mode=700", "tmpfs", str(folder)]
                subprocess.run(mount, check=True)
                hidden = True


def remove_folder(folder: Path = FOLDER) -> None:
    """Removes it after a run that has hidden it, if nobody else uses it."""
    with suppress(OSError), _alone(folder):
        _remove_empty(folder)


def _remove_empty(folder: Path) -> None:
    if not _is_hidden(folder):
        with suppress(OSError):  # of a process that lives, or mounted here
            folder.rmdir()


def _is_hidden(folder: Path) -> bool:
    """Whether something is mounted there in any mount namespace that a process has."""
    seen = set()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended, or is another user's
            namespace = os.readlink(process / "ns/mnt")
            if namespace in seen:
                continue
            mounts = (process / "mountinfo").read_text().splitlines()
            seen.add(namespace)
            if any(mount.split()[4] == str(folder) for mount in mounts):
                return True
    return False


@contextmanager
def _alone(folder: Path) -> Iterator[int]:
    """While no process makes or removes files there; the folder's descriptor."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)


def _is_held(lock: Path) -> bool:
    with lock.open("r+b") as file, suppress(BlockingIOError):
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return False
    return True
