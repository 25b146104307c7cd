"""Memory of a Java process after a garbage collection, by the JDK's own tool."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

_JCMD_TIMEOUT_S = 60.0
_MEGABYTE_KIB = 1024
_MEGABYTE = 1024 * _MEGABYTE_KIB


class NoFigure(RuntimeError):
    """This Java has no such figures."""


def after_collection(java: Path, pid: int) -> dict[str, float]:
    """Megabytes of all objects in the heap that are reachable, and in the metaspace (classes).

    Counted by the histogram of classes, which collects and counts while everything else stands
    still. What is in use in the heap a moment after a collection is tens of megabytes more in ONOS,
    of what it has made since. Collects once before, since what a first collection makes unreachable
    by finalizers and references goes with the second. Raises NoFigure where the Java home has no
    jcmd.
    """
    jcmd = java / "bin/jcmd"
    if not jcmd.exists():
        raise NoFigure(f"{java} has no bin/jcmd")
    _run(jcmd, pid, "GC.run")
    return parse(_run(jcmd, pid, "GC.class_histogram"), _run(jcmd, pid, "GC.heap_info"))


def parse(histogram: str, heap_info: str) -> dict[str, float]:
    """Reads what `jcmd PID GC.class_histogram` and `GC.heap_info` print."""
    heap = re.search(r"(?m)^Total +\d+ +(\d+)$", histogram)
    metaspace = re.search(r"Metaspace\s+used (\d+)K", heap_info)
    if not heap or not metaspace:
        said = heap_info if heap else histogram
        raise NoFigure(f"jcmd printed something else: {said.strip()[:200]}")
    return {
        "heapMb": round(int(heap[1]) / _MEGABYTE, 1),
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
