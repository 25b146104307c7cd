"""docs/reproduction/sdd-host.md: tables between comments, which are made of what --json printed,
and figures beside the page. All around them is written by hand. The paper is Tewari 2015."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from evenweave_bench.sdd.figures import FIGURES
from evenweave_bench.sdd.slots import CONTROL_NAMES
from evenweave_sim.files import text_of, write
from evenweave_sim.page import replaced

# Table 5.1, in microseconds: OFF fixed, ON fixed, ON variable, OFF variable.
_PAPER_REACTION = {
    1_000_000_000: (5.3, 12.0, 0.81, 1.8),
    1_500_000_000: (5.7, 12.6, 0.75, 6.0),
    3_000_000_000: (9.6, 12.5, 0.70, 3.6),
    6_000_000_000: (10.9, 11.8, 0.89, 1.2),
    9_600_000_000: (11.3, 11.8, 0.69, 1.3),
}
# A rate is reached within what gaps of 1500 bytes in a slot of 0.2 ms tell apart: 25 at 1 Gb/s.
_REACHED = 0.95


def write_page(path: Path, result: dict[str, Any]) -> None:
    """Writes the result's parts into the page, and the figures that it shows. BadInput if the page
    has no place for a part, Failed if it cannot be written."""
    text = text_of(path)
    for name, part in parts(result).items():
        text = replaced(text, name, part)
    for name, figure in FIGURES.items():
        file = figure_file(path, name)
        if name in result and f"({file.name})" in text:
            write(file, figure(result[name]))
    write(path, text)


def figure_file(page: Path, part: str) -> Path:
    """Where the figure of a part is, beside the page."""
    words = re.sub("([A-Z])", r"-\1", part).lower()
    return page.with_name(f"{page.stem}-{words}.svg")


def parts(result: dict[str, Any]) -> dict[str, str]:
    """Markdown by the name of its place, of the parts that were measured."""
    found = {name: part(result[name]) for name, part in _PARTS.items() if name in result}
    found["machine"] = [
        f"Measured on {result['cores']} cores that all processes share, at a load average of "
        f"{result['loadBefore']:g} before."
    ]
    return {name: "\n".join(lines) + "\n" for name, lines in found.items()}


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], texts: int = 1) -> list[str]:
    """The first columns, so many, are texts, the others figures."""
    rule = "|---" * texts + "|--:" * (len(head) - texts) + "|"
    return [_row(head), rule, *map(_row, rows)]


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _reaction(rows: list[dict]) -> list[str]:
    lines = []
    for polling, how in ((True, "The host polls, as the paper's."), (False, "It may sleep.")):
        cells = {(row["txBps"], row["command"]): row for row in rows if row["polling"] == polling}
        rates = sorted({bps for bps, _ in cells})
        parts = ("OFF fixed", "OFF variable", "ON fixed", "ON variable")
        head = [
            "Gb/s asked",
            "got",
            *(cell for part in parts for cell in (f"{part}: paper", "here")),
        ]
        lines += [how, "", *_table(head, (_split(bps, cells) for bps in rates), texts=0), ""]
        missed = [bps for bps in rates if cells[bps, "STOP"]["gotBps"] < _REACHED * bps]
        if missed:
            got = ", ".join(f"{cells[bps, 'STOP']['gotBps'] / 1e9:.1f}" for bps in missed)
            asked = ", ".join(f"{bps / 1e9:g}" for bps in missed)
            lines += [f"Of {asked} Gb/s asked the veth pair with AF_XDP carried {got}.", ""]
        if polling:
            lines += [*_percentiles(rates, cells), ""]
    return lines[:-1]


def _split(bps: int, cells: dict) -> list[str]:
    off, on = cells[bps, "STOP"], cells[bps, "START"]
    off_fixed, on_fixed, on_variable, off_variable = _PAPER_REACTION[bps]
    return [
        *(f"{bps / 1e9:g}", f"{off['gotBps'] / 1e9:.2f}"),
        *(f"{off_fixed:.1f}", f"{off['fixedUs']:.1f}"),
        *(f"{off_variable:.1f}", f"{off['variableUs']:.1f}"),
        *(f"{on_fixed:.1f}", f"{on['fixedUs']:.1f}"),
        *(f"{on_variable:.2f}", f"{on['variableUs']:.1f}"),
    ]


def _percentiles(rates: Sequence[int], cells: dict) -> list[str]:
    shown = (1, 10, 50, 90, 99)
    return _table(
        ["percentile", *map(str, shown), "delays"],
        (
            [
                f"{name}, {bps / 1e9:g} Gb/s",
                *(f"{cells[bps, command]['percentilesUs'][p]:.1f}" for p in shown),
                str(cells[bps, command]["n"]),
            ]
            for command, name in (("STOP", "OFF"), ("START", "ON"))
            for bps in rates
        ),
    )


def _slots(rows: list[dict]) -> list[str]:
    return _table(
        [
            *("told by", "slot, us", "ON deviation / slot", "OFF deviation / slot"),
            *("orders' own", "a gap / slot", "bursts of slots", "packets out of slot, %"),
        ],
        (
            [
                *(CONTROL_NAMES[row["control"]], f"{row['slotUs']:g}", f"{row['onDeviation']:.3f}"),
                *(f"{row['offDeviation']:.3f}", f"{row['orderedDeviation']:.3f}"),
                *(f"{row['gapShare']:.3f}", f"{row['bursts']} of {row['slots']}"),
                f"{100 * row['outsideShare']:.1f}",
            ]
            for row in rows
        ),
    )


def _circuits(seen: dict) -> list[str]:
    def weeks(name: str) -> str:
        return "not reached" if seen[name] is None else str(seen[name])

    def share(name: str) -> str:
        return "-" if seen[name] is None else f"{seen[name]:.2f}"

    figures = {
        "weeks from the change to circuits to all new destinations": ("-", weeks("weeksToServe")),
        "weeks to the optimum: circuits to these only": ("within 3", weeks("weeksToOptimum")),
        f"share of optimal weeks before the change (of {seen['weeksBefore']})": (
            "-",
            share("optimalShareBefore"),
        ),
        f"and from the optimum on (of {seen['weeksAfter']})": ("-", share("optimalShareAfter")),
        "weeks from the stop to no circuits": ("-", weeks("weeksToNone")),
    }
    lines = _table(["", "paper", "here"], ([name, *cells] for name, cells in figures.items()))
    link = seen["linkBps"]
    lines += [""]
    lines += _table(
        ["circuit to", "up, ms in so many weeks", "Mb/s while up", "share of the link"],
        (
            [
                name,
                f"{of['scheduledMs']:.0f} in {of['weeks']}",
                f"{of['bps'] / 1e6:.2f}",
                f"{of['bps'] / link:.2f}",
            ]
            for name, of in seen["utilisation"].items()
        ),
    )
    return lines


def _scheduled(window: dict) -> str:
    share = f"{window['scheduledShare']:.1%}"
    # results of earlier releases have no bound
    return f"{share}, bound {window['boundShare']:.1%}" if "boundShare" in window else share


def _closed_loop(seen: dict) -> list[str]:
    before, after, machine = seen["before"], seen["after"], seen["machine"]

    def periods(name: str) -> str:
        return "not reached" if seen[name] is None else f"{seen[name]:.1f}"

    line = seen["timeLine"]
    late = f"moments at which the machine was more than {machine['lateUs'] / 1e3:g} ms late"
    figures = {
        "new pairs that had a circuit": f"{seen['pairsServed']} of {seen['pairs']}",
        "periods to the first packet by it, median": periods("medianPeriodsToConverge"),
        "the slowest pair": periods("periodsToConverge"),
        f"destinations that {line['host']} has circuits to, week by week": ", ".join(
            map(str, _destinations(line, seen["periodMs"]))
        ),
        "packets that came to the switch out of slot": str(seen["outOfSlot"]),
        "of the time, circuits are scheduled, before": _scheduled(before),
        "and after the change": _scheduled(after),
        "of that, used, before": f"{before['utilisation']:.1%}",
        "and after": f"{after['utilisation']:.1%}",
        late: f"{machine['late'] / machine['moments']:.2%}",
    }
    return _table(["", "here"], ([name, cell] for name, cell in figures.items()))


def _destinations(line: dict, period_ms: float) -> list[int]:
    """In each week that is drawn whole."""
    return [
        len({to for start, _, to in line["days"] if begin <= start < begin + period_ms})
        for begin in line["weeksMs"]
        if begin + period_ms <= line["toMs"]
    ]


def _scaling(rows: list[dict]) -> list[str]:
    return _by_cores(
        "queues",
        [f"{row['queues']:,}" for row in rows],
        rows,
        {
            "throughput, % of 10 Gb/s": lambda row: f"{100 * row['throughputShare']:.1f}",
            "packets within their slot, %": lambda row: f"{100 * row['slotAccuracy']:.1f}",
            "a dequeue, ns": lambda row: f"{row['dequeueNs']:.0f}",
            "had the core, % of the time": lambda row: f"{100 * row['cpuShare']:.1f}",
        },
    )


def _scaling_by_rate(rows: list[dict]) -> list[str]:
    return _by_cores(
        "Mb/s of each queue",
        [f"{row['rateBps'] / 1e6:g}" for row in rows],
        rows,
        {
            "rate got, % of asked": lambda row: f"{100 * row['rateShare']:.1f}",
            "gap errors, us: median": lambda row: f"{row['medianUs']:.1f}",
            "99 % trimmed RMSE": lambda row: f"{row['trimmedRmseUs']:.1f}",
            "a dequeue, ns": lambda row: f"{row['dequeueNs']:.0f}",
            "had the core, % of the time": lambda row: f"{100 * row['cpuShare']:.1f}",
        },
    )


def _by_cores(what: str, points: list[str], rows: list[dict], figures: dict) -> list[str]:
    """A column for each point, a row for each figure, with one core and with two."""
    points = list(dict.fromkeys(points))
    lines = []
    for cores, name in (("shared", "one core"), ("separate", "two cores")):
        mine = [row for row in rows if row["cores"] == cores]
        for number, (figure, of) in enumerate(figures.items() if mine else ()):
            start = f"{name}: " if number == 0 else ""
            lines += [[f"{start}{figure}", *map(of, mine)]]
    return _table([what, *points], lines)


_PARTS: dict[str, Callable[[Any], list[str]]] = {
    "reaction": _reaction,
    "slots": _slots,
    "circuits": _circuits,
    "closedLoop": _closed_loop,
    "scaling": _scaling,
    "scalingByRate": _scaling_by_rate,
}
