"""Generates all pages of a folder, such as docs/reproduction, from the runs beside them.

An experiment's part of a page is generated from NAME.csv and, if they exist, NAME-shorter.csv,
NAME-longer.csv, NAME-longer-2.csv and so on; an emulation's part from NAME-emulation-*.json.
Between <!-- verdicts --> and its end a page has the rule and the counts of its experiments'
verdicts. One page has the counts of all pages between <!-- all verdicts --> and its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evenweave_sim import emulation, experiment, length, page
from evenweave_sim.experiment import BadInput, Experiment
from evenweave_sim.files import text_of
from evenweave_sim.results import read_runs
from evenweave_sim.rows import result
from evenweave_sim.verdict import RULE, Verdict, counts

_OF_PAGE, _OF_ALL = "verdicts", "all verdicts"


@dataclass(frozen=True)
class _Result:
    experiment: Experiment
    found: dict[str, Any]
    lengths: length.Lengths

    @property
    def counts(self) -> list[int]:
        return list(counts(Verdict(claim["verdict"]) for claim in self.found["claims"]).values())

    @property
    def changes(self) -> list[tuple[int, int, int]]:
        """For each step from a length to the next one: how many verdicts change, of how many, and
        how many other claims are resolved at one of both only."""
        steps = self.lengths.steps
        return [(len(step.changed), step.repeated, len(step.resolved_once)) for step in steps]

    @property
    def lengths_in_words(self) -> list[str]:
        """The changes of each step, and the length from which on there are none."""
        ends = [f" up to {step.more.words}" for step in self.lengths.steps]
        said = [_changes(*numbers, end) for numbers, end in zip(self.changes, ends, strict=True)]
        enough = self.lengths.enough
        return ["; ".join(said) or "not run", enough.words if enough else "-"]


def _changes(changed: int, repeated: int, once: int, where: str) -> str:
    more = f" ({once} resolved at one only)" if once else ""
    return f"{changed} of {repeated}{where}{more}"


def texts(folder: Path) -> dict[Path, str]:
    """Returns each page and chart of the folder that belongs to an experiment."""
    found: dict[Path, str] = {}
    results: dict[Path, list[_Result]] = {}
    paths = sorted(folder.glob("*.md"))
    if not paths:
        raise BadInput(f"{folder}: has no pages")
    for path in paths:
        text = text_of(path)
        names = [name for name in experiment.names() if _has(text, name)]
        try:
            for name in names:
                text = _with_result(path, text, name, found, results.setdefault(path, []))
            if _has(text, _OF_PAGE):
                text = page.replaced(text, _OF_PAGE, _of_page(results.get(path, [])))
        except BadInput as error:
            raise BadInput(f"{path}: {error}") from error
        if names or _has(text, _OF_ALL):
            found[path] = text
    for path, text in found.items():
        if path.suffix == ".md" and _has(text, _OF_ALL):
            found[path] = page.replaced(text, _OF_ALL, _of_all(results))
    return found


def _has(text: str, name: str) -> bool:
    return f"<!-- {name} -->\n" in text


def _with_result(
    path: Path, text: str, name: str, found: dict[Path, str], results: list[_Result]
) -> str:
    """Returns the page with the experiment's part. Adds its chart to `found` and its result to
    `results`."""
    folder, chosen = path.parent, experiment.load(name)
    flows, runs = read_runs([folder / f"{name}.csv"], chosen)
    of_runs = result(chosen, flows, runs)
    made = _Result(chosen, of_runs, length.beside(folder, chosen, flows, of_runs))
    results.append(made)
    text = page.replaced(text, name, page.part(chosen, made.found, made.lengths))
    if f"({name}.svg)" in text:
        found[folder / f"{name}.svg"] = page.picture(chosen, made.found, runs)
    answers = sorted(folder.glob(f"{name}-emulation-*.json"))
    if answers and _has(text, emulation.block(chosen)):
        beside = emulation.beside(answers, chosen, runs)
        text = page.replaced(text, emulation.block(chosen), emulation.part(beside))
    return text


def _of_page(results: Sequence[_Result]) -> str:
    """Returns the rule and the counts of a page's verdicts."""
    table = _table(["experiment"], [([one.experiment.name], one) for one in results])
    return "\n".join([RULE, "", *table]) + "\n"


def _of_all(results: dict[Path, list[_Result]]) -> str:
    """Returns the counts of all pages' verdicts."""
    rows = [
        ([one.experiment.name, f"[{path.name}]({path.name})"], one)
        for path, of_page in results.items()
        for one in of_page
    ]
    return "\n".join(_table(["experiment", "page"], rows)) + "\n"


def _table(heads: list[str], rows: Sequence[tuple[list[str], _Result]]) -> list[str]:
    """Returns a table of the results with claims, each with its first cells, and their sums."""
    rows = [(cells, one) for cells, one in rows if one.found["claims"]]
    sums = [sum(column) for column in zip(*(one.counts for _, one in rows), strict=True)]
    kinds = [kind.words for kind in Verdict]
    of_lengths = ["verdicts that change with the length", "none from"]
    lines = [_row([*heads, "flows a run", *kinds, "claims", *of_lengths])]
    lines.append("|" + "---|" * len(heads) + "--:|" * (len(kinds) + 2) + "---|--:|")
    for cells, one in rows:
        least, most = min(one.found["flows"].values()), max(one.found["flows"].values())
        flows = f"{least:,}" if least == most else f"{least:,} to {most:,}"
        counted = [*one.counts, sum(one.counts)]
        lines.append(_row([*cells, flows, *counted, *one.lengths_in_words]))
    empty = [""] * (len(heads) - 1)
    last = [one.changes[-1] for _, one in rows if one.changes]
    changed, repeated, once = (sum(numbers[i] for numbers in last) for i in range(3))
    enough = f"{sum(bool(one.lengths.enough) for _, one in rows)} of {len(rows)}"
    said = _changes(changed, repeated, once, " in the last step")
    lines.append(_row(["all", *empty, "", *sums, sum(sums), said, enough]))
    return lines


def _row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"
