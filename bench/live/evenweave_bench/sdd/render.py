"""What the benchmark has measured, as text for a terminal. Parts that were not measured are left
out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def render(result: dict[str, Any]) -> str:
    lines = [f"{result['cores']} cores, shared with everything else"]
    for name, part in _PARTS.items():
        if name in result:
            lines += ["", *part(result[name])]
    return "\n".join(lines)


def _reaction(rows: list[dict]) -> list[str]:
    lines = ["reaction in us     Gb/s asked   got       p50      p99    fixed  variable"]
    for row in rows:
        lines += [
            f"{row['command']:<5} {'polling' if row['polling'] else 'may sleep':<9} "
            f"{row['txBps'] / 1e9:>13g} {row['gotBps'] / 1e9:>5.2f} {row['p50Us']:>9.1f} "
            f"{row['p99Us']:>8.1f} {row['fixedUs']:>8.1f} {row['variableUs']:>9.1f}"
        ]
    return lines


def _slots(rows: list[dict]) -> list[str]:
    lines = ["slots, us        control    ON deviation  OFF deviation  bursts/slots  outside"]
    for row in rows:
        lines += [
            f"{row['slotUs']:>9g}  {row['control']:>15} {row['onDeviation']:>14.3f} "
            f"{row['offDeviation']:>14.3f} {row['bursts']:>8}/{row['slots']:<4} "
            f"{row['outsideShare']:>7.1%}"
        ]
    return lines


def _rate(rows: list[dict]) -> list[str]:
    lines = ["gap error in us: median, 99 % trimmed RMSE, RMSE; rate got over rate wanted"]
    for row in rows:
        cells = "   ".join(
            f"{who} {row[who]['medianUs']:>7.1f} {row[who]['trimmedRmseUs']:>8.1f} "
            f"{row[who]['rmseUs']:>8.1f} {row[who]['rateShare']:>5.3f}"
            for who in ("sdd", "htb")
        )
        lines += [
            f"{row['flows']:>5} x {row['bps'] / 1e6:>5g} Mb/s   {cells}   "
            f"{row['sdd']['packetNs']:>5.0f} ns a packet"
        ]
    return lines


def _other_limiters(skipped: dict) -> list[str]:
    return [f"{name} is not measured: {why['skipped']}" for name, why in skipped.items()]


def _forwarding(rows: list[dict]) -> list[str]:
    lines = ["packets per second     sdd-host    testpmd"]
    for row in rows:
        lines += [f"{row['devices']:<20} {row['sddPps']:>10.0f} {row['testpmdPps']:>10.0f}"]
    return lines


def _goodput(rows: list[dict]) -> list[str]:
    lines = ["one TCP flow       rate asked  way        Gb/s got  retransmits  core, ns a packet"]
    for row in rows:
        way = f"sdd {row['segmentKb']} KB" if row["way"] == "sdd" else row["way"]
        lines += [
            f"application {row['direction']:<8} {row['bps'] / 1e9:>7g}  {way:<9} "
            f"{row['gotBps'] / 1e9:>9.2f} {row['retransmits']:>12g} "
            + (f"{row['packetNs']:>18.0f}" if "packetNs" in row else "")
        ]
    return lines


def _scaling(rows: list[dict]) -> list[str]:
    lines = ["queues    cores      throughput  slot accuracy  slots served  dequeue ns  core"]
    for row in rows:
        lines += [
            f"{row['queues']:>6}    {row['cores']:<9} {row['throughputShare']:>10.1%} "
            f"{row['slotAccuracy']:>13.3%} {row['slotsServed']:>13.1%} {row['dequeueNs']:>11.0f} "
            f"{row['cpuShare']:>6.1%}"
        ]
    return lines


def _scaling_by_rate(rows: list[dict]) -> list[str]:
    lines = [
        f"{rows[0]['queues']} queues of     cores       rate got  gap error in us: median, "
        "99 % trimmed RMSE  dequeue ns  core"
    ]
    for row in rows:
        lines += [
            f"{row['rateBps'] / 1e6:>8g} Mb/s     {row['cores']:<9} {row['rateShare']:>10.1%} "
            f"{row['medianUs']:>25.1f} {row['trimmedRmseUs']:>18.1f} {row['dequeueNs']:>11.0f} "
            f"{row['cpuShare']:>6.1%}"
        ]
    return lines


def _circuits(seen: dict) -> list[str]:
    return [
        f"circuits of one host: all new ones after {seen['weeksToServe']} weeks, these only after "
        f"{seen['weeksToOptimum']}; Mb/s while they are up: "
        + ", ".join(f"{name} {of['bps'] / 1e6:.1f}" for name, of in seen["utilisation"].items())
    ]


def _closed_loop(seen: dict) -> list[str]:
    machine = seen["machine"]
    return [
        f"closed loop, period {seen['periodMs']:g} ms: {seen['pairsServed']} of "
        f"{seen['pairs']} new circuits, after {seen['periodsToConverge'] or 0:.1f} periods at "
        f"most, {seen['outOfSlot']} packets out of slot, "
        f"circuits used {seen['utilisation']:.1%} of the scheduled time",
        f"meanwhile the machine woke what comes first more than {machine['lateUs']:g} us late "
        f"{machine['late'] / machine['moments']:.2%} of the time, "
        f"{machine['maxUs'] / 1e3:.1f} ms at most",
    ]


def _takeover(rows: list[dict]) -> list[str]:
    lines = [
        "takeover, in periods: median, worst  loop   next one leads    hosts hear nothing  "
        "flow stands still"
    ]
    for row in rows:
        cells = "  ".join(
            f"{row[f'{name}Periods']:>8.2f} {row[f'{name}MaxPeriods']:>8.2f}"
            for name in ("leads", "silent", "idle")
        )
        lines += [f"{row['way']:<36} {row['loop']:<6}{cells}"]
    before = rows[0]
    return [
        *lines,
        f"before, where a period is {before['periodMs']:g} ms, hosts heard nothing for "
        f"{max(row['silentBeforeMaxPeriods'] for row in rows):.2f} at most, the flow stood still "
        f"for {max(row['idleBeforeMaxPeriods'] for row in rows):.2f}",
    ]


_PARTS: dict[str, Callable[[Any], list[str]]] = {
    "reaction": _reaction,
    "slots": _slots,
    "rate": _rate,
    "otherLimiters": _other_limiters,
    "forwarding": _forwarding,
    "goodput": _goodput,
    "scaling": _scaling,
    "scalingByRate": _scaling_by_rate,
    "circuits": _circuits,
    "closedLoop": _closed_loop,
    "takeover": _takeover,
}
