"""The shell of an ONOS instance, by SSH."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from evenweave_testbed.credentials import Credentials
from evenweave_testbed.polling import EVENT_LIMIT_S


class OnosShell:
    def __init__(self, address: str, credentials: Credentials, directory: Path) -> None:
        """`directory` is where a program is put that tells ssh the password."""
        self._user = f"{credentials.user}@{address}"
        self._password = directory / "password"
        self._password.write_text(f"#!/bin/sh\necho {credentials.password}\n")
        self._password.chmod(0o700)

    def run(self, line: str) -> subprocess.CompletedProcess:
        """Runs one command; its status is that of the command."""
        options = [
            *("-p", "8101", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"),
            *("-o", "LogLevel=ERROR", "-o", "PubkeyAuthentication=no"),
            # ONOS 2.7 has no newer kind of key.
            *("-o", "HostKeyAlgorithms=+ssh-rsa"),
        ]
        return subprocess.run(
            ["setsid", "-w", "ssh", *options, self._user, line],
            env=os.environ | {"SSH_ASKPASS": str(self._password), "SSH_ASKPASS_REQUIRE": "force"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=EVENT_LIMIT_S,
            check=False,
        )
