"""Leaf switches that choose uplinks in the kernel, by LetFlow, CONGA and IntFlow
(docs/reference/edge.md).

Asserted are accounts and their order; nothing here says how soon.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from edge_accounts import accounts_agree, total
from waiting import eventually

from evenweave_testbed.edge.bed import HOSTS, LINKS
from evenweave_testbed.edge.leaf import Leaf
from evenweave_testbed.edge.namespaces import NoBpfError
from evenweave_testbed.edge.spines import SPINES, SpineBed
from evenweave_testbed.processes import pipe

pytestmark = pytest.mark.fabric

SCHEMES = ["letflow", "conga", "intflow"]
# What hosts' edges have where that is not ecmp.
EDGES = {"intflow": "intflow"}
GAP_US = 100
# No flowlet and no load ends while a test runs.
SLOWER, NEVER_US = 1000, 4_000_000_000
CONNECTIONS, BYTES = 20, 300_000


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[SpineBed]:
    with SpineBed(tmp_path) as bed:
        yield bed


def start(
    bed: SpineBed, scheme: str, gap_us: int = GAP_US, slower: int = 1, overlay: bool = True
) -> list[Leaf]:
    try:
        leaves = bed.start_leaves(scheme, gap_us, slower)
        for host in HOSTS if overlay else ():
            bed.start_edge(host, bed.single_path(host, EDGES.get(scheme, "ecmp")))
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")
    return leaves


def sent(leaf: Leaf, what: str = "bytes") -> list[int]:
    return [uplink[what] for uplink in leaf.state()["uplinks"]]


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_leaf_spreads_flowlets_and_accounts_for_every_byte(bed: SpineBed, scheme: str):
    leaves = start(bed, scheme)
    bed.server("h2", "serve", bed.inner("h2"))
    bed.requests(CONNECTIONS, BYTES)
    eventually(lambda: accounts_agree(bed), "agreement on the bytes of each path")
    for host, leaf in zip(HOSTS, leaves, strict=True):
        # The end of the last connection may still be on its way.
        eventually(
            lambda host=host, leaf=leaf: sum(sent(leaf)) == total(bed.show(host), "sent", "bytes"),
            "agreement on what the host has sent",
        )
        state = leaf.state()
        assert sum(sent(leaf)) > CONNECTIONS * BYTES
        assert sum(sent(leaf, "flowlets")) >= CONNECTIONS
        assert sum(uplink > 0 for uplink in sent(leaf)) > 1
        assert state["refused"] == 0
        assert (state["tags"] > 0) == (scheme != "letflow")
    assert sum(bed.show("h1")["drops"].values()) + sum(bed.show("h2")["drops"].values()) == 0
    assert not list(Path("/sys/fs/bpf").glob("leaf-*"))


@pytest.mark.extended
def test_flows_of_hosts_without_an_overlay_get_uplinks_too(bed: SpineBed):
    one, two = start(bed, "letflow", NEVER_US, SLOWER, overlay=False)
    before = bed.link_bytes()
    bed.server("h2", "serve", bed.outer("h2"))
    bed.requests(CONNECTIONS, BYTES, to=bed.outer("h2"))
    assert min(sum(sent(one)), sum(sent(two))) > CONNECTIONS * BYTES
    # A connection is one flowlet, and no other packets were on the links but ARP's.
    assert sum(sent(one, "flowlets")) == CONNECTIONS
    assert sum(sent(one, "moved")) == 0
    links = [now - was for now, was in zip(bed.link_bytes(), before, strict=True)]
    assert all(on_wire >= by_leaf for on_wire, by_leaf in zip(links, sent(one), strict=True))


def test_conga_sends_less_than_its_share_by_a_spine_with_a_loaded_link(bed: SpineBed):
    one, _ = start(bed, "conga", 0, SLOWER)
    bed.stamp_load("s3")
    bed.server("h2", "serve", bed.inner("h2"))

    def load_is_known() -> bool:
        bed.requests(1, BYTES)
        return one.state()["uplinks"][3]["level"] == 7

    # A flow begins on any uplink of those that cost as much: on the fourth sooner or later, and
    # that none of 60 begins on one of the others has a chance of 1e-10.
    eventually(load_is_known, "the load of the link")
    before = sent(one)
    bed.requests(60, BYTES // 3)
    by_uplink = [now - was for now, was in zip(sent(one), before, strict=True)]
    assert by_uplink[3] < sum(by_uplink) / LINKS / 2
    assert min(by_uplink[:3]) > by_uplink[3]


@pytest.mark.extended
@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_spine_without_links_is_left_and_taken_again(bed: SpineBed, scheme: str):
    one, _ = leaves = start(bed, scheme)

    def request() -> None:
        pipe(connection.stdin).write("\n")
        pipe(connection.stdin).flush()
        assert pipe(connection.stdout).readline().startswith("answered ")

    def used(place: int) -> bool:
        """Whether both leaves sent by an uplink what a request led to."""
        before = [sent(leaf, "packets")[place] for leaf in leaves]
        request()
        after = [sent(leaf, "packets")[place] for leaf in leaves]
        return all(now > was for now, was in zip(after, before, strict=True))

    bed.server("h2", "serve", bed.inner("h2"))
    connection = bed.application("h1", "hold", bed.inner("h2"), BYTES)
    eventually(lambda: used(2), "packets over the spine")
    bed.connect("s2", False)
    eventually(lambda: all(not leaf.state()["uplinks"][2]["up"] for leaf in leaves), "news of it")
    left = [sent(leaf, "packets")[2] for leaf in leaves]
    for _ in range(10):
        request()
    assert [sent(leaf, "packets")[2] for leaf in leaves] == left
    bed.connect("s2", True)
    eventually(lambda: used(2), "packets over the spine again")
    assert sum(sent(one, "moved")) > 0


@pytest.mark.extended
def test_what_is_too_long_for_an_uplink_is_answered_by_the_router(bed: SpineBed):
    one, _ = start(bed, "letflow", overlay=False)
    for link, spine in enumerate(SPINES):
        # A device drops what is longer than its own MTU, so that both ends need the same.
        bed.check("l1", "ip", "link", "set", "dev", f"p{link}", "mtu", "1400")
        bed.check(spine, "ip", "link", "set", "dev", "d0", "mtu", "1400")
    bed.server("h2", "serve", bed.outer("h2"))
    bed.requests(1, BYTES, to=bed.outer("h2"))
    route = bed.check("h1", "ip", "route", "get", bed.outer("h2"))
    assert "mtu 1400" in route
    assert sum(sent(one)) > BYTES


@pytest.mark.extended
def test_hosts_tell_leaves_of_their_connections(bed: SpineBed):
    start(bed, "intflow")
    bed.server("h2", "serve", bed.inner("h2"))
    bed.requests(CONNECTIONS, BYTES)
    for host in HOSTS:
        told = bed.show(host)["peer"]["instructions"]
        # What begins a connection has none yet.
        assert told["unassigned"] >= CONNECTIONS
        assert sum(told.values()) - told["resent"] > CONNECTIONS
