"""The benchmark's command line: options, exit status, output."""

from __future__ import annotations

import argparse
import json
import os
from contextlib import nullcontext

from evenweave_bench import common_options, live_run
from evenweave_bench.liveness.losses import cpu_load, watch
from evenweave_testbed.command_line import whole_number
from evenweave_testbed.controller import ControllerError
from evenweave_testbed.fabric import Fabric, FabricNotReady
from evenweave_testbed.openvswitch import SwitchError
from evenweave_testbed.polling import READY_LIMIT_S
from evenweave_testbed.progress import Progress
from evenweave_topos.fabric_file import IMBALANCED_3X3, load

_EPILOG = """\
examples:
  ./evenweave bench liveness --minutes 60 --load cpu
  ./evenweave bench liveness --minutes 20 --bfd 50 --no-damping --json

exit status: 0 done, 1 if it could not be measured, 2 for bad use or a machine that cannot do it,
130 if interrupted. What is measured and how: docs/reference/benchmarks.md
"""
_FAILURES = (ControllerError, FabricNotReady, OSError, SwitchError)
_MOST_MINUTES = 7 * 24 * 60


def run() -> int:
    """Runs the benchmark as the command line says; returns the exit status."""
    options = _parser().parse_args()

    def show(result: dict) -> str:
        return (json.dumps(result, indent=1) if options.json else _text(result)) + "\n"

    return live_run.run("liveness", options, 2, _FAILURES, _measure, show)


def _measure(options: argparse.Namespace, progress: Progress) -> dict:
    progress.step("starting switches, BFD and the controller")
    spec = load(IMBALANCED_3X3)
    with Fabric(spec, controller_command=options.controller_command) as fabric:
        fabric.ready(READY_LIMIT_S)
        fabric.detect_failures(options.bfd)
        if not options.damping:
            configuration = fabric.controller.configuration() | {"damping": {"enabled": False}}
            fabric.controller.put_configuration(configuration)
        for damped in fabric.controller.damping():
            fabric.controller.release(str(spec.link(damped["link"]).a))
        fabric.ready(READY_LIMIT_S)
        progress.step(f"nothing fails for {options.minutes} minutes")
        with cpu_load() if options.load == "cpu" else nullcontext(0) as hogs:
            figures = watch(fabric.controller, 60.0 * options.minutes, progress.fraction)
            load_average = os.getloadavg()[1]
    return {
        "minutes": options.minutes,
        "bfdMs": options.bfd,
        "links": len(spec.links),
        "load": options.load,
        "hogs": hogs,
        "loadAverage": round(load_average, 1),
        "damping": options.damping,
        **figures,
    }


def _text(result: dict) -> str:
    lines = [
        f"{result['minutes']} minutes, {result['links']} links, BFD 3 x {result['bfdMs']} ms, "
        f"load {result['load']}, load average at the end {result['loadAverage']}, "
        f"damping {'on' if result['damping'] else 'off'}",
        f"links lost though nothing failed: {result['falseLosses']}",
        *(f"  {link}: {count}" for link, count in result["byLink"].items()),
        f"links damped: {result['damped']}, released: {result['released']}",
        f"changes of groups that came of it: {result['changes']} "
        f"({result['groupsChanged']} groups)",
    ]
    return "\n".join(lines)


def _parser() -> argparse.ArgumentParser:
    parser = common_options.parser(
        "liveness",
        "Counts links that BFD takes for dead while none is, on a live fabric of six\n"
        "switches and twelve links, and what damping makes of that.",
        _EPILOG,
    )
    common_options.add_command(parser, "--controller-command")
    parser.add_argument(
        "--minutes",
        type=whole_number(1, _MOST_MINUTES),
        default=60,
        help="how long (default: %(default)s)",
    )
    common_options.add_bfd(
        parser, 100, "BFD's period, three missing end a session (default: %(default)s)"
    )
    parser.add_argument(
        "--load",
        choices=("none", "cpu"),
        default="none",
        help="cpu: two busy processes for each core beside it (default: %(default)s)",
    )
    parser.add_argument(
        "--no-damping",
        dest="damping",
        action="store_false",
        help="let links that are lost again and again carry traffic each time they are back",
    )
    return parser
