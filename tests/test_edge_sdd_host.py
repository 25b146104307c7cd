"""evenweave-edge on sdd-host's TAP devices: flowlets get paths, and their packets then wait in
queues like any other's (docs/reference/edge.md, section With sdd-host). Nothing says how soon."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from sdd_pair import FOR_EVER, obeyed, pair_up, queue_of
from waiting import eventually

from evenweave_testbed.edge.namespaces import says_no_bpf
from evenweave_testbed.processes import pipe
from evenweave_testbed.sdd.bed import Bed
from evenweave_testbed.sdd.build import program

pytestmark = [pytest.mark.fabric, pytest.mark.real_time]

HOSTS = ("h1", "h2")
EDGE = str(program("evenweave-edge"))
APPLICATIONS = [sys.executable, "-m", "evenweave_testbed.edge.applications"]
BYTES = 100_000
HEADER = 14 + 56  # in front of each inner packet


def inner(host: str) -> str:
    return f"10.77.{HOSTS.index(host) + 1}.1"


def start_edge(bed: Bed, host: str, folder: Path) -> None:
    (other,) = set(HOSTS) - {host}
    config = {
        "device": f"tap{HOSTS.index(host)}",
        "address": bed.address(host),
        "source": inner(host),
        "peers": [
            {
                "address": bed.address(other),
                "prefixes": [f"{inner(other)}/32"],
                "scheme": "edge-flowlet",
                "paths": [{"sourcePort": 50_000 + i} for i in range(4)],
            }
        ],
    }
    path = folder / f"{host}.json"
    path.write_text(json.dumps(config))
    assert bed.run(host, "ip", "address", "add", f"{inner(host)}/32", "dev", "lo").returncode == 0
    job = bed.start(host, EDGE, "--config", str(path))
    said = pipe(job.stdout).readline()
    if says_no_bpf(said):
        pytest.skip(f"no BPF programs can be loaded here: {said}")
    assert said == "ready\n"


def shown(bed: Bed, host: str) -> dict:
    (peer,) = json.loads(bed.run(host, EDGE, "show", "--json").stdout)["peers"]
    return peer


def count(bed: Bed, host: str, way: str, what: str) -> int:
    return sum(path[way][what] for path in shown(bed, host)["paths"])


def answered(bed: Bed, connections: int) -> subprocess.CompletedProcess:
    return bed.run("h1", *APPLICATIONS, "requests", inner("h2"), str(connections), str(BYTES))


def test_flowlets_of_an_edge_wait_for_start_as_all_packets_do(start_bed, tmp_path: Path):
    bed, controller = start_bed()
    one, _ = pair_up(bed, controller)
    for host in HOSTS:
        start_edge(bed, host, tmp_path)
    serving = bed.start("h2", *APPLICATIONS, "serve", inner("h2"))
    assert pipe(serving.stdout).readline() == "ready\n"
    asking = bed.start("h1", *APPLICATIONS, "requests", inner("h2"), "1", str(BYTES))
    eventually(lambda: queue_of(bed, "h1")["packets"] > 0, "packets of the overlay that wait")
    assert queue_of(bed, "h1")["sentPackets"] == 0
    assert count(bed, "h1", "sent", "packets") > 0
    assert count(bed, "h2", "received", "packets") == 0

    one.command((0, "START", FOR_EVER))
    assert pipe(asking.stdout).readline() == "answered 1\n"
    assert answered(bed, 20).stdout == "answered 20\n"
    # Connections are of many flowlets, each at random on one of four paths.
    assert sum(path["sent"]["flowlets"] > 0 for path in shown(bed, "h1")["paths"]) > 1
    # Headers of large segments count once where they are sent, of each packet where they arrive.
    came = count(bed, "h2", "received", "bytes")
    assert min(came, count(bed, "h1", "sent", "bytes")) > 21 * BYTES
    headers = HEADER * count(bed, "h2", "received", "packets")
    assert queue_of(bed, "h1")["sentBytes"] >= came + headers

    one.command((0, "STOP", 0))
    obeyed(one)
    before = queue_of(bed, "h1")["sentPackets"]
    waiting = bed.start("h1", *APPLICATIONS, "requests", inner("h2"), "1", str(BYTES))
    eventually(lambda: queue_of(bed, "h1")["packets"] > 0, "packets that wait again")
    assert queue_of(bed, "h1")["sentPackets"] == before
    one.command((0, "START", FOR_EVER))
    assert pipe(waiting.stdout).readline() == "answered 1\n"
