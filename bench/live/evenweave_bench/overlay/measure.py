"""What is measured: goodput by iperf3, and the time of the edge's programs by the kernel."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from evenweave_bench.overlay.bed import WAYS, OverlayBed
from evenweave_testbed.polling import READY_LIMIT_S
from evenweave_testbed.processes import pipe

_BPF_SYSCALL, _BPF_ENABLE_STATS = 321, 32  # x86-64; linux/bpf.h
# By which way packets get to programs, and where these are.
_PROGRAMS = {
    "edge": {"edge_out": ("h1", "e0", "egress"), "edge_in": ("h2", "e0", "ingress")},
    "edgeHidden": {"hidden_out": ("h1", "g0", "egress"), "hidden_in": ("h2", "g0", "ingress")},
}


class MeasurementError(RuntimeError):
    """iperf3 or the kernel did not say what is needed."""


def goodput_gbps(bed: OverlayBed, way: str, flows: int, seconds: int) -> float:
    """Of so many TCP connections from h1 to h2, after their first second."""
    address = WAYS[way]
    listening = bed.start_program(
        "h2", "iperf3", "--server", "--one-off", "--forceflush", "--bind", address
    )
    while "listening" not in (line := pipe(listening.stdout).readline()):
        if not line:
            raise MeasurementError(f"iperf3 does not listen at {address}")
    done = bed.run(
        "h1", *f"iperf3 --json --omit 1 --time {seconds} --parallel {flows} -c {address}".split(),
        timeout_s=seconds + READY_LIMIT_S,
    )  # fmt: skip
    listening.communicate(timeout=READY_LIMIT_S)
    answer = json.loads(done.stdout)
    if "error" in answer:
        raise MeasurementError(f"{way}: iperf3: {answer['error']}")
    return answer["end"]["sum_received"]["bits_per_second"] / 1e9


def programs_ns(bed: OverlayBed, seconds: int) -> dict[str, dict]:
    """What the edge's programs take for each packet of one connection, large segments counting
    once: of the sender's for what leaves, of the receiver's for what arrives."""
    found = {}
    with _statistics():
        for way, programs in _PROGRAMS.items():
            ids = {name: _program(bed, name, *place) for name, place in programs.items()}
            before = {name: _run(number) for name, number in ids.items()}
            goodput_gbps(bed, way, 1, seconds)
            for name, number in ids.items():
                nanoseconds, runs = (b - a for a, b in zip(before[name], _run(number), strict=True))
                found[name] = {"packets": runs, "nsPerPacket": round(nanoseconds / max(runs, 1), 1)}
    return found


@contextmanager
def _statistics() -> Iterator[None]:
    """The kernel counts programs' runs while this file is open; and no longer, whatever happens."""
    which = ctypes.c_uint32(0)  # BPF_STATS_RUN_TIME
    libc = ctypes.CDLL(None, use_errno=True)
    held = libc.syscall(_BPF_SYSCALL, _BPF_ENABLE_STATS, ctypes.byref(which), ctypes.sizeof(which))
    if held < 0:
        raise MeasurementError(f"statistics of programs: {os.strerror(ctypes.get_errno())}")
    try:
        yield
    finally:
        os.close(held)


def _program(bed: OverlayBed, name: str, host: str, device: str, direction: str) -> int:
    """The kernel's number of an edge's program."""
    listed = bed.check(host, *f"tc -j filter show dev {device} {direction}".split())
    for filter_ in json.loads(listed):
        shown = filter_.get("options", {}).get("prog", {})
        if shown.get("name") == name:
            return int(shown["id"])
    raise MeasurementError(f"{host}: no {name}")


def _run(number: int) -> tuple[int, int]:
    """How long a program has run, in ns, and how often."""
    done = subprocess.run(
        ["bpftool", "-j", "prog", "show", "id", str(number)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise MeasurementError(f"bpftool: {done.stdout}{done.stderr}")
    shown = json.loads(done.stdout)
    return shown.get("run_time_ns", 0), shown.get("run_cnt", 0)


def rounds(
    bed: OverlayBed, ways: tuple[str, ...], flows: int, seconds: int, count: int
) -> Iterator[dict[str, float]]:
    """Goodput in Gb/s by each way in turn, again and again: what else the machine does hits all."""
    for number in range(count):
        turned = ways[number % len(ways) :] + ways[: number % len(ways)]
        yield {way: goodput_gbps(bed, way, flows, seconds) for way in turned}
