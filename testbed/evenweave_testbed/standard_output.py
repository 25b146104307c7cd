"""Handles a result that cannot be written: the pipe is closed, or the disk is full."""

import os
import sys


def give_up(program: str, what: str, error: OSError) -> None:
    """Says in one line what cannot be written, and why; nothing more goes to standard output."""
    print(f"{program}: {what} cannot be written: {error.strerror}", file=sys.stderr)
    if sys.stdout is not None:
        # Python would try again at its end, and complain in words of its own.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
