"""The real SDD controller, as `evenweave sdd` runs it, for hosts on a test bed."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jvm import JAVA
from runtimes import JAR
from waiting import eventually

from conftest import HANG_S
from evenweave_testbed.sdd.bed import CONTROLLER
from evenweave_testbed.sdd.pki import Authority

PORT = 6651


def configure(authority: Authority, folder: Path, **more: object) -> Path:
    """A configuration for a bed of two hosts."""
    keys = authority.controller_keys(folder, CONTROLLER)
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


@dataclass(frozen=True)
class Controller:
    """A running one and the root of its REST."""

    process: subprocess.Popen
    rest: str

    def ask(self, resource: str) -> dict:
        return ask(self.rest, resource)


@contextlib.contextmanager
def running_controller(
    config: Path,
    folder: Path,
    *options: str,
    fabric: Path | None = None,
    inside: Sequence[str] = (),
) -> Iterator[Controller]:
    """Runs it, beside a fabric's controller if there is one, by a command that gives it other
    surroundings if there is one; SIGTERM ends it if it still runs."""
    command = ["sdd", "--config", str(config)]
    if fabric:
        command = ["controller", "--openflow", "127.0.0.1:0", "--sdd", str(config)]
        command += ["--fabric", str(fabric)]
    with (folder / "controller.log").open("a") as log:
        process = subprocess.Popen(
            [*inside, *JAVA, "-jar", str(JAR), *command, *options, "--http", "127.0.0.1:0"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    try:
        yield Controller(process, json.loads(process.stdout.readline())["http"] + "/evenweave")
    finally:
        process.send_signal(signal.SIGCONT)
        process.terminate()
        process.communicate()


@contextlib.contextmanager
def real_controller(
    config: Path, folder: Path, ending: signal.Signals = signal.SIGTERM, fabric: Path | None = None
) -> Iterator[str]:
    """The same; the signal ends it. Gives the root of its REST."""
    with running_controller(config, folder, fabric=fabric) as controller:
        yield controller.rest
        controller.process.send_signal(ending)
        controller.process.wait()


def ask(rest: str, resource: str) -> dict:
    """The answer; asks again while a host does not answer in time or is connecting again, as it
    may on a busy machine."""
    found: tuple[int, Any] = (0, None)

    def is_available() -> bool:
        nonlocal found
        found = send_json(rest, "GET", resource)
        is_away = found[0] == 404 and found[1]["error"].endswith(" is connected")
        return found[0] != 503 and not is_away

    eventually(is_available, lambda: found)
    assert found[0] == 200, found
    return found[1]


def put(rest: str, resource: str, body: object) -> None:
    """Puts what is answered as it is; again while another controller has not confirmed it."""
    eventually(
        lambda: send_json(rest, "PUT", resource, body) == (200, body), f"confirmation of {resource}"
    )


def send_json(rest: str, method: str, resource: str, body: object = None) -> tuple[int, object]:
    """The answer's status and its document, which may be an error."""
    request = urllib.request.Request(
        f"{rest}/{resource}",
        None if body is None else json.dumps(body).encode(),
        {"Content-Type": "application/json"},
        method=method,
    )
    try:
        with urllib.request.urlopen(request, timeout=HANG_S) as answer:
            return answer.status, json.loads(answer.read() or "null")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def trigger_at_h1(rest: str, name: str) -> dict:
    """What GET /sdd/events has of a trigger at h1."""
    (trigger,) = (t for t in ask(rest, "sdd/events")["triggers"] if t["name"] == name)
    return next(host for host in trigger["hosts"] if host["host"] == "h1")
