"""./evenweave sim: see --help."""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from evenweave_sim import campaign, conditions, emulation, experiment, given, length, page, pages
from evenweave_sim.claims import Run
from evenweave_sim.experiment import (
    MOST_FLOWS,
    MOST_SEEDS,
    MOST_TIMES,
    BadInput,
    Experiment,
    Size,
)
from evenweave_sim.files import Failed, as_json, check_replaceable, runs_csv, text_of, write_all
from evenweave_sim.results import chosen_runs, experiment_of, read_runs
from evenweave_sim.rows import result, table

_ROOT = experiment.FOLDER.parent

_INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_EXAMPLES = """examples:
  ./evenweave sim --list
  ./evenweave sim clove-asymmetric --quick
  ./evenweave sim clove-asymmetric --loads 0.5 --schemes ecmp,conga --seeds 3
  ./evenweave sim clove-symmetric --full --json > symmetric.json
  ./evenweave sim --pages docs/reproduction
  ./evenweave sim clove-asymmetric --quick --schemes clove-ecn --explain a.jsonl
"""


def main() -> int:
    options = _parser().parse_args()
    for by in _INTERRUPTS:
        if signal.getsignal(by) != signal.SIG_IGN:  # shells ignore it in background jobs, nohup too
            signal.signal(by, _interrupt)
    try:
        if options.list:
            _list(options.json)
            return 0
        if options.pages:
            _write_pages(options)
            return 0
        if options.name is None:
            raise BadInput("name an experiment; --list lists them")
        _run(options)
    except BadInput as error:
        print(f"evenweave sim: {error}", file=sys.stderr)
        return 2
    except Failed as error:
        print(f"evenweave sim: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        with suppress(OSError):  # the terminal may be closed
            _say("interrupted; the same command continues")
        return 130
    return 0


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    # A closing terminal sends the signal twice, also through its shell. Runs end anyway.
    for by in _INTERRUPTS:
        signal.signal(by, signal.SIG_IGN)
    raise KeyboardInterrupt


def _write_pages(options: argparse.Namespace) -> None:
    if options.name is not None:
        raise BadInput("--pages: takes no experiment, because it writes all pages")
    texts = pages.texts(options.pages)
    write_all(texts)
    _print("\n".join(map(str, sorted(texts))))


def _list(is_json: bool) -> None:
    all_of_them = [experiment.load(name) for name in experiment.names()]
    if is_json:
        listed = [
            {"name": e.name, "title": e.title, "paper": e.paper, "schemes": e.schemes}
            for e in all_of_them
        ]
        _print(as_json({"experiments": listed}).rstrip())
        return
    width = max(len(e.name) for e in all_of_them)
    _print("\n".join(f"{e.name:<{width}} {e.title}" for e in all_of_them))


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"evenweave sim: {message}; --help says more\n")


def _path(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("must not be empty")
    return Path(text)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="./evenweave sim",
        description="Runs an experiment of a paper in ns-3, with the schemes as they ship\n"
        "(host/libedge), and prints its figures beside the paper's. Results of runs are\n"
        "stored: an interrupted command continues where it stopped. Progress is on\n"
        "standard error.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="the experiment")
    parser.add_argument("--list", action="store_true", help="list the experiments")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="few flows, to check that it runs")
    size.add_argument(
        "--full", action="store_true", help="the size of the project's pages; takes hours"
    )
    parser.add_argument("--seeds", type=int, metavar="N", help="runs of each case, seeds 1 to N")
    parser.add_argument(
        "--flows", type=int, metavar="N", help="number of flows (or requests, messages) of each run"
    )
    parser.add_argument(
        "--times",
        type=int,
        metavar="N",
        help="make each run N times as long: N times the flows, of long-lived flows the window, of "
        "a single flow its size",
    )
    parser.add_argument("--loads", metavar="L,...", help="shares of the bisection, above 0 up to 1")
    parser.add_argument(
        "--connections",
        type=int,
        metavar="N",
        help="persistent connections of each client; 0: each flow opens its own",
    )
    parser.add_argument(
        "--schemes",
        metavar="S,...",
        help="run only these schemes, each under all conditions",
    )
    parser.add_argument(
        "--plan",
        type=_path,
        metavar="FILE",
        help="use the fabric and groups of this output of ./evenweave plan; for hosts with libsdd, "
        "repeat the weeks of this output of ./evenweave schedule",
    )
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    parser.add_argument(
        "--output",
        type=_path,
        metavar="FOLDER",
        help="folder of runs, runs.csv, result.json and chart.svg (target/experiments/NAME-SIZE; "
        "with --results: none by default, and without runs)",
    )
    parser.add_argument(
        "--results",
        type=_path,
        action="append",
        metavar="FILE",
        help="run nothing, but compute the result from this runs.csv, or from its --schemes, "
        "--loads and --seeds; may be repeated to combine files",
    )
    parser.add_argument(
        "--page",
        type=_path,
        metavar="FILE",
        help="write the result into this page, and the chart beside it if the page shows it",
    )
    parser.add_argument(
        "--pages",
        type=_path,
        metavar="FOLDER",
        help="run nothing, but write the results of all pages in this folder, their charts and the "
        "counts of their verdicts, from the NAME.csv, NAME-longer.csv and NAME-shorter.csv "
        "beside them",
    )
    parser.add_argument(
        "--emulation",
        type=_path,
        action="append",
        metavar="FILE",
        help="compare this output of ./evenweave demo edge --json with --results; "
        "may be repeated for outputs with other seeds",
    )
    parser.add_argument(
        "--explain",
        type=_path,
        metavar="FILE",
        help="for a single run with seed 1, write the reason for each flowlet's path as a line of "
        "JSON; nothing else is stored",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count(),
        metavar="N",
        help="number of concurrent runs (number of cores)",
    )
    parser.add_argument("--simulator", default="simulate", help=argparse.SUPPRESS)
    parser.add_argument("--planner", default="./evenweave plan", help=argparse.SUPPRESS)
    parser.add_argument("--scheduler", default="./evenweave schedule", help=argparse.SUPPRESS)
    parser.add_argument("--snakemake", default="snakemake", help=argparse.SUPPRESS)
    return parser


def _run(options: argparse.Namespace) -> None:
    chosen = _with_connections(experiment.load(options.name), options.connections)
    name = "quick" if options.quick else "full" if options.full else "standard"
    if options.loads is not None and chosen.axis != "load":
        raise BadInput(f"--loads: the axis of {chosen.name} is {chosen.axis}, not load")
    size = _size(chosen, chosen.sizes[name], options)
    schemes = None if options.schemes is None else _schemes(chosen, options.schemes)
    if options.jobs < 1:
        raise BadInput(f"--jobs: must be 1 or more, not {options.jobs}")
    if options.emulation and not options.results:
        raise BadInput("--emulation: needs --results")
    if options.page:  # an error now, not after hours
        check_replaceable(options.page)
        blocks = [chosen.name, *([emulation.block(chosen)] if options.emulation else [])]
        _page_with(options.page, dict.fromkeys(blocks, ""))
    if options.explain:
        _check_explained(chosen, schemes or chosen.schemes, size, options)
    folder = options.output or _ROOT / "target" / "experiments" / f"{chosen.name}-{name}"
    keeps = options.output if options.results else not options.explain
    if keeps and (other := experiment_of(folder / "runs.csv") or chosen.name) != chosen.name:
        raise BadInput(f"{folder}: has the results of {other}; --output must be another folder")
    if options.results:
        for option in ("plan", "connections", "flows", "times", "explain"):
            if getattr(options, option) is not None:
                raise BadInput(f"--{option}: is not allowed with --results")
        flows, stored = read_runs(options.results, chosen)
        points = None if options.loads is None else size.points
        of = ", ".join(map(str, options.results))
        runs = chosen_runs(of, stored, schemes, points, options.seeds)
    else:
        flows = dict.fromkeys(size.points, size.flows)
        runs = _campaign(chosen, schemes or chosen.schemes, size, folder.absolute(), options)
    found = result(chosen, flows, runs)
    if options.emulation:
        found["emulation"] = emulation.beside(options.emulation, chosen, runs)
    drawn = page.picture(chosen, found, runs)
    texts: dict[Path, str] = {}
    if keeps:
        texts[folder / "runs.csv"] = runs_csv(chosen, flows, runs)
        texts[folder / "result.json"] = as_json(found)
        texts[folder / "chart.svg"] = drawn
    if options.page:
        texts |= _page(options, chosen, found, drawn)
    write_all(texts)
    shown = [table(chosen, found)]
    if options.emulation:
        shown += ["", emulation.part(found["emulation"]).rstrip()]
    _print(as_json(found).rstrip() if options.json else "\n".join(shown))


def _campaign(
    chosen: Experiment, schemes: list[str], size: Size, folder: Path, options: argparse.Namespace
) -> dict[float, list[Run]]:
    words = (options.simulator, options.planner, options.snakemake, options.scheduler)
    tools = campaign.Tools(*map(shlex.split, words))
    if options.plan:
        planned: dict[str, Any] = (
            {"sdd": {"weeks": given.read_weeks(options.plan)}}
            if chosen.fabric is None
            else {"plan": given.read_plan(options.plan)}
        )
        plans = {(scheme, point): planned for scheme in schemes for point in size.points}
    else:
        plans = campaign.make_plans(tools, chosen, schemes, size.points)
    if options.explain:
        return campaign.explain(tools, chosen, schemes[0], size, plans, options.explain)
    return campaign.run(tools, chosen, schemes, size, plans, folder, options.jobs, _say)


def _check_explained(
    chosen: Experiment, schemes: list[str], size: Size, options: argparse.Namespace
) -> None:
    if chosen.fabric is None:
        raise BadInput(f"--explain: hosts of {chosen.name} choose no paths")
    for of, number in (("schemes", len(schemes)), (f"{chosen.axis}s", len(size.points))):
        if number != 1:
            raise BadInput(f"--explain: needs a single run, not {number} {of}")
    if size.seeds != 1 and options.seeds is not None:
        raise BadInput(f"--explain: needs a single run, not {size.seeds} seeds")
    if options.page:
        raise BadInput("--page: is not allowed with --explain")
    if options.output:
        raise BadInput("--output: is not allowed with --explain")
    file: Path = options.explain
    check_replaceable(file)
    if not file.parent.is_dir():
        raise BadInput(f"--explain: there is no folder {file.parent}")


def _page(
    options: argparse.Namespace, chosen: Experiment, found: dict[str, Any], drawn: str
) -> dict[Path, str]:
    """Returns the page with the result, and the chart if the page shows it."""
    path: Path = options.page
    flows = {float(point): number for point, number in found["flows"].items()}
    lengths = length.beside(path.parent, chosen, flows, found)
    parts = {chosen.name: page.part(chosen, found, lengths)}
    if "emulation" in found:
        parts[emulation.block(chosen)] = emulation.part(found["emulation"])
    text = _page_with(path, parts)
    chart = {path.with_name(f"{chosen.name}.svg"): drawn}
    return {path: text} | (chart if f"({chosen.name}.svg)" in text else {})


def _page_with(path: Path, parts: dict[str, str]) -> str:
    """Returns the page with these parts, which are keyed by the name of their enclosing
    comments."""
    text = text_of(path)
    try:
        for name, part in parts.items():
            text = page.replaced(text, name, part)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from error
    return text


def _with_connections(chosen: Experiment, number: int | None) -> Experiment:
    if number is None:
        return chosen
    if chosen.axis != "load":
        raise BadInput(f"--connections: the axis of {chosen.name} is {chosen.axis}, not load")
    if chosen.fabric is None:
        raise BadInput(f"--connections: {chosen.name} has messages without connections")
    if not 0 <= number <= 100:
        raise BadInput(f"--connections: must be from 0 to 100, not {number}")
    case = experiment.merged(chosen.case, {"workload": {"connections": number}})
    return replace(chosen, case=case)


def _size(chosen: Experiment, size: Size, options: argparse.Namespace) -> Size:
    if options.seeds is not None:
        if not 1 <= options.seeds <= MOST_SEEDS:
            raise BadInput(f"--seeds: must be from 1 to {MOST_SEEDS}, not {options.seeds}")
        size = replace(size, seeds=options.seeds)
    if options.flows is not None:
        if not 1 <= options.flows <= MOST_FLOWS:
            raise BadInput(f"--flows: must be from 1 to {MOST_FLOWS}, not {options.flows}")
        size = replace(size, flows=options.flows)
    if options.times is not None:
        if not 1 <= options.times <= MOST_TIMES:
            raise BadInput(f"--times: must be from 1 to {MOST_TIMES}, not {options.times}")
        size = chosen.times_as_long(size, options.times)
    if options.loads is not None:
        size = replace(size, points=sorted({_load(text) for text in options.loads.split(",")}))
    return size


def _load(text: str) -> float:
    try:
        load = float(text)
    except ValueError:
        raise BadInput(f'--loads: "{text}" is not a number') from None
    if not 0.01 <= load <= 1:
        raise BadInput(f"--loads: must be from 0.01 to 1, not {text}")
    return float(f"{load:g}")  # rounded as in file names and runs.csv, so that equal loads run once


def _schemes(chosen: Experiment, text: str) -> list[str]:
    found: list[str] = []
    for name in map(str.strip, text.split(",")):
        if not (schemes := chosen.chosen(name)):
            there = ", ".join(dict.fromkeys(map(conditions.base, chosen.schemes)))
            raise BadInput(f'--schemes: no scheme "{name}"; there are {there}')
        found += schemes
    return list(dict.fromkeys(found))


def _print(text: str) -> None:
    try:
        print(text, flush=True)
    except OSError as error:
        # Otherwise Python would retry at exit and print its own error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise Failed(f"the result cannot be written: {error.strerror}") from error


def _say(text: str) -> None:
    print(f"evenweave sim: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
