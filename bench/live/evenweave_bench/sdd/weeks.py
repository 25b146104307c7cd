"""The weeks that the controller announces, and what a host sends in them, as a time-line.

A week is what REST's `schedule` has: its `period`, when that begins (`startNs`, CLOCK_MONOTONIC),
and its days, whose `startNs` are relative to it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from evenweave_bench.sdd.arrivals import Arrival
from evenweave_bench.sdd.controlled_bed import PERIOD_NS, Controller

PACKET_SWITCH_DSCP = 8  # docs/reference/sdd-protocol.md


class Weeks:
    """Those that were seen, by their period, and the most peers of a host when each was planned."""

    def __init__(self, controller: Controller) -> None:
        self.by_period: dict[int, dict] = {}
        self.peers: dict[int, int] = {}
        self._controller = controller
        self._looked = 0.0

    def look(self) -> None:
        """Four times in a period at most, so that it may be called at any time."""
        if time.monotonic() - self._looked >= PERIOD_NS / 4e9:
            self._look()

    def until(self, deadline: float) -> None:
        """Looks until then, by time.monotonic()."""
        while (left := deadline - time.monotonic()) > 0:
            self.look()
            time.sleep(min(left, PERIOD_NS / 20e9))

    def next(self) -> int:
        """Waits until another one is announced: at the start of a period, or shortly after."""
        self._look()
        last = max(self.by_period, default=-1)
        while max(self.by_period, default=-1) == last:
            time.sleep(PERIOD_NS / 40e9)
            self._look()
        return max(self.by_period)

    def _look(self) -> None:
        self._looked = time.monotonic()
        week = self._controller.get("schedule")
        if week["period"] >= 0:
            if week["period"] not in self.by_period:
                self.peers[week["period"]] = most_peers(self._controller.get("demand")["demand"])
            self.by_period[week["period"]] = week


def most_peers(demand: Iterable[dict]) -> int:
    """Of the host that has most, to send to or to receive from: a week in which each pair has a
    circuit has as many nights at least."""
    ends = Counter(end for pair in demand for end in (("from", pair["from"]), ("to", pair["to"])))
    return max(ends.values(), default=0)


def scheduled_ns(week: dict) -> int:
    """Of all circuits: days are the hosts' slots, guards are in the nights."""
    return sum(
        day["durationNs"] * sum(circuit["from"] != circuit["to"] for circuit in day["circuits"])
        for day in week["days"]
    )


def days_of(week: dict, host: str) -> Iterator[tuple[int, int, str]]:
    """The host's circuits: when they begin and end, CLOCK_MONOTONIC, and to whom they go. One to
    itself, which a host without another may have, is none."""
    for day in week["days"]:
        start_ns = week["startNs"] + day["startNs"]
        for circuit in day["circuits"]:
            if circuit["from"] == host != circuit["to"]:
                yield start_ns, start_ns + day["durationNs"], circuit["to"]


def monotonic(arrivals: Sequence[Arrival]) -> list[Arrival]:
    """With times of CLOCK_MONOTONIC, as weeks have; to some microseconds."""
    ahead_ns = time.time_ns() - time.monotonic_ns()
    return [replace(arrival, time_ns=arrival.time_ns - ahead_ns) for arrival in arrivals]


def time_line(
    host: str,
    weeks: Iterable[dict],
    arrivals: Sequence[Arrival],
    names: dict[str, str],
    moment_ns: int,
    around_ms: tuple[float, float],
) -> dict:
    """What the host was allowed and what it sent, in ms before and after a moment.

    weeks, moment_ns: CLOCK_MONOTONIC's. arrivals: of the host's packets, CLOCK_MONOTONIC's as well.
    names: of hosts by address; packets to others are left out. around_ms: what is kept.
    """
    low, high = around_ms

    def ms(time_ns: int) -> float:
        return round((time_ns - moment_ns) / 1e6, 1)

    weeks = sorted(weeks, key=lambda week: week["startNs"])
    begins = [ms(week["startNs"]) for week in weeks]
    days = [(ms(start), ms(end), to) for week in weeks for start, end, to in days_of(week, host)]
    packets: dict[str, dict[str, list[float]]] = {"circuit": {}, "packetSwitch": {}}
    for arrival in arrivals:
        if arrival.destination in names and low <= ms(arrival.time_ns) <= high:
            way = "packetSwitch" if arrival.dscp == PACKET_SWITCH_DSCP else "circuit"
            to = packets[way].setdefault(names[arrival.destination], [])
            to.append(ms(arrival.time_ns))
    return {
        "host": host,
        "fromMs": low,
        "toMs": high,
        "weeksMs": [begin for begin in begins if low <= begin <= high],
        "days": [day for day in days if day[1] > low and day[0] < high],
        "packets": packets,
    }
