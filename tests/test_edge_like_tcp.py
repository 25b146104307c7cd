"""What both transports promise whose packets look like TCP's to the fabric: `tcp` and `hidden`."""

from __future__ import annotations

from pathlib import Path

import pytest
from controlled_edge import exchange
from waiting import eventually

from evenweave_testbed.edge.bed import HOSTS, LINKS, EdgeBed
from evenweave_testbed.edge.namespaces import NoBpfError
from evenweave_testbed.edge.spines import CANDIDATES, SPINES, SpineBed

pytestmark = pytest.mark.fabric


@pytest.mark.core_cases(1)
@pytest.mark.parametrize(("transport", "overhead_bytes"), [("tcp", 68), ("hidden", 28)])
def test_a_fabric_that_carries_less_is_found_out_and_no_black_hole(
    tmp_path: Path, transport: str, overhead_bytes: int
):
    with EdgeBed(tmp_path) as bed:
        try:
            for host in HOSTS:
                bed.start_edge(host, bed.config(host, "clove-ecn", transport=transport))
        except NoBpfError as error:
            pytest.skip(f"no BPF programs can be loaded here: {error}")
        bed.server("h2", "serve", bed.inner("h2"))
        for leaf in ("l1", "l2"):
            for link in range(LINKS):
                bed.check(leaf, "ip", "link", "set", "dev", f"p{link}", "mtu", "1300")
        bed.requests(3, 300_000)
        for host, peer in (("h1", "h2"), ("h2", "h1")):
            route = bed.check(host, "ip", "route", "show", f"10.77.{peer[1]}.0/24")
            assert f"mtu {1300 - overhead_bytes}" in route


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("transport", ["tcp", "hidden"])
def test_a_path_over_each_spine_is_found_and_a_dead_one_left(tmp_path: Path, transport: str):
    with SpineBed(tmp_path) as bed:
        try:
            bed.start_discovery(transport=transport)
        except NoBpfError as error:
            pytest.skip(f"no BPF programs can be loaded here: {error}")

        def found() -> list[str]:
            return sorted(
                SpineBed.spine_of(path) or "" for path in bed.discover("h1")["peer"]["paths"]
            )

        def all_arrived() -> bool:
            return bed.discover("h1")["peer"]["discovery"]["arrived"] == CANDIDATES

        eventually(lambda: found() == list(SPINES), lambda: bed.show("h1")["peer"])
        # An answer may come too late for a round.
        eventually(all_arrived, lambda: bed.show("h1")["peer"])
        bed.server("h2", "serve", bed.inner("h2"))
        held = bed.application("h1", "hold", bed.inner("h2"), 100_000)
        exchange(held)
        # The kernel of neither host has taken a packet of the overlay for one of its connections.
        for host in HOSTS:
            counters = bed.check(host, "nstat", "-asz", "TcpOutRsts")
            assert "TcpOutRsts                      0 " in counters
        bed.connect("s1", False)
        eventually(lambda: found() == ["s0", "s2", "s3"], lambda: bed.show("h1")["peer"])
        exchange(held)
        if transport == "hidden":
            assert all(sum(bed.show(host)["peer"]["notHidden"].values()) == 0 for host in HOSTS)
