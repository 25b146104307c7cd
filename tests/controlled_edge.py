"""An edge under a controller: on the bed of two hosts, with a wire of its own to the controller."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import pytest
import sdd_controller
from waiting import eventually

from conftest import HANG_S
from evenweave_testbed.edge.bed import EdgeBed
from evenweave_testbed.edge.namespaces import NoBpfError
from evenweave_testbed.processes import pipe
from evenweave_testbed.sdd.pki import Identity

NAME = "e1"
# Of the controller.
ADDRESS = "10.99.0.254"
# One round at the start; the next by itself would be in a day. All of 8 candidates would be over
# one of 4 links in 1 of 16,000 boots, as the hash differs from boot to boot.
DISCOVER = {"discover": 4, "candidates": 16, "periodS": 86400}


Bed = TypeVar("Bed", bound=EdgeBed)


@contextlib.contextmanager
def wired_bed(folder: Path, kind: type[Bed] = EdgeBed) -> Iterator[Bed]:
    """A bed, with the controller's address in the namespace of the tests."""
    with kind(folder) as bed:
        bed.check("h1", *f"ip link add c0 type veth peer name c1 netns {os.getpid()}".split())
        bed.check("h1", *["ip", "address", "add", "10.99.0.1/24", "dev", "c0"])
        bed.check("h1", *["ip", "link", "set", "dev", "c0", "up"])
        for command in (f"ip address add {ADDRESS}/24 dev c1", "ip link set dev c1 up"):
            subprocess.run(command.split(), check=True)
        yield bed
        # A namespace goes some time after its processes, and the next test has a link of this name.
        bed.check("h1", *["ip", "link", "delete", "dev", "c0"])


def controller_of(
    name: str, port: int, identity: Identity, authority: Path, server_name: str
) -> dict:
    """What an edge of this name is told of its controller."""
    return {
        "name": name,
        "address": ADDRESS,
        "port": port,
        "serverName": server_name,
        "certificate": str(identity.certificate),
        "key": str(identity.key),
        "authority": str(authority),
    }


def start(bed: EdgeBed, port: int, identity: Identity, authority: Path, server_name: str) -> None:
    """Both edges; that of h1 has a controller and discovers its paths. Skips without BPF."""
    controller = controller_of(NAME, port, identity, authority, server_name)
    own = bed.config("h1", "edge-flowlet", controller=controller)
    own["peers"][0]["paths"] = DISCOVER
    try:
        bed.start_edge("h2", bed.config("h2"))
        bed.start_edge("h1", own)
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")


def exchange(held: subprocess.Popen) -> None:
    """One request over the connection that an application holds: it lives."""
    pipe(held.stdin).write("\n")
    pipe(held.stdin).flush()
    assert pipe(held.stdout).readline().startswith("answered ")


def told(rest: str) -> dict:
    return sdd_controller.ask(rest, f"sdd/edge/{NAME}")


def send(rest: str, method: str, resource: str, body: object = None) -> None:
    request = urllib.request.Request(
        f"{rest}/sdd/edge/{resource}",
        data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
        method=method,
    )
    urllib.request.urlopen(request, timeout=HANG_S).close()


def reported(rest: str) -> dict:
    """The peer of the last report, once there is one."""
    eventually(lambda: told(rest).get("report", {}).get("peers"), lambda: told(rest))
    return told(rest)["report"]["peers"][0]
