"""Removes TAP devices of killed sdd-hosts: their alias names the owner, and no process has them
open. Only those in this network namespace; the process that made another one removes its own."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

INTERFACES = Path("/sys/class/net")
PROCESSES = Path("/proc")
_MARK = "sdd-host "


def remove(interfaces: Path = INTERFACES, processes: Path = PROCESSES) -> list[str]:
    """Removes them; a sentence for each."""
    return [
        f"removed {name}, left by a dead sdd-host"
        for name in left(interfaces, processes)
        if subprocess.run(["ip", "link", "delete", name], check=False).returncode == 0
    ]


def left(interfaces: Path, processes: Path) -> list[str]:
    """Their names."""
    marked = sorted(path.parent.name for path in interfaces.glob("*/ifalias") if _marked(path))
    # only then: there may be many processes
    return [name for name in marked if name not in set(_open(processes))] if marked else []


def _marked(alias: Path) -> bool:
    return alias.read_text(errors="replace").startswith(_MARK)


def _open(processes: Path) -> Iterator[str]:
    """The names of TUN and TAP devices that some process has open."""
    for information in processes.glob("[0-9]*/fdinfo/*"):
        with suppress(OSError):  # it has ended meanwhile
            for line in information.read_text().splitlines():
                if line.startswith("iff:"):
                    yield line.partition(":")[2].strip()
