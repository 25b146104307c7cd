"""Figure 4.4: how well a host keeps to slots, by their length.

A host sends in every other slot of one length, at 1 Gb/s: told by a START and a STOP for each,
which come to it through the kernel's UDP as in the paper, or told all slots before the first. The
paper's deviations are those of how long a host sends (ON) and of how long it does not (OFF), by the
length of the slot. Bursts are what is seen at the far end of the link: between two of them there is
nothing for half a slot at least.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from itertools import pairwise

from evenweave_bench.sdd.arrivals import Arrival
from evenweave_bench.sdd.lone_host import FRAME_BYTES, POLLING, QUEUE, LoneHost, lone_host

SLOTS_US = (50, 100, 200, 500, 1000)
_BPS = 10**9
CONTROLS = {"startStop": POLLING, "startStopAsleep": {}, "slots": {}}
"""How the host is told, and its configuration: `startStop` as it polls, the others as it is by
default, when it may sleep."""

CONTROL_NAMES = {
    "startStop": "START and STOP, host polls",
    "startStopAsleep": "START and STOP, host may sleep",
    "slots": "slots ahead of time",
}
"""As the page has them."""

_AHEAD_NS = 100_000_000
# Sleeps end late.
_SPIN_NS = 300_000
# A full queue has packets for 0.18 s, and slots are at most twice as long as ordered.
_MOST_ON_S = 0.08
_MOST_SLOTS = 500

Slot = tuple[int, int]
"""When it was ordered to begin and to end: START's and STOP's sending, nanoseconds of the epoch."""


def slots(slots_us: Sequence[int] = SLOTS_US, most: int = _MOST_SLOTS) -> list[dict]:
    """A row for each control and length, with as many slots as `most` at most; fields are in
    docs/reference/sdd-host.md."""
    rows = []
    for control, process in CONTROLS.items():
        with lone_host(process) as host:
            host.set_rate(_BPS)
            send = _tell_ahead if control == "slots" else _start_and_stop
            for slot_us in slots_us:
                count = min(most, int(_MOST_ON_S * 1e6 / slot_us))
                host.fill()
                seen = host.look()
                ordered = send(host, slot_us * 1000, count)
                arrivals = seen.stop()
                host.check()
                rows += [{"control": control, **of(ordered, arrivals, slot_us * 1000)}]
    return rows


def _start_and_stop(host: LoneHost, slot_ns: int, count: int) -> list[Slot]:
    """Sends each when it is due. A START ends by itself a slot after its STOP is due, so that the
    queue does not run out of packets because a STOP is sent late."""
    began_ns = time.monotonic_ns() + _AHEAD_NS
    to_epoch_ns = time.time_ns() - time.monotonic_ns()
    due_ns = [began_ns + number * slot_ns for number in range(2 * count)]
    commands = [
        host.session.datagram((QUEUE, "STOP", 0) if i % 2 else (QUEUE, "START", due + 2 * slot_ns))
        for i, due in enumerate(due_ns)
    ]
    sent = []
    for due, datagram in zip(due_ns, commands, strict=True):
        while (left_ns := due - time.monotonic_ns()) > 0:
            if left_ns > _SPIN_NS:
                time.sleep((left_ns - _SPIN_NS) / 1e9)
        sent.append(time.monotonic_ns() + to_epoch_ns)
        host.session.send_datagram(datagram)
    time.sleep(_AHEAD_NS / 1e9)
    return list(zip(sent[::2], sent[1::2], strict=True))


def _tell_ahead(host: LoneHost, slot_ns: int, count: int) -> list[Slot]:
    """Sends all of them before the first."""
    began_ns = time.monotonic_ns() + _AHEAD_NS
    to_epoch_ns = time.time_ns() - time.monotonic_ns()
    ordered = [
        (began_ns + 2 * number * slot_ns, began_ns + (2 * number + 1) * slot_ns)
        for number in range(count)
    ]
    host.session.ok(
        "SetSchedule",
        period=0,
        slots=[{"queue": QUEUE, "startNs": start, "endNs": end} for start, end in ordered],
    )
    time.sleep((2 * count * slot_ns + 2 * _AHEAD_NS) / 1e9)
    return [(start + to_epoch_ns, end + to_epoch_ns) for start, end in ordered]


def of(ordered: Sequence[Slot], arrivals: Sequence[Arrival], slot_ns: int) -> dict:
    """A row. Deviations are standard ones, by the slot's length; `orderedDeviation` is that of how
    long the orders themselves were apart."""
    bursts = _bursts([arrival.time_ns for arrival in arrivals], slot_ns // 2)
    on = [last - first for first, last in bursts]
    off = [first - last for (_, last), (first, _) in pairwise(bursts)]
    outside = _outside(ordered, [arrival.time_ns for arrival in arrivals])
    return {
        "slotUs": slot_ns / 1e3,
        "slots": len(ordered),
        "bursts": len(bursts),
        "packets": len(arrivals),
        "gapShare": round(FRAME_BYTES * 8e9 / _BPS / slot_ns, 4),
        "onDeviation": _deviation(on, slot_ns),
        "offDeviation": _deviation(off, slot_ns),
        "orderedDeviation": _deviation([end - start for start, end in ordered], slot_ns),
        "outsideShare": round(outside / max(1, len(arrivals)), 4),
    }


def _bursts(times: Sequence[int], apart_ns: int) -> list[tuple[int, int]]:
    """The first and the last of each run of times that are less than apart_ns apart."""
    breaks = [i for i, (a, b) in enumerate(pairwise(times), 1) if b - a >= apart_ns]
    edges = [0, *breaks, len(times)]
    return [(times[a], times[b - 1]) for a, b in pairwise(edges) if b > a]


def _outside(ordered: Sequence[Slot], times: Sequence[int]) -> int:
    """How many times are in no slot; both ascending."""
    count = at = 0
    for moment in times:
        while at < len(ordered) and ordered[at][1] <= moment:
            at += 1
        count += at == len(ordered) or moment < ordered[at][0]
    return count


def _deviation(durations_ns: Sequence[int], slot_ns: int) -> float:
    """0 of fewer than two."""
    if len(durations_ns) < 2:
        return 0.0
    return round(statistics.stdev(durations_ns) / slot_ns, 4)
