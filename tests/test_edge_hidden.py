"""evenweave-edge with a hidden overlay (docs/reference/edge.md).

Asserted are accounts and what packets are made of; nothing here says how soon.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from controlled_edge import exchange
from edge_accounts import accounts_agree, total
from waiting import eventually

from evenweave_testbed.edge.bed import HOSTS, LINKS, EdgeBed
from evenweave_testbed.edge.namespaces import OVERLAY_PORT, NoBpfError
from evenweave_testbed.processes import pipe

pytestmark = pytest.mark.fabric

MTU = 1472  # of the routes: 1500 less what tells of the five-tuple


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[EdgeBed]:
    with EdgeBed(tmp_path) as bed:
        yield bed


def start(bed: EdgeBed, scheme: str = "clove-ecn", transports: tuple[str, str] = ("hidden",) * 2):
    try:
        for host, transport in zip(HOSTS, transports, strict=True):
            bed.start_edge(host, bed.config(host, scheme, transport=transport))
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")


def no_drops(bed: EdgeBed) -> bool:
    return all(sum(bed.show(host)["drops"].values()) == 0 for host in HOSTS)


def all_hidden(bed: EdgeBed) -> bool:
    return all(sum(bed.show(host)["peer"]["notHidden"].values()) == 0 for host in HOSTS)


def captured(bed: EdgeBed, count: int) -> subprocess.Popen:
    """Reads what comes from h1 at its router and says what is wrong with the first packet that is
    not right; ends after so many."""
    program = Path(__file__).with_name("hidden_capture.py")
    capture = bed.start_program(
        "l1", sys.executable, str(program), "d", str(OVERLAY_PORT), bed.outer("h1"), str(count)
    )
    assert pipe(capture.stdout).readline() == "ready\n"
    return capture


def counts(capture: subprocess.Popen) -> tuple[int, int]:
    """How many packets were right, told of in front and in options."""
    said = pipe(capture.stdout).readline()
    found = re.fullmatch(r"(\d+) in front, (\d+) in options\n", said)
    assert found, said
    return int(found[1]), int(found[2])


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("scheme", ["ecmp", "presto", "clove-ecn", "alb"])
def test_connections_go_over_all_links(bed: EdgeBed, scheme: str):
    start(bed, scheme)
    assert bed.show("h1")["transport"] == "hidden"
    (route,) = json.loads(bed.check("h1", "ip", "-j", "route", "show", "10.77.2.0/24"))
    assert route["metrics"][0]["mtu"] == MTU
    bed.server("h2", "serve", bed.inner("h2"))
    bed.requests(40, 100_000)
    assert total(bed.show("h1"), "sent", "bytes") > 40 * 100_000
    eventually(lambda: accounts_agree(bed), "agreement on the bytes of each path")
    assert no_drops(bed)
    assert all_hidden(bed)
    assert all(count > 0 for count in bed.link_bytes())


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("offload", ["tx off", "tx off tso off gso off", "tx off gro on"])
def test_the_fabric_sees_another_five_tuple_than_the_guests(bed: EdgeBed, offload: str):
    start(bed)
    for host in HOSTS:  # "tx off": checksums are there when packets leave
        bed.check(host, "ethtool", "-K", "e0", *offload.split())
    bed.server("h2", "serve", bed.inner("h2"))
    capture = captured(bed, 500)
    held = bed.application("h1", "hold", bed.inner("h2"), 300_000)
    while capture.poll() is None:  # it may be too slow to see all packets
        exchange(held)
    in_front, in_options = counts(capture)
    assert in_front > 0  # SYN and acknowledgements at least
    assert in_options > 0  # TCP makes large segments whatever the device does
    bed.requests(2, 300_000)
    assert no_drops(bed)
    # The ends of the others may still be on their way.
    eventually(lambda: len(connections(bed, "h2", "sport")) == 1, "end of the others")
    (one,) = connections(bed, "h1", "dport")
    (two,) = connections(bed, "h2", "sport")
    assert one == (two[1], two[0])


def connections(bed: EdgeBed, host: str, end: str) -> list[tuple[str, str]]:
    """Both ends of a guest's connections to the server."""
    lines = bed.check(host, "ss", "-Htn", "state", "established", end, "=", ":7007").splitlines()
    return [(line.split()[2], line.split()[3]) for line in lines]


@pytest.mark.extended
@pytest.mark.parametrize("transports", [("hidden", "udp"), ("tcp", "hidden")])
def test_hosts_take_all_whatever_they_send(bed: EdgeBed, transports: tuple[str, str]):
    start(bed, transports=transports)
    bed.server("h2", "serve", bed.inner("h2"))
    for link in range(LINKS):
        bed.congest(link)  # marks, so that reports go back too
    bed.requests(20, 300_000)
    eventually(lambda: accounts_agree(bed), "agreement on the bytes of each path")
    assert total(bed.show("h1"), "marks", "taken") > 0
    assert no_drops(bed)


def is_hidden_by_filter(bed: EdgeBed) -> bool:
    return "hidden_out" in bed.check("h1", "tc", "filter", "show", "dev", "e0", "egress")


@pytest.mark.extended
def test_a_change_of_transport_breaks_no_connection_and_leaves_nothing(bed: EdgeBed):
    start(bed, "edge-flowlet", ("udp", "udp"))
    bed.server("h2", "serve", bed.inner("h2"))
    held = bed.application("h1", "hold", bed.inner("h2"), 300_000)
    exchange(held)
    for transport in ("hidden", "tcp", "hidden", "udp", "hidden"):
        for host in HOSTS:
            bed.change(host, transport=transport)
            eventually(
                lambda host=host, transport=transport: bed.show(host)["transport"] == transport,
                "another transport",
            )
        exchange(held)
        eventually(
            lambda transport=transport: is_hidden_by_filter(bed) == (transport == "hidden"),
            "its filter",
        )
    bed.end_edge("h1", signal.SIGKILL)
    exchange(held)
    bed.start_edge("h1", bed.config("h1", "edge-flowlet", transport="hidden"))
    exchange(held)
    bed.end_edge("h1", signal.SIGTERM)
    assert bed.edge("h1", "stop").returncode == 0
    assert "clsact" not in bed.check("h1", "tc", "qdisc", "show", "dev", "e0")
    assert bed.check("h1", "ip", "route", "show", "10.77.2.0/24") == ""


@pytest.mark.extended
def test_a_peer_without_its_edge_breaks_no_connection(bed: EdgeBed):
    start(bed, "presto")
    bed.server("h2", "serve", bed.inner("h2"))
    held = bed.application("h1", "hold", bed.inner("h2"), 100_000)
    exchange(held)
    bed.end_edge("h2", signal.SIGTERM)
    assert bed.edge("h2", "stop").returncode == 0
    # What h1 sends is now for the kernel of h2, which has no such connection.
    sent = total(bed.show("h1"), "sent", "packets")
    pipe(held.stdin).write("\n")
    pipe(held.stdin).flush()
    eventually(lambda: total(bed.show("h1"), "sent", "packets") > sent + 2, "retransmissions")
    bed.start_edge("h2", bed.config("h2", "presto", transport="hidden"))
    assert pipe(held.stdout).readline() == "answered 2\n"
    exchange(held)
    assert bed.show("h1")["drops"]["malformed"] == 0


@pytest.mark.extended
def test_connections_with_data_both_ways_live_with_losses(bed: EdgeBed):
    """Segments with data and SACK have no room for what tells of them; they go without SACK."""
    start(bed, "edge-flowlet")
    for link in range(LINKS):
        for leaf in ("l1", "l2"):  # a queue that overflows
            slow = "root tbf rate 100mbit burst 20000 limit 40000"
            bed.check(leaf, *f"tc qdisc add dev p{link} {slow}".split())
    bed.server("h2", "serve", bed.inner("h2"))

    def recovered() -> bool:
        bed.requests(1, 3_000_000)
        counter = "TcpExtTCPSackRecovery"
        said = [bed.check(host, "nstat", "-asz", counter) for host in HOSTS]
        return all(re.search(rf"{counter} +[1-9]", one) for one in said)

    eventually(recovered, "losses that SACK tells both hosts of")
    assert all_hidden(bed)
    assert no_drops(bed)


@pytest.mark.extended
def test_what_is_not_tcp_goes_as_it_is_and_is_counted(bed: EdgeBed):
    start(bed)
    for i, other in ((1, 2), (2, 1)):  # the fabric routes guests' addresses
        hops = [f"nexthop via 10.0.{link}.{other}" for link in range(LINKS)]
        bed.check(f"l{i}", *f"ip route add 10.77.{other}.0/24 {' '.join(hops)}".split())
        bed.check(f"l{i}", *f"ip route add 10.77.{i}.0/24 via 192.168.{i}.1".split())
    receiving = bed.server("h2", "receive", bed.inner("h2"), 50, 1000)
    bed.check("h1", *applications("datagrams", bed.inner("h2"), 50, 1000))
    assert pipe(receiving.stdout).readline() == "got 50\n"
    shown = bed.show("h1")
    assert shown["peer"]["notHidden"] == {"notTcp": 50, "noRoom": 0, "tooLong": 0}
    assert total(shown, "sent", "packets") == 0
    assert no_drops(bed)


def applications(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "evenweave_testbed.edge.applications", *map(str, arguments)]


@pytest.mark.core_cases(1)
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"address": "2001:db8::1"},
            "address: must be an IPv4 address, as transport is hidden",
        ),
        (
            {"prefixes": ["2001:db8::/64"]},
            "peers[0].prefixes[0]: must be of IPv4, as transport is hidden",
        ),
    ],
)
def test_ipv6_is_an_error(bed: EdgeBed, changes: dict, message: str):
    document = bed.config("h1", transport="hidden")
    (document if "address" in changes else document["peers"][0]).update(changes)
    path = bed.directory / "bad.json"
    path.write_text(json.dumps(document))
    done = bed.edge("h1", "--config", str(path))
    assert done.returncode != 0
    assert done.stderr == f"evenweave-edge: {path}: {message}\n"
