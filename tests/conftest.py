"""End-to-end tests: marked `fabric` where they need network namespaces (see pytest_plugin)."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from runtimes import ROOT, RUNTIMES, LiveFabric
from sdd_pair import PAIR

from evenweave_testbed.controller import HTTP_ADDRESS
from evenweave_testbed.credentials import Credentials
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.onos.rest import OnosRest
from evenweave_testbed.pytest_plugin import (  # noqa: F401
    pytest_cmdline_main,
    pytest_collection_modifyitems,
    pytest_configure,
)
from evenweave_testbed.sdd.bed import CONTROLLER, Bed, BedPlan
from evenweave_testbed.sdd.pki import Authority
from evenweave_testbed.sdd.stand_in import StandIn, Terms
from evenweave_topos.fabric_file import IMBALANCED_3X3, load

# A hang guard: a command takes seconds on an idle machine.
HANG_S = 900.0
_LOG_LINES = 30
# so that applications of tests, which are processes of their own, find sdd-host's client
os.environ["PYTHONPATH"] = os.pathsep.join(
    [str(ROOT / "host/sdd-client/python"), *filter(None, [os.environ.get("PYTHONPATH")])]
)
_LOG_LINE_CHARACTERS = 160


@pytest.fixture(scope="session")
def live_fabric() -> Iterator[LiveFabric]:
    live = LiveFabric()
    yield live
    live.close()


@pytest.fixture(scope="session", params=RUNTIMES)
def runtime(request: pytest.FixtureRequest) -> str:
    """ "embedded" or "onos". Of session scope, so that all tests on one come before the other's."""
    return request.param


@pytest.fixture
def fabric(live_fabric: LiveFabric, runtime: str) -> Fabric:
    """The fabric of Figure 3.2, unshaped, converged, with each of the controllers."""
    return live_fabric.get(load(IMBALANCED_3X3), runtime)


@pytest.fixture
def onos(fabric: Fabric) -> OnosRest:
    """The REST interface of the ONOS that is the fabric's controller."""
    return OnosRest(HTTP_ADDRESS, Credentials.of_onos())


@pytest.fixture
def one_processor() -> Iterator[None]:
    """What a test starts runs on one processor. Between two, Linux reorders: a packet waits in the
    backlog of the processor that sent it, while the next of its flow passes on the other."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    yield
    os.sched_setaffinity(0, before)


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("pki"))


@pytest.fixture
def start_bed(authority: Authority, tmp_path: Path) -> Iterator[Callable]:
    """Starts a bed and its controller: bed, controller = start_bed(plan, terms)."""
    with contextlib.ExitStack() as stack:

        def build(plan: BedPlan = PAIR, terms: Terms | None = None) -> tuple[Bed, StandIn]:
            controller = StandIn(
                authority.issue(CONTROLLER), authority.certificate, terms or Terms()
            )
            stack.callback(controller.close)
            # shown if the test fails
            stack.callback(lambda: [print(p.read_text()) for p in tmp_path.glob("*.log")])
            return stack.enter_context(Bed(plan, tmp_path, controller.port, authority)), controller

        yield build


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    """A test on ONOS must not be skipped with REQUIRE_ONOS=1. A test that fails on the fabric shows
    what the controllers said last."""
    report = (yield).get_result()
    required = os.environ.get("REQUIRE_ONOS") == "1" and item.get_closest_marker("onos")
    if required and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"REQUIRE_ONOS=1, but {report.longrepr[2]}"
    fixtures = getattr(item, "funcargs", {})
    fabric = fixtures.get("fabric") or getattr(fixtures.get("cluster"), "fabric", None)
    if report.failed and fabric is not None:
        logs = [fabric.directory / "controller.err", *(fabric.directory / "onos").glob("*.log")]
        report.sections += [(log.name, "\n".join(last_words(log))) for log in logs if log.exists()]


def last_words(log: Path) -> list[str]:
    """The last lines of a log; of ONOS's only what is wrong, or the engine's."""
    lines = re.sub(r"\x1b\[[0-9;]*m", "", log.read_text(errors="replace")).splitlines()
    if log.suffix == ".log":
        loggers = "Engine|TopologyEvents|EvenweaveManager|EngineRunner|ApplicationRemoval"
        of_interest = rf"WARN|ERROR|\[({loggers})\]"
        lines = [line[:_LOG_LINE_CHARACTERS] for line in lines if re.search(of_interest, line)]
    return lines[-_LOG_LINES:]


@pytest.fixture
def evenweave():
    """Runs the command as a user would: evenweave("demo", "--json")."""

    def run(*arguments: str, timeout_s: float = HANG_S) -> subprocess.CompletedProcess:
        return run_command([str(ROOT / "evenweave"), *arguments], timeout_s)

    return run


def run_command(command: Sequence[str], timeout_s: float = HANG_S) -> subprocess.CompletedProcess:
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout_s, check=False)
