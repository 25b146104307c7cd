"""A result's part of a page in docs/reproduction: tables between two comments, which the command
writes anew from runs.csv. All around them is written by hand."""

from __future__ import annotations

from typing import Any

from evenweave_sim.claims import SIGNS
from evenweave_sim.conditions import best
from evenweave_sim.experiment import BadInput, Experiment
from evenweave_sim.rows import around, heads


def replaced(text: str, experiment: Experiment, found: dict[str, Any]) -> str:
    """The page with the part between <!-- NAME --> and <!-- end NAME --> made anew."""
    before, after = around_part(text, experiment)
    return before + part(experiment, found) + after


def around_part(text: str, experiment: Experiment) -> tuple[str, str]:
    """What is before and after the experiment's part, the comments included."""
    begin, end = f"<!-- {experiment.name} -->\n", f"<!-- end {experiment.name} -->"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise BadInput(f"the page must have one {begin.strip()} and one {end} after it")
    before, rest = text.split(begin)
    return before + begin, end + rest.split(end)[1]


def part(experiment: Experiment, found: dict[str, Any]) -> str:
    """Markdown: what the paper claims, then the metrics of each scheme at each point."""
    units = "times in ms"
    if experiment.are_long:
        units = "bandwidth in Mb/s, covRate in %"
    elif experiment.by_size:
        units = "times in ms, bandwidth in Mb/s"
    seeds = f"{found['seeds']} seed{'s' if found['seeds'] > 1 else ''}"
    size = f"{found['flows']:,} {experiment.counted} a run"
    lines = [f"{size}, {seeds}; {units}, mean ± 95 % interval.", ""]
    if found["claims"]:
        said, paper = heads(experiment)
        lines += _row([said, "where", paper, "here", "verdict"])
        lines += ["|---|---|--:|--:|---|"]
    for claim in found["claims"]:
        sign = f"{SIGNS[claim['relation']]} ".lstrip()
        here = around(claim["here"], claim["ci95"])
        paper = f"{sign}{claim['paper']:g}"
        lines += _row([claim["claim"], claim["source"], paper, here, claim["verdict"]])
    axis = experiment.axis
    if experiment.conditions:
        lines += ["", *_which(experiment, found)]
    cells = {(r[axis], r["scheme"], r["metric"]): r for r in found["rows"]}
    lines += ["", *_row([axis, "scheme", *experiment.shown])]
    lines += ["|--:|---|" + "--:|" * len(experiment.shown)]
    for point, scheme in dict.fromkeys((r[axis], r["scheme"]) for r in found["rows"]):
        values = (cells.get((point, scheme, metric)) for metric in experiment.shown)
        shown = ["-" if v is None else around(v["value"], v["ci95"]) for v in values]
        lines += _row([f"{point:g}", scheme, *shown])
    return "\n".join(lines) + "\n"


def _which(experiment: Experiment, found: dict[str, Any]) -> list[str]:
    """Which scheme was best when."""
    lines = []
    for metric in experiment.shown[:2]:
        lines += _row(
            ["condition", experiment.axis, f"least {metric}", "", "near", "most", "times"]
        )
        lines += ["|---|--:|---|--:|---|---|--:|"]
        for row in best(experiment.conditions, experiment.axis, found["rows"], metric):
            first = [row["condition"], f"{row[experiment.axis]:g}", row["best"]]
            near = [f"{row['value']:.2f}", ", ".join(row["near"]) or "-"]
            lines += _row([*first, *near, row["worst"], f"{row['worstOverBest']:.1f}"])
        lines.append("")
    return lines[:-1]


def _row(cells: list[str]) -> list[str]:
    return ["| " + " | ".join(cells) + " |"]
