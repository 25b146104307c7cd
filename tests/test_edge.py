"""evenweave-edge on real packets: two hosts, four links between them (docs/reference/edge.md).

Asserted are accounts and their order; nothing here says how soon.
"""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from edge_accounts import accounts_agree, total
from edge_forgery import forged, send_forged
from waiting import eventually

from evenweave_testbed.edge.bed import LINKS, PATHS_PER_LINK, EdgeBed
from evenweave_testbed.edge.namespaces import NoBpfError
from evenweave_testbed.processes import pipe

pytestmark = pytest.mark.fabric

SCHEMES = ["ecmp", "wcmp", "presto", "edge-flowlet"]
SCHEMES += ["clove-ecn", "clove-int", "clove-latency", "alb", "intflow"]
MTU = 1444  # of the routes: 1500 less the header


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[EdgeBed]:
    with EdgeBed(tmp_path) as bed:
        yield bed


def start(bed: EdgeBed, scheme: str = "clove-ecn", **changes: object) -> None:
    try:
        bed.start_edges(scheme, **changes)
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")


def ask(connection: subprocess.Popen) -> None:
    """One request over a connection that is held."""
    pipe(connection.stdin).write("\n")
    pipe(connection.stdin).flush()
    assert pipe(connection.stdout).readline().startswith("answered ")


@pytest.mark.core_cases(2)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_connections_go_through_the_overlay_by_every_scheme(bed: EdgeBed, scheme: str):
    start(bed, scheme)
    bed.server("h2", "serve", bed.inner("h2"))
    bed.requests(20, 300_000)
    assert bed.show("h1")["peer"]["scheme"] == scheme
    assert total(bed.show("h1"), "sent", "bytes") > 20 * 300_000
    eventually(lambda: accounts_agree(bed), "agreement on the bytes of each path")
    assert sum(bed.show("h1")["drops"].values()) + sum(bed.show("h2")["drops"].values()) == 0


def test_flowlets_leave_paths_that_are_marked(bed: EdgeBed):
    # So slowly weights drift back that paths get several marks meanwhile on a busy machine too.
    start(bed, rttUs=10_000, gapUs=250)
    bed.server("h2", "serve", bed.inner("h2"))
    bed.congest(0)
    for _ in range(20):
        bed.requests(50, 10_000)
        paths = bed.show("h1")["peer"]["paths"]
        marked = [path for path in paths if path["marks"]["taken"]]
        if marked and all(path["weight"] < path["prior"] / 2 for path in marked):
            break
    before, bytes_before = bed.show("h1"), bed.link_bytes()
    assert 0 < len(marked) < len(paths)
    assert sum(path["weight"] for path in paths) == pytest.approx(1, abs=1e-4)
    assert max(path["weight"] for path in marked) < min(
        path["weight"] for path in paths if path not in marked
    )
    bed.requests(200, 10_000)
    sent = [
        after["sent"]["bytes"] - then["sent"]["bytes"]
        for after, then in zip(
            bed.show("h1")["peer"]["paths"], before["peer"]["paths"], strict=True
        )
    ]
    over = [after - then for after, then in zip(bed.link_bytes(), bytes_before, strict=True)]
    share = len(marked) / len(paths)
    assert sum(sent[path["path"]] for path in marked) < 0.9 * share * sum(sent)
    assert over[0] < 0.9 * share * sum(over)


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
    full = [share > 0.99 for share in used]
    assert sum(full) == PATHS_PER_LINK
    assert max(share for share, is_full in zip(used, full, strict=True) if not is_full) < 0.5


@pytest.mark.extended
def test_no_mark_is_lost_or_blamed_on_another_path(bed: EdgeBed):
    # A path counts as congested for 200 ms, so that all are at once on a busy machine too.
    start(bed, rttUs=100_000, gapUs=250)
    bed.server("h2", "serve", bed.inner("h2"))
    for link in range(LINKS):
        bed.congest(link)
    bed.requests(100, 10_000)

    def accounts_agree() -> bool:
        one, two = bed.show("h1")["peer"], bed.show("h2")["peer"]
        pairs = list(zip(one["paths"], two["paths"], strict=True))
        lost = [told["marks"]["reported"] - at["marks"]["taken"] for at, told in pairs]
        return (
            all(told["marks"]["received"] == at["sent"]["packets"] for at, told in pairs)
            and min(lost) >= 0
            and sum(lost) == one["marksLimited"] + one["notAsked"]
        )

    eventually(accounts_agree, "agreement on marks and reports")
    marks = total(bed.show("h2"), "marks", "received")
    assert marks > 100
    assert 0 < total(bed.show("h1"), "marks", "taken") <= marks
    assert bed.show("h1")["peer"]["echoes"] > 0  # all paths are congested: the guest is told


@pytest.mark.extended
def test_without_packets_that_go_back_a_probe_tells_of_marks(bed: EdgeBed):
    start(bed)
    for link in range(LINKS):
        bed.congest(link)

    def told() -> bool:
        sending = bed.application("h1", "datagrams", bed.inner("h2"), 2000, 1000)
        assert pipe(sending.stdout).readline() == "sent 2000\n"
        return any(path["marks"]["taken"] for path in bed.show("h1")["peer"]["paths"])

    # Not even an ICMP error goes back.
    bed.check("h2", "ip", "route", "replace", "blackhole", "10.77.1.0/24", "metric", "0")
    eventually(told, "mark that came back")
    assert total(bed.show("h2"), "sent", "packets") == 0

    def probes(host: str, way: str) -> int:
        return bed.show(host)["peer"]["probes"][way]

    eventually(
        lambda: probes("h1", "received") == probes("h2", "sent") > 0, "arrival of every probe"
    )


def test_a_killed_process_leaves_forwarding_on_and_a_restart_takes_it_over(bed: EdgeBed):
    # A flowcell ends by its size only: a state that was lost would begin another.
    start(bed, "presto")
    bed.server("h2", "serve", bed.inner("h2"))
    held = bed.application("h1", "hold", bed.inner("h2"), 100)
    ask(held)
    before = bed.show("h1")
    assert total(before, "sent", "flowlets") == 1
    assert bed.end_edge("h1", signal.SIGKILL) == -signal.SIGKILL
    ask(held)
    between = bed.show("h1")
    bed.start_edge("h1", bed.config("h1", "presto"))
    assert bed.end_edge("h1", signal.SIGTERM) == 0
    ask(held)
    bed.start_edge("h1", bed.config("h1", "presto"))
    ask(held)
    after = bed.show("h1")
    assert total(after, "sent", "flowlets") == 1
    packets = [total(shown, "sent", "packets") for shown in (before, between, after)]
    assert packets == sorted(set(packets))
    assert after["peer"]["paths"][0]["prior"] == before["peer"]["paths"][0]["prior"]


def test_another_configuration_is_taken_without_a_break(bed: EdgeBed):
    start(bed, "edge-flowlet")
    bed.server("h2", "serve", bed.inner("h2"))
    held = bed.application("h1", "hold", bed.inner("h2"), 100)
    ask(held)
    wanted = bed.config("h1", "wcmp")
    wanted["peers"][0]["paths"] = [{"sourcePort": 50100, "weight": 3}, {"sourcePort": 50101}]
    bed.end_edge("h1", signal.SIGTERM)
    bed.start_edge("h1", wanted)
    ask(held)
    shown = bed.show("h1")["peer"]
    assert shown["scheme"] == "wcmp"
    assert [path["sourcePort"] for path in shown["paths"]] == [50100, 50101]
    assert shown["paths"][0]["weight"] == pytest.approx(0.75, abs=1e-4)


def test_what_no_peer_sends_is_dropped_and_peers_go_on(bed: EdgeBed):
    start(bed)
    bed.server("h2", "serve", bed.inner("h2"))

    good = bytes([0x10, 0, 0, 0]) + bytes(12)
    send_forged(bed, "192.168.9.9", bed.inner("h1"), good)
    send_forged(bed, bed.outer("h1"), "10.99.0.1", good)
    send_forged(bed, bed.outer("h1"), bed.inner("h1"), b"\xff" + good[1:])
    send_forged(bed, bed.outer("h1"), bed.inner("h1"), good[:2] + b"\xff" + good[3:])
    wanted = {"stranger": 1, "spoofed": 1, "malformed": 2}
    wanted |= dict.fromkeys(("tooBig", "noRoom", "forged", "unauthenticated"), 0)
    eventually(lambda: bed.show("h2")["drops"] == wanted, lambda: bed.show("h2")["drops"])
    bed.requests(3, 1000)
    assert bed.show("h2")["drops"] == wanted


@pytest.mark.extended
def test_a_user_without_root_cannot_write_to_a_peers_overlay(bed: EdgeBed):
    start(bed)
    bed.server("h2", "serve", bed.inner("h2"))
    code = (
        "import os, socket, sys; os.setgid(65534); os.setuid(65534);"
        "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(('', 50000));"
        "s.sendto(bytes.fromhex(sys.argv[1]), (sys.argv[2], 6081))"
    )
    good = bytes([0x10, 0, 0, 0]) + bytes(12)
    packet = forged(bed.outer("h1"), bed.outer("h2"), bed.inner("h1"), bed.inner("h2"), good)
    before = bed.show("h2")
    for _ in range(3):
        bed.check("h1", "python3", "-c", code, packet[28:].hex(), bed.outer("h2"))
    eventually(lambda: bed.show("h1")["drops"]["forged"] == 3, lambda: bed.show("h1")["drops"])
    after = bed.show("h2")
    assert after["drops"] == before["drops"]
    assert total(after, "received", "packets") == total(before, "received", "packets")
    bed.requests(3, 1000)


@pytest.mark.extended
def test_what_is_too_long_for_the_overlay_is_cut_or_refused_and_not_lost(bed: EdgeBed):
    start(bed)
    (route,) = json.loads(bed.check("h1", "ip", "-j", "route", "show", "10.77.2.0/24"))
    assert route["metrics"][0]["mtu"] == MTU
    code = (
        "import socket, sys; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM);"
        "s.setsockopt(socket.IPPROTO_IP, 10, 2);"  # IP_MTU_DISCOVER: DF, no fragments
        f"s.sendto(bytes(int(sys.argv[1])), ('{bed.inner('h2')}', 7007))"
    )
    assert bed.run("h1", "python3", "-c", code, str(MTU - 28)).returncode == 0
    refused = bed.run("h1", "python3", "-c", code, str(MTU - 27))
    assert "Message too long" in refused.stderr
    receiving = bed.server("h2", "receive", bed.inner("h2"), 10, 9000)  # in fragments
    bed.application("h1", "datagrams", bed.inner("h2"), 10, 9000)
    assert pipe(receiving.stdout).readline() == "got 10\n"
    assert bed.show("h1")["drops"]["tooBig"] == 0


@pytest.mark.extended
def test_a_fabric_that_carries_less_is_found_out_and_no_black_hole(bed: EdgeBed):
    start(bed)
    bed.server("h2", "serve", bed.inner("h2"))
    for leaf in ("l1", "l2"):
        for link in range(LINKS):
            bed.check(leaf, "ip", "link", "set", "dev", f"p{link}", "mtu", "1300")
    bed.requests(3, 300_000)
    for host, peer in (("h1", "h2"), ("h2", "h1")):
        route = f"10.77.{peer[1]}.0/24"
        assert f"mtu {1300 - 56}" in bed.check(host, "ip", "route", "show", route)


@pytest.mark.extended
def test_large_segments_without_a_route_of_ours_are_cut_to_fit(bed: EdgeBed):
    start(bed)
    bed.server("h2", "serve", bed.inner("h2"))
    for host in ("h1", "h2"):  # an operator's own, with the device's MTU
        bed.check(
            host, *f"ip route add 10.77.{3 - int(host[1])}.1/32 via 192.168.{host[1]}.254 "
            f"src {bed.inner(host)}".split(),
        )  # fmt: skip
    bed.requests(3, 300_000)
    assert total(bed.show("h1"), "sent", "bytes") > 900_000


def test_stop_leaves_nothing(bed: EdgeBed):
    start(bed)
    bed.server("h2", "serve", bed.inner("h2"))
    bed.requests(3, 1000)
    programs = [
        f["options"]["prog"]["id"]
        for way in ("ingress", "egress")
        for f in json.loads(bed.check("h1", "tc", "-j", "filter", "show", "dev", "e0", way))
        if "prog" in f.get("options", {})
    ]
    assert len(programs) == 3
    known = [json.loads(bed.check("h1", *f"bpftool -j prog show id {i}".split())) for i in programs]
    maps = {number for program in known for number in program["map_ids"]}
    assert len(maps) > 8
    bed.end_edge("h1", signal.SIGTERM)
    assert bed.edge("h1", "stop").returncode == 0
    assert "clsact" not in bed.check("h1", "tc", "qdisc", "show", "dev", "e0")
    assert bed.check("h1", "ip", "route", "show", "10.77.2.0/24") == ""
    assert bed.edge("h1", "show").returncode == 1

    def gone() -> bool:
        kept = [("prog", number) for number in programs] + [("map", number) for number in maps]
        shows = [bed.run("h1", "bpftool", what, "show", "id", str(n)) for what, n in kept]
        return all(done.returncode != 0 for done in shows)

    eventually(gone, "end of programs and maps")


@pytest.mark.extended
def test_stop_under_a_process_is_refused_and_changes_nothing(bed: EdgeBed):
    start(bed)
    bed.server("h2", "serve", bed.inner("h2"))
    done = bed.edge("h1", "stop")
    assert done.returncode == 1
    assert done.stderr == "evenweave-edge: a process manages the edge of e0: end it first\n"
    bed.requests(3, 1000)
    assert total(bed.show("h1"), "sent", "bytes") > 3000


@pytest.mark.extended
def test_stop_leaves_a_qdisc_that_others_use(bed: EdgeBed):
    bed.check("h1", "tc", "qdisc", "add", "dev", "e0", "clsact")
    start(bed)
    bed.end_edge("h1", signal.SIGTERM)
    assert bed.edge("h1", "stop", "e0").returncode == 0
    assert "clsact" in bed.check("h1", "tc", "qdisc", "show", "dev", "e0")


@pytest.mark.core_cases(2)
@pytest.mark.parametrize(
    ("field", "value", "error"),
    [
        ("device", "e9", "device: there is no network device e9"),
        ("device", "lo", "device: lo has no Ethernet header"),
        ("mtu", 9000, "mtu: e0 carries 1500 bytes at most"),
        ("address", "192.168.2.1", "peers[0].address: is this host's own"),
        ("address", "192.168.1.7", "address: 192.168.1.7 is no address of this host"),
        ("address", "224.0.0.1", "address: must be a host's IP address"),
        ("source", "10.77.1.7", "source: 10.77.1.7 is no address of this host"),
        ("source", "224.0.0.1", "source: must be a host's IPv4 address"),
        ("source6", "::", "source6: must be a host's IPv6 address"),
        ("gapUs", 0, "gapUs: must be a whole number from 1 to 1000000"),
        ("gapAdaptPercent", 401, "gapAdaptPercent: must be a whole number from 0 to 400"),
        ("colour", "red", "colour: unknown field"),
    ],
)
def test_a_bad_configuration_is_one_error_with_its_field_and_attaches_nothing(
    bed: EdgeBed, field: str, value: object, error: str
):
    path = bed.directory / "bad.json"
    path.write_text(json.dumps(bed.config("h1", **{field: value})))
    done = bed.edge("h1", "--config", str(path))
    assert done.returncode != 0
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"evenweave-edge: {path}: {error}")
    assert "clsact" not in bed.check("h1", "tc", "qdisc", "show", "dev", "e0")
    assert bed.check("h1", "ip", "route", "show", "10.77.2.0/24") == ""


@pytest.mark.extended
def test_the_way_to_a_peer_is_followed(bed: EdgeBed):
    start(bed)
    bed.server("h2", "serve", bed.inner("h2"))
    bed.check("h1", "ip", "link", "set", "dev", "e0", "down")  # takes all routes away
    assert bed.check("h1", "ip", "route", "show", "10.77.2.0/24") == ""
    bed.check("h1", "ip", "link", "set", "dev", "e0", "up")
    bed.check("h1", "ip", "route", "add", "default", "via", "192.168.1.254")
    eventually(
        lambda: "mtu 1444" in bed.check("h1", "ip", "route", "show", "10.77.2.0/24"), "route"
    )
    bed.requests(3, 1000)
