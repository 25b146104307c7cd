"""The report of the edge's demonstration for people."""

from __future__ import annotations

from evenweave_testbed.demo.render import BOLD, RED, Paint
from evenweave_testbed.edge.demo.report import TIMES
from evenweave_testbed.text_table import table


def render(report: dict, paint: Paint) -> str:
    """The whole report as text, of what `--json` prints."""
    fabric, workload = report["fabric"], report["workload"]
    slow, slower = fabric["degraded"], report["degradation"]
    lines = [
        paint("Flows from servers under l1 to clients under l2, over four spines", BOLD),
        f"  links of {_mbps(fabric['linkBps'])}, {slow['link']} of {_mbps(slow['bps'])}; "
        f"load {report['load']:.0%} of {_mbps(fabric['bisectionBps'])}; seed {report['seed']}",
        f"  {workload['flows']} flows of the web search workload, sizes times "
        f"{workload['scale']:g}; small: under {workload['smallBelowBytes'] / 1e3:g} kB, "
        f"large: over {workload['largeAboveBytes'] / 1e6:g} MB",
        "",
        paint(f"Until {slower['link']} degrades: completion times in ms", BOLD),
        *_times(report["schemes"]),
        "",
        paint("Shares of the paths until then, and what TCP saw in all", BOLD),
        *_paths(report["schemes"]),
        "",
        paint(
            f"After {slower['atS']:g} s {slower['link']} has {_mbps(slower['bps'])}: flows that "
            "arrived from then on",
            BOLD,
        ),
        *_times({name: shown["reaction"] for name, shown in report["schemes"].items()}),
        "",
        paint(f"Share of the path over {slower['link']}", BOLD),
        *_reactions(report["schemes"], slower["shareBelow"]),
        *_leaves(report["schemes"], paint),
    ]
    if report["notOffered"]:
        lines += ["", paint("Not shown", BOLD)]
        lines += [f"  {name}: {why}" for name, why in report["notOffered"].items()]
    return "\n".join([*lines, *_doubts(report, paint)])


def _doubts(report: dict, paint: Paint) -> list[str]:
    """Where the machine was too busy for the scheme's figures to mean much: connections began more
    than a round trip late."""
    limit_ms = report["fabric"]["rttUs"] / 1e3
    lines = [
        f"  {name}: connections began up to {shown['lateStartP99Ms']:.0f} ms late (p99), "
        f"processors were {shown['processorsBusy']:.0%} busy"
        for name, shown in report["schemes"].items()
        if shown["lateStartP99Ms"] > limit_ms
    ]
    return ["", paint("The machine was too busy to trust these", RED), *lines] if lines else []


def _times(schemes: dict[str, dict]) -> list[str]:
    header = ["", "flows", "mean", "p99", "small mean", "p99", "large mean", "p99"]
    rows = [
        [name, str(shown["flows"]), *(_ms(shown[key]) for key in TIMES)]
        for name, shown in schemes.items()
    ]
    return table(header, rows)


def _paths(schemes: dict[str, dict]) -> list[str]:
    spines = [f"s{path + 1}" for path in range(len(next(iter(schemes.values()))["bytesPerPath"]))]
    rows = [
        [
            name,
            *(f"{share:.1%}" for share in shown["uplinkShares"]),
            f"{shown['reorderedShare']:.2%}",
            f"{shown['retransmittedShare']:.2%}",
            str(shown["timeouts"]),
            str(shown["marks"]),
        ]
        for name, shown in schemes.items()
    ]
    return table(["", *spines, "out of order", "sent again", "time-outs", "marks"], rows)


def _reactions(schemes: dict[str, dict], below: float) -> list[str]:
    rows = []
    for name, shown in schemes.items():
        found = shown["reaction"]
        waited = found["belowAfterMs"]
        without = "was before" if found["shareBefore"] < below else "never"
        rows.append(
            [
                name,
                f"{found['shareBefore']:.1%}",
                f"{found['shareAfter']:.1%}",
                without if waited is None else f"{waited / 1e3:.2f} s",
            ]
        )
    return table(["", "before", "after", f"below {below:.0%} after"], rows)


def _leaves(schemes: dict[str, dict], paint: Paint) -> list[str]:
    """What leaves did, of schemes that have them choose."""
    rows = []
    for name, shown in schemes.items():
        for leaf, state in shown.get("leaves", {}).items():
            uplinks = state["uplinks"]
            rows.append(
                [
                    name,
                    leaf,
                    *(str(uplink["flowlets"]) for uplink in uplinks),
                    str(sum(uplink["moved"] for uplink in uplinks)),
                    str(state["tags"]),
                ]
            )
    if not rows:
        return []
    spines = [f"s{spine + 1}" for spine in range(len(rows[0]) - 4)]
    title = "Flowlets that leaves began on each uplink, those that moved, and tags that arrived"
    return ["", paint(title, BOLD), *table(["", "", *spines, "moved", "tags"], rows)]


def _ms(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _mbps(bps: float) -> str:
    return f"{bps / 1e6:g} Mb/s"
