"""Figures 4.6 and 4.7: circuits of one host as its demand changes (sections 4.7.2 and 4.7.3).

Of eight hosts R0 to R7, which are h1 to h8 here, R3 sends to R4, R5 and R6, then to R0, R1, R2 and
R7, then to nobody. The paper does not say how much; here it is a little less than what circuits can
carry, and changes in the middle of a week, as in the simulation. A week is optimal that gives R3
circuits to its destinations and to nobody else (the paper's configurations 6 and 9).
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from evenweave_bench.sdd.arrivals import Arrival, Arrivals
from evenweave_bench.sdd.controlled_bed import LINK_BPS, PERIOD_NS, controlled_bed
from evenweave_bench.sdd.weeks import (
    PACKET_SWITCH_DSCP,
    Weeks,
    days_of,
    monotonic,
    time_line,
)
from evenweave_testbed.sdd.bed import Bed
from evenweave_testbed.sdd.build import program

SENDER = "h4"
BEFORE = ("h5", "h6", "h7")
AFTER = ("h1", "h2", "h3", "h8")
_OFFERED_BPS = 7_000_000
_OVERDRIVE = 1.1  # rate_source's
_PORT = 20000  # rate_source's
_LONG_S = 3600.0  # sources are ended
_STEADY_WEEKS = 5
_DRAWN_WEEKS = (8, 12)  # before and after the change
_SINK = """
import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("0.0.0.0", int(sys.argv[1])))
while True:
    s.recv(2048)
"""


def circuits(jar: Path, folder: Path, seconds: float) -> dict:
    """Has R3 send for so long before and after the change; fields are in
    docs/reference/sdd-host.md."""
    with controlled_bed(jar, folder) as (bed, controller):
        for name in (*BEFORE, *AFTER):
            # else its kernel would answer each packet by an error, which would have demand
            bed.start(name, "python3", "-c", _SINK, str(_PORT))
        weeks = Weeks(controller)
        seen = Arrivals(f"s{bed.plan.names().index(SENDER)}")
        sources = _send(bed, BEFORE)
        weeks.until(_middle_of_a_week(seconds))
        _end(sources)
        changed_ns = time.monotonic_ns()
        sources = _send(bed, AFTER)
        weeks.until(_middle_of_a_week(seconds))
        _end(sources)
        stopped_ns = time.monotonic_ns()
        weeks.until(time.monotonic() + _DRAWN_WEEKS[0] * PERIOD_NS / 1e9)
        arrivals = [a for a in monotonic(seen.stop()) if a.port == _PORT]
        names = {bed.address(name): name for name in bed.plan.names()}
    by_period = [weeks.by_period[period] for period in sorted(weeks.by_period)]
    before, after = (drawn * PERIOD_NS / 1e6 for drawn in _DRAWN_WEEKS)
    return {
        "offeredBps": _OFFERED_BPS,
        "linkBps": LINK_BPS,
        **convergence(by_period, changed_ns, stopped_ns),
        "utilisation": {
            to: utilisation(by_period, arrivals, to, bed.address(to), until_ns)
            for phase, until_ns in ((BEFORE, changed_ns), (AFTER, stopped_ns))
            for to in phase
        },
        "timeLine": {
            **time_line(SENDER, by_period, arrivals, names, changed_ns, (-before, after)),
            # the days are the figure
            "packets": {},
        },
    }


def _middle_of_a_week(seconds: float) -> float:
    """The first one so much later, by time.monotonic(); weeks begin with that clock."""
    later_ns = time.monotonic_ns() + round(seconds * 1e9)
    return (later_ns + (PERIOD_NS // 2 - later_ns) % PERIOD_NS) / 1e9


def _send(bed: Bed, destinations: Sequence[str]) -> list[subprocess.Popen]:
    bps = round(_OFFERED_BPS / _OVERDRIVE / len(destinations))
    source = str(program("rate_source"))
    return [
        bed.start(SENDER, source, bed.address(to), "1", str(bps), str(_LONG_S))
        for to in destinations
    ]


def _end(sources: Iterable[subprocess.Popen]) -> None:
    for source in sources:
        source.terminate()
        source.wait()


def convergence(weeks: Sequence[dict], changed_ns: int, stopped_ns: int) -> dict:
    """How soon R3's weeks were right, counted from the week in which its demand changed; None of
    what did not happen. weeks: that were seen, in order."""
    given = {
        week["period"]: ({to for _, _, to in days_of(week, SENDER)}, week["startNs"])
        for week in weeks
    }
    changed = max((p for p, (_, start) in given.items() if start <= changed_ns), default=0)
    stopped = max((p for p, (_, start) in given.items() if start <= stopped_ns), default=0)
    later = {p: to for p, (to, _) in given.items() if changed < p <= stopped}
    optimum = next((p for p, to in later.items() if to == set(AFTER)), None)
    optimal = [to == set(AFTER) for p, to in later.items() if optimum is not None and p >= optimum]
    earlier = [to == set(BEFORE) for p, (to, _) in given.items() if p <= changed]
    started = earlier.index(True) if True in earlier else len(earlier)
    return {
        "weeksBefore": len(earlier) - started,
        "optimalShareBefore": _share(earlier[started:]),
        "weeksToServe": _weeks(changed, (p for p, to in later.items() if to >= set(AFTER))),
        "weeksToOptimum": None if optimum is None else optimum - changed,
        "weeksAfter": len(optimal),
        "optimalShareAfter": _share(optimal),
        "weeksToNone": _weeks(
            stopped, (p for p, (to, _) in given.items() if p > stopped and not to)
        ),
    }


def _weeks(since: int, found: Iterable[int]) -> int | None:
    first = next(iter(found), None)
    return None if first is None else first - since


def _share(those: Sequence[bool]) -> float | None:
    return sum(those) / len(those) if those else None


def utilisation(
    weeks: Sequence[dict], arrivals: Sequence[Arrival], name: str, address: str, until_ns: int
) -> dict:
    """How full the circuits to a host, of that name and address, were in the last weeks before a
    moment, whose demand had been the same for long."""
    first_ns, last_ns = until_ns - (_STEADY_WEEKS + 1) * PERIOD_NS, until_ns - PERIOD_NS
    chosen = [week for week in weeks if first_ns <= week["startNs"] < last_ns]
    up_ns = sum(
        end - start for week in chosen for start, end, to in days_of(week, SENDER) if to == name
    )
    carried = sum(
        a.bytes
        for week in chosen
        for a in arrivals
        if a.destination == address
        and a.dscp != PACKET_SWITCH_DSCP
        and 0 <= a.time_ns - week["startNs"] < PERIOD_NS
    )
    bps = carried * 8e9 / up_ns if up_ns else 0.0
    return {"weeks": len(chosen), "scheduledMs": round(up_ns / 1e6, 1), "bps": round(bps)}
