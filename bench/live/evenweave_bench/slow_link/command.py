"""The benchmark's command line: options, exit status, output."""

from __future__ import annotations

import argparse
import json

from evenweave_bench import common_options, live_run
from evenweave_bench.slow_link.measure import (
    GROUP_ENTRIES,
    LEAVE_OUT,
    LINK_MBPS,
    measure,
    slow_fabric,
)
from evenweave_testbed.command_line import whole_number
from evenweave_testbed.controller import ControllerError
from evenweave_testbed.fabric import Fabric, FabricNotReady
from evenweave_testbed.openvswitch import SwitchError
from evenweave_testbed.polling import READY_LIMIT_S
from evenweave_testbed.progress import Progress
from evenweave_testbed.shaping import ShapingError
from evenweave_testbed.throughput import FlowError

_EPILOG = """\
example:
  ./evenweave bench slow-link --json | jq '.rows[] | {leaveOut, minBps}'

exit status: 0 done, 1 if it could not be measured, 2 for bad use or a machine that cannot do it,
130 if interrupted. What is measured and how: docs/reference/benchmarks.md
"""
_FAILURES = (ControllerError, FabricNotReady, FlowError, OSError, ShapingError, SwitchError)

_HEADER = """\
| entries of a group | `leaveOut` | oversubscription | slow link: flows | slowest flow | mean |
|--:|---|--:|--:|--:|--:|
"""


def run() -> int:
    """Runs the benchmark as the command line says; returns the exit status."""
    options = _parser().parse_args()

    def show(result: list[dict]) -> str:
        return json.dumps({"rows": result}) + "\n" if options.json else markdown(result)

    return live_run.run(
        "slow-link", options, 1 + len(GROUP_ENTRIES) * len(LEAVE_OUT), _FAILURES, _measure, show
    )


def _measure(options: argparse.Namespace, progress: Progress) -> list[dict]:
    progress.step("starting switches and the controller")
    with Fabric(
        slow_fabric(), mbps=LINK_MBPS, controller_command=options.controller_command
    ) as fabric:
        fabric.ready(READY_LIMIT_S)
        configuration = fabric.controller.configuration()
        rows = []
        for entries in GROUP_ENTRIES:
            for leave_out in LEAVE_OUT:
                progress.step(f"{entries} entries, leaveOut {leave_out}")
                rows.append(
                    measure(
                        fabric,
                        configuration,
                        entries,
                        leave_out,
                        options.seconds,
                        progress.fraction,
                    )
                )
        return rows


def markdown(rows: list[dict]) -> str:
    """The table of a result."""
    return _HEADER + "".join(
        f"| {row['groupEntries']} | {row['leaveOut']} | {row['oversubscription']:.4f} "
        f"| {row['flowsOnSlowLink']} | {row['minBps'] / 1e3:.1f} kb/s "
        f"| {row['meanBps'] / 1e3:.1f} kb/s |\n"
        for row in rows
    )


def _parser() -> argparse.ArgumentParser:
    parser = common_options.parser(
        "slow-link",
        "Measures 192 TCP flows on six live switches with a link at a hundredth of its speed,\n"
        "with groups that use the link (leaveOut never) and that leave it out (auto).\n"
        "Takes a minute and a half. Prints Markdown, or JSON.",
        _EPILOG,
    )
    common_options.add_command(parser, "--controller-command")
    parser.add_argument(
        "--seconds",
        type=whole_number(1, 3600),
        default=10,
        help="to measure in each of the four runs (default: %(default)s)",
    )
    return parser
