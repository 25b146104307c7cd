"""How late the machine itself was while something was measured on it.

A hypervisor that gives a core to another machine, or a kernel that is busy, stops every program,
whatever its priority. Figures of time mean nothing beyond that, so it is reported beside them.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from evenweave_testbed.sdd.build import program


@contextmanager
def lateness(late_us: float) -> Iterator[dict]:
    """After the block, the yielded object has `moments`, one per millisecond and core; `late`, how
    many of them a thread of real-time priority met more than `late_us` late; and `maxUs`, the
    longest delay. Needs root."""
    measured: dict = {"lateUs": late_us}
    command = [str(program("lateness")), str(late_us)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield measured
    finally:
        process.terminate()
        printed, complaint = process.communicate()
    if process.returncode != 0:
        raise RuntimeError(f"lateness: {complaint.strip()}")
    measured.update(json.loads(printed))
