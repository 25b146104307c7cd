"""Hosts on the SDD controller inside ONOS, and what one does with an instance of ONOS there."""

from __future__ import annotations

import contextlib
import json
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from onos_shell import OnosShell
from runtimes import ROOT, onos_application
from waiting import eventually

from conftest import run_command
from evenweave_testbed.onos.cluster import Onos
from evenweave_testbed.onos.distribution import Distribution
from evenweave_testbed.onos.rest import APPLICATION
from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_testbed.sdd.bed import Bed, BedPlan
from evenweave_testbed.sdd.pki import Identity
from evenweave_topos.fabric_file import IMBALANCED_3X3, load

PORT = 6650
# Periods that two shared cores carry, as in the test bed's closed loop.
PERIOD_NS = 100_000_000
_GUARD_NS = 1_000_000
# A UDP packet every millisecond to each of the ports, with nothing that waits for an answer.
SENDER = """
import socket, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
while True:
    for port in sys.argv[2:]:
        s.sendto(bytes(1000), (sys.argv[1], int(port)))
    time.sleep(0.001)
"""


def document(plan: BedPlan, keys: Path, **more: object) -> dict:
    """A configuration of the SDD controller for these hosts."""
    return {
        "hosts": plan.names(),
        "listen": f"127.0.0.1:{PORT}",
        "keys": str(keys),
        "periodNs": PERIOD_NS,
        "guardNs": _GUARD_NS,
        "circuitBps": plan.link_bps,
        "safePolicy": "closed",
    } | more


def listens() -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", PORT)) == 0


@contextlib.contextmanager
def one_instance(directory: Path) -> Iterator[Onos]:
    """ONOS with the application and a fabric of which no switch is there."""
    with Onos(Distribution.find(), directory) as running:
        running.deploy(onos_application(), load(IMBALANCED_3X3).to_json())
        yield running


def make_keys(folder: Path, *names: str) -> Keys:
    """The keys of a controller, and of who connects by these names."""
    made = run_command([str(ROOT / "evenweave"), "keys", "make", str(folder), *names])
    assert made.returncode == 0, made.stderr
    return Keys(folder)


@dataclass(frozen=True)
class Keys:
    """A folder of `evenweave keys make`, as the test bed wants its authority."""

    folder: Path

    @property
    def certificate(self) -> Path:
        return self.folder / "ca.pem"

    def issue(self, name: str) -> Identity:
        return Identity(self.folder / f"{name}.pem", self.folder / f"{name}.key")


class Hosts(Bed):
    """Hosts that expect the controller under the name that `evenweave keys make` gives it, at any
    of the addresses."""

    def __init__(
        self, plan: BedPlan, directory: Path, keys: Keys, addresses: Sequence[str] = ("127.0.0.1",)
    ) -> None:
        super().__init__(plan, directory, PORT, keys)
        self._addresses = addresses

    def _control(self, name: str) -> dict:
        first, *others = self._addresses
        control = super()._control(name) | {"serverName": "controller", "address": first}
        standby = [{"address": address, "port": PORT} for address in others]
        return control | ({"standby": standby} if standby else {})


class Operator:
    """What one does with an instance of ONOS."""

    _netcfg = f"v1/network/configuration/apps/{APPLICATION}/sdd"

    def __init__(self, onos: Onos, directory: Path, index: int = 0) -> None:
        self.address = onos.address(index)
        self._rest = onos.rest(index)
        self._shell = OnosShell(self.address, self._rest.credentials, directory)

    def command(self, line: str) -> str:
        """What a command prints; AssertionError if it fails."""
        done = self._shell.run(line)
        assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"
        return done.stdout

    def refusal(self, line: str) -> str:
        """What a command that fails prints; AssertionError if it does not fail."""
        done = self._shell.run(line)
        assert done.returncode != 0, f"{line}: {done.stdout}"
        return done.stdout + done.stderr

    def said(self, line: str) -> str:
        """What a command prints, also if it fails: as while the controller starts anew."""
        done = self._shell.run(line)
        return done.stdout + done.stderr

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


@contextlib.contextmanager
def one_operator(onos: Onos, directory: Path) -> Iterator[Operator]:
    """An operator who leaves no SDD controller behind."""
    operator = Operator(onos, directory)
    yield operator
    operator.configure_none()
    eventually(lambda: not listens(), "end of listening")
