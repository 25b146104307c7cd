"""The congestion control `mdctcp` in the kernel (docs/reference/edge.md#mdctcp), on one connection.

It is one for the whole kernel, so nothing else that uses it may run beside these tests, which are
one module for that. Asserted are windows and accounts; nothing here says how soon.
"""

from __future__ import annotations

import json
import signal
import socket
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from edge_accounts import total
from waiting import eventually

from evenweave_testbed.edge.bed import HOSTS, LINKS, EdgeBed
from evenweave_testbed.edge.namespaces import NoBpfError
from evenweave_testbed.processes import pipe

pytestmark = pytest.mark.fabric

_FLOW = str(Path(__file__).with_name("tcp_flow.py"))
INITIAL_WINDOW = 10  # segments, Linux's (RFC 6928)
QUIET_WINDOWS = 150  # 1 (15/16)^n of alpha, in steps of 1/1024: 89 of them leave nothing


@pytest.fixture
def bed(tmp_path: Path, one_processor: None) -> Iterator[EdgeBed]:
    """Nothing is sent again for having been passed by a later packet."""
    with EdgeBed(tmp_path) as bed:
        for host in HOSTS:
            # No probe for losses after two round trips, which may be over before an answer comes
            # on a busy machine: what comes twice would count as delivered twice.
            bed.set(host, tcp_ecn=1, tcp_early_retrans=0)
        yield bed
        for host in HOSTS:
            bed.take_off(host)
        eventually(lambda: is_gone(bed), "end of mdctcp")


def config(bed: EdgeBed, host: str, scheme: str, paths: int | None, **changes: object) -> dict:
    made = bed.config(host, scheme, mdctcp=True, **changes)
    made["peers"][0]["paths"] = made["peers"][0]["paths"][:paths]
    return made


def start(
    bed: EdgeBed,
    scheme: str = "ecmp",
    paths: int | None = 1,
    server: str = "mdctcp",
    **changes: object,
) -> None:
    try:
        for host in HOSTS:
            bed.start_edge(host, config(bed, host, scheme, paths, **changes))
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")
    sink = bed.start_program("h2", sys.executable, _FLOW, "sink", bed.inner("h2"), server)
    assert pipe(sink.stdout).readline() == "ready\n"


def is_offered(bed: EdgeBed) -> bool:
    known = bed.check("h1", "sysctl", "-n", "net.ipv4.tcp_available_congestion_control")
    return "mdctcp" in known.split()


def is_gone(bed: EdgeBed) -> bool:
    """Whether it is out of the kernel. Where the kernel has been slow to free the programs of
    another edge, that of the last one to go has left it to `release`."""
    return bed.edge("h1", "release").returncode == 0 and not is_offered(bed)


class Flow:
    """A connection from h1 to h2."""

    def __init__(self, bed: EdgeBed) -> None:
        arguments = (_FLOW, "source", bed.inner("h2"), "mdctcp")
        self._process = bed.start_program("h1", sys.executable, *arguments)
        self.begun = self._said()

    def _said(self) -> dict:
        return json.loads(pipe(self._process.stdout).readline())

    def send(self, size: int) -> dict:
        """What the kernel counts once that is acknowledged."""
        pipe(self._process.stdin).write(f"{size}\n")
        pipe(self._process.stdin).flush()
        return self._said()


def mark(bed: EdgeBed, marked: bool) -> None:
    """Whether all packets to h2 are marked from now on."""
    for link in range(LINKS):
        if marked:
            bed.congest(link)
        else:
            bed.check("l1", "tc", "qdisc", "del", "dev", f"p{link}", "clsact")


def test_it_is_there_while_an_edge_is_configured_for_it(bed: EdgeBed):
    start(bed)
    assert is_offered(bed)
    assert bed.show("h1")["mdctcp"] is True
    bed.end_edge("h1", signal.SIGKILL)
    assert is_offered(bed)
    # It is taken over, and a connection keeps it.
    bed.start_edge("h1", config(bed, "h1", "ecmp", 1))
    flow = Flow(bed)
    bed.end_edge("h1", signal.SIGTERM)
    assert bed.edge("h1", "stop").returncode == 0
    assert is_offered(bed)  # for h2
    bed.start_edge("h1", bed.config("h1", "ecmp", mdctcp=False))
    assert bed.show("h1")["mdctcp"] is False
    bed.end_edge("h2", signal.SIGTERM)
    assert bed.edge("h2", "stop").returncode == 0
    eventually(lambda: is_gone(bed), "end of mdctcp")
    bed.start_edge("h2", bed.config("h2", "ecmp"))
    assert flow.send(100_000)["unacked"] == 0


@pytest.mark.extended
def test_sighup_takes_it_on_and_off(bed: EdgeBed):
    start(bed)
    for host in HOSTS:
        bed.change(host, mdctcp=False)
    eventually(lambda: is_gone(bed), "end of mdctcp")
    bed.change("h1", mdctcp=True)
    eventually(lambda: is_offered(bed) and bed.show("h1")["mdctcp"], "mdctcp")


@pytest.mark.extended
def test_release_takes_out_what_an_edge_that_is_gone_has_left(bed: EdgeBed):
    start(bed)
    assert bed.edge("h1", "release").returncode == 0
    assert is_offered(bed)  # edges have it
    for host in HOSTS:  # both programs, and with them the edge
        bed.check(host, "ip", "link", "del", "dev", "e0")
    eventually(lambda: bed.edge("h1", "release").returncode == 0 and not is_offered(bed), "release")


def test_every_mark_is_echoed_once_and_every_window_halved(bed: EdgeBed):
    start(bed)
    mark(bed, marked=True)
    flow = Flow(bed)
    said = flow.send(1_000_000)
    assert said["control"] == "mdctcp"
    assert said["deliveredCe"] == said["delivered"] - 1 > 600  # all but the SYN
    assert said["ssthresh"] == 2  # alpha is one
    mark(bed, marked=False)
    later = flow.send(1_000_000)
    assert later["deliveredCe"] == said["deliveredCe"]
    assert later["cwnd"] > said["cwnd"]


@pytest.mark.extended
def test_a_mark_after_many_windows_without_one_hardly_counts(bed: EdgeBed):
    start(bed)
    # Or the kernel would shorten windows that are not used, after a time.
    bed.set("h1", tcp_slow_start_after_idle=0)
    flow = Flow(bed)
    flow.send(1_000_000)
    for _ in range(QUIET_WINDOWS):
        quiet = flow.send(1000)
    assert quiet["deliveredCe"] == 0
    mark(bed, marked=True)
    said = flow.send(1000)
    assert said["deliveredCe"] == 1
    # Of a window of one marked packet alpha gains 1/16.
    assert said["ssthresh"] == quiet["cwnd"] - quiet["cwnd"] // 32 > INITIAL_WINDOW


@pytest.mark.extended
def test_a_connection_without_ecn_is_renos_and_cannot_be_marked(bed: EdgeBed):
    start(bed, server="cubic")  # which refuses ECN to who says so in its first packet already
    mark(bed, marked=True)
    flow = Flow(bed)
    assert flow.send(1000)["control"] == "reno"
    before = total(bed.show("h2"), "marks", "received")
    flow.send(100_000)
    assert total(bed.show("h2"), "marks", "received") == before


def key(bed: EdgeBed, ports: list[int]) -> bytes:
    """struct edge_connection_key"""
    addresses = (socket.inet_aton(bed.inner(host)).ljust(16, b"\0") for host in HOSTS)
    return b"".join(struct.pack("=I", 4) + address for address in addresses) + struct.pack(
        "!HH", *ports
    )


@pytest.mark.extended
def test_what_is_of_another_path_leaves_the_window_as_it_is(bed: EdgeBed):
    """PCN is set by hand: the edge's own decisions are in another test."""
    start(bed)
    flow = Flow(bed)
    filters = json.loads(bed.check("h1", "tc", "-j", "filter", "show", "dev", "e0", "ingress"))
    programs = {
        p["name"]: p["id"] for p in (f.get("options", {}).get("prog") for f in filters) if p
    }
    connections = bed.maps_of("h1", "id", str(programs["edge_in"]))["connections"]
    number = (flow.begun["number"] + (1 << 29)) % (1 << 32)
    bed.put(
        "h1", connections, key(bed, flow.begun["ports"]), struct.pack("=IBBBB", number, 1, 0, 0, 0)
    )
    said = flow.send(5_000_000)
    assert said["cwnd"] == INITIAL_WINDOW
    bed.put("h1", connections, key(bed, flow.begun["ports"]), bytes(8))
    assert flow.send(5_000_000)["cwnd"] > INITIAL_WINDOW


@pytest.mark.extended
def test_marks_of_paths_that_the_flow_has_left_do_not_reach_it(bed: EdgeBed):
    start(bed, "alb", paths=None, gapUs=1)
    # Segments one by one, and some paths without marks, so that many are under way on several.
    bed.check("h1", *["ethtool", "-K", "e0", "tso", "off", "gso", "off"])
    bed.congest(0)
    flow = Flow(bed)

    def corrected() -> bool:
        flow.send(100_000)
        return bed.show("h1")["peer"]["ackCorrection"]["echoesWithheld"] > 0

    eventually(corrected, "echoes that were withheld")
    for host in HOSTS:
        assert sum(bed.show(host)["drops"].values()) == 0
