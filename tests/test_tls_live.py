"""TLS with real Open vSwitch switches and database servers: certificates of ovs-pki, BFD set up by
TLS, certificates that are renewed and revoked while packets pass."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from runtimes import command_of

from evenweave_bench.failover.failures import flows_between_all
from evenweave_testbed.controller import OPENFLOW_ADDRESS, Controller, ControllerProcess
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.loss import ProbeStream
from evenweave_testbed.openvswitch import run
from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_topos.fabric_file import IMBALANCED_3X3, load

pytestmark = [pytest.mark.fabric, pytest.mark.extended]

_OVSDB_PORT = 6640
_PROBE_RATE_PPS = 200
_HOST = OPENFLOW_ADDRESS.rpartition(":")[0]


def _keys(*arguments: str) -> None:
    command = command_of("embedded")
    java = command[: command.index("controller")]
    subprocess.run([*java, "keys", *arguments], check=True, capture_output=True, text=True)


@pytest.fixture
def secured(live_fabric) -> Iterator[Callable[[Path, dict[str, str]], Fabric]]:
    """Starts the fabric and its controller with keys: secured(keys, certificates) names switches'
    certificates in the fabric file. What is returned has switches that are not connected."""
    live_fabric.close()
    with ExitStack() as stack:

        def start(keys: Path, certificates: dict[str, str]) -> Fabric:
            spec = load(IMBALANCED_3X3)
            fabric = stack.enter_context(Fabric(spec))
            described = spec.to_json()
            for switch in described["switches"]:
                if switch["id"] in certificates:
                    switch["certificate"] = certificates[switch["id"]]
            fabric.fabric_file.write_text(json.dumps(described))
            command = [*command_of("embedded"), "--keys", str(keys)]
            process = ControllerProcess(command, fabric.fabric_file, fabric.directory)
            stack.callback(process.stop)
            process.start()
            fabric.process, fabric.controller = process, Controller(process)
            return fabric

        yield start


def _made(folder: Path) -> Path:
    ids = ",".join(switch.dpid for switch in load(IMBALANCED_3X3).switches)
    _keys("make", str(folder), f"--controller=controller={_HOST}", f"--switch=ovs={ids}")
    return folder


def _connect(fabric: Fabric, keys: Path) -> None:
    fabric.ovs.set_keys(keys / "ovs.key", keys / "ovs.pem", keys / "controllers-ca.pem")
    fabric.connect_switches(f"ssl:{OPENFLOW_ADDRESS}")


def test_switches_with_certificates_of_ovs_pki_connect_if_the_file_names_them(secured, tmp_path):
    pki, keys = tmp_path / "pki", _made(tmp_path / "keys")
    for command in (["init"], ["req+sign", "sc", "switch"]):
        at = tmp_path if command[0] == "init" else pki
        log = f"--log={tmp_path}/pki.log"
        subprocess.run(["ovs-pki", f"--dir={pki}", log, *command], cwd=at, check=True)
    with (keys / "ca.pem").open("a") as authorities:
        authorities.write((pki / "switchca/cacert.pem").read_text())
    printed = run(
        "openssl", "x509", "-in", str(pki / "sc-cert.pem"), "-noout", "-fingerprint", "-sha256"
    )
    fingerprint = printed.strip().partition("=")[2]
    switches = [switch.id for switch in load(IMBALANCED_3X3).switches]
    named = dict.fromkeys(switches[1:], f"sha256:{fingerprint}")
    fabric = secured(keys, named)
    fabric.ovs.set_keys(pki / "sc-privkey.pem", pki / "sc-cert.pem", keys / "controllers-ca.pem")
    fabric.connect_switches(f"ssl:{OPENFLOW_ADDRESS}")
    fabric.controller.wait(
        lambda status: status["switches"] == len(named), "the named switches", EVENT_LIMIT_S
    )
    # The one that the file does not name shows the same certificate.
    assert fabric.controller.status()["missing"]["switches"] == 1


def test_bfd_is_set_up_in_a_database_by_tls(secured, tmp_path):
    keys = _made(tmp_path / "keys")
    fabric = secured(keys, {})
    _connect(fabric, keys)
    fabric.ready()
    server = fabric.ovs.serve_database(_OVSDB_PORT, scheme="ssl")
    bfd = {"enabled": True, "intervalMs": 500, "ovsdb": [server]}
    fabric.controller.put_configuration(fabric.controller.configuration() | {"bfd": bfd})
    fabric.controller.wait(
        lambda _: len(fabric.ovs.detection()) == 2 * len(fabric.spec.links),
        "BFD on all links",
        EVENT_LIMIT_S,
    )
    fabric.ready()


def test_renewed_certificates_lose_no_packet_and_a_revoked_one_ends_its_connections(
    secured, tmp_path
):
    keys = _made(tmp_path / "keys")
    fabric = secured(keys, {})
    _connect(fabric, keys)
    fabric.ready()
    with ProbeStream(fabric, flows_between_all(fabric), _PROBE_RATE_PPS) as stream:
        _keys("renew", str(keys))
        os.kill(fabric.process.pid(), signal.SIGHUP)
        _wait_for_log(fabric, "keys and tokens were read again")
        # All switches show their new certificates to the controller's new one.
        fabric.connect_switches(f"ssl:{OPENFLOW_ADDRESS}", "ssl:127.0.0.1:1")
        fabric.ready()
    assert stream.result.lost_from(0) == 0
    _keys("revoke", str(keys), "ovs")
    os.kill(fabric.process.pid(), signal.SIGHUP)
    fabric.controller.wait(lambda s: s["switches"] == 0, "the end of all", EVENT_LIMIT_S)


def _wait_for_log(fabric: Fabric, line: str) -> None:
    log = fabric.directory / "controller.err"
    fabric.controller.wait(lambda _: line in log.read_text(), line, EVENT_LIMIT_S)
