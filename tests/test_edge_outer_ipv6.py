"""evenweave-edge on a fabric of IPv6 only (docs/reference/edge.md, section IPv6).

Asserted are accounts and their order; nothing here says how soon.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from edge_accounts import accounts_agree, total
from waiting import eventually

from evenweave_testbed.edge.bed import HOSTS, LINKS
from evenweave_testbed.edge.namespaces import NoBpfError
from evenweave_testbed.edge.spines import SPINES
from evenweave_testbed.edge.spines6 import Spine6Bed
from evenweave_testbed.processes import pipe

pytestmark = pytest.mark.fabric

MTU = 1424  # of the routes: 1500 less the header


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[Spine6Bed]:
    if not Path("/proc/sys/net/ipv6").exists():
        pytest.skip("this kernel has no IPv6")
    with Spine6Bed(tmp_path) as bed:
        yield bed


def start(bed: Spine6Bed, scheme: str = "clove-ecn") -> None:
    try:
        bed.start_edges(scheme)
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")


def request(bed: Spine6Bed, address: str, count: int = 20, size: int = 300_000) -> None:
    """Connections from h1 to a server of h2, one after the other."""
    command = [sys.executable, "-m", "evenweave_testbed.edge.applications", "requests"]
    bed.check("h1", *command, address, str(count), str(size))


def serve(bed: Spine6Bed) -> tuple[str, str]:
    """Servers of h2 on both families; their addresses."""
    addresses = (bed.inner("h2"), bed.inner6("h2"))
    for address in addresses:
        bed.server("h2", "serve", address)
    return addresses


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("scheme", ["clove-ecn", "alb", "presto"])
def test_both_families_go_through_an_overlay_in_ipv6(bed: Spine6Bed, scheme: str):
    start(bed, scheme)
    shown = bed.show("h1")
    assert (shown["address"], shown["peer"]["address"]) == (bed.outer("h1"), bed.outer("h2"))
    for number, address in enumerate(serve(bed), 1):
        request(bed, address)
        assert total(bed.show("h1"), "sent", "bytes") > number * 20 * 300_000
    receiving = bed.server("h2", "receive", bed.inner("h2"), 10, 9000)  # in fragments
    bed.application("h1", "datagrams", bed.inner("h2"), 10, 9000)
    assert pipe(receiving.stdout).readline() == "got 10\n"
    eventually(lambda: accounts_agree(bed), "agreement on the bytes of each path")
    for host in HOSTS:
        assert sum(bed.show(host)["drops"].values()) == 0
    assert all(count > 0 for count in bed.link_bytes())
    for family, prefix in (("-4", "10.77.2.0/24"), ("-6", "fd77:0:0:2::/64")):
        (route,) = json.loads(bed.check("h1", "ip", family, "-j", "route", "show", prefix))
        assert route["metrics"][0]["mtu"] == MTU
    bed.end_edge("h1", signal.SIGTERM)
    assert bed.edge("h1", "stop").returncode == 0
    for family in ("-4", "-6"):
        assert bed.check("h1", "ip", family, "route", "show", "proto", "229") == ""
    assert "clsact" not in bed.check("h1", "tc", "qdisc", "show", "dev", "e0")


def test_marks_of_ipv6_come_back(bed: Spine6Bed):
    start(bed)
    addresses = serve(bed)
    bed.congest(0)
    for address in addresses:
        request(bed, address, 100, 10_000)

    def told() -> bool:
        request(bed, addresses[0], 20, 10_000)
        return any(path["marks"]["taken"] for path in bed.show("h1")["peer"]["paths"])

    eventually(told, "a mark that came back")
    paths = bed.show("h1")["peer"]["paths"]
    assert sum(1 for path in paths if path["marks"]["taken"]) <= len(paths) // LINKS


@pytest.mark.extended
def test_paths_are_discovered_by_icmpv6(bed: Spine6Bed):
    try:
        bed.start_discovery()
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")

    def spines() -> list[str]:
        paths = bed.discover("h1")["peer"]["paths"]
        return sorted(bed.spine_of(path) or "" for path in paths)

    def all_answered() -> bool:
        known = spines() == list(SPINES)
        return known and all("*" not in path["hops"] for path in bed.show("h1")["peer"]["paths"])

    # An answer may come too late for a round, and a hop stay unknown.
    eventually(all_answered, lambda: bed.show("h1")["peer"])
    for path in bed.show("h1")["peer"]["paths"]:
        spine = bed.spine_of(path) or ""
        # Of a leaf's addresses the one on its host's link is the most like the asker's (RFC 6724).
        wanted = ["fd92:0:0:1::fe", bed.router_address(spine), "fd92:0:0:2::fe"]
        assert path["hops"] == [*wanted, bed.outer("h2")]
    address = serve(bed)[1]
    request(bed, address, 20, 10_000)
    bed.forward("s1", False)
    eventually(lambda: spines() == ["s0", "s2", "s3"], lambda: bed.show("h1")["peer"])
    bed.forward("s1", True)


@pytest.mark.extended
def test_packet_too_big_is_told_to_guests(bed: Spine6Bed):
    start(bed)
    addresses = serve(bed)
    for spine in SPINES:
        bed.check(spine, "ip", "link", "set", "dev", "d1", "mtu", "1400")
    for spine in range(LINKS):
        bed.check("l2", "ip", "link", "set", "dev", f"p{spine}", "mtu", "1400")
    for address in addresses:
        request(bed, address, 3, 300_000)
    for family, prefix in (("-4", "10.77.2.0/24"), ("-6", "fd77:0:0:2::/64")):
        assert f"mtu {1400 - 76}" in bed.check("h1", "ip", family, "route", "show", prefix)


@pytest.mark.core_cases(1)
@pytest.mark.parametrize(
    ("field", "value", "error"),
    [
        (
            "address",
            "192.0.2.1",
            "peers[0].address: must have the address family of this host's address",
        ),
        ("address", "::", "address: must be a host's IP address, as in 192.0.2.1 or 2001:db8::1"),
        ("mtu", 1279, "mtu: must be 1280 or more, as address is an IPv6 address"),
        ("mtu", 1355, "peers[0].prefixes[1]: IPv6 needs an mtu of 1356 or more, not 1355"),
    ],
)
def test_a_bad_configuration_is_one_error_and_attaches_nothing(
    bed: Spine6Bed, field: str, value: object, error: str
):
    path = bed.directory / "bad.json"
    path.write_text(json.dumps(bed.config("h1", **{field: value})))
    done = bed.edge("h1", "--config", str(path))
    assert done.returncode != 0
    (line,) = done.stderr.splitlines()
    assert line == f"evenweave-edge: {path}: {error}"
    assert "clsact" not in bed.check("h1", "tc", "qdisc", "show", "dev", "e0")
