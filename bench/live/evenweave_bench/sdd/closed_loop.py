"""The dissertation's workload change (Tewari 2015, section 4.7.4): eight hosts, four and four.

All hosts of a group stream to the others of their group; then each to the hosts of the other group.
The controller, ours in Java, observes demand, plans with Solstice, starts and stops queues and
reconfigures the circuit switch, every period. On top runs iperf3 as it is (UDP; its control
connections and answers take the packet switch).

The period is scaled to what two shared cores carry: 200 ms instead of 1.5 ms, 10 Mb/s instead of
10 Gb/s, a night and a guard of 2 ms. sdd-host waits for deadlines awake: at twice the rate its
thread never sleeps, and the kernel then takes its core away for longer than the guard.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evenweave_bench.sdd.lateness import lateness
from evenweave_testbed.sdd.bed import CONTROLLER, Bed, BedPlan
from evenweave_testbed.sdd.pki import Authority
from evenweave_testbed.sdd.priority import start_first

HOSTS = 8
PERIOD_NS = 200_000_000
NIGHT_NS = 2_000_000
GUARD_NS = 2_000_000
LINK_BPS = 10_000_000
PACKET_BPS = 5_000_000
_SESSIONS, _REST = 6650, 8282  # in the run's own network namespace
_FIRST_PORT = 5201
_START_S = 30.0
# Nights and guards leave some 9 of 10 Mb/s to three circuits or four; a little more than that is
# offered, so that the circuits have something to do all the time.
_OFFERED_BPS = 9_600_000
_PAYLOAD = 1400


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


class Controller:
    """The Java controller as a process, and its REST."""

    def __init__(self, jar: Path, folder: Path, config: dict) -> None:
        path = folder / "sdd.json"
        path.write_text(json.dumps(config))
        self._log = folder / "controller.log"
        with self._log.open("w") as log:
            # a START that comes late costs its day: before the programs that it is for, and with
            # room for all garbage, whose collection takes milliseconds
            self._process = start_first(
                [
                    "java",
                    "-Xms256m",
                    "-Xmx256m",
                    "-Xmn160m",
                    "-jar",
                    str(jar),
                    "sdd",
                    "--config",
                    str(path),
                ],
                realtime_priority=1,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        deadline = time.monotonic() + _START_S
        while True:
            with contextlib.suppress(urllib.error.URLError, ConnectionError):
                self.get("status")
                return
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.close()
                raise RuntimeError(f"the controller does not start:\n{self.log()}")
            time.sleep(0.1)

    def get(self, what: str) -> dict:
        url = f"http://127.0.0.1:{_REST}/evenweave/sdd/{what}"
        with urllib.request.urlopen(url, timeout=10) as answer:
            return json.load(answer)

    def log(self) -> str:
        return self._log.read_text(errors="replace")

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()


def closed_loop(jar: Path, folder: Path, seconds: float = 8.0) -> dict:
    """Runs both workloads for so long each; what design.md wants to know, and what it is from."""
    plan = BedPlan(
        hosts=HOSTS,
        link_bps=LINK_BPS,
        packet_switch_bps=PACKET_BPS,
        pace_to_link=True,
        process={"realtimePriority": 2},
    )
    names = plan.names()
    authority = Authority(folder)
    keys = folder / "keys"
    keys.mkdir()
    identity = authority.issue(CONTROLLER)
    shutil.copy(authority.certificate, keys / "ca.pem")
    shutil.copy(identity.certificate, keys / "controller.pem")
    shutil.copy(identity.key, keys / "controller.key")
    ports = range(_FIRST_PORT, _FIRST_PORT + HOSTS)
    config = {
        "hosts": names,
        "circuitSwitch": "switch",
        "listen": f"127.0.0.1:{_SESSIONS}",
        "keys": str(keys),
        "periodNs": PERIOD_NS,
        "nightNs": NIGHT_NS,
        "guardNs": GUARD_NS,
        "circuitBps": LINK_BPS,
        # What is left to the packet switch stays queued (docs/reference/sdd.md), and iperf3 waits
        # for the answer to its first, tiny datagram: so all demand goes to circuits.
        "packetBps": 0,
        "safePolicy": "closed",
        # iperf3's control connections, and its servers' answers
        "packetFlows": [{"protocol": 6}] + [{"protocol": 17, "sourcePort": p} for p in ports],
    }
    controller = Controller(jar, folder, config)
    try:
        with Bed(plan, folder, _SESSIONS, authority) as bed:
            with lateness(GUARD_NS / 1e3) as machine:
                measured = _measure(bed, controller, names, seconds)
            return {**measured, "machine": machine}
    finally:
        controller.close()


def _measure(bed: Bed, controller: Controller, names: Sequence[str], seconds: float) -> dict:
    for name in names:
        for i, _ in enumerate(names):
            bed.start(name, "iperf3", "--server", "--port", str(_FIRST_PORT + i))
    _await_sessions(bed, controller)
    time.sleep(1)
    before, after = pairs(names, True), pairs(names, False)
    # who looks must not wait for those who are looked at; programs started here are as usual
    os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    # clients end by themselves, so that the change is one moment and not a series of signals
    _start_clients(bed, names, before, seconds)
    watch = _Watch(bed, controller, names)
    watch.until(time.monotonic() + seconds / 2)
    steady = watch.window(seconds / 2 - 1)
    watch.until(watch.began + seconds)
    _start_clients(bed, names, after, seconds)
    change = watch.change(after, seconds / 2)
    second = watch.window(seconds / 2 - 1)
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
        "misses": misses,
        "status": controller.get("status"),
    }


def _await_sessions(bed: Bed, controller: Controller) -> None:
    deadline = time.monotonic() + _START_S
    while True:
        status = controller.get("status")
        if status["connected"] == HOSTS and status["circuitSwitch"]:
            return
        if time.monotonic() > deadline:
            raise RuntimeError(f"hosts do not connect: {status}\n{bed.log('sdd-host')}")
        time.sleep(0.1)


def _start_clients(bed: Bed, names: Sequence[str], wanted: Sequence[Pair], seconds: float) -> None:
    rate = _OFFERED_BPS * len(names) // len(wanted)
    for pair in wanted:
        bed.start(
            pair.source,
            *("iperf3", "--client", bed.address(pair.destination), "--udp"),
            *("--port", str(_FIRST_PORT + names.index(pair.source))),
            *("--bitrate", str(rate), "--length", str(_PAYLOAD), "--time", str(seconds)),
        )


def _dropped(misses: dict) -> int:
    """Packets that the switch dropped because of when they came."""
    ports = misses.get("circuitSwitch", {}).get("ports", [])
    return sum(p["droppedInNight"] + p["droppedOutOfSlot"] for p in ports)


class _Watch:
    """Looks at schedule, switch and queues while traffic runs."""

    def __init__(self, bed: Bed, controller: Controller, names: Sequence[str]) -> None:
        self.bed, self.controller, self.names = bed, controller, names
        self.began = time.monotonic()
        self.weeks: dict[int, dict] = {}

    def until(self, deadline: float) -> None:
        while time.monotonic() < deadline:
            self._look()
            time.sleep(PERIOD_NS / 4e9)

    def _look(self) -> None:
        week = self.controller.get("schedule")
        if week["period"] >= 0:
            self.weeks[week["period"]] = week

    def window(self, seconds: float) -> dict:
        """Circuits' bytes over the time that was scheduled for them, from period to period."""
        first, sent_before = self._next_week(), self._circuit_bytes()
        self.until(time.monotonic() + seconds)
        last, sent = self._next_week(), self._circuit_bytes() - sent_before
        weeks = [week for period, week in self.weeks.items() if first <= period < last]
        scheduled_ns = float(sum(_scheduled_ns(week) for week in weeks))
        # periods that were not seen, if any, had as much on average
        scheduled_ns *= (last - first) / max(1, len(weeks))
        return {
            "periods": last - first,
            "periodsSeen": len(weeks),
            "circuitBps": sent * 8e9 / max(1, (last - first) * PERIOD_NS),
            "scheduledShare": scheduled_ns / max(1, (last - first) * PERIOD_NS * len(self.names)),
            "utilisation": sent * 8e9 / LINK_BPS / max(1.0, scheduled_ns),
        }

    def _next_week(self) -> int:
        """Waits until another week is announced: at the start of a period, or shortly after."""
        self._look()
        last = max(self.weeks)
        while max(self.weeks) == last:
            time.sleep(PERIOD_NS / 40e9)
            self._look()
        return max(self.weeks)

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
                if queue["sentPackets"] > 0:
                    served.setdefault(pair, now)
            time.sleep(0.005)
        waits = sorted((served[p] - queued[p]) * 1e9 / PERIOD_NS for p in served)
        return {
            "pairsServed": len(served),
            "pairs": len(wanted),
            "periodsToConverge": waits[-1] if waits else None,
            "medianPeriodsToConverge": waits[len(waits) // 2] if waits else None,
        }


def _scheduled_ns(week: dict) -> int:
    """Of all circuits of a schedule: its days are the hosts' slots, guards are in the nights."""
    return sum(day["durationNs"] * len(day["circuits"]) for day in week["days"])


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
