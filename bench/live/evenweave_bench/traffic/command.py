"""The benchmark's command line: options, exit status, output."""

from __future__ import annotations

import argparse
import json
import subprocess

from evenweave_bench import common_options, live_run
from evenweave_bench.traffic.matrices import MATRICES
from evenweave_bench.traffic.measure import measure
from evenweave_testbed.command_line import names_of
from evenweave_testbed.controller import ControllerError
from evenweave_testbed.demand import DemandError
from evenweave_testbed.fabric import Fabric, FabricNotReady
from evenweave_testbed.openvswitch import SwitchError
from evenweave_testbed.polling import READY_LIMIT_S
from evenweave_testbed.progress import Progress
from evenweave_topos.fabric_file import IMBALANCED_3X3, load

_EPILOG = """\
matrices: uniform, hot-spot, permutation, as in docs/reproduction/traffic-aware.md

examples:
  ./evenweave bench traffic
  ./evenweave bench traffic --matrices hot-spot --json

exit status: 0 done, 1 if it could not be measured, 2 for bad use or a machine that cannot do it,
130 if interrupted. What is measured and how: docs/reference/benchmarks.md
"""
_FAILURES = (
    *(ControllerError, DemandError, FabricNotReady, OSError, SwitchError),
    subprocess.CalledProcessError,
)
# Groups hash the ports of UDP in this version.
_OPENFLOW = "OpenFlow13,OpenFlow15"

_HEADER = """\
| matrix | WCMP, computed | live | `traffic`, computed | live | live, `traffic` / WCMP |
|--|--:|--:|--:|--:|--:|
"""


def run() -> int:
    """Runs the benchmark as the command line says; returns the exit status."""
    options = _parser().parse_args()

    def show(result: list[dict]) -> str:
        return json.dumps({"rows": result}) + "\n" if options.json else markdown(result)

    return live_run.run(
        "traffic", options, 1 + 2 * len(options.matrices), _FAILURES, _measure, show
    )


def _measure(options: argparse.Namespace, progress: Progress) -> list[dict]:
    progress.step("starting switches and the controller")
    with Fabric(
        load(IMBALANCED_3X3), controller_command=options.controller_command, openflow=_OPENFLOW
    ) as fabric:
        fabric.ready(READY_LIMIT_S)
        return [measure(name, fabric, options.tool, progress) for name in options.matrices]


def markdown(rows: list[dict]) -> str:
    """The table of a result."""
    return _HEADER + "".join(_line(row) for row in rows)


def _line(row: dict) -> str:
    wcmp, traffic = row["wcmp"], row["traffic"]
    figures = [wcmp["computed"], wcmp["live"], traffic["computed"], traffic["live"]]
    cells = [f"{figure:.3f}" for figure in (*figures, traffic["live"] / wcmp["live"])]
    name = row["matrix"] + ("" if row["reweighted"] else ", weights stay")
    return f"| {name} | {' | '.join(cells)} |\n"


def _parser() -> argparse.ArgumentParser:
    parser = common_options.parser(
        "traffic",
        "Measures what the strategy traffic gains on six live switches: the greatest\n"
        "utilisation of a link under wcmp's weights and under those for the measured matrix,\n"
        "beside the computed ones. Takes a minute and a half for each matrix.\n"
        "Prints Markdown, or JSON.",
        _EPILOG,
    )
    common_options.add_command(parser, "--controller-command")
    common_options.add_command(parser, "--tool")
    parser.add_argument(
        "--matrices",
        type=names_of("matrix", MATRICES),
        default=tuple(MATRICES),
        metavar="NAME,...",
        help=f"some of {','.join(MATRICES)} (default: all)",
    )
    return parser
