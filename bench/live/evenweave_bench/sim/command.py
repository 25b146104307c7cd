"""The command line, and the figures as text."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from evenweave_bench import common_options
from evenweave_bench.sim import traffics
from evenweave_bench.sim.measure import ProgramError, compare
from evenweave_testbed.command_line import FAILED, whole_number

_REPETITIONS, _QUICK_REPETITIONS = 3, 2

_EPILOG = """\
Link transmissions per second of processor time and core: of the simulator of ./evenweave sim, and
of ns-3's PointToPointNetDevice and InternetStackHelper on the same flows, also with the event queue
and the allocator that ours has (ns3Tuned), and with Ipv4GlobalRouting (ns3Global).

example:
  ./evenweave bench sim --json | jq '.traffics[].networks | map_values(.timesOurs)'
"""


def run() -> int:
    """Runs the benchmark as the command line says; returns the exit status."""
    options = _parser().parse_args()
    repetitions = options.repetitions or (_QUICK_REPETITIONS if options.quick else _REPETITIONS)
    result: dict[str, Any] = {"seed": options.seed, "repetitions": repetitions, "traffics": []}
    try:
        for traffic in traffics.ALL:
            print(f"bench: {traffic.name}, {traffic.what}", file=sys.stderr)
            result["traffics"].append(
                compare(options.programs, traffic, options.seed, repetitions, quick=options.quick)
            )
    except (OSError, ProgramError) as error:
        print(f"bench sim: {error}", file=sys.stderr)
        return FAILED
    print(json.dumps(result) if options.json else _text(result))
    return 0


def _text(result: dict[str, Any]) -> str:
    lines = [f"seed {result['seed']}, medians of {result['repetitions']}"]
    for traffic in result["traffics"]:
        lines.append(f"{traffic['traffic']}: {traffic['what']}, {traffic['flows']} flows")
        for name, figures in traffic["networks"].items():
            against = figures["againstOurs"]
            lines.append(
                f"  {name:>9}: {figures['transmissionsPerCpuSecond']:>9,} transmissions/s,"
                f" {figures['timesOurs']:.2f} times our cost,"
                f" {figures['eventsPerTransmission']:.2f} events each,"
                f" mean completion {figures['completionMs']['mean']:.3f} ms"
                f" ({against['meanRelative']:+.3%}), {against['sameFlows']} flows the same"
            )
    return "\n".join(lines)


def _parser() -> argparse.ArgumentParser:
    parser = common_options.parser(
        "sim",
        "The simulator's speed, beside ns-3's own devices and hosts.",
        _EPILOG,
    )
    parser.add_argument("--programs", type=Path, required=True, help=argparse.SUPPRESS)
    common_options.add_quick(parser, "12 flows")
    parser.add_argument(
        "--repetitions",
        type=whole_number(1, 1000),
        help=f"default: {_REPETITIONS}, with --quick {_QUICK_REPETITIONS}",
    )
    common_options.add_seed(parser)
    return parser
