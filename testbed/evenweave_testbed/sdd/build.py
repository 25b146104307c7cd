"""Finds the programs of host/, and builds them if necessary."""

from __future__ import annotations

import filecmp
import os
import shutil
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

from evenweave_testbed.build_lock import build_lock

_ROOT = Path(__file__).resolve().parents[3]
HOST = _ROOT / "host"
_BUILD = _ROOT / "target" / "host" / "programs"
_PLACE = _ROOT / "target" / "host" / "bin"
_PROGRAMS = {
    "sdd-host": "sdd-host/sdd-host",
    "circuit-switch": "circuit-switch/circuit-switch",
    "hold_flow": "sdd-client/hold_flow",
    "evenweave-edge": "edge/evenweave-edge",
    "mark.bpf.o": "edge/mark.bpf.o",
    "tag_vlan.bpf.o": "edge/tag_vlan.bpf.o",
    "faulty_port.bpf.o": "edge/faulty_port.bpf.o",
    "marking_queue.bpf.o": "edge/marking_queue.bpf.o",
    "stamping_port.bpf.o": "edge/stamping_port.bpf.o",
    "leaf_port.bpf.o": "edge/leaf_port.bpf.o",
    "bench_edge": "libedge/bench/bench_edge",
    "rate_source": "sdd-host/bench/rate_source",
    "rate_meter": "sdd-host/bench/rate_meter",
    "lateness": "sdd-host/bench/lateness",
    "scaling": "sdd-host/bench/scaling",
}


class BuildError(RuntimeError):
    """A program of host/ could not be built; the message is the tool's output."""


# What the programs are made of, beside host/ itself: the control protocol's codecs.
_PROTOCOL = [_ROOT / "sdd-controller/pom.xml", _ROOT / "sdd-controller/src/main/sbe"]


@cache
def _build() -> None:
    if _are_current():
        return
    with build_lock(HOST):
        began = time.time()
        setup = ["meson", "setup", str(_BUILD), str(HOST), "--buildtype=release"]
        # Also after a setup that was interrupted, which leaves no build.ninja.
        if (_BUILD / "meson-private/coredata.dat").exists():
            setup.insert(2, "--reconfigure")
        for command in (setup, ["ninja", "-C", str(_BUILD), *_PROGRAMS.values()]):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise BuildError(f"{' '.join(command)}:\n{done.stdout}{done.stderr}")
        _PLACE.mkdir(exist_ok=True)
        for built in _PROGRAMS.values():
            _put_in_place(_BUILD / built)
            stamp = _stamp(built)
            stamp.touch()
            os.utime(stamp, (began, began))


def _stamp(built: str) -> Path:
    """Has the time at which the program's last build began; ./evenweave has the same rule."""
    return _BUILD / f"{built}.built"


def _are_current() -> bool:
    stamps = [_stamp(built) for built in _PROGRAMS.values()]
    if not all(stamp.exists() for stamp in stamps):
        return False
    sources = (path for top in (HOST, *_PROTOCOL) for path in (top, *top.rglob("*")))
    newest = max(path.stat().st_mtime for path in sources if path.is_file())
    return newest <= min(stamp.stat().st_mtime for stamp in stamps)


def _put_in_place(built: Path) -> None:
    """In one step and only if it changed: the linker's output cannot be started while it is
    written, and another process may start it at any time."""
    placed = _PLACE / built.name
    if placed.exists() and filecmp.cmp(built, placed, shallow=False):
        return
    new = placed.with_suffix(".new")
    shutil.copy2(built, new)
    new.replace(placed)


def program(name: str) -> Path:
    """A program of the optimised build; BuildError if it cannot be built."""
    _build()
    return _PLACE / Path(_PROGRAMS[name]).name


if __name__ == "__main__":  # builds them all before tests start them
    try:
        _build()
    except BuildError as error:
        sys.exit(str(error))
