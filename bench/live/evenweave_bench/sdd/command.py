"""`./evenweave bench sdd`: how exactly hosts transmit (Tewari 2015, chapters 4 and 5).

Runs in namespaces of its own. Everything shares the cores of this machine, and the programs that
are measured run at the highest niceness: what the figures show is this data plane on this machine,
and, for rates, Linux HTB on the same machine in the same run, through the same kind of link,
measured at the same place: by the kernel's time stamps at the far end of a veth pair.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from evenweave_bench import common_options
from evenweave_bench.sdd import circuits, goodput, rates, reaction, scaling, slots
from evenweave_bench.sdd.closed_loop import closed_loop
from evenweave_bench.sdd.page import write_page
from evenweave_bench.sdd.rates import say
from evenweave_bench.sdd.render import render
from evenweave_bench.sdd.takeover import LOOPS, WAYS, takeover
from evenweave_sim.experiment import BadInput
from evenweave_sim.files import Failed, text_of
from evenweave_testbed import isolation
from evenweave_testbed.command_line import BAD_USE, FAILED, names_of, run_isolated
from evenweave_testbed.sdd.build import BuildError, program

_EPILOG = """\
parts:
  reaction       Table 5.1, Figure 4.5: from a START or STOP to the first or last packet
  slots          Figure 4.4: how well slots are kept, by their length
  rate           Table 5.2: inter-packet gaps beside Linux HTB
  forwarding     packets per second beside DPDK's testpmd
  goodput        one TCP flow, with segments taken whole and not, beside HTB
  scaling        Figure 5.4(a): throughput and slot accuracy with 1 to 10,000 queues
  scalingByRate  Figure 5.4(b): 500 queues by their rate
  circuits       Figures 4.6 and 4.7: one host's circuits as its demand changes
  closedLoop     Figure 4.8: eight hosts with the controller, as their workload changes
  takeover       from the end of a controller to the lead of one that stands by

examples:
  ./evenweave bench sdd --json > sdd-host.json
  ./evenweave bench sdd --parts reaction,slots
  ./evenweave bench sdd --results docs/reproduction/sdd-host.json \\
    --page docs/reproduction/sdd-host.md                               # measures nothing
"""


def run() -> int:
    """Runs the benchmark as the command line says; returns the exit status."""
    options = _parser().parse_args()
    if options.results:
        return _show_stored(options)
    if options.page:
        print("bench sdd: --page: is made of --results", file=sys.stderr)
        return BAD_USE
    if not isolation.inside():
        try:
            program("sdd-host")  # built outside, so that what is built stays
        except BuildError as error:
            print(f"bench sdd: {error}", file=sys.stderr)
            return BAD_USE
    isolated = run_isolated("bench sdd", "evenweave_bench.sdd")
    if isolated is not None:
        return isolated
    result = measure(options)
    print(json.dumps(result) if options.json else render(result))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = common_options.parser(
        "sdd",
        "How exactly hosts transmit, on live processes: the figures of the dissertation's\n"
        "chapters 4 and 5, and takeovers. Takes about twelve minutes.",
        _EPILOG,
    )
    parser.add_argument("--quick", action="store_true", help="few and short cases: only the form")
    parser.add_argument("--seconds", type=float, default=3.0, help="of each measurement (3)")
    parser.add_argument(
        "--tap", action="store_true", help="rates through TAP and AF_PACKET, not AF_XDP"
    )
    parser.add_argument(
        "--parts",
        type=names_of("part", _MEASURED),
        default=tuple(_MEASURED),
        metavar="PART,...",
        help="some of the parts below (default: all)",
    )
    parser.add_argument(
        "--results",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="measure nothing, show what --json has printed before; of several files, all parts",
    )
    parser.add_argument(
        "--page",
        type=Path,
        metavar="FILE",
        help="with --results: writes the parts into this page, and beside it the figures",
    )
    parser.add_argument("--controller-jar", type=Path, required=True, help=argparse.SUPPRESS)
    return parser


def _show_stored(options: argparse.Namespace) -> int:
    try:
        result: dict[str, Any] = {}
        for path in options.results:
            result |= read(path)
        shown = json.dumps(result) if options.json else render(result)
        if options.page:
            write_page(options.page, result)
    except (BadInput, Failed) as error:
        print(f"bench sdd: {error}", file=sys.stderr)
        return BAD_USE if isinstance(error, BadInput) else FAILED
    except (LookupError, TypeError) as error:
        print(f"bench sdd: --results: not all is there: {error!r}", file=sys.stderr)
        return BAD_USE
    print(shown)
    return 0


def read(path: Path) -> dict[str, Any]:
    """What --json has printed; BadInput if it has not."""
    try:
        result = json.loads(text_of(path))
    except ValueError as error:
        raise BadInput(f"--results: {path}: {error}") from error
    if not isinstance(result, dict) or not {"cores", "loadBefore"} <= set(result):
        raise BadInput(f"--results: {path}: is not what ./evenweave bench sdd --json prints")
    return result


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """What --json prints."""
    seconds = 1.0 if options.quick else options.seconds
    result: dict[str, Any] = {
        "cores": len(os.sched_getaffinity(0)),
        "loadBefore": round(os.getloadavg()[0], 1),
        "seconds": seconds,
    }
    for part in options.parts:
        with tempfile.TemporaryDirectory(prefix="evw-") as folder:
            result |= _MEASURED[part](options, Path(folder), seconds)
    return result


def _reaction(options: argparse.Namespace, _: Path, __: float) -> dict:
    say("reaction to START and STOP")
    if options.quick:
        # long slots: a START that a STOP overtakes is not measured
        return {"reaction": reaction.reaction(20, reaction.RATES_BPS[:1], (0.003, 0.005))}
    return {"reaction": reaction.reaction(500)}


def _slots(options: argparse.Namespace, _: Path, __: float) -> dict:
    say(f"slots of {slots.SLOTS_US[0]} to {slots.SLOTS_US[-1]} us")
    if options.quick:
        return {"slots": slots.slots(slots.SLOTS_US[2:3], 20)}
    return {"slots": slots.slots()}


def _rate(options: argparse.Namespace, folder: Path, seconds: float) -> dict:
    cells = ((1, 10**7), (10, 10**6)) if options.quick else rates.RATES
    return {
        "placement": rates.placement(),
        "rate": [rates.rate(folder, *cell, seconds, options.tap) for cell in cells],
        "otherLimiters": rates.other_limiters(),
    }


def _forwarding(_: argparse.Namespace, folder: Path, seconds: float) -> dict:
    return {"forwarding": rates.forwarding(folder, seconds)}


def _goodput(options: argparse.Namespace, folder: Path, seconds: float) -> dict:
    if options.quick:
        return {"goodput": goodput.goodput(folder, seconds, rounds=1)}
    return {"goodput": goodput.goodput(folder, seconds)}


def _scaling(options: argparse.Namespace, _: Path, seconds: float) -> dict:
    queues = (1, 100) if options.quick else scaling.QUEUES
    say(f"{queues[0]} to {queues[-1]} queues with slots")
    return {"scaling": scaling.scaling(queues, seconds)}


def _scaling_by_rate(options: argparse.Namespace, _: Path, seconds: float) -> dict:
    rates_bps = scaling.RATES_BPS[:1] if options.quick else scaling.RATES_BPS
    say(f"{scaling.QUEUES_WITH_RATES} queues with rates")
    return {"scalingByRate": scaling.scaling_by_rate(rates_bps, seconds)}


def _circuits(options: argparse.Namespace, folder: Path, _: float) -> dict:
    say("circuits of one host")
    return {
        "circuits": circuits.circuits(options.controller_jar, folder, 2.5 if options.quick else 6.0)
    }


def _closed_loop(options: argparse.Namespace, folder: Path, _: float) -> dict:
    say("closed loop: eight hosts, four and four")
    seconds = 6.0 if options.quick else 10.0
    return {"closedLoop": closed_loop(options.controller_jar, folder, seconds)}


def _takeover(options: argparse.Namespace, folder: Path, _: float) -> dict:
    if options.quick:
        return {"takeover": takeover(options.controller_jar, folder, 1, LOOPS[:1], WAYS[:2])}
    return {"takeover": takeover(options.controller_jar, folder)}


_MEASURED: dict[str, Callable[[argparse.Namespace, Path, float], dict]] = {
    "reaction": _reaction,
    "slots": _slots,
    "rate": _rate,
    "forwarding": _forwarding,
    "goodput": _goodput,
    "scaling": _scaling,
    "scalingByRate": _scaling_by_rate,
    "circuits": _circuits,
    "closedLoop": _closed_loop,
    "takeover": _takeover,
}
"""By part: what it adds to the result."""
