"""A result's part of a page in docs/reproduction: tables between two comments, and a chart beside
the page. The command generates both from runs.csv; the rest of the page is written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evenweave_sim.chart import chart
from evenweave_sim.claims import Run, paper_of, verdict_of
from evenweave_sim.distribution import BANDWIDTH, SMALL_FLOWS, distribution
from evenweave_sim.experiment import BadInput, Experiment
from evenweave_sim.length import Length, Lengths, Step
from evenweave_sim.rows import around, heads, measured, ratios
from evenweave_sim.verdict import Verdict


def replaced(text: str, name: str, new: str) -> str:
    """Returns the page with the text between <!-- NAME --> and <!-- end NAME --> replaced."""
    before, after = around_part(text, name)
    return before + new + after


def around_part(text: str, name: str) -> tuple[str, str]:
    """Returns the text before and after the part of that name, including the comments."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end {name} -->"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise BadInput(f"the page must have one {begin.strip()} and one {end} after it")
    before, rest = text.split(begin)
    return before + begin, end + rest.split(end)[1]


def part(experiment: Experiment, found: dict[str, Any], lengths: Lengths) -> str:
    """Returns Markdown: the paper's claims, whether their verdicts change with the length of runs,
    then the metrics of each scheme at each point; and the same for runs of other lengths, if
    any."""
    lines = [_head(experiment, found), ""]
    lines += _claims(experiment, found["claims"])
    if found["claims"]:
        lines += ["", *_lengths(lengths)]
    if experiment.conditions:
        lines += ["", *_which(experiment, found)]
    lines += ["", *_metrics(experiment, found)]
    for other in lengths.others:
        long = f", {other.words} {other.of}" if other.unit else ""
        lines += ["", f"Other runs{long}: {_head(experiment, other.result)}", ""]
        lines += _metrics(experiment, other.result)
    return "\n".join(lines) + "\n"


def _head(experiment: Experiment, found: dict[str, Any]) -> str:
    units = "times in ms"
    if experiment.are_long:
        units = "bandwidth in Mb/s, covRate in %"
    elif experiment.by_size:
        units = "times in ms, bandwidth in Mb/s"
    return f"{size(experiment, found)}, {seeds(found)}; {units}, mean ± 95 % interval."


def _claims(experiment: Experiment, claims: Sequence[dict[str, Any]]) -> list[str]:
    if not claims:
        return []
    said, paper = heads(experiment)
    lines = _row([said, "where", paper, "here", "verdict"])
    lines += ["|---|---|--:|--:|---|"]
    for claim in claims:
        cells = [claim["claim"], claim["source"], paper_of(claim), measured(claim)]
        lines += _row([*cells, verdict_of(claim)])
    return lines


def _lengths(lengths: Lengths) -> list[str]:
    """Returns a text on the length from which on verdicts no longer change, and the verdicts that
    do."""
    if not lengths.steps:
        return ["No runs of another length were made: it is unknown whether verdicts change."]
    lines = []
    for step in lengths.steps:
        alone = len(step.less.verdicts.keys() | step.more.verdicts.keys()) - step.repeated
        numbers = {
            "resolved at one length only": len(step.resolved_once),
            "not repeated": alone,
        }
        said = "; ".join(f"{what}: {number}" for what, number in numbers.items() if number)
        said = f"{len(step.changed)} of {step.repeated} verdicts change{said and f' ({said})'}"
        lines.append(f"- From {_pair(step)}: {said}.")
    lines.append("")
    if lengths.enough:
        said = f"From {lengths.enough.words} {lengths.enough.of} on no repeated verdict changes"
        if any(step.resolved_once for step in lengths.steps):
            said += "; some claims are resolved at one length only"
        if lengths.own in lengths.every[: lengths.every.index(lengths.enough)]:
            said += f". The verdicts above are those of {lengths.own.words}"
        lines.append(said + ".")
    else:
        last = [step for step in lengths.steps if step.changed][-1]
        lines.append(f"Verdicts still change from {_pair(last)}.")
    return [*lines, *_changes(lengths)]


def _pair(step: Step) -> str:
    return f"{step.less.words} to {step.more.words} {step.more.of}"


def _changes(lengths: Lengths) -> list[str]:
    """Returns a table of the claims that lengths judge differently, with what each gives."""
    changed = dict.fromkeys(
        key for step in lengths.steps for key in (*step.changed, *step.resolved_once)
    )
    if not changed:
        return []
    lines = ["", *_row(["claim", "paper", *(one.words for one in lengths.every)])]
    lines += ["|---|--:|" + "---|" * len(lengths.every)]
    for key in changed:
        [claim, *_] = (one.verdicts[key] for one in lengths.every if key in one.verdicts)
        said = [_said(one, key) for one in lengths.every]
        lines += _row([claim["claim"], paper_of(claim), *said])
    return lines


def _said(length: Length, key: tuple[str, str, str]) -> str:
    claim = length.verdicts.get(key)
    return "-" if claim is None else f"{measured(claim)}: {Verdict(claim['verdict']).words}"


def _metrics(experiment: Experiment, found: dict[str, Any]) -> list[str]:
    axis = experiment.axis
    cells = {(r[axis], r["scheme"], r["metric"]): r for r in found["rows"]}
    lines = _row([axis, "scheme", *experiment.shown])
    lines += ["|--:|---|" + "--:|" * len(experiment.shown)]
    for point, scheme in dict.fromkeys((r[axis], r["scheme"]) for r in found["rows"]):
        values = (cells.get((point, scheme, metric)) for metric in experiment.shown)
        shown = ["-" if v is None else around(v["value"], v["ci95"]) for v in values]
        lines += _row([f"{point:g}", scheme, *shown])
    return lines


def picture(experiment: Experiment, found: dict[str, Any], runs: dict[float, list[Run]]) -> str:
    """Returns the chart beside the page as SVG."""
    title, axis = experiment.title, experiment.axis
    if experiment.drawn == "distribution":
        of = BANDWIDTH if experiment.are_long else SMALL_FLOWS
        return distribution(title, found["rows"], axis, of)
    over = experiment.drawn_over
    if over and any(over in run for seeds in runs.values() for run in seeds):
        drawn = ratios(runs, axis, experiment.shown, over)
        return chart(title, drawn, axis, experiment.shown, f" over {over}'s")
    return chart(title, found["rows"], axis, experiment.shown)


def size(experiment: Experiment, found: dict[str, Any]) -> str:
    """Returns the size of a run as text; for each point if it differs between points."""
    points: dict[int, list[str]] = {}
    for point, number in found["flows"].items():
        points.setdefault(number, []).append(point)
    counted = experiment.counted
    if len(points) == 1:
        [number] = points
        return f"{number:,} {counted if number > 1 else counted.removesuffix('s')} a run"
    sizes = (f"{number:,} at {', '.join(at)}" for number, at in points.items())
    return f"{counted} a run: {'; '.join(sizes)}".capitalize()


def seeds(found: dict[str, Any]) -> str:
    return f"{found['seeds']} seed{'s' if found['seeds'] > 1 else ''}"


def _which(experiment: Experiment, found: dict[str, Any]) -> list[str]:
    """Returns tables of the best scheme for each condition and point."""
    lines = []
    for metric in dict.fromkeys(row["metric"] for row in found["best"]):
        lines += _row(
            ["condition", experiment.axis, f"least {metric}", "", "near", "most", "times"]
        )
        lines += ["|---|--:|---|--:|---|---|--:|"]
        for row in found["best"]:
            if row["metric"] == metric:
                lines += _row(_best(row, experiment.axis))
        lines.append("")
    return lines[:-1]


def _best(row: dict[str, Any], axis: str) -> list[str]:
    near = ", ".join(f"{n['scheme']} {_more(n)}" for n in row["near"]) or "-"
    times = row["worstOverBest"]
    return [
        *(row["condition"], f"{row[axis]:g}", row["best"], f"{row['value']:.2f}", near),
        *(row["worst"], "-" if times is None else f"{times:.1f}"),
    ]


def _more(near: dict[str, Any]) -> str:
    interval = "" if near["ci95"] is None else f" ±{100 * near['ci95']:.0f}"
    return f"+{100 * near['more']:.0f}{interval} %"


def _row(cells: list[str]) -> list[str]:
    return ["| " + " | ".join(cells) + " |"]
