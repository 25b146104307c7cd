"""IPv6 of guests through evenweave-edge on real packets (docs/reference/edge.md)."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from edge_accounts import accounts_agree, total
from waiting import eventually

from evenweave_testbed.edge.bed import EdgeBed
from evenweave_testbed.edge.namespaces import NoBpfError, says_no_bpf

pytestmark = pytest.mark.fabric

_OUR_ROUTES = ("ip", "-6", "route", "show", "proto", "229")
_NEIGHBOURS = ("ip", "-6", "neigh", "show", "nud", "permanent", "dev", "e0")


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[EdgeBed]:
    with EdgeBed(tmp_path) as bed:
        if not bed.has_ipv6():
            pytest.skip("this kernel has no IPv6")
        yield bed


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("scheme", ["clove-ecn", "alb"])
def test_ipv6_goes_through_the_overlay_beside_ipv4(bed: EdgeBed, scheme: str):
    bed.add_ipv6()
    for host, peer in (("h1", "h2"), ("h2", "h1")):
        config = bed.config(host, scheme, source6=bed.inner6(host))
        config["peers"][0]["prefixes"].append(f"{bed.inner6(peer)[:-1]}/64")
        try:
            bed.start_edge(host, config)
        except NoBpfError as error:
            pytest.skip(f"no BPF programs can be loaded here: {error}")
    assert "fd77:0:0:2::/64" in bed.show("h1")["peer"]["prefixes"]
    for number, address in enumerate((bed.inner("h2"), bed.inner6("h2")), 1):
        bed.server("h2", "serve", address)
        command = [sys.executable, "-m", "evenweave_testbed.edge.applications"]
        bed.check("h1", *command, "requests", address, "20", "300000")
        assert total(bed.show("h1"), "sent", "bytes") > number * 20 * 300_000
    eventually(lambda: accounts_agree(bed), "agreement on the bytes of each path")
    for host in ("h1", "h2"):
        assert sum(bed.show(host)["drops"].values()) == 0
    # The kernel forgets routes and neighbours of a device that goes down.
    for line in ("link set e0 down", "link set e0 up", "route add default via 192.168.1.254"):
        bed.check("h1", "ip", *line.split())
    eventually(lambda: bed.check("h1", *_OUR_ROUTES) != "", "the route again")
    bed.check("h1", *command, "requests", bed.inner6("h2"), "5", "300000")
    bed.end_edge("h1", signal.SIGTERM)
    assert bed.edge("h1", "stop").returncode == 0
    assert bed.check("h1", *_OUR_ROUTES) == ""
    assert bed.check("h1", *_NEIGHBOURS) == ""


@pytest.mark.extended
def test_ipv6_in_a_fabric_that_cannot_carry_it_is_one_error(bed: EdgeBed):
    config = bed.config("h1", mtu=1335)
    config["peers"][0]["prefixes"].append("fd77:0:0:2::/64")
    path = bed.directory / "bad.json"
    path.write_text(json.dumps(config))
    done = bed.edge("h1", "--config", str(path))
    if says_no_bpf(done.stderr):
        pytest.skip(done.stderr)
    assert done.returncode != 0
    (line,) = done.stderr.splitlines()
    assert line.endswith("peers[0].prefixes[1]: IPv6 needs an mtu of 1336 or more, not 1335")
    assert "clsact" not in bed.check("h1", "tc", "qdisc", "show", "dev", "e0")
    assert bed.check("h1", "ip", "route", "show", "10.77.2.0/24") == ""
