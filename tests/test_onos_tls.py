"""ONOS's own TLS for OpenFlow, as docs/security.md describes it: keys of `evenweave keys`, the mode
`strict`, and certificates by device."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from runtimes import command_of, needs_onos

from evenweave_testbed.controller import OPENFLOW_ADDRESS
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.onos.rest import OnosRest
from evenweave_testbed.polling import EVENT_LIMIT_S

pytestmark = [pytest.mark.fabric, pytest.mark.extended, *needs_onos]

_COMPONENT = "org.onosproject.openflow.controller.impl.OpenFlowControllerImpl"
_PASSWORD = "of-the-stores"
_ALIAS = "ovs"


@pytest.fixture(scope="session")
def runtime() -> str:
    return "onos"


@pytest.fixture
def keys(fabric: Fabric, tmp_path: Path) -> Path:
    """A folder with keys of the controller and of the switches, and ONOS's stores of both."""
    folder = tmp_path / "keys"
    command = command_of("embedded")
    java = command[: command.index("controller")]
    host = OPENFLOW_ADDRESS.rpartition(":")[0]
    ids = ",".join(switch.dpid for switch in fabric.spec.switches)
    make = [f"--controller=controller={host}", f"--switch={_ALIAS}={ids}"]
    _run(*java, "keys", "make", str(folder), *make)
    own = ["-in", "controller.pem", "-inkey", "controller.key", "-name", "controller"]
    _run("openssl", "pkcs12", "-export", *own, "-out", "own.p12", *_openssl_password(), at=folder)
    _import("own.p12", _ALIAS, f"{_ALIAS}.pem", folder)
    _import("trusted.p12", "authority", "clients-ca.pem", folder)
    return folder


def _openssl_password() -> list[str]:
    return ["-passout", f"pass:{_PASSWORD}"]


def _import(store: str, alias: str, certificate: str, folder: Path) -> None:
    to = ["-keystore", store, "-storetype", "PKCS12", "-storepass", _PASSWORD]
    _run(
        "keytool", "-importcert", "-noprompt", *to, "-alias", alias, "-file", certificate, at=folder
    )


def _run(*command: str, at: Path | None = None) -> None:
    done = subprocess.run(command, cwd=at, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def strict(live_fabric, fabric: Fabric, onos: OnosRest, keys: Path) -> Iterator[None]:
    """ONOS demands the certificate of each device. It ends with the test, since it speaks TLS until
    its end once it has begun."""
    fabric.ready()
    fabric.ovs.set_keys(keys / "ovs.key", keys / "ovs.pem", keys / "controllers-ca.pem")
    for name, value in (
        ("keyStore", str(keys / "own.p12")),
        ("keyStorePassword", _PASSWORD),
        ("trustStore", str(keys / "trusted.p12")),
        ("trustStorePassword", _PASSWORD),
        ("tlsMode", "strict"),
    ):
        onos.set_property(_COMPONENT, name, value)
    yield
    live_fabric.close()


def _connected(fabric: Fabric, switches: int) -> None:
    fabric.controller.wait(
        lambda status: status["switches"] == switches, f"{switches} switches", EVENT_LIMIT_S
    )


def test_only_switches_with_their_certificates_connect(fabric, onos, strict):
    fabric.connect_switches(f"ssl:{OPENFLOW_ADDRESS}")
    *named, unnamed = (f"of:{switch.dpid}" for switch in fabric.spec.switches)
    for device in named:
        onos.configure_device(device, "openflow", {"keyAlias": _ALIAS})
    _connected(fabric, len(named))
    assert fabric.controller.status()["missing"]["switches"] == 1
    onos.configure_device(unnamed, "openflow", {"keyAlias": _ALIAS})
    fabric.ready()
    fabric.connect_switches(f"tcp:{OPENFLOW_ADDRESS}")
    _connected(fabric, 0)
