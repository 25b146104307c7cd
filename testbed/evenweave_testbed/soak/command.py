"""The soak's command line: options, exit status, output."""

from __future__ import annotations

import argparse
import json
import random
import secrets
import shlex
import signal
import sys
import time
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from evenweave_testbed.command_line import (
    BAD_USE,
    FAILED,
    HelpFormatter,
    command,
    names_of,
    run_isolated,
    whole_number,
)
from evenweave_testbed.controller import ControllerError
from evenweave_testbed.fabric import Fabric, FabricNotReady
from evenweave_testbed.grey.wires import WireError, no_wires
from evenweave_testbed.openvswitch import SwitchError
from evenweave_testbed.soak.availability import AvailabilitySchedule
from evenweave_testbed.soak.fabrics import RandomFabric, random_fabric
from evenweave_testbed.soak.faults import KINDS, RESTARTS
from evenweave_testbed.soak.oracle import Oracle, OracleError
from evenweave_testbed.soak.record import Record, RecordError
from evenweave_testbed.soak.render import render
from evenweave_testbed.soak.report import Report, Violation
from evenweave_testbed.soak.run import FabricRun
from evenweave_testbed.soak.schedule import Schedule
from evenweave_testbed.soak.transfers import TransferError

_EPILOG = """\
examples:
  ./evenweave bench soak
  ./evenweave bench soak --faults 500 --seed 7 --json > soak.json
  ./evenweave bench soak --faults 20 --kinds link-down,link-up,controller-killed
  ./evenweave bench soak --onos --faults 40
  ./evenweave bench soak --faults 200 --seed 7 --record soak.record

The same seed, number of faults and kinds give the same fabrics and faults; the seed is drawn and
printed if it is not given. A fault takes some 6 s on two cores. A run that is interrupted prints
what it has found; with --record FILE the same command continues it after the last whole fabric.

exit status: 0 if everything held, 1 if something did not, 2 for bad use or a machine that cannot do
it, 130 if interrupted. What is done and what has to hold: docs/reference/soak.md
"""
_MOST_FAULTS = 1_000_000
# On a fabric of its own, so that no run is about one fabric alone.
_FAULTS_PER_FABRIC = 20
_SEED_LIMIT = 1 << 31
_FAILURES = (
    *(ControllerError, FabricNotReady, OracleError, OSError, SwitchError, TransferError),
    WireError,
)
# A single ONOS that comes back takes its rules out of the switches, by itself.
# Its other instances claim switches as others do, and its own log is not read by a process.
_NOT_ON_ONOS = RESTARTS | {"other-master", "same-datapath", "unread-log"}
# One fabric of so many has links with a middle, on which ports cannot go down as cables do.
_FABRICS_WITH_MIDDLES, _FIRST_WITH_MIDDLES = 3, 2
_NEED_MIDDLES = frozenset(
    {"lossy-link", "faint-link", "corrupt-link", "narrow-link", "late-link", "small-mtu"}
)
# So many fabrics in a row without a fault: none takes the kinds that are left.
_MOST_IDLE = 2 * _FABRICS_WITH_MIDDLES
_INTERRUPTED = 130


def run() -> int:
    """Runs the soak as the command line says; returns the exit status."""
    options = _parser().parse_args()
    if options.seed is None:
        options.seed = secrets.randbelow(_SEED_LIMIT)
        sys.argv += ["--seed", str(options.seed)]
    try:
        record = _record(options)
    except (OSError, RecordError) as error:
        print(f"bench soak: {error}", file=sys.stderr)
        return BAD_USE
    isolated = run_isolated("bench soak", "evenweave_testbed.soak")
    if isolated is not None:
        return isolated
    # As after SIGINT, so that what was found so far is printed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    report = Report(options.seed, "onos" if options.onos else "embedded")
    try:
        soak(options, report, record)
    except KeyboardInterrupt:
        if not report.interrupted:
            report.interrupted = True
            _print(options, report)
        print("bench soak: interrupted", file=sys.stderr)
        return _INTERRUPTED
    _print(options, report)
    return FAILED if report.violations else 0


def _print(options: argparse.Namespace, report: Report) -> None:
    print(json.dumps(report.to_json(), indent=1) if options.json else render(report), flush=True)


def soak(options: argparse.Namespace, report: Report, record: Record | None = None) -> None:
    """Does the requested faults, one fabric after another, but those on record. If interrupted,
    prints what was found so far before anything is taken down."""
    report.reproduce = _reproduce(options)
    _say(f"seed {options.seed}; to repeat: {report.reproduce}")
    kinds = _kinds(options)
    deck: list[str] = []
    if record is not None:
        deck = record.deck
        for done in record.fabrics:
            report.add(done)
        if record.fabrics:
            _say(f"{report.faults} faults on {len(record.fabrics)} fabrics are on record")
    by_model = None
    if options.model == "availability":
        by_model = AvailabilitySchedule(random.Random(f"{options.seed} faults"))
    with Oracle(options.tools) as oracle:
        number = len(report.fabrics)
        idle = 0
        while report.faults < options.faults:
            number += 1
            rng = random.Random(f"{options.seed} faults {number}")
            schedule = by_model or Schedule(rng, kinds, deck)
            made = random_fabric(random.Random(f"{options.seed} fabric {number}"))
            made = replace(made, middles=_has_middles(number, kinds))
            part = Report(report.seed, report.runtime, fabrics=[made.describe()])
            _say(f"fabric {number}: {made.describe()}")
            try:
                _one_fabric(number, made, schedule, oracle, options, report, part)
            except _FAILURES as error:
                part.violations.append(Violation(number, 0, "the bed", str(error)))
                _say(f"VIOLATION {part.violations[-1]}")
            idle = 0 if part.faults else idle + 1
            if idle == _MOST_IDLE:
                what = f"{idle} fabrics in a row take no fault of {', '.join(kinds)}"
                part.violations.append(Violation(number, 0, "the bed", what))
                _say(f"VIOLATION {part.violations[-1]}")
            report.add(part)
            if part.violations and not part.faults:
                break
            if isinstance(schedule, Schedule):
                deck = schedule.deck()
            if record is not None:
                record.add(part, deck)
    report.model = by_model.figures() if by_model else None


def _record(options: argparse.Namespace) -> Record | None:
    """The record to continue; None if none is wanted."""
    if options.record is None:
        return None
    run = {"seed": options.seed, "kinds": list(_kinds(options)), "onos": options.onos}
    return Record(options.record, run)


def _kinds(options: argparse.Namespace) -> list[str]:
    return [k for k in options.kinds if not (options.onos and k in _NOT_ON_ONOS)]


def _has_middles(number: int, kinds: Collection[str]) -> bool:
    """Whether the links of a run's fabric have a middle."""
    wanted = _NEED_MIDDLES.intersection(kinds)
    turn = number % _FABRICS_WITH_MIDDLES == _FIRST_WITH_MIDDLES or wanted == set(kinds)
    return bool(wanted) and turn and no_wires() is None


def _one_fabric(
    number: int,
    made: RandomFabric,
    schedule: Schedule | AvailabilitySchedule,
    oracle: Oracle,
    options: argparse.Namespace,
    before: Report,
    report: Report,
) -> None:
    """Adds to the report of one fabric; `before` has those before it."""
    began = time.monotonic()

    def say(text: str) -> None:
        elapsed_s = time.monotonic() - began
        _say(f"[{before.faults + report.faults}/{options.faults}] {elapsed_s:.0f} s: {text}")

    controller = options.controller_command
    if not options.onos:
        controller = [sys.executable, "-m", "evenweave_testbed.soak.read_log", "--", *controller]
    with Fabric(
        made.spec, hosts=made.hosts, controller_command=controller, middles=made.middles
    ) as fabric:
        live = FabricRun(number, fabric, oracle, report, not options.onos, say, made.middles)
        try:
            live.run(schedule, min(_FAULTS_PER_FABRIC, options.faults - before.faults))
        except KeyboardInterrupt:
            # To take a fabric down may need more time than is left.
            before.add(report)
            before.interrupted = True
            _print(options, before)
            raise


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _reproduce(options: argparse.Namespace) -> str:
    kinds = ["--kinds", ",".join(options.kinds)] if options.kinds != tuple(KINDS) else []
    onos = ["--onos"] if options.onos else []
    model = ["--model", options.model] if options.model else []
    seed = ["--faults", str(options.faults), "--seed", str(options.seed)]
    return shlex.join(["./evenweave", "bench", "soak", *seed, *kinds, *model, *onos])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="evenweave bench soak",
        formatter_class=HelpFormatter,
        description="Does random faults to random live fabrics, several at once, under 1000\n"
        "probes a second and a TCP connection between any two hosts. After each step the tables\n"
        "of all switches have to be what `evenweave plan` says, and no packet may be lost but\n"
        "those that no switch could know to be in danger.",
        epilog=f"kinds of faults:\n  {_wrapped(list(KINDS))}\n\n{_EPILOG}",
    )
    # Given by the launcher; {fabric}, {openflow} and {http} in the first are filled in.
    for option in ("--controller-command", "--tools"):
        parser.add_argument(option, required=True, type=command, help=argparse.SUPPRESS)
    # Taken by the launcher too, which chooses the command above.
    parser.add_argument(
        "--onos", action="store_true", help="with ONOS 2.7.0 (see ONOS_HOME) as the controller"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object, nothing else")
    parser.add_argument(
        "--faults",
        type=whole_number(1, _MOST_FAULTS),
        default=40,
        metavar="N",
        help="how many faults, twenty on each fabric (default: %(default)s)",
    )
    parser.add_argument(
        "--seed",
        type=whole_number(0, _SEED_LIMIT - 1),
        metavar="S",
        help="what fabrics and faults are drawn from (default: another each time)",
    )
    parser.add_argument(
        "--kinds",
        type=names_of("kind", KINDS),
        default=tuple(KINDS),
        metavar="NAME,...",
        help="only faults of these kinds (default: all)",
    )
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="add each fabric's results to FILE when it is done, and skip those that FILE has",
    )
    choice.add_argument(
        "--model",
        choices=("availability",),
        help="draw failures and repairs at the rates of the dissertation's Tables 3.1 and 3.2",
    )
    return parser


def _wrapped(names: list[str], per_line: int = 5) -> str:
    rows = [names[start : start + per_line] for start in range(0, len(names), per_line)]
    return ",\n  ".join(", ".join(row) for row in rows)
