"""What evenweave-edge counts as out of order where packets arrive (docs/reference/edge.md)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from edge_accounts import total
from waiting import eventually

from evenweave_testbed.edge.bed import EdgeBed
from evenweave_testbed.edge.namespaces import NoBpfError

pytestmark = pytest.mark.fabric


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[EdgeBed]:
    with EdgeBed(tmp_path) as bed:
        yield bed


def start(bed: EdgeBed, scheme: str) -> None:
    try:
        bed.start_edges(scheme)
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")
    bed.slow(0)
    bed.server("h2", "serve", bed.inner("h2"))


def test_what_a_slower_path_brings_behind_later_packets_is_late(bed: EdgeBed):
    start(bed, "presto")

    def late() -> int:
        bed.requests(3, 500_000)
        return total(bed.show("h2"), "received", "late")

    # A flowcell by the slow link is overtaken by the next.
    eventually(lambda: late() > 0, "late packets")
    slow = [path["received"]["late"] for path in bed.show("h2")["peer"]["paths"]]
    assert sum(slow) <= total(bed.show("h2"), "received", "packets")


@pytest.mark.extended
@pytest.mark.usefixtures("one_processor")
def test_a_flow_that_stays_on_its_path_has_nothing_late(bed: EdgeBed):
    start(bed, "edge-flowlet")
    for host in ("h1", "h2"):  # no idle time is so long
        bed.change(host, gapUs=1_000_000)
    eventually(lambda: bed.show("h2")["peer"]["gapNs"] == 1_000_000_000, "another gap")
    eventually(lambda: bed.show("h1")["peer"]["gapNs"] == 1_000_000_000, "another gap")
    bed.requests(5, 200_000)
    for host in ("h1", "h2"):
        assert total(bed.show(host), "received", "packets") > 0
        assert total(bed.show(host), "received", "late") == 0
