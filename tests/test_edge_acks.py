"""ALB's ACK correction on real connections (docs/reference/edge.md#ack-correction).

Every packet is marked and flowlets begin after a microsecond, so that many acknowledgements are of
a path that their flow has left. Asserted are accounts; nothing here says how soon.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from waiting import eventually

from evenweave_testbed.edge.bed import HOSTS, LINKS, EdgeBed
from evenweave_testbed.edge.namespaces import NoBpfError

pytestmark = pytest.mark.fabric


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[EdgeBed]:
    with EdgeBed(tmp_path) as bed:
        for host in HOSTS:
            bed.set(host, tcp_ecn=1)
        for link in range(LINKS):
            bed.congest(link)
        yield bed


def config(bed: EdgeBed, host: str, paths: int | None = None, **changes: object) -> dict:
    """`changes` are of the peer; the first so many paths only."""
    made = bed.config(host, "alb", gapUs=1)
    (peer,) = made["peers"]
    peer |= changes
    peer["paths"] = peer["paths"][:paths]
    return made


def start(bed: EdgeBed, **changes: object) -> None:
    try:
        for host in HOSTS:
            bed.start_edge(host, config(bed, host, **changes))
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")
    bed.server("h2", "serve", bed.inner("h2"))


def correction(bed: EdgeBed) -> dict:
    return bed.show("h1")["peer"]["ackCorrection"]


def echoes_seen(bed: EdgeBed) -> int:
    """Segments that the kernel's TCP in h1 was told were marked."""
    shown = bed.check("h1", "nstat", "-asz", "TcpExtTCPDeliveredCE")
    return int(shown.splitlines()[-1].split()[1])


def test_echoes_of_paths_that_flows_have_left_are_kept_from_guests(bed: EdgeBed):
    start(bed)

    def withheld() -> bool:
        bed.requests(3, 300_000)
        return correction(bed)["echoesWithheld"] > 20

    eventually(withheld, "echoes that were withheld")
    found = correction(bed)
    assert found["enabled"] is True
    assert found["ofAnotherPath"] >= found["echoesWithheld"]
    for host in HOSTS:
        assert sum(bed.show(host)["drops"].values()) == 0


@pytest.mark.extended
def test_a_flow_that_has_one_path_sees_every_echo(bed: EdgeBed):
    start(bed, paths=1)
    bed.requests(3, 300_000)
    assert correction(bed) == {"enabled": True, "ofAnotherPath": 0, "echoesWithheld": 0}
    assert echoes_seen(bed) > 0


@pytest.mark.extended
def test_without_correction_guests_see_all_echoes(bed: EdgeBed):
    start(bed, ackCorrection=False)
    bed.requests(10, 300_000)
    assert correction(bed) == {"enabled": False, "ofAnotherPath": 0, "echoesWithheld": 0}
    assert echoes_seen(bed) > 0
    # It is taken on without a break.
    bed.change("h1", **config(bed, "h1"))
    eventually(lambda: correction(bed)["enabled"], "correction")
    eventually(
        lambda: bed.requests(3, 300_000) or correction(bed)["echoesWithheld"] > 0, "its work"
    )
