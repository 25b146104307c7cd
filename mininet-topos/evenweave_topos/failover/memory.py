"""Memory of a Java process after a garbage collection, by the JDK's own tool."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

_JCMD_TIMEOUT_S = 60.0
_MEGABYTE_KIB = 1024


class NoFigure(RuntimeError):
    """This Java does not tell."""


def after_collection(java: Path, pid: int) -> dict[str, float]:
    """Megabytes in use in the heap after a full collection, and in the metaspace (classes).

    Twice, since what a first collection makes unreachable by finalizers and references goes with
    the second. Raises NoFigure where the Java home has no jcmd.
    """
    jcmd = java / "bin/jcmd"
    if not jcmd.exists():
        raise NoFigure(f"{java} has no bin/jcmd")
    for _ in range(2):
        _run(jcmd, pid, "GC.run")
    return parse(_run(jcmd, pid, "GC.heap_info"))


def parse(heap_info: str) -> dict[str, float]:
    """Reads what `jcmd PID GC.heap_info` prints of the collector G1."""
    heap = re.search(r"garbage-first heap\s+total \d+K, used (\d+)K", heap_info)
    metaspace = re.search(r"Metaspace\s+used (\d+)K", heap_info)
    if not heap or not metaspace:
        raise NoFigure(f"jcmd printed something else: {heap_info.strip()[:200]}")
    return {
        "heapMb": round(int(heap[1]) / _MEGABYTE_KIB, 1),
        "metaspaceMb": round(int(metaspace[1]) / _MEGABYTE_KIB, 1),
    }


def added(before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
    return {name: round(after[name] - before[name], 1) for name in before}


def _run(jcmd: Path, pid: int, command: str) -> str:
    done = subprocess.run(
        [str(jcmd), str(pid), command],
        capture_output=True,
        text=True,
        timeout=_JCMD_TIMEOUT_S,
        check=False,
    )
    if done.returncode != 0:
        raise NoFigure(f"jcmd {command}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout
