"""Files by which a device has one process of evenweave-edge, left by one that was killed: nobody
has their locks. The next start and `stop` would remove them too."""

from __future__ import annotations

import fcntl
import os
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
        with suppress(OSError):  # of a process that lives, or mounted
            folder.rmdir()
    return [f"removed {lock}, left by a dead evenweave-edge" for lock in left]


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """While no process makes or removes files there."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _is_held(lock: Path) -> bool:
    with lock.open("r+b") as file, suppress(BlockingIOError):
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return False
    return True
