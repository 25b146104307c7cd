"""The SDD controller inside ONOS: real hosts on it, seen by ONOS's operators."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import controlled_edge
import pytest
from runtimes import ROOT, LiveFabric, needs_onos, onos_application
from waiting import eventually

from conftest import run_command
from evenweave_testbed.edge.bed import EdgeBed
from evenweave_testbed.onos.cluster import Onos
from evenweave_testbed.onos.distribution import Distribution
from evenweave_testbed.onos.rest import APPLICATION
from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_testbed.sdd.bed import Bed, BedPlan
from evenweave_testbed.sdd.pki import Identity
from evenweave_topos.fabric_file import IMBALANCED_3X3, load

pytestmark = [pytest.mark.fabric, *needs_onos]

HOSTS = BedPlan(hosts=2, circuit_switch=False)
_PORT = 6650
# Periods that two shared cores carry, as in the test bed's closed loop.
_PERIOD_NS = 100_000_000
_GUARD_NS = 1_000_000
# A UDP packet every millisecond, with nothing that waits for an answer.
_SENDER = """
import socket, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
while True:
    s.sendto(bytes(1000), (sys.argv[1], 7))
    time.sleep(0.001)
"""


@dataclass(frozen=True)
class Keys:
    """A folder of `evenweave sdd keys`, as the test bed wants its authority."""

    folder: Path

    @property
    def certificate(self) -> Path:
        return self.folder / "ca.pem"

    def issue(self, name: str) -> Identity:
        return Identity(self.folder / f"{name}.pem", self.folder / f"{name}.key")


class Hosts(Bed):
    """Hosts that expect the controller under the name that `evenweave sdd keys` gives it."""

    def _control(self, name: str) -> dict:
        return super()._control(name) | {"serverName": "controller"}


class Operator:
    """What one does with a single ONOS."""

    _netcfg = f"v1/network/configuration/apps/{APPLICATION}/sdd"

    def __init__(self, onos: Onos, directory: Path) -> None:
        self._rest = onos.rest()
        self._password = directory / "password"
        self._password.write_text(f"#!/bin/sh\necho {self._rest.credentials.password}\n")
        self._password.chmod(0o700)

    def command(self, line: str) -> str:
        """What a command prints; AssertionError if it fails."""
        options = [
            *("-p", "8101", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"),
            *("-o", "LogLevel=ERROR", "-o", "PubkeyAuthentication=no"),
            # ONOS 2.7 has no newer kind of key.
            *("-o", "HostKeyAlgorithms=+ssh-rsa"),
        ]
        done = subprocess.run(
            ["setsid", "-w", "ssh", *options, f"{self._rest.credentials.user}@127.0.0.1", line],
            env=os.environ | {"SSH_ASKPASS": str(self._password), "SSH_ASKPASS_REQUIRE": "force"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=EVENT_LIMIT_S,
            check=False,
        )
        assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"
        return done.stdout

    def configure(self, document: dict) -> tuple[int, dict]:
        """Gives the application its SDD controller; ONOS's answer."""
        return self.ask("POST", self._netcfg, document)

    def configure_none(self) -> None:
        assert self.ask("DELETE", self._netcfg)[0] == 204

    def get(self, resource: str) -> tuple[int, dict]:
        return self.ask("GET", f"evenweave/{resource}")

    def ask(self, method: str, path: str, body: dict | None = None) -> tuple[int, dict]:
        request = urllib.request.Request(
            f"{self._rest.base}/{path}",
            None if body is None else json.dumps(body).encode(),
            self._rest.credentials.headers()
            | ({} if body is None else {"Content-Type": "application/json"}),
            method=method,
        )
        try:
            with urllib.request.urlopen(request, timeout=EVENT_LIMIT_S) as answer:
                return answer.status, json.loads(answer.read() or "{}")
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or "{}")


def document(keys: Path, **more: object) -> dict:
    return {
        "hosts": HOSTS.names(),
        "listen": f"127.0.0.1:{_PORT}",
        "keys": str(keys),
        "periodNs": _PERIOD_NS,
        "guardNs": _GUARD_NS,
        "circuitBps": HOSTS.link_bps,
        "safePolicy": "closed",
    } | more


def listens() -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", _PORT)) == 0


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdd") / "keys"
    names = [*HOSTS.names(), controlled_edge.NAME]
    made = run_command([str(ROOT / "evenweave"), "sdd", "keys", str(folder), *names])
    assert made.returncode == 0, made.stderr
    return folder


@pytest.fixture(scope="module")
def onos(live_fabric: LiveFabric, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Onos]:
    live_fabric.close()
    with Onos(Distribution.find(), tmp_path_factory.mktemp("onos")) as running:
        running.deploy(onos_application(), load(IMBALANCED_3X3).to_json())
        yield running


@pytest.fixture
def operator(onos: Onos, tmp_path: Path) -> Iterator[Operator]:
    operator = Operator(onos, tmp_path)
    yield operator
    operator.configure_none()
    eventually(lambda: not listens(), "end of listening")


def test_without_a_configuration_there_is_no_controller(operator):
    status, answer = operator.get("sdd/status")
    assert status == 404
    assert "apps/org.evenweave.app/sdd" in answer["error"]
    assert not listens()


@pytest.fixture
def hosts(operator: Operator, keys: Path, tmp_path: Path) -> Iterator[Hosts]:
    """Hosts under the controller, of which h1 sends to h2."""
    assert operator.configure(document(keys))[0] == 200
    eventually(listens, "SDD controller")
    with Hosts(HOSTS, tmp_path, _PORT, Keys(keys)) as hosts:
        hosts.start("h1", "python3", "-c", _SENDER, hosts.address("h2"))
        eventually(lambda: operator.get("sdd/status")[1]["connected"] == 2, "hosts")
        eventually(lambda: operator.get("sdd/demand")[1]["totalBytes"] > 0, "demand")
        eventually(lambda: sent(operator) > 100, "packets in slots")
        yield hosts


def test_hosts_on_the_controller_are_in_rest(operator, hosts):
    status = operator.get("sdd/status")[1]
    assert (status["runsOn"], status["instance"]) == ("127.0.0.1", "127.0.0.1")
    rows = {host["name"]: host for host in operator.get("sdd/hosts")[1]["hosts"]}
    assert rows["h1"]["addresses"] == [hosts.address("h1")]
    assert rows["h1"]["clock"]["good"]
    assert rows["h1"]["fallback"] == "none"
    assert rows["h1"]["datagrams"]["sent"] > 0
    days = operator.get("sdd/schedule")[1]["days"]
    # The way back has a little demand too: nobody takes the packets, and h2 says so.
    assert any({"from": "h1", "to": "h2"} in day["circuits"] for day in days)
    assert operator.get("sdd/queues?host=h3")[0] == 404


@pytest.mark.skipif(shutil.which("ssh") is None, reason="ONOS's command line needs ssh")
def test_hosts_on_the_controller_are_on_the_command_line(operator, hosts):
    listed = operator.command("sdd-hosts")
    assert "hosts=2, connected=2" in listed
    assert "host=h1, connected=true, clock=good" in listed
    assert "      to=h2, demandBytes=" in listed
    rows = json.loads(operator.command("sdd-hosts -j"))["hosts"]
    assert [row["name"] for row in rows] == ["h1", "h2"]
    schedule = operator.command("sdd-schedule")
    assert "circuits=h1>h2" in schedule
    assert "lateDays=" in schedule
    assert "queue=1, to=h2, network=circuit" in operator.command("sdd-queues h1")
    assert "from=h1, to=h2, bytes=" in operator.command("sdd-demand")
    assert "packetsOutOfSlot=" in operator.command("sdd-misses")
    assert "runsOn=127.0.0.1" in operator.command("sdd-status")


@pytest.fixture
def edge(operator: Operator, keys: Path, tmp_path: Path) -> Iterator[EdgeBed]:
    """An edge under the controller."""
    name = controlled_edge.NAME
    with controlled_edge.wired_bed(tmp_path) as bed:
        listen = f"{controlled_edge.ADDRESS}:{_PORT}"
        assert operator.configure(document(keys, listen=listen, edge={"hosts": [name]}))[0] == 200
        issued = Keys(keys)
        controlled_edge.start(bed, _PORT, issued.issue(name), issued.certificate, "controller")
        eventually(lambda: "report" in shown_edge(operator), lambda: shown_edge(operator))
        yield bed


def shown_edge(operator: Operator) -> dict:
    return operator.get(f"sdd/edge/{controlled_edge.NAME}")[1]


def discoveries_age_s(operator: Operator) -> float:
    """Seconds since the edge's last round of discovery; 0 before the first."""
    shown = shown_edge(operator)
    (peer,) = shown["report"]["peers"]
    found = peer.get("discovery", {}).get("ageNs")
    return 0 if found is None else (found + shown["reportAgeNs"]) / 1e9


def test_an_edge_gets_orders_and_discovers_its_paths_after_a_change(operator, edge):
    order = {"scheme": "alb", "gapUs": 500, "gapAdaptPercent": 70, "rttUs": 300, "reportMs": 100}
    assert operator.ask("PUT", "evenweave/sdd/edge/order", order)[0] == 200
    eventually(
        lambda: shown_edge(operator)["report"]["peers"][0]["scheme"] == "alb", "ordered scheme"
    )
    peer = edge.show("h1")["peer"]
    assert [peer["scheme"], peer["gapAdaptPercent"], peer["rttNs"]] == ["alb", 70, 300_000]
    eventually(lambda: discoveries_age_s(operator) > 1, "first discovery, a second ago")
    asked = time.monotonic()
    try:
        assert operator.ask("PUT", "evenweave/exclusions/s2-0")[0] == 200
        eventually(
            lambda: 0 < discoveries_age_s(operator) < time.monotonic() - asked, "discovery at once"
        )
    finally:
        operator.ask("DELETE", "evenweave/exclusions/s2-0")


@pytest.mark.skipif(shutil.which("ssh") is None, reason="ONOS's command line needs ssh")
def test_an_edge_is_on_the_command_line(operator, edge):
    assert "name=e1, connected=true" in operator.command("sdd-edge")
    one = operator.command(f"sdd-edge {controlled_edge.NAME}")
    assert "address=192.168.2.1, scheme=edge-flowlet" in one
    assert re.search("      path=0, .*weight=.*flowlets=.*receivedLate=.*marksTaken=.*hops=", one)


def test_hosts_are_on_their_own_without_the_configuration_and_return_with_it(operator, hosts, keys):
    operator.configure_none()
    eventually(lambda: not listens(), "end of listening")
    assert operator.get("sdd/hosts")[0] == 404
    assert operator.get("status")[0] == 200, "the rest of the application goes on"
    # A slot that began ends within its period. Then hosts hear nothing for 20, and fall back to
    # sending nothing.
    time.sleep(2 * _PERIOD_NS / 1e9)
    before = sent_by(hosts)
    time.sleep(25 * _PERIOD_NS / 1e9)
    assert sent_by(hosts) == before
    assert operator.configure(document(keys))[0] == 200
    eventually(lambda: sent_by(hosts) > before, "packets in slots")


@pytest.mark.skipif(shutil.which("ssh") is None, reason="ONOS's command line needs ssh")
def test_traffic_classes_get_their_rates_and_are_shown(operator, keys, tmp_path):
    classes = [
        {"name": "web", "weight": 3, "flows": [{"protocol": 17, "destinationPort": 7}]},
        {"name": "rest", "flows": [{"protocol": 17}]},
    ]
    sharing = {"method": "tree", "capacityBps": 400_000, "packetBytes": 1042, "classes": classes}
    # a host that hears nothing for long would follow its safe policy instead
    configuration = document(keys, sharing=sharing, lostAfterPeriods=100_000)
    assert operator.configure(configuration)[0] == 200
    eventually(listens, "SDD controller")
    with Hosts(HOSTS, tmp_path, _PORT, Keys(keys)) as hosts:
        hosts.start("h1", "python3", "-c", _SENDER, hosts.address("h2"))
        # Nobody else sends, so the class gets all but what the others need to be noticed.
        eventually(lambda: shown_rate_bps(operator) > 350_000, lambda: operator.get("sdd/rates"))
        rows = operator.get("sdd/rates")[1]["rates"]
        assert {(row["host"], row["class"]) for row in rows} == {
            (host, row["name"]) for host in HOSTS.names() for row in classes
        }
        eventually(lambda: sent_in_class(operator, "web") > 5, "packets of the class")
        connected = hosts.log("sdd-host").count("controller: connected")
        # On the command line, then by the network configuration: in the same sessions.
        classes[0]["name"] = "mail"
        listed = operator.command(f"sdd-sharing '{json.dumps(sharing)}'")
        assert "name=mail, weight=3" in listed
        eventually(lambda: sent_in_class(operator, "mail") > 5, "packets of the new class")
        # A trigger that its host finds true at once.
        triggers = [{"name": "mailed", "queue": "class:mail", "when": "sentPackets > 0"}]
        listed = operator.command(f"sdd-triggers '{json.dumps(triggers)}'")
        assert "name=mailed, queue=class:mail, when=sentPackets > 0" in listed
        eventually(
            lambda: "event=fired, trigger=mailed, host=h1" in operator.command("sdd-events"),
            "event",
        )
        configuration["triggers"] = triggers
        classes[1]["guaranteedBps"] = 100_000
        assert operator.configure(configuration)[0] == 200
        eventually(
            lambda: "name=rest, guaranteedBps=100000" in operator.command("sdd-sharing"),
            "guarantee",
        )
        assert "sentBps=" in operator.command("sdd-rates")
        assert "event=fired, trigger=mailed, host=h1" in operator.command("sdd-events")
        assert hosts.log("sdd-host").count("controller: connected") == connected


def shown_rate_bps(operator: Operator) -> int:
    """What the command line says that the first class may send at h1."""
    return int(
        re.search(r"name=web,.*\n +host=h1, rateBps=(\d+)", operator.command("sdd-rates"))[1]
    )


def sent_in_class(operator: Operator, name: str) -> int:
    status, answer = operator.get("sdd/queues?host=h1")
    rows = answer["queues"] if status == 200 else []
    return sum(queue["sentPackets"] for queue in rows if queue.get("class") == name)


def sent(operator: Operator) -> int:
    """Packets that h1 has sent to h2."""
    status, answer = operator.get("sdd/queues?host=h1")
    return sum(queue["sentPackets"] for queue in answer["queues"]) if status == 200 else 0


def sent_by(hosts: Hosts) -> int:
    """The same by the host's own account."""
    return sum(queue["sentPackets"] for queue in hosts.statistics()["hosts"]["h1"]["queues"])


def test_a_configuration_that_cannot_be_meant_is_refused_with_the_fields_path(operator, keys):
    assert operator.configure(document(keys))[0] == 200
    eventually(listens, "SDD controller")
    wrong = document(keys, packetFlows=[{"protocol": 6}, {"port": 1}])
    answer = json.dumps(operator.configure(wrong)[1])
    assert "packetFlows[1].port" in answer
    assert "unknown field" in answer
    assert operator.get("sdd/status")[0] == 200
    assert listens()


def test_a_controller_that_cannot_start_says_why_and_starts_when_it_can(operator, keys, onos):
    # relative to $ONOS_HOME/config
    assert operator.configure(document(Path("later")))[0] == 200
    folder = onos.instances[0].directory / "config" / "later"
    eventually(lambda: "later" in operator.get("sdd/status")[1]["error"], "reason")
    status, answer = operator.get("sdd/status")
    assert status == 503
    assert str(folder / "controller.pem") in answer["error"]
    assert operator.get("status")[0] == 200, "the rest of the application goes on"
    folder.symlink_to(keys)
    eventually(listens, "SDD controller")
    assert operator.get("sdd/status")[0] == 200


def test_an_address_in_use_is_said(operator, keys):
    with socket.create_server(("127.0.0.1", _PORT)):
        assert operator.configure(document(keys))[0] == 200
        eventually(lambda: "in use" in operator.get("sdd/status")[1].get("error", ""), "reason")
        assert f"127.0.0.1:{_PORT}" in operator.get("sdd/status")[1]["error"]
        assert operator.get("status")[0] == 200
    eventually(lambda: operator.get("sdd/status")[0] == 200, "SDD controller")


def test_the_resources_are_documented_by_onos_and_closed_to_strangers(operator, onos):
    status, docs = operator.ask("GET", "v1/docs/apis/onos/evenweave/swagger.json")
    assert status == 200
    assert "/sdd/schedule" in docs["paths"]
    with pytest.raises(urllib.error.HTTPError) as refusal:
        urllib.request.urlopen(f"{onos.rest().base}/evenweave/sdd/hosts", timeout=EVENT_LIMIT_S)
    assert refusal.value.code == 401
