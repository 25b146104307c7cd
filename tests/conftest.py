"""End-to-end tests: marked `fabric` where they need network namespaces (see pytest_plugin)."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from evenweave_topos.fabric import Fabric
from evenweave_topos.fabric_file import load
from evenweave_topos.pytest_plugin import (  # noqa: F401
    pytest_cmdline_main,
    pytest_collection_modifyitems,
    pytest_configure,
)

ROOT = Path(__file__).resolve().parents[1]
JAR = ROOT / "app/standalone/target/evenweave.jar"
IMBALANCED_3X3 = ROOT / "mininet-topos/fabrics/imbalanced_3x3.json"
CONTROLLER = ["java", "-jar", str(JAR), "controller"]
# What the fabric fills in: its own fabric file and the addresses in its namespaces.
CONTROLLER_OF_FABRIC = [
    *CONTROLLER,
    *("--fabric", "{fabric}", "--openflow", "{openflow}", "--http", "{http}"),
]


@pytest.fixture(scope="module")
def fabric() -> Iterator[Fabric]:
    """The fabric of Figure 3.2, unshaped, converged, with its controller."""
    with Fabric(load(IMBALANCED_3X3), controller_command=CONTROLLER_OF_FABRIC) as live:
        live.ready()
        yield live


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    """A test that fails on the fabric shows what the controller said last."""
    report = (yield).get_result()
    fabric = getattr(item, "funcargs", {}).get("fabric")
    if report.failed and fabric is not None:
        log = (fabric.directory / "controller.err").read_text(errors="replace")
        report.sections.append(("controller's log", "\n".join(log.splitlines()[-60:])))


@pytest.fixture
def evenweave():
    """Runs the command as a user would: evenweave("demo", "--json")."""

    def run(*arguments: str, timeout_s: float = 240) -> subprocess.CompletedProcess:
        return run_command([str(ROOT / "evenweave"), *arguments], timeout_s)

    return run


def run_command(command: Sequence[str], timeout_s: float = 60) -> subprocess.CompletedProcess:
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout_s, check=False)
