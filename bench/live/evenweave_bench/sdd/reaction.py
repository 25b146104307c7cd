"""Table 5.1 and Figure 4.5: from a START or STOP datagram to the first or last packet on the wire.

The stand-in controller sends START, then STOP, again and again, at times that do not fit any rhythm
of the host's. Times are: when the datagram was handed to the kernel, and the packet's time stamp at
the far end. Packets have 1500 bytes, as the paper's; slots are about as long as the paper's 200 us.
"""

from __future__ import annotations

import random
import statistics
import time
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from evenweave_bench.sdd.arrivals import Arrival
from evenweave_bench.sdd.lone_host import (
    BACKLOG,
    FRAME_BYTES,
    POLLING,
    QUEUE,
    LoneHost,
    lone_host,
)
from evenweave_testbed.statistics import nearest_rank

RATES_BPS = (1_000_000_000, 1_500_000_000, 3_000_000_000, 6_000_000_000, 9_600_000_000)
"""Table 5.1's."""

_ASLEEP: dict = {}  # sdd-host's own defaults
_FOR_EVER = 2**63 - 1
SLOTS_S = (0.0002, 0.0004)
"""The shortest and the longest slot that it begins and ends."""

# Longer than anything takes to react, so that what is on the wire then belongs to no other command.
_OFF_S = (0.0025, 0.0045)
# Below it, of what the queue holds, the queue is filled again.
_LEAST = 0.4
_KEPT = 0.99  # of the delays, the least, as of the gaps of Table 5.2


@dataclass(frozen=True)
class Round:
    """When a START and the STOP after it were sent, nanoseconds of the epoch. counted: the queue
    had packets until the STOP at least."""

    start_ns: int
    stop_ns: int
    counted: bool = True


def reaction(
    rounds: int,
    rates_bps: Sequence[int] = RATES_BPS,
    slots_s: tuple[float, float] = SLOTS_S,
    seed: int = 1,
) -> list[dict]:
    """Rows for START and STOP, of each rate, with a host that polls and with one that may sleep;
    fields are in docs/reference/sdd-host.md."""
    rows = []
    rng = random.Random(seed)
    for process in (POLLING, _ASLEEP):
        with lone_host(process) as host:
            for bps in rates_bps:
                found = of(*_measure(host, bps, rounds, slots_s, rng))
                polling = process is POLLING
                rows += [{**row, "txBps": bps, "polling": polling} for row in found]
    return rows


def _measure(
    host: LoneHost, bps: int, rounds: int, slots_s: tuple[float, float], rng: random.Random
) -> tuple[list[Round], list[Arrival]]:
    host.set_rate(bps)
    done: list[Round] = []
    arrivals = []
    while len(done) < rounds:
        host.fill()
        seen = host.look()
        while len(done) < rounds:
            start_ns, stop_ns = _start_and_stop(host, rng.uniform(*slots_s))
            time.sleep(rng.uniform(*_OFF_S))
            queued = host.queued()
            done.append(Round(start_ns, stop_ns, queued > 0))
            if queued < _LEAST * BACKLOG:
                break
        arrivals += seen.stop()
    host.check()
    return done, arrivals


def _start_and_stop(host: LoneHost, slot_s: float) -> tuple[int, int]:
    """When they were sent."""
    start = host.session.datagram((QUEUE, "START", _FOR_EVER))
    stop = host.session.datagram((QUEUE, "STOP", 0))
    start_ns = time.time_ns()
    host.session.send_datagram(start)
    while time.time_ns() < start_ns + slot_s * 1e9:  # a sleep would end late
        pass
    stop_ns = time.time_ns()
    host.session.send_datagram(stop)
    return start_ns, stop_ns


def of(rounds: Sequence[Round], arrivals: Sequence[Arrival]) -> list[dict]:
    """Rows for START and STOP. For START the first packet after it, if there was one before the
    STOP; for STOP the last one before the next START, which is 0 if it was before the STOP. Both in
    order of time."""
    times = [arrival.time_ns for arrival in arrivals]
    starts = [bisect_left(times, one.start_ns) for one in rounds]
    delays: dict[str, list[float]] = {"START": [], "STOP": []}
    rates: list[float] = []
    for one, first, end in zip(rounds, starts, [*starts[1:], len(times)], strict=True):
        stop = bisect_left(times, one.stop_ns, first, end)
        if not one.counted:
            continue
        if stop > first:
            delays["START"].append((times[first] - one.start_ns) / 1e3)
        if stop > first and times[stop - 1] > times[first]:
            rates.append((stop - 1 - first) * FRAME_BYTES * 8e9 / (times[stop - 1] - times[first]))
        delays["STOP"].append((times[end - 1] - one.stop_ns) / 1e3 if end > stop else 0.0)
    got_bps = statistics.median(rates) if rates else 0.0
    return [
        {"command": action, "gotBps": round(got_bps), **_figures(sorted(values))}
        for action, values in delays.items()
        if values
    ]


def _figures(ascending: Sequence[float]) -> dict:
    """Of the delays in microseconds. The paper does not say how it divides them into a fixed and a
    variable part. Since the mean is what its text has change with the rate, and the fixed part of
    OFF is what does in its table, here the fixed part is the mean of the 99 % with the least
    delays, and the variable one their standard deviation."""
    kept = ascending[: max(1, int(len(ascending) * _KEPT))]
    at = [ascending[0], *(nearest_rank(ascending, percent) for percent in range(1, 101))]
    percentiles = [round(delay, 1) for delay in at]
    return {
        "n": len(ascending),
        "p50Us": percentiles[50],
        "p99Us": percentiles[99],
        "maxUs": percentiles[100],
        "fixedUs": round(statistics.fmean(kept), 2),
        "variableUs": round(statistics.pstdev(kept), 2),
        "percentilesUs": percentiles,
    }
