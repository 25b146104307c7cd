"""Runs a command whose standard error another process reads and forwards:
python3 -m evenweave_testbed.soak.read_log -- COMMAND...

The pipe between them is as small as the kernel makes one, so that it is full soon when the reader
stops.
"""

from __future__ import annotations

import fcntl
import os
import sys
from pathlib import Path

_READER = "cat"
_F_SETPIPE_SZ = 1031
_LEAST_BYTES = 4096


def main(command: list[str]) -> None:
    """Becomes the command; its reader is a child of it."""
    inlet, outlet = os.pipe()
    fcntl.fcntl(outlet, _F_SETPIPE_SZ, _LEAST_BYTES)
    if os.fork() == 0:
        os.dup2(inlet, 0)
        os.dup2(2, 1)
        os.closerange(3, max(inlet, outlet) + 1)
        os.execvp(_READER, [_READER])
    os.dup2(outlet, 2)
    os.closerange(3, max(inlet, outlet) + 1)
    os.execvp(command[0], command)


def reader_of(process: int) -> int | None:
    """The process that reads the standard error of one that was started so; None if it was not."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    for child in map(int, children):
        if Path(f"/proc/{child}/comm").read_text().strip() == _READER:
            return child
    return None


if __name__ == "__main__":
    main(sys.argv[sys.argv.index("--") + 1 :])
