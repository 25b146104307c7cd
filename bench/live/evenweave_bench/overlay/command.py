"""The benchmark's command line: options, exit status, output."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from statistics import median

from evenweave_bench import common_options
from evenweave_bench.overlay.bed import WAYS, OverlayBed
from evenweave_bench.overlay.measure import MeasurementError, programs_ns, rounds
from evenweave_testbed.command_line import BAD_USE, FAILED, run_isolated, whole_number
from evenweave_testbed.edge.namespaces import EdgeError, NoBpfError
from evenweave_testbed.progress import Progress
from evenweave_testbed.run_directory import RunDirectory
from evenweave_testbed.sdd.build import BuildError

_EPILOG = """\
examples:
  ./evenweave bench overlay
  ./evenweave bench overlay --rounds 15 --json | jq '.cases[].ratios'

exit status: 0 done, 1 if it could not be measured, 2 for bad use or a machine that cannot do it,
130 if interrupted. What is measured and how: docs/reference/benchmarks.md
"""
_FLOWS = (1, 64)
_FAILURES = (BuildError, EdgeError, MeasurementError, OSError, subprocess.SubprocessError)


def run() -> int:
    """Runs the benchmark as the command line says; returns the exit status."""
    options = _parser().parse_args()
    isolated = run_isolated("bench overlay", "evenweave_bench.overlay")
    if isolated is not None:
        return isolated
    directory = RunDirectory.current()
    assert directory is not None, "an isolated run has one"
    progress = Progress(2 * len(_FLOWS) + 2)
    try:
        progress.step("starting edges, tunnels and Open vSwitch")
        with OverlayBed(directory.path) as bed:
            result = _measure(bed, options, progress)
    except _FAILURES as error:
        print(f"bench overlay: {progress.name}: {error}", file=sys.stderr)
        return BAD_USE if isinstance(error, NoBpfError) else FAILED
    finally:
        progress.clear()
    print(json.dumps(result, indent=1) if options.json else _text(result))
    return 0


def _measure(bed: OverlayBed, options: argparse.Namespace, progress: Progress) -> dict:
    cases = []
    for gro in (False, True):
        bed.offload(gro)
        for flows in _FLOWS:
            progress.step(f"{flows} connections, receive offload {'on' if gro else 'off'}")
            measured = list(rounds(bed, tuple(WAYS), flows, options.seconds, options.rounds))
            cases.append({"flows": flows, "gro": gro, **_case(measured)})
    progress.step("the programs' time")
    bed.offload(False)
    return {
        "rounds": options.rounds,
        "seconds": options.seconds,
        "cores": os.cpu_count(),
        "loadAverage": round(os.getloadavg()[0], 1),
        "cases": cases,
        "programs": programs_ns(bed, options.seconds),
    }


def _case(measured: list[dict[str, float]]) -> dict:
    """Medians, and the edge's goodput over each other way's: the median of rounds' ratios, and
    between which values the middle half of them is."""
    ratios = {}
    for way in WAYS:
        if way != "edge":
            found = sorted(one["edge"] / one[way] for one in measured)
            quarter = len(found) // 4
            ratios[way] = {
                "median": round(median(found), 3),
                "middleHalf": [round(found[quarter], 3), round(found[-1 - quarter], 3)],
            }
    goodput = {way: round(median(one[way] for one in measured), 6) for way in WAYS}
    return {"gbps": goodput, "ratios": ratios}


def _text(result: dict) -> str:
    lines = [
        f"{result['rounds']} rounds of {result['seconds']} s, {result['cores']} cores, "
        f"load average {result['loadAverage']}",
        "",
        f"{'connections':>11} {'offload':>7}  "
        + " ".join(f"{way:>10}" for way in WAYS)
        + "   Gb/s; edge over vxlan (middle half), ovs",
    ]
    for case in result["cases"]:
        ratios = case["ratios"]
        low, high = ratios["vxlan"]["middleHalf"]
        lines.append(
            f"{case['flows']:>11} {'on' if case['gro'] else 'off':>7}  "
            + " ".join(f"{case['gbps'][way]:>10.2f}" for way in WAYS)
            + f"   {ratios['vxlan']['median']:.2f} ({low:.2f} to {high:.2f}), "
            + f"{ratios['ovs']['median']:.2f}"
        )
    lines.append("")
    for name, shown in result["programs"].items():
        lines.append(
            f"{name}: {shown['nsPerPacket']:.0f} ns for each of {shown['packets']} packets"
        )
    return "\n".join(lines)


def _parser() -> argparse.ArgumentParser:
    parser = common_options.parser(
        "overlay",
        "TCP through the edge's overlay beside the kernel's VXLAN device and Open\n"
        "vSwitch's (userspace datapath), between the same two hosts in turn.",
        _EPILOG,
    )
    parser.add_argument(
        "--rounds",
        type=whole_number(1, 100),
        default=9,
        help="how often each way is measured in each case (default: %(default)s)",
    )
    parser.add_argument(
        "--seconds",
        type=whole_number(1, 60),
        default=2,
        help="how long each time, after a first second (default: %(default)s)",
    )
    return parser
