"""Allows one build at a time in a folder: two builds would write the same files. As in ./evenweave,
Java's lock is on the tree's root, and host/ and sim/ have their own; the kernel lets go of a lock
when its holder ends."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]


@contextlib.contextmanager
def build_lock(root: Path = _ROOT, *, to_write: bool = True) -> Iterator[None]:
    """Waits until no other command builds in this folder and keeps them waiting meanwhile. Commands
    that only use what was built (`to_write` is false) do not wait for each other."""
    lock = os.open(root, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX if to_write else fcntl.LOCK_SH)
        yield
    finally:
        os.close(lock)
