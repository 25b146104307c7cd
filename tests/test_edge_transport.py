"""evenweave-edge with an outer header that looks like TCP (docs/reference/edge.md).

Asserted are accounts and what packets are made of; nothing here says how soon.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from controlled_edge import exchange
from edge_accounts import accounts_agree, total
from waiting import eventually

from evenweave_testbed.edge.bed import HOSTS, PATHS_PER_LINK, EdgeBed
from evenweave_testbed.edge.namespaces import OVERLAY_PORT, NoBpfError
from evenweave_testbed.edge.spines import SPINES
from evenweave_testbed.edge.spines6 import Spine6Bed
from evenweave_testbed.processes import pipe

pytestmark = pytest.mark.fabric

MTU = 1432  # of the routes: 1500 less the header
# UDP_SEGMENT: one system call, and one packet until it is cut.
_SEND_SEGMENTS = """
import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(17, 103, 1000)
s.sendto(bytes(20000), (sys.argv[1], 7007))
"""


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[EdgeBed]:
    with EdgeBed(tmp_path) as bed:
        yield bed


def start(bed: EdgeBed, scheme: str = "clove-ecn", transports: tuple[str, str] = ("tcp", "tcp")):
    try:
        for host, transport in zip(HOSTS, transports, strict=True):
            bed.start_edge(host, bed.config(host, scheme, transport=transport))
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")


def no_drops(bed: EdgeBed) -> bool:
    return all(sum(bed.show(host)["drops"].values()) == 0 for host in HOSTS)


def pair(bed: EdgeBed, host: str = "h1") -> set[str]:
    """The devices that cut packets."""
    return {name for name in bed.device_numbers(host) if name.startswith("ew")}


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("scheme", ["ecmp", "presto", "clove-ecn", "alb"])
def test_connections_go_over_all_links(bed: EdgeBed, scheme: str):
    start(bed, scheme)
    assert bed.show("h1")["transport"] == "tcp"
    (route,) = json.loads(bed.check("h1", "ip", "-j", "route", "show", "10.77.2.0/24"))
    assert route["metrics"][0]["mtu"] == MTU
    bed.server("h2", "serve", bed.inner("h2"))
    bed.requests(40, 100_000)
    assert total(bed.show("h1"), "sent", "bytes") > 40 * 100_000
    eventually(lambda: accounts_agree(bed), "agreement on the bytes of each path")
    assert no_drops(bed)
    assert all(count > 0 for count in bed.link_bytes())


def captured(bed: EdgeBed, count: int) -> subprocess.Popen:
    """Reads packets of the overlay on their way to h2 and says what is wrong with each; ends after
    so many."""
    program = Path(__file__).with_name("overlay_capture.py")
    capture = bed.start_program(
        "l2", sys.executable, str(program), "d", str(OVERLAY_PORT), str(count)
    )
    assert pipe(capture.stdout).readline() == "ready\n"
    return capture


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("offload", ["tx off", "tx off tso off gso off", "tx off gro on"])
def test_each_segment_is_a_whole_packet_of_the_overlay(bed: EdgeBed, offload: str):
    start(bed)
    for host in HOSTS:  # "tx off": checksums are there when packets leave
        bed.check(host, "ethtool", "-K", "e0", *offload.split())
    bed.server("h2", "serve", bed.inner("h2"))
    capture = captured(bed, 2000)
    while capture.poll() is None:  # it may be too slow to see all packets
        bed.requests(5, 300_000)
    assert pipe(capture.stdout).readline() == "2000 right\n"
    assert no_drops(bed)


@pytest.mark.extended
def test_large_segments_of_udp_are_cut_too(bed: EdgeBed):
    start(bed)
    receiving = bed.server("h2", "receive", bed.inner("h2"), 20, 1000)
    bed.check("h1", "python3", "-c", _SEND_SEGMENTS, bed.inner("h2"))
    assert pipe(receiving.stdout).readline() == "got 20\n"
    assert no_drops(bed)


@pytest.mark.extended
@pytest.mark.parametrize("transports", [("tcp", "udp"), ("udp", "tcp")])
def test_hosts_take_either_whatever_they_send(bed: EdgeBed, transports: tuple[str, str]):
    start(bed, transports=transports)
    bed.server("h2", "serve", bed.inner("h2"))
    for link in range(4):
        bed.congest(link)  # marks, so that reports go back too
    bed.requests(20, 300_000)
    eventually(lambda: accounts_agree(bed), "agreement on the bytes of each path")
    assert total(bed.show("h1"), "marks", "taken") > 0
    assert no_drops(bed)


@pytest.mark.extended
def test_senders_are_told_of_the_utilisation_that_switches_stamp(bed: EdgeBed):
    start(bed, "clove-int")
    bed.stamp(busy=0)
    bed.server("h2", "serve", bed.inner("h2"))

    def measured() -> bool:
        bed.requests(50, 10_000)
        return all("utilisation" in path for path in bed.show("h1")["peer"]["paths"])

    eventually(measured, "a measurement of each path")
    used = [path["utilisation"] for path in bed.show("h1")["peer"]["paths"]]
    assert sum(share > 0.99 for share in used) == PATHS_PER_LINK


@pytest.mark.extended
def test_a_change_of_transport_breaks_no_connection_and_leaves_nothing(bed: EdgeBed):
    start(bed, "edge-flowlet", ("udp", "udp"))
    bed.server("h2", "serve", bed.inner("h2"))
    held = bed.application("h1", "hold", bed.inner("h2"), 300_000)
    exchange(held)
    assert pair(bed) == set()
    for transport in ("tcp", "udp", "tcp"):
        for host in HOSTS:
            bed.change(host, transport=transport)
            eventually(
                lambda host=host, transport=transport: bed.show(host)["transport"] == transport,
                "another transport",
            )
        exchange(held)
        eventually(lambda t=transport: len(pair(bed)) == (2 if t == "tcp" else 0), "its devices")
    bed.end_edge("h1", signal.SIGKILL)
    exchange(held)
    assert bed.edge("h1", "stop").returncode == 0
    assert pair(bed) == set()
    assert "clsact" not in bed.check("h1", "tc", "qdisc", "show", "dev", "e0")


@pytest.mark.extended
def test_a_peer_without_its_edge_breaks_no_connection(bed: EdgeBed):
    start(bed, "presto")
    bed.server("h2", "serve", bed.inner("h2"))
    held = bed.application("h1", "hold", bed.inner("h2"), 100)
    exchange(held)
    bed.end_edge("h2", signal.SIGTERM)
    assert bed.edge("h2", "stop").returncode == 0
    # What h1 sends is now for the kernel of h2, which has no such connection.
    sent = total(bed.show("h1"), "sent", "packets")
    pipe(held.stdin).write("\n")
    pipe(held.stdin).flush()
    eventually(lambda: total(bed.show("h1"), "sent", "packets") > sent + 2, "retransmissions")
    bed.start_edge("h2", bed.config("h2", "presto", transport="tcp"))
    assert pipe(held.stdout).readline() == "answered 2\n"
    exchange(held)
    assert bed.show("h1")["drops"]["malformed"] == 0


@pytest.mark.extended
def test_both_families_go_over_a_fabric_of_ipv6(tmp_path: Path):
    if not Path("/proc/sys/net/ipv6").exists():
        pytest.skip("this kernel has no IPv6")
    with Spine6Bed(tmp_path) as bed:
        try:
            bed.start_discovery("edge-flowlet", "tcp")
        except NoBpfError as error:
            pytest.skip(f"no BPF programs can be loaded here: {error}")

        def found() -> list[str]:
            return sorted(bed.spine_of(path) or "" for path in bed.discover("h1")["peer"]["paths"])

        eventually(lambda: found() == list(SPINES), lambda: bed.show("h1")["peer"])
        for address in (bed.inner("h2"), bed.inner6("h2")):
            bed.server("h2", "serve", address)
            bed.requests(40, 100_000, address)
        assert total(bed.show("h1"), "sent", "bytes") > 80 * 100_000
        eventually(lambda: accounts_agree(bed), "agreement on the bytes of each path")
        assert no_drops(bed)
        for family, prefix in (("-4", "10.77.2.0/24"), ("-6", "fd77:0:0:2::/64")):
            (route,) = json.loads(bed.check("h1", "ip", family, "-j", "route", "show", prefix))
            assert route["metrics"][0]["mtu"] == 1500 - 88


@pytest.mark.extended
def test_ipv6_goes_through_an_overlay_in_ipv4(bed: EdgeBed):
    if not bed.has_ipv6():
        pytest.skip("this kernel has no IPv6")
    bed.add_ipv6()
    for host, peer in (("h1", "h2"), ("h2", "h1")):
        config = bed.config(host, source6=bed.inner6(host), transport="tcp")
        config["peers"][0]["prefixes"].append(f"{bed.inner6(peer)[:-1]}/64")
        try:
            bed.start_edge(host, config)
        except NoBpfError as error:
            pytest.skip(f"no BPF programs can be loaded here: {error}")
    bed.server("h2", "serve", bed.inner6("h2"))
    bed.requests(20, 300_000, bed.inner6("h2"))
    assert total(bed.show("h1"), "sent", "bytes") > 20 * 300_000
    assert no_drops(bed)


@pytest.mark.extended
def test_one_that_is_neither_is_an_error(bed: EdgeBed):
    path = bed.directory / "bad.json"
    path.write_text(json.dumps(bed.config("h1") | {"transport": "sctp"}))
    done = bed.edge("h1", "--config", str(path))
    assert done.returncode != 0
    assert done.stderr == f"evenweave-edge: {path}: transport: must be one of udp, tcp, hidden\n"
    assert pair(bed) == set()
