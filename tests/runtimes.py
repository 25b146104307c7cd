"""The controllers that the end-to-end tests run against, and the one fabric that is live."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from jvm import JAVA

from evenweave_testbed.controller import ControllerError
from evenweave_testbed.fabric import Fabric, FabricNotReady
from evenweave_testbed.onos.distribution import Distribution, OnosMissing, atomix_server
from evenweave_topos.fabric_file import FabricSpec

ROOT = Path(__file__).resolve().parents[1]
JAR = ROOT / "app/standalone/target/evenweave.jar"
CONTROLLER = [*JAVA, "-jar", str(JAR), "controller"]
# What the fabric fills in: its own fabric file and the addresses in its namespaces.
_ADDRESSES = ["--fabric", "{fabric}", "--openflow", "{openflow}", "--http", "{http}"]


def no_onos() -> str | None:
    """Why tests on ONOS cannot run here; None if they can."""
    try:
        Distribution.find()
    except OnosMissing as error:
        return str(error)
    return None


def no_cluster() -> str | None:
    """Why a cluster of ONOS cannot run here; None if it can."""
    try:
        atomix_server()
    except OnosMissing as error:
        return no_onos() or str(error)
    return no_onos()


def onos_application() -> Path:
    """The application as it was built last."""
    return _built("app/onos/target/evenweave-onos-*.oar")


def onos_solver() -> Path:
    """The application with the solver of strategy "traffic", as it was built last."""
    return _built("app/onos-traffic/target/evenweave-onos-traffic-*.oar")


def _built(pattern: str) -> Path:
    built = list(ROOT.glob(pattern))
    assert built, f"{pattern} is not built: ./evenweave test does it"
    return max(built, key=lambda oar: oar.stat().st_mtime)


def command_of(runtime: str) -> list[str]:
    """The command that runs a runtime as a fabric's controller."""
    if runtime == "embedded":
        return [*CONTROLLER, *_ADDRESSES]
    onos = [sys.executable, "-m", "evenweave_testbed.onos"]
    return [*onos, *_ADDRESSES, "--oar", str(onos_application())]


ONOS_IS_MISSING = no_onos()
needs_onos = [
    pytest.mark.onos,
    pytest.mark.skipif(ONOS_IS_MISSING is not None, reason=str(ONOS_IS_MISSING)),
]
CLUSTER_IS_MISSING = no_cluster()
needs_cluster = [
    pytest.mark.onos,
    pytest.mark.cluster,
    pytest.mark.skipif(CLUSTER_IS_MISSING is not None, reason=str(CLUSTER_IS_MISSING)),
]
RUNTIMES = ["embedded", pytest.param("onos", marks=needs_onos)]


class LiveFabric:
    """The one fabric there may be at a time. ONOS takes half a minute and more to start, so tests
    of different modules that ask for the same fabric and runtime, one after another, share it."""

    def __init__(self) -> None:
        self._live: Fabric | None = None
        self._key: tuple[FabricSpec, str] | None = None

    def get(self, spec: FabricSpec, runtime: str) -> Fabric:
        """The fabric, converged. One that a test before left unusable is made anew."""
        if self._key == (spec, runtime):
            try:
                self._live.ready()
                return self._live
            except (ControllerError, FabricNotReady):
                pass
        self.close()
        live = Fabric(spec, controller_command=command_of(runtime))
        live.__enter__()
        self._live, self._key = live, (spec, runtime)
        live.ready()
        return live

    def close(self) -> None:
        if self._live is not None:
            self._live.__exit__(None, None, None)
            self._live = self._key = None
