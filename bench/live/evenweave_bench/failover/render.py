"""The result for people."""

from __future__ import annotations

from evenweave_bench.failover.stages import STAGES
from evenweave_testbed.text_table import table


def render(result: dict) -> str:
    """Tables of what ran, and a line for everything that did not."""
    what = {"runtimes": "port down"}
    if result["bfdMs"]:
        what = {"runtimes": "silent", "oneWay": "one direction silent", "portDown": "port down"}
    lines = []
    for table_name, failed in what.items():
        bfd = f", BFD 3 x {result['bfdMs']} ms" if result["bfdMs"] else ""
        lines += [
            f"Failure ({failed}{bfd}) to last group confirmed, {result['failures']} failures (ms)",
            *_table(result[table_name], result["baseline"]),
        ]
        lines += _stages(result[table_name])
    lines += _left_out(result["runtimes"])
    starts = {name: part for name, part in result["startUp"].items() if "switches" in part}
    if starts:
        lines += ["", "Start of a fabric of 12 switches to the last group confirmed (ms)"]
        phases = ("runtime", "controller's start", "switches connect", "then confirmed", "all")
        fields = ("startMs", "connectMs", "fromConnectMs", "fromStartMs")
        lines += table(
            phases, [[name, *(str(part[f]) for f in fields)] for name, part in starts.items()]
        )
    lines += _left_out({n: p for n, p in result["startUp"].items() if "failed" in p})
    memory = result["memory"]
    if "added" in memory:
        lines += ["", "Memory of ONOS after a garbage collection (MB)"]
        rows = [
            [name, str(part["heapMb"]), str(part["metaspaceMb"])] for name, part in memory.items()
        ]
        lines += table(("", "heap", "metaspace"), rows)
    else:
        lines += ["", f"Memory: {memory['skipped']}"]
    return "\n".join(lines)


def _table(runtimes: dict[str, dict], baseline: str | None) -> list[str]:
    header = (
        *("runtime", "p50", "p99", "of the baseline", "last change p50"),
        *("outage p50", "outage p99", "of FRR's", "probes lost"),
    )
    rows = [_row(name, part, baseline) for name, part in runtimes.items() if "n" in part]
    return table(header, rows) if rows else []


def _row(name: str, part: dict, baseline: str | None) -> list[str]:
    if "p50Ms" not in part:
        return [name, *"----", *_outage(part)]
    times = f"{part['timesBaseline']}x" if "timesBaseline" in part else "-"
    return [
        name,
        f"{part['p50Ms']}",
        f"{part['p99Ms']}",
        "baseline" if name == baseline else times,
        f"{part['lastChangeMs']['p50']}",
        *_outage(part),
    ]


def _outage(part: dict) -> list[str]:
    return [
        f"{part['outageMs']['p50']}",
        f"{part['outageMs']['p99']}",
        f"{part['outageTimesFrr']}x" if "outageTimesFrr" in part else "-",
        f"{part['lost']} of {part['sent']}",
    ]


def _stages(runtimes: dict[str, dict]) -> list[str]:
    """A table of the stages of the runtimes that have them."""
    measured = {name: part for name, part in runtimes.items() if "stagesMs" in part}
    if not measured:
        return []
    header = ("stage", *(f"{name} {which}" for name in measured for which in ("p50", "p99")), "is")
    rows = [
        [
            stage,
            *(
                str(part["stagesMs"][stage][p])
                for part in measured.values()
                for p in ("p50", "p99")
            ),
            what,
        ]
        for stage, what in STAGES.items()
    ]
    return ["", "Where the time goes (ms)", *table(header, rows)]


def _left_out(parts: dict[str, dict]) -> list[str]:
    return [
        f"  {name}: {word}: {part[word]}"
        for name, part in parts.items()
        for word in ("skipped", "failed")
        if word in part
    ]
