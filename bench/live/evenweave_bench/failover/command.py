"""The benchmark's command line: options, exit status, output."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

from evenweave_bench import common_options
from evenweave_bench.failover import failures, frr, memory, routers, startup, stock
from evenweave_bench.failover.failures import FailoverError
from evenweave_bench.failover.render import render
from evenweave_bench.failover.routers import RouterFabric, RoutersError
from evenweave_bench.failover.runtimes import OnosRuntime, Runtime, Standalone
from evenweave_bench.failover.samples import (
    compare,
    compare_outages,
    figures,
    outages,
    stage_figures,
)
from evenweave_testbed.command_line import FAILED, run_isolated
from evenweave_testbed.controller import ControllerError
from evenweave_testbed.fabric import Fabric, FabricNotReady
from evenweave_testbed.onos.distribution import Distribution, OnosMissing, atomix_server
from evenweave_testbed.onos.rest import OnosError
from evenweave_testbed.openvswitch import SwitchError
from evenweave_testbed.progress import Progress
from evenweave_testbed.run_directory import RunDirectory
from evenweave_testbed.silence import SilenceError
from evenweave_topos.fabric_file import IMBALANCED_3X3, load

RUNTIMES = {"standalone": 0, "onos1": 1, "onos3": 3, "onosStock": 1, "frr": 0}
"""The runtimes and how many instances of ONOS each needs."""

_EPILOG = """\
runtimes:
  standalone  the embedded runtime
  onos1       the application on one instance of ONOS 2.7.0
  onos3       the same on a cluster of three instances
  onosStock   ONOS without the application: host-to-host intents
  frr         with --bfd: the same fabric of Linux routers under FRR, BGP and BFD

examples:
  ./evenweave bench failover
  ./evenweave bench failover --json --runtimes standalone,onosStock
  ./evenweave bench failover --failures 3 --no-start-up --runtimes standalone
  ./evenweave bench failover --bfd 50 --no-start-up --runtimes standalone,frr
  ./evenweave bench failover --stages --no-start-up --runtimes standalone,onos1

The ONOS runtimes are skipped where ONOS_HOME holds no ONOS 2.7.0. Each takes 4 s per failure and
ONOS's start, twice; 30 failures on all runtimes take a quarter of an hour.

exit status: 0 if no runtime failed and no report was wrong, 1 if not, 2 for wrong usage or a
machine that cannot run it, 130 if interrupted. What is measured and how:
docs/reference/benchmarks.md
"""
_FAILURES = (
    *(ControllerError, FabricNotReady, FailoverError, OnosError, OSError),
    *(RoutersError, SilenceError, SwitchError),
)
_READY_TIMEOUT_S = 120.0


def run() -> int:
    """Runs the benchmark as the command line says; returns the exit status."""
    options = _parser().parse_args()
    isolated = run_isolated("bench failover", "evenweave_bench.failover")
    if isolated is not None:
        return isolated
    bench = Bench(options)
    try:
        result = bench.run()
    finally:
        bench.progress.clear()
    print(json.dumps(result, indent=1) if options.json else render(result))
    tables = [result.get(kind, {}) for kind in ("runtimes", "oneWay", "portDown", "startUp")]
    parts = [part for table in tables for part in table.items()]
    failed = [f"{name}: {part['failed']}" for name, part in parts if "failed" in part]
    late = [f"{name}: {change}" for name, part in parts for change in part.get("lateChanges", [])]
    for problem in failed + late:
        print(f"bench failover: {problem}", file=sys.stderr)
    return FAILED if failed or late else 0


class Bench:
    """The selected runtimes, one after another."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._memory: dict = {"skipped": "onos1 did not run"}
        missing = {name: self._missing(name) for name in RUNTIMES}
        self._skipped = {name: why for name, why in missing.items() if why}
        ran = len(RUNTIMES) - len(self._skipped)
        starts = sum(self._starts(name) for name in RUNTIMES)
        self.progress = Progress(2 * ran + starts)

    def run(self) -> dict:
        runtimes = {name: self._attempt(name, self._fail_links) for name in RUNTIMES}
        start_up = {
            name: self._attempt(name, self._start_up)
            for name in RUNTIMES
            if self._starts(name) or name in self._skipped
        }
        kinds = {"runtimes": runtimes}
        if self._options.bfd:
            kinds = {
                "runtimes" if kind == "silent" else kind: {
                    name: part.get(kind, part) for name, part in runtimes.items()
                }
                for kind in failures.DETECTED
            }
            for found in kinds.values():
                compare_outages(found)
        baseline = compare(kinds["runtimes"])
        return {
            "failures": self._options.failures,
            "bfdMs": self._options.bfd,
            "baseline": baseline,
            **kinds,
            "startUp": start_up,
            "memory": self._memory,
        }

    def _attempt(self, name: str, measure: Callable[[str], dict]) -> dict:
        """What was measured; or why it was skipped, or how it failed, and others go on."""
        if name in self._skipped:
            return {"skipped": self._skipped[name]}
        try:
            measured = measure(name)
        except _FAILURES as error:
            measured = {"failed": str(error)}
        # So that a run that is ended early has not been for nothing.
        self.progress.clear()
        print(f"{name}: {json.dumps(measured)}", file=sys.stderr, flush=True)
        return measured

    def _missing(self, name: str) -> str | None:
        if name not in self._options.runtimes:
            return "not asked for"
        if name == "onosStock" and self._options.bfd:
            return "ONOS by itself does not follow BFD"
        if name == "frr":
            return routers.missing() if self._options.bfd else "compared with --bfd only"
        try:
            if RUNTIMES[name]:
                Distribution.find()
            if RUNTIMES[name] > 1:
                atomix_server()
        except OnosMissing as error:
            return str(error)
        return None

    def _starts(self, name: str) -> bool:
        """Whether the start of twelve switches is measured; ONOS by itself has no groups."""
        others = ("onosStock", "frr")
        return self._options.start_up and name not in others and name not in self._skipped

    def _runtime(self, name: str, fabric: Fabric) -> Runtime:
        if name == "standalone":
            return Standalone(fabric, self._options.standalone)
        return OnosRuntime(fabric, self._options.oar, RUNTIMES[name])

    def _start_up(self, name: str) -> dict:
        self.progress.step(f"{name}: starting a fabric of 12 switches")
        return startup.measure(lambda fabric: self._runtime(name, fabric))

    def _fail_links(self, name: str) -> dict:
        self.progress.step(f"{name}: starting")
        if name == "frr":
            return self._fail_links_of_routers()
        with Fabric(load(IMBALANCED_3X3)) as fabric, self._runtime(name, fabric) as runtime:
            if name == "onosStock":
                fabric.connect_switches(*runtime.targets())
                self.progress.step(f"{name}: failing {self._options.failures} links")
                samples = stock.measure(
                    fabric,
                    _onos_of(runtime).onos.rest(),
                    self._options.failures,
                    self.progress.fraction,
                )
                return figures(samples)
            return self._fail_links_of_evenweave(name, fabric, runtime)

    def _fail_links_of_routers(self) -> dict:
        run_directory = RunDirectory.current()
        assert run_directory is not None, "run_isolated has made one"
        period_ms = self._options.bfd
        with RouterFabric(load(IMBALANCED_3X3), run_directory.sockets / "frr", period_ms) as fabric:
            self.progress.step(f"frr: failing {self._options.failures} links")
            return {
                kind: outages(
                    frr.measure(fabric, kind, self._options.failures, self.progress.fraction)
                )
                for kind in failures.DETECTED
            }

    def _fail_links_of_evenweave(self, name: str, fabric: Fabric, runtime: Runtime) -> dict:
        measured = MemoryOf(_onos_of(runtime)) if name == "onos1" else None
        fabric.connect_switches(*runtime.targets())
        if measured:
            stock.discover(fabric, _onos_of(runtime).onos.rest())
            measured.take("withoutApp")
        fabric.controller = runtime.deploy()
        fabric.ready(_READY_TIMEOUT_S)
        if measured:
            measured.take("withApp")
        self.progress.step(f"{name}: failing {self._options.failures} links")
        found: dict = {}
        if self._options.bfd:
            for kind, mode in failures.DETECTED.items():
                found[kind] = self._figures(fabric, mode(self._options.bfd))
        else:
            found = self._figures(fabric, failures.PortDown())
        if measured:
            measured.take("afterFailures")
            self._memory = measured.result()
        return found

    def _figures(self, fabric: Fabric, mode: failures.PortDown) -> dict:
        samples = failures.measure(
            fabric, fabric.controller, self._options.failures, self.progress.fraction, mode
        )
        return figures(samples) | (stage_figures(samples) if self._options.stages else {})


class MemoryOf:
    """The memory of one ONOS at several times, or why there are no figures of it."""

    def __init__(self, runtime: OnosRuntime) -> None:
        self._java = Distribution.find().java
        self._pid = runtime.onos.instances[0].pid
        self._found: dict = {}

    def take(self, when: str) -> None:
        if "skipped" not in self._found:
            try:
                self._found[when] = memory.after_collection(self._java, self._pid)
            except memory.NoFigure as error:
                self._found = {"skipped": str(error)}

    def result(self) -> dict:
        if "skipped" in self._found:
            return self._found
        return self._found | {
            "added": memory.added(self._found["withoutApp"], self._found["withApp"])
        }


def _parser() -> argparse.ArgumentParser:
    parser = common_options.parser(
        "failover",
        "Measures how long the controllers take from a port that goes down to the\n"
        "last group confirmed, on the same fabric of six Open vSwitch switches; how long the\n"
        "start of twelve takes; and what memory the application adds to ONOS.",
        _EPILOG,
    )
    # Given by the launcher: what to compare.
    common_options.add_command(parser, "--standalone")
    parser.add_argument("--oar", type=Path, help=argparse.SUPPRESS)
    common_options.add_failures(parser, 30, "on each runtime")
    common_options.add_names(parser, "runtime", RUNTIMES)
    common_options.add_bfd(
        parser,
        0,
        "fail links silently, in one direction and by their ports, with BFD at this period",
    )
    parser.add_argument(
        "--stages",
        action="store_true",
        help="also show where the time until the confirmation goes, stage by stage",
    )
    parser.add_argument(
        "--no-start-up",
        dest="start_up",
        action="store_false",
        help="leave out the start of the fabric of twelve switches",
    )
    return parser


def _onos_of(runtime: Runtime) -> OnosRuntime:
    """A runtime that is ONOS, by its name."""
    assert isinstance(runtime, OnosRuntime)
    return runtime
