"""The benchmark's command line: options, exit status, output."""

from __future__ import annotations

import argparse
import json
import sys
from itertools import product
from pathlib import Path

from evenweave_bench import common_options
from evenweave_bench.figure38 import plot, tables
from evenweave_bench.figure38.cases import TRAFFIC, UPLINKS
from evenweave_bench.figure38.measure import STRATEGIES, measure
from evenweave_testbed.command_line import (
    BAD_USE,
    FAILED,
    names_of,
    run_isolated,
    whole_number,
)
from evenweave_testbed.controller import ControllerError
from evenweave_testbed.fabric import FabricNotReady
from evenweave_testbed.openvswitch import SwitchError
from evenweave_testbed.progress import Progress
from evenweave_testbed.shaping import ShapingError
from evenweave_testbed.syn_capture import CaptureError
from evenweave_testbed.throughput import FlowError

_EPILOG = """\
traffic:
  one-to-one-36  nine hosts of s1-0 to nine of s1-5, four connections each: 36 flows
  one-to-one     the same with 32 connections each: 288 flows
  all-to-all     30 hosts, each to each of the 25 on other switches: 750 flows

examples:
  ./evenweave bench figure-3.8 --svg figure-3.8.svg
  ./evenweave bench figure-3.8 --uplinks 9 --traffic one-to-one --json > one.json
  ./evenweave bench figure-3.8 --results docs/reproduction/figure-3.8.json   # measures nothing

exit status: 0 done, 1 if it could not be measured, 2 for bad use or a machine that cannot do it,
130 if interrupted. What is measured and how: docs/reference/benchmarks.md
"""
_FAILURES = (
    *(CaptureError, ControllerError, FabricNotReady, FlowError, OSError),
    *(ShapingError, SwitchError),
)


def run() -> int:
    """Runs the benchmark as the command line says; returns the exit status."""
    options = _parser().parse_args()
    if options.results:
        return _show_stored(options)
    isolated = run_isolated("bench figure-3.8", "evenweave_bench.figure38")
    if isolated is not None:
        return isolated
    selected = list(product(options.traffic, map(int, options.uplinks)))
    progress = Progress((1 + len(STRATEGIES)) * len(selected))
    cases: list[dict] = []
    try:
        for traffic, uplinks in selected:
            controller = options.controller_command
            cases += measure(uplinks, traffic, options.seconds, controller, progress)
    except _FAILURES as error:
        print(f"bench figure-3.8: {progress.name}: {error}", file=sys.stderr)
        return FAILED
    finally:
        progress.clear()
    return _show(cases, options)


def _show_stored(options: argparse.Namespace) -> int:
    cases: list[dict] = []
    for path in options.results:
        try:
            cases += json.loads(path.read_text())["cases"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            print(f"bench figure-3.8: --results: {path}: {error}", file=sys.stderr)
            return BAD_USE
    return _show(cases, options)


def _show(cases: list[dict], options: argparse.Namespace) -> int:
    if options.svg:
        try:
            options.svg.write_text(plot.svg(cases))
        except OSError as error:
            print(f"bench figure-3.8: --svg: {error}", file=sys.stderr)
            return BAD_USE
    if options.json:
        result = {
            "experiment": "figure-3.8",
            "paper": "figure 3.8",
            "rows": tables.comparisons(cases),
            "cases": cases,
        }
        print(json.dumps(result, separators=(",", ":")))
    else:
        print(tables.markdown(cases), end="")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = common_options.parser(
        "figure-3.8",
        "Measures the dissertation's Figure 3.8 on live switches: the bandwidth of\n"
        "long TCP flows under ECMP and WCMP on three group-striped fabrics of 6 + 6 switches.\n"
        "Takes about ten minutes. Prints Markdown, or JSON.",
        _EPILOG,
    )
    common_options.add_command(parser, "--controller-command")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw the figure into a file too")
    parser.add_argument(
        "--uplinks",
        type=names_of("number of uplinks", tuple(map(str, UPLINKS))),
        default=tuple(map(str, UPLINKS)),
        metavar="N,...",
        help=f"some of {','.join(map(str, UPLINKS))} (default: all)",
    )
    parser.add_argument(
        "--traffic",
        type=names_of("traffic", TRAFFIC),
        default=tuple(TRAFFIC),
        metavar="NAME,...",
        help=f"some of {','.join(TRAFFIC)} (default: all)",
    )
    parser.add_argument(
        "--seconds",
        type=whole_number(1, 3600),
        default=25,
        help="how long flows are measured under each strategy (default: %(default)s)",
    )
    parser.add_argument(
        "--results",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="measure nothing, show what --json has printed before",
    )
    return parser
