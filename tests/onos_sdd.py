"""Hosts on the SDD controller inside ONOS, and what one does with an instance of ONOS there."""

from __future__ import annotations

import json
import os
import subprocess
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from runtimes import ROOT

from conftest import run_command
from evenweave_testbed.onos.cluster import Onos
from evenweave_testbed.onos.rest import APPLICATION
from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_testbed.sdd.bed import Bed, BedPlan
from evenweave_testbed.sdd.pki import Identity

PORT = 6650


def make_keys(folder: Path, *names: str) -> Keys:
    """The keys of a controller, and of who connects by these names."""
    made = run_command([str(ROOT / "evenweave"), "sdd", "keys", str(folder), *names])
    assert made.returncode == 0, made.stderr
    return Keys(folder)


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
    """Hosts that expect the controller under the name that `evenweave sdd keys` gives it, at any of
    the addresses."""

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
            [
                "setsid",
                "-w",
                "ssh",
                *options,
                f"{self._rest.credentials.user}@{self.address}",
                line,
            ],
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
