"""The command line of the edge's demonstration: options, exit status, output."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path

from evenweave_testbed.command_line import (
    BAD_USE,
    FAILED,
    answer,
    is_coloured,
    run_isolated,
    whole_number,
)
from evenweave_testbed.demo.render import painter
from evenweave_testbed.edge.demo import fabric, report, workload
from evenweave_testbed.edge.demo.render import render
from evenweave_testbed.edge.demo.run import DEGRADES, DEGRADES_TO_BPS, TrafficError, run_scheme
from evenweave_testbed.edge.demo.schemes import SCHEMES, not_offered
from evenweave_testbed.edge.namespaces import EdgeError, NoBpfError
from evenweave_testbed.kept_logs import keep_logs
from evenweave_testbed.progress import Progress
from evenweave_testbed.run_directory import RunDirectory
from evenweave_testbed.sdd.build import BuildError

_EPILOG = """\
examples:
  ./evenweave demo edge
  ./evenweave demo edge --json | jq '.schemes["clove-ecn"].meanFctMs'
  ./evenweave demo edge --scheme ecmp --scheme clove-ecn --load 0.7 --seed 2

exit status: 0 if every flow ended and the paths' bytes add up to what servers
sent, 1 if not or if the result cannot be printed, 2 for bad use or a machine
that cannot do it, 130 if interrupted.
What is measured and how: docs/reference/demo-edge.md
"""
# A tenth: 77 flows a second at a load of 60 %, of 171 kB in the mean.
_SCALE = 0.1
_FAILURES = (BuildError, EdgeError, OSError, TrafficError)


def run() -> int:
    """Runs the demonstration as the command line says; returns the exit status."""
    options = _parser().parse_args()
    isolated = run_isolated("demo edge", "evenweave_testbed.edge.demo")
    if isolated is not None:
        return isolated
    names = options.scheme or [name for name in SCHEMES if name not in not_offered()]
    names = list(dict.fromkeys(names))
    directory = RunDirectory.current()
    assert directory is not None, "an isolated run has one"
    progress = Progress(len(names))
    try:
        found = _measure(names, options, directory.path, progress)
    except _FAILURES as error:
        print(f"demo edge: {progress.name}: {error}", file=sys.stderr)
        if logs := keep_logs(directory.path):
            print(f"demo edge: the logs are in {logs}", file=sys.stderr)
        return BAD_USE if isinstance(error, NoBpfError) else FAILED
    told = answer("demo edge", _text(found, options.json))
    asked = found["workload"]["bytes"]
    wrong = [
        line
        for name, shown in found["schemes"].items()
        for line in report.wrong_accounts(name, shown, asked)
    ]
    for line in wrong:
        print(f"demo edge: {line}", file=sys.stderr)
    return FAILED if wrong or not told else 0


def _text(found: dict, as_json: bool) -> str:
    if as_json:
        return json.dumps(found, indent=1)
    return render(found, painter(is_coloured()))


def _measure(
    names: list[str], options: argparse.Namespace, directory: Path, progress: Progress
) -> dict:
    sizes = workload.Sizes.read(workload.WEB_SEARCH, _SCALE)
    drawn = workload.draw(
        options.seed, options.load, fabric.BISECTION_BPS, options.seconds, fabric.HOSTS_PER_LEAF,
        sizes,
    )  # fmt: skip
    schemes = {}
    try:
        for name in names:
            progress.step(f"{name}: {len(drawn.requests)} flows in {options.seconds:g} s")
            recording = run_scheme(
                SCHEMES[name],
                drawn,
                options.seconds,
                directory,
                fabric.Tuning(options.metric_age_us, options.settle_us),
                progress.fraction,
            )
            schemes[name] = report.figures(recording, options.seconds, _SCALE)
    finally:
        progress.clear()
    return {
        "seed": options.seed,
        "load": options.load,
        "seconds": options.seconds,
        "fabric": {
            "spines": fabric.SPINES,
            "hostsPerLeaf": fabric.HOSTS_PER_LEAF,
            "linkBps": fabric.LINK_BPS,
            "bisectionBps": fabric.BISECTION_BPS,
            "degraded": {"link": _link(fabric.DEGRADED), "bps": fabric.DEGRADED_BPS},
            "weights": fabric.weights(),
            "markBytes": fabric.MARK_BYTES,
            "bufferBytes": fabric.BUFFER_BYTES,
            "rttUs": fabric.RTT_US,
            "gapUs": fabric.GAP_US,
            "metricAgeUs": options.metric_age_us,
            "settleUs": options.settle_us,
        },
        "workload": {
            "sizes": "web search",
            "scale": _SCALE,
            "flows": len(drawn.requests),
            "bytes": drawn.total_bytes,
            "smallBelowBytes": round(report.SMALL_BELOW_BYTES * _SCALE),
            "largeAboveBytes": round(report.LARGE_ABOVE_BYTES * _SCALE),
        },
        "degradation": {
            "link": _link(DEGRADES),
            "bps": DEGRADES_TO_BPS,
            "atS": options.seconds / 2,
            "shareBelow": report.SHARE_BELOW,
        },
        "schemes": schemes,
        "notOffered": not_offered(),
    }


def _link(ends: tuple[int, int]) -> str:
    return f"s{ends[0]}-l{ends[1]}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="evenweave demo edge",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Shows the edge's schemes side by side: the same requests over real TCP, on a\n"
        "leaf-spine fabric in network namespaces with a degraded link, another of\n"
        "which degrades half-way. Takes eleven minutes with all schemes.",
        epilog=_EPILOG,
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object, nothing else")
    parser.add_argument(
        "--scheme",
        action="append",
        type=_scheme,
        metavar="NAME",
        help=f"only this one, or these if repeated: {', '.join(SCHEMES)}",
    )
    parser.add_argument(
        "--seed",
        type=whole_number(0, 2**31 - 1),
        default=1,
        help="of arrivals and sizes, the same for every scheme (default: %(default)s)",
    )
    parser.add_argument(
        "--load",
        type=_number("load", 0.05, 0.95),
        default=0.6,
        help="what arrives, as a share of the bisection (default: %(default)g)",
    )
    parser.add_argument(
        "--seconds",
        type=_number("time", 4, 3600),
        default=40.0,
        help="how long flows arrive, for each scheme (default: %(default)g)",
    )
    parser.add_argument(
        "--metric-age-us",
        type=whole_number(1, 4_000_000),
        default=fabric.METRIC_AGE_US,
        metavar="US",
        help="age at which a measured delay or utilisation of a path is discarded "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--settle-us",
        type=whole_number(0, 4_000_000),
        default=fabric.SETTLE_US,
        metavar="US",
        help="minimum time between two moves of a flow by intflow; 0, as published: every packet "
        "may move the flow (default: %(default)s)",
    )
    return parser


def _scheme(text: str) -> str:
    why = not_offered().get(text)
    if why:
        raise argparse.ArgumentTypeError(f"no {text} here: {why}")
    if text not in SCHEMES:
        raise argparse.ArgumentTypeError(f"no scheme {text!r}; there are {', '.join(SCHEMES)}")
    return text


def _number(what: str, least: float, most: float) -> Callable[[str], float]:
    def number(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{what} must be {least:g} to {most:g}, not {text!r}")
        return value

    return number
