"""The dissertation's workload change (Tewari 2015, section 4.7.4): eight hosts, four and four.

All hosts of a group stream to the others of their group; then each to the hosts of the other group.
On top runs iperf3 as it is (UDP; its control connections and answers take the packet switch).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evenweave_bench.sdd.arrivals import Arrivals
from evenweave_bench.sdd.controlled_bed import (
    FIRST_PORT,
    GUARD_NS,
    LINK_BPS,
    NIGHT_NS,
    PERIOD_NS,
    Controller,
    controlled_bed,
)
from evenweave_bench.sdd.lateness import lateness
from evenweave_bench.sdd.weeks import Weeks, monotonic, scheduled_ns, time_line
from evenweave_testbed.sdd.bed import Bed

# Nights and guards leave some 9 of 10 Mb/s to three circuits or four; a little more than that is
# offered, so that the circuits have something to do all the time.
_OFFERED_BPS = 9_600_000
_PAYLOAD = 1400
_DARK_NS = NIGHT_NS + 2 * GUARD_NS
# Figure 4.8 has host 3 of hosts from 0 on, at its first packet to a new destination.
_DRAWN = "h4"
_DRAWN_MS = (-600.0, 1600.0)


@dataclass(frozen=True)
class Pair:
    source: str
    destination: str


def pairs(names: Sequence[str], same_group: bool) -> list[Pair]:
    half = len(names) // 2
    return [
        Pair(a, b)
        for i, a in enumerate(names)
        for j, b in enumerate(names)
        if i != j and (i // half == j // half) == same_group
    ]


def closed_loop(jar: Path, folder: Path, seconds: float = 8.0) -> dict:
    """Runs both workloads for so long each; fields are in docs/reference/sdd-host.md."""
    with (
        controlled_bed(jar, folder) as (bed, controller),
        lateness(GUARD_NS / 1e3) as machine,
    ):
        measured = _measure(bed, controller, seconds)
    return {**measured, "machine": machine}


def _measure(bed: Bed, controller: Controller, seconds: float) -> dict:
    names = bed.plan.names()
    for name in names:
        for i, _ in enumerate(names):
            bed.start(name, "iperf3", "--server", "--port", str(FIRST_PORT + i))
    time.sleep(1)
    before, after = pairs(names, True), pairs(names, False)
    # clients end by themselves, so that the change is one moment and not a series of signals
    watch = _Watch(bed, controller, names)
    watch.start_clients(before, seconds)
    began = time.monotonic()
    watch.weeks.until(time.monotonic() + seconds / 2)
    steady = watch.window(seconds / 2 - 1)
    watch.weeks.until(began + seconds + _DRAWN_MS[0] / 1e3)
    seen = Arrivals(f"s{names.index(_DRAWN)}")
    watch.weeks.until(began + seconds)
    watch.start_clients(after, seconds)
    change = watch.change(after, seconds / 2)
    second = watch.window(seconds / 2 - 1)
    arrivals = monotonic(seen.stop())
    misses = controller.get("misses")
    return {
        "periodMs": PERIOD_NS / 1e6,
        "linkBps": LINK_BPS,
        "hosts": len(names),
        **change,
        "utilisation": min(steady["utilisation"], second["utilisation"]),
        "before": steady,
        "after": second,
        "outOfSlot": _dropped(misses),
        "timeLine": time_line(
            _DRAWN,
            watch.weeks.by_period.values(),
            [a for a in arrivals if a.port in range(FIRST_PORT, FIRST_PORT + len(names))],
            {bed.address(name): name for name in names},
            watch.changed_ns,
            _DRAWN_MS,
        ),
        "misses": misses,
        "status": controller.get("status"),
    }


def _dropped(misses: dict) -> int:
    """Packets that the switch dropped because of when they came."""
    ports = misses.get("circuitSwitch", {}).get("ports", [])
    return sum(p["droppedInNight"] + p["droppedOutOfSlot"] for p in ports)


class _Watch:
    """Looks at schedule, switch and queues while traffic runs."""

    def __init__(self, bed: Bed, controller: Controller, names: Sequence[str]) -> None:
        self.bed, self.controller, self.names = bed, controller, names
        self.weeks = Weeks(controller)
        self.changed_ns = 0  # _DRAWN's workload, or 0

    def start_clients(self, wanted: Sequence[Pair], seconds: float) -> None:
        """Has all pairs send for so long."""
        rate = _OFFERED_BPS * len(self.names) // len(wanted)
        for pair in wanted:
            self.bed.start(
                pair.source,
                *("iperf3", "--client", self.bed.address(pair.destination), "--udp"),
                *("--port", str(FIRST_PORT + self.names.index(pair.source))),
                *("--bitrate", str(rate), "--length", str(_PAYLOAD), "--time", str(seconds)),
            )
            self.weeks.look()

    def window(self, seconds: float) -> dict:
        """Circuits' bytes over the time that was scheduled for them, from period to period."""
        first, sent_before = self.weeks.next(), self._circuit_bytes()
        self.weeks.until(time.monotonic() + seconds)
        last, sent = self.weeks.next(), self._circuit_bytes() - sent_before
        seen = [week for p, week in self.weeks.by_period.items() if first <= p < last]
        nights = [n * _DARK_NS for p, n in self.weeks.peers.items() if first <= p < last]
        scheduled = float(sum(scheduled_ns(week) for week in seen))
        # periods that were not seen, if any, had as much on average
        scheduled *= (last - first) / max(1, len(seen))
        return {
            "periods": last - first,
            "periodsSeen": len(seen),
            "circuitBps": sent * 8e9 / max(1, (last - first) * PERIOD_NS),
            "scheduledShare": scheduled / max(1, (last - first) * PERIOD_NS * len(self.names)),
            # if each pair with demand has a circuit in each week; some weeks leave a pair out
            "boundShare": 1 - sum(nights) / max(1, len(nights)) / PERIOD_NS,
            "utilisation": sent * 8e9 / LINK_BPS / max(1.0, scheduled),
        }

    def _circuit_bytes(self) -> int:
        ports = self.controller.get("misses").get("circuitSwitch", {}).get("ports", [])
        return sum(port["circuitBytes"] for port in ports)

    def change(self, wanted: Sequence[Pair], seconds: float) -> dict:
        """How many periods after its first packet was queued each pair's circuit carried one."""
        queued: dict[Pair, float] = {}
        served: dict[Pair, float] = {}
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and len(served) < len(wanted):
            hosts, now = self.bed.statistics()["hosts"], time.monotonic()
            for pair in wanted:
                queues = hosts[pair.source]["queues"]
                queue = next(q for q in queues if q["number"] == self.names.index(pair.destination))
                if queue["receivedPackets"] > 0:
                    queued.setdefault(pair, now)
                    if pair.source == _DRAWN and not self.changed_ns:
                        self.changed_ns = round(now * 1e9)
                if queue["sentPackets"] > 0:
                    served.setdefault(pair, now)
            self.weeks.look()
            time.sleep(0.005)
        waits = sorted((served[p] - queued[p]) * 1e9 / PERIOD_NS for p in served)
        return {
            "pairsServed": len(served),
            "pairs": len(wanted),
            "periodsToConverge": waits[-1] if waits else None,
            "medianPeriodsToConverge": waits[len(waits) // 2] if waits else None,
        }


def main() -> int:
    """For trying it alone: inside a run, prints the result."""
    parser = argparse.ArgumentParser(prog="evenweave_bench.sdd.closed_loop")
    parser.add_argument("jar", type=Path)
    parser.add_argument("--seconds", type=float, default=8.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="evw-") as folder:
        print(json.dumps(closed_loop(options.jar, Path(folder), options.seconds), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
