"""./evenweave sim: see --help."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from dataclasses import replace
from pathlib import Path

from evenweave_sim import campaign, experiment
from evenweave_sim.experiment import BadInput, Experiment, Size
from evenweave_sim.rows import rows, table

_EXAMPLES = """examples:
  ./evenweave sim --list
  ./evenweave sim clove-asymmetric --quick
  ./evenweave sim clove-asymmetric --loads 0.5,0.7 --schemes ecmp,clove-ecn,conga --seeds 3
  ./evenweave sim clove-symmetric --full --json > symmetric.json
"""


def main() -> int:
    options = _parser().parse_args()
    try:
        if options.list:
            _print("\n".join(f"{n:<20} {experiment.load(n).title}" for n in experiment.names()))
            return 0
        if options.name is None:
            raise BadInput("which experiment? --list lists them")
        _run(options)
    except BadInput as error:
        print(f"evenweave sim: {error}", file=sys.stderr)
        return 2
    except campaign.Failed as error:
        print(f"evenweave sim: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("evenweave sim: interrupted; nothing is written", file=sys.stderr)
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="./evenweave sim",
        description="Runs an experiment of a paper in ns-3, with the schemes as they ship "
        "(host/libedge), and prints its figures beside the paper's. Progress is on the standard "
        "error.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="the experiment")
    parser.add_argument("--list", action="store_true", help="lists the experiments")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="few flows: whether it runs at all")
    size.add_argument("--full", action="store_true", help="what the project's pages show; hours")
    parser.add_argument("--seeds", type=int, metavar="N", help="runs of each case, seeds 1 to N")
    parser.add_argument("--loads", metavar="L,...", help="shares of the bisection, above 0 up to 1")
    parser.add_argument("--schemes", metavar="S,...", help="some of the experiment's schemes")
    parser.add_argument(
        "--plan",
        type=Path,
        metavar="FILE",
        help="an answer of ./evenweave plan: its fabric and groups",
    )
    parser.add_argument("--json", action="store_true", help="the result as one JSON object")
    parser.add_argument("--simulator", default="simulate", help=argparse.SUPPRESS)
    parser.add_argument("--planner", default="./evenweave plan", help=argparse.SUPPRESS)
    return parser


def _run(options: argparse.Namespace) -> None:
    chosen = experiment.load(options.name)
    name = "quick" if options.quick else "full" if options.full else "standard"
    size = _size(chosen.sizes[name], options)
    schemes = _schemes(chosen, options.schemes)
    tools = campaign.Tools(shlex.split(options.simulator), shlex.split(options.planner))
    if options.plan:
        plan = campaign.read_plan(options.plan)
    else:
        plan = campaign.make_plan(tools, chosen.fabric)
    runs = campaign.run(tools, chosen, schemes, size, plan, _say)
    found = rows(chosen, runs)
    if options.json:
        about = {"experiment": chosen.name, "paper": chosen.paper}
        _print(json.dumps({**about, "flows": size.flows, "seeds": size.seeds, "rows": found}))
    else:
        _print(table(chosen, found))


def _size(size: Size, options: argparse.Namespace) -> Size:
    if options.seeds is not None:
        if options.seeds < 1:
            raise BadInput(f"--seeds: must be 1 or more, not {options.seeds}")
        size = replace(size, seeds=options.seeds)
    if options.loads is not None:
        size = replace(size, loads=[_load(text) for text in options.loads.split(",")])
    return size


def _load(text: str) -> float:
    try:
        load = float(text)
    except ValueError:
        raise BadInput(f'--loads: "{text}" is no number') from None
    if not 0.01 <= load <= 1:
        raise BadInput(f"--loads: must be from 0.01 to 1, not {text}")
    return load


def _schemes(chosen: Experiment, text: str | None) -> list[str]:
    if text is None:
        return chosen.schemes
    for scheme in text.split(","):
        if scheme not in chosen.schemes:
            raise BadInput(f'no scheme "{scheme}"; there are {", ".join(chosen.schemes)}')
    return list(dict.fromkeys(text.split(",")))


def _print(text: str) -> None:
    try:
        print(text, flush=True)
    except OSError as error:
        # Python would try again at its end, and complain in words of its own.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise campaign.Failed(f"the result cannot be written: {error.strerror}") from error


def _say(text: str) -> None:
    print(f"evenweave sim: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
