"""The real SDD controller, as `evenweave sdd` runs it, for hosts on a test bed."""

from __future__ import annotations

import contextlib
import json
import shutil
import signal
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from runtimes import JAR

from conftest import HANG_S
from evenweave_testbed.sdd.bed import CONTROLLER
from evenweave_testbed.sdd.pki import Authority

PORT = 6651


def configure(authority: Authority, folder: Path, **more: object) -> Path:
    """A configuration for a bed of two hosts."""
    keys = folder / "keys"
    keys.mkdir()
    identity = authority.issue(CONTROLLER)
    shutil.copy(authority.certificate, keys / "ca.pem")
    shutil.copy(identity.certificate, keys / "controller.pem")
    shutil.copy(identity.key, keys / "controller.key")
    config = {
        "hosts": ["h1", "h2"],
        "listen": f"127.0.0.1:{PORT}",
        "keys": str(keys),
        "periodNs": 20_000_000,
        "nightNs": 1_000_000,
        "guardNs": 1_000_000,
    } | more
    path = folder / "sdd.json"
    path.write_text(json.dumps(config))
    return path


@contextlib.contextmanager
def real_controller(
    config: Path, folder: Path, ending: signal.Signals = signal.SIGTERM, fabric: Path | None = None
) -> Iterator[str]:
    """Runs it, beside a fabric's controller if there is one; the signal ends it. Gives the root of
    its REST."""
    command = ["sdd", "--config", str(config)]
    if fabric:
        command = ["controller", "--openflow", "127.0.0.1:0", "--sdd", str(config)]
        command += ["--fabric", str(fabric)]
    with (folder / "controller.log").open("a") as log:
        process = subprocess.Popen(
            ["java", "-jar", str(JAR), *command, "--http", "127.0.0.1:0"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    try:
        yield json.loads(process.stdout.readline())["http"] + "/evenweave"
    finally:
        process.send_signal(ending)
        process.communicate()


def ask(rest: str, resource: str) -> dict:
    with urllib.request.urlopen(f"{rest}/{resource}", timeout=HANG_S) as answer:
        return json.loads(answer.read())
