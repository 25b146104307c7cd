"""How soon another SDD controller takes over: the leader is killed or stopped, and another one is
on standby; or none is, and the leader is restarted at once, as a service manager would.

Times are in periods, each of which has a heartbeat, beside the same times without a takeover. What
hosts hear are the datagrams on the loopback interface, what they send the packets of one flow where
they come to the circuit switch, both by the kernel's time stamps.
"""

from __future__ import annotations

import contextlib
import signal
import statistics
import time
import urllib.error
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from evenweave_bench.sdd.arrivals import Arrival, Arrivals
from evenweave_bench.sdd.controlled_bed import Controller
from evenweave_bench.sdd.rates import say
from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_testbed.sdd.bed import CONTROLLER, Bed, BedPlan
from evenweave_testbed.sdd.build import program
from evenweave_testbed.sdd.pki import Authority
from evenweave_testbed.sdd.priority import before_others

PERIOD_NS = 100_000_000
LOOPS = ("tight", "loose")
WAYS = ("killed", "stopped", "restarted")

_TAKE_OVER_AFTER_PERIODS = 2  # the least that there may be
_SESSIONS, _REST = (6650, 6651), (8282, 8283)
_LINK_BPS = 10_000_000
# rate_source sends a tenth more: a little less than what nights leave of a circuit.
_OFFERED_BPS = 7_500_000
_FLOW_S = 3600.0  # it is ended
_PLAN = BedPlan(hosts=2, link_bps=_LINK_BPS, pace_to_link=True, process={"realtimePriority": 2})
_CLIENTS = _PLAN.hosts + 1  # and the circuit switch
_WATCHED_NS = 8 * PERIOD_NS


@dataclass(frozen=True)
class Takeover:
    """Nanoseconds from the signal to the next one's lead, and the longest times without a datagram
    at a host and without a packet of the flow, from a period before the signal until all is well
    again, and before that."""

    leads_ns: int
    silent_ns: int
    idle_ns: int
    silent_before_ns: int
    idle_before_ns: int


def takeover(
    jar: Path,
    folder: Path,
    rounds: int = 10,
    loops: Sequence[str] = LOOPS,
    ways: Sequence[str] = WAYS,
) -> list[dict]:
    """A row for each loop and way; fields are in docs/reference/sdd-host.md."""
    rows = []
    for loop in loops:
        for way in ways:
            say(f"takeover, {loop} loop: {way}")
            here = folder / f"{loop}-{way}"
            here.mkdir()
            with _members(jar, here, loop, 1 if way == "restarted" else 2) as members:
                measured: list[Takeover] = []
                disturbed = 0
                while len(measured) < rounds:
                    one = members.measure(way)
                    # else its machine had paused the one that led, and the other led before
                    if one.leads_ns > 0:
                        measured.append(one)
                    else:
                        disturbed += 1
            row = {"loop": loop, "way": way, "rounds": rounds, "disturbed": disturbed}
            rows.append(row | in_periods(measured))
    return rows


def in_periods(measured: Sequence[Takeover]) -> dict:
    """Medians, and the greatest values."""
    figures: dict[str, float] = {"periodMs": PERIOD_NS / 1e6}
    for name, of in _FIGURES.items():
        periods = [of(one) / PERIOD_NS for one in measured]
        figures[f"{name}Periods"] = round(statistics.median(periods), 3)
        figures[f"{name}MaxPeriods"] = round(max(periods), 3)
    return figures


_FIGURES: dict[str, Callable[[Takeover], int]] = {
    "leads": lambda one: one.leads_ns,
    "silent": lambda one: one.silent_ns,
    "idle": lambda one: one.idle_ns,
    "silentBefore": lambda one: one.silent_before_ns,
    "idleBefore": lambda one: one.idle_before_ns,
}


def longest_silence(arrivals: Sequence[Arrival], from_ns: int, to_ns: int) -> int:
    """The longest part of that time in which one of the ports got nothing; all, if none did."""
    ports = {arrival.port for arrival in arrivals}
    silences = [to_ns - from_ns] if not ports else []
    for port in ports:
        times = [a.time_ns for a in arrivals if a.port == port and from_ns < a.time_ns < to_ns]
        silences += [b - a for a, b in pairwise([from_ns, *times, to_ns])]
    return max(silences)


class _Members:
    """The controllers by number, while a flow goes from h1 to h2."""

    def __init__(self, start: Callable[[int], Controller], count: int) -> None:
        self._start = start
        self._all: list[Controller] = []
        for number in range(count):
            self._all.append(start(number))

    def agreed(self) -> int:
        """Who leads, once all clients follow it and wait for the other, if there is one."""
        deadline = time.monotonic() + EVENT_LIMIT_S
        while True:
            found = [number for number, one in enumerate(self._all) if _is_followed(one)]
            others = [one for number, one in enumerate(self._all) if number not in found]
            if len(found) == 1 and all(_status(one)["waiting"] == _CLIENTS for one in others):
                return found[0]
            if time.monotonic() > deadline:
                raise RuntimeError("clients do not agree on a controller")
            time.sleep(0.01)

    def measure(self, way: str) -> Takeover:
        """One takeover; after it there are as many controllers as before."""
        old = self.agreed()
        sent = Arrivals("s0")
        heard = Arrivals("lo")  # the last: a datagram of its own waits for the kernel's time stamps
        time.sleep(_WATCHED_NS / 1e9)
        clock_ns = time.monotonic_ns() - time.time_ns()
        signal_ns = time.time_ns()
        process = self._all[old].process
        process.send_signal(signal.SIGSTOP if way == "stopped" else signal.SIGKILL)
        new = old if way == "restarted" else 1 - old
        if way == "restarted":
            process.wait()
            self._all[old] = self._start(old)
        self._await_lead(new)
        generation = _status(self._all[new])["generation"]
        time.sleep(_WATCHED_NS / 1e9)
        until_ns = time.time_ns()
        datagrams, packets = heard.stop(), sent.stop()
        if way == "stopped":
            process.send_signal(signal.SIGCONT)
        elif way == "killed":
            process.wait()
            self._all[old] = self._start(old)
        before_ns = signal_ns - _WATCHED_NS
        return Takeover(
            generation - signal_ns - clock_ns,
            longest_silence(datagrams, signal_ns - PERIOD_NS, until_ns),
            longest_silence(packets, signal_ns - PERIOD_NS, until_ns),
            longest_silence(datagrams, before_ns, signal_ns),
            longest_silence(packets, before_ns, signal_ns),
        )

    def _await_lead(self, number: int) -> None:
        deadline = time.monotonic() + EVENT_LIMIT_S
        while not _is_followed(self._all[number]):
            if time.monotonic() > deadline:
                raise RuntimeError(f"nobody takes over:\n{self._all[number].log()}")
            time.sleep(0.01)

    def close(self) -> None:
        for one in self._all:
            one.process.send_signal(signal.SIGCONT)
            one.close()


def _status(controller: Controller) -> dict:
    return controller.get("status")


def _is_followed(controller: Controller) -> bool:
    with contextlib.suppress(urllib.error.URLError, ConnectionError):
        status = _status(controller)
        return (
            status["leads"] and status["connected"] == _PLAN.hosts and bool(status["circuitSwitch"])
        )
    return False


class _Hosts(Bed):
    """They know both controllers."""

    def _control(self, name: str) -> dict:
        return super()._control(name) | {
            "standby": [{"address": "127.0.0.1", "port": _SESSIONS[1]}]
        }


@contextmanager
def _members(jar: Path, folder: Path, loop: str, count: int) -> Iterator[_Members]:
    authority = Authority(folder)
    keys = authority.controller_keys(folder, CONTROLLER)

    def start(number: int) -> Controller:
        config = {
            "hosts": _PLAN.names(),
            "circuitSwitch": "switch",
            "listen": f"127.0.0.1:{_SESSIONS[number]}",
            "controllers": [f"127.0.0.1:{port}" for port in _SESSIONS[:count]],
            "standby": count > 1,
            "keys": str(keys),
            "periodNs": PERIOD_NS,
            "nightNs": 2_000_000,
            "guardNs": 2_000_000,
            "circuitBps": _LINK_BPS,
            "loop": loop,
            "takeOverAfterPeriods": _TAKE_OVER_AFTER_PERIODS,
            "safePolicy": "closed",
        }
        own = folder / str(number)
        own.mkdir(exist_ok=True)
        return Controller(jar, own, config, _REST[number])

    members = _Members(start, count)
    try:
        with _Hosts(_PLAN, folder, _SESSIONS[0], authority) as bed, before_others():
            to = bed.address("h2")
            bed.start("h2", "python3", "-c", _SINK)
            bed.start("h1", str(program("rate_source")), to, "1", f"{_OFFERED_BPS}", f"{_FLOW_S}")
            yield members
    finally:
        members.close()


# else its kernel would answer each packet by an error, which would have demand
_SINK = """
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("0.0.0.0", 20000))
while True:
    s.recv(2048)
"""
