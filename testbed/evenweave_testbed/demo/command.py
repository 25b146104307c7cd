"""The demonstration's command line: options, exit status, output."""

from __future__ import annotations

import argparse
import json
import math
import socket
import sys
from collections.abc import Callable

from evenweave_testbed import isolation
from evenweave_testbed.command_line import (
    BAD_USE,
    FAILED,
    answer,
    command,
    is_coloured,
    run_isolated,
)
from evenweave_testbed.controller import ControllerError
from evenweave_testbed.demo import page
from evenweave_testbed.demo.render import painter, render
from evenweave_testbed.demo.report import Report
from evenweave_testbed.demo.scenario import LINK_MBPS, DemoError, Scenario, pair_of
from evenweave_testbed.fabric import Fabric, FabricNotReady
from evenweave_testbed.kept_logs import keep_logs, keep_logs_at_signals
from evenweave_testbed.openvswitch import SwitchError
from evenweave_testbed.polling import Polling
from evenweave_testbed.progress import Progress
from evenweave_testbed.run_directory import RunDirectory
from evenweave_testbed.shaping import ShapingError
from evenweave_testbed.syn_capture import CaptureError
from evenweave_testbed.throughput import FlowError
from evenweave_topos.fabric_file import IMBALANCED_3X3, FabricError, FabricSpec, load

_EPILOG = """\
examples:
  ./evenweave demo
  ./evenweave demo --json | jq .throughput
  ./evenweave demo --onos
  ./evenweave demo --keep
  ./evenweave demo --seconds 30 --fabric my-fabric.json

exit status: 0 if every promise held, 1 if one did not or the result cannot be
printed, 2 for bad use or a machine that cannot do it, 130 if interrupted.
What is measured and how: docs/reference/demo.md
"""
_STEPS = 7
_FAILURES = (
    CaptureError,
    ControllerError,
    DemoError,
    FabricNotReady,
    FlowError,
    OSError,
    ShapingError,
    SwitchError,
)


def run() -> int:
    """Runs the demonstration as the command line says; returns the exit status."""
    options = _parser().parse_args()
    try:
        spec = load(options.fabric)
        pair_of(spec)
    except FabricError as error:
        print(f"demo: {error}", file=sys.stderr)
        return BAD_USE
    isolated = _isolated(options)
    if isolated is not None:
        return isolated
    progress = Progress(_STEPS)
    keep_logs_at_signals("demo", lambda: progress.name)
    try:
        return _measure(spec, options, progress, lambda report: _tell(report, spec, options))
    except _FAILURES as error:
        return _give_up(error, progress.name, options.json)


def _isolated(options: argparse.Namespace) -> int | None:
    """As `run_isolated`; a demo that is kept gets a socket that listens out here."""
    if not options.keep or options.page_socket is not None or isolation.inside():
        return run_isolated("demo", "evenweave_testbed.demo")
    with page.listen() as listening:
        descriptor = listening.fileno()
        return run_isolated(
            "demo", "evenweave_testbed.demo", ["--page-socket", str(descriptor)], [descriptor]
        )


def _tell(report: Report, spec: FabricSpec, options: argparse.Namespace) -> int:
    """Prints the report, keeps the fabric if asked to, and returns the exit status."""
    told = answer("demo", _text(report, spec, options.json))
    broken = [check for check in report.checks() if not check.held]
    for check in broken:
        print(f"demo: did not hold: {check.promise} ({check.detail})", file=sys.stderr)
    if options.keep and told:
        listening = None
        if options.page_socket is not None:
            listening = socket.socket(fileno=options.page_socket)
        print(
            f"demo: the fabric is kept; its page is {page.url(listening)} (Ctrl-C ends it)",
            file=sys.stderr,
            flush=True,
        )
        page.serve(listening)
    return FAILED if broken or not told else 0


def _text(report: Report, spec: FabricSpec, as_json: bool) -> str:
    if as_json:
        return json.dumps(report.to_json(), indent=1)
    return render(report, spec, painter(is_coloured()))


def _give_up(error: Exception, step: str, as_json: bool) -> int:
    """Says what failed and where the logs are, which would go with the run."""
    run_directory = RunDirectory.current()
    logs = keep_logs(run_directory.path) if run_directory else None
    if as_json:
        print(json.dumps({"error": str(error), "step": step, "logs": str(logs) if logs else None}))
    print(f"demo: {step}: {error}", file=sys.stderr)
    if logs:
        print(f"demo: the logs are in {logs}", file=sys.stderr)
    return FAILED


def _measure(
    spec: FabricSpec,
    options: argparse.Namespace,
    progress: Progress,
    tell: Callable[[Report], int],
) -> int:
    """What `tell` returns, which is called while the fabric is still there."""
    try:
        progress.step("starting switches, hosts and the controller")
        with Fabric(
            spec,
            mbps=LINK_MBPS,
            controller_command=options.controller_command,
            polling=Polling(progress.waiting),
        ) as fabric:
            report = Scenario(fabric, options.seconds, progress).run()
            progress.clear()
            return tell(report)
    finally:
        progress.clear()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="evenweave demo",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Shows on a live fabric how the uplinks of a switch are shared, what that\n"
        "does to long flows, and what happens when a link fails. Takes about a minute.",
        epilog=_EPILOG,
    )
    # Given by the launcher; {fabric}, {openflow} and {http} in it are filled in.
    parser.add_argument("--controller-command", required=True, type=command, help=argparse.SUPPRESS)
    # Taken by the launcher, which chooses the command above; here only for the help.
    parser.add_argument(
        "--onos", action="store_true", help="with ONOS 2.7.0 (see ONOS_HOME) as the controller"
    )
    parser.add_argument(
        "--keep",
        action="store_true",
        help="keep the fabric until Ctrl-C, and print the address of the controller's page\n"
        "(not with --onos)",
    )
    # The socket for the page that the process outside listens on.
    parser.add_argument("--page-socket", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="print one JSON object, nothing else")
    parser.add_argument(
        "--seconds",
        type=_seconds,
        default=15.0,
        help="how long long flows are measured under each strategy (default: %(default)g)",
    )
    parser.add_argument(
        "--fabric",
        default=str(IMBALANCED_3X3),
        metavar="FILE",
        help="a two-stage fabric (default: the dissertation's Figure 3.2)",
    )
    return parser


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 1 <= seconds <= 3600:
        raise argparse.ArgumentTypeError(f"must be 1 to 3600 seconds, not {text!r}")
    return seconds
