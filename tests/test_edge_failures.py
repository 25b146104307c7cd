"""What fails around evenweave-edge while connections are held: none is lost where a path is left
(docs/reference/edge.md, section Failures). Accounts and their order; nothing here says how soon.

A controller and a process that are killed are in test_edge_control.py and test_edge.py.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from edge_accounts import accounts_agree, total
from waiting import eventually

from evenweave_testbed.edge.bed import HOSTS, LINKS, EdgeBed
from evenweave_testbed.edge.faults import FaultyPort, step_clock
from evenweave_testbed.edge.namespaces import NoBpfError
from evenweave_testbed.edge.spines import SPINES, SpineBed
from evenweave_testbed.processes import pipe

pytestmark = pytest.mark.fabric

HELD, BYTES = 4, 200_000
SECOND_NS = 1_000_000_000


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[EdgeBed]:
    with EdgeBed(tmp_path) as bed:
        yield bed


@pytest.fixture
def spine_bed(tmp_path: Path) -> Iterator[SpineBed]:
    with SpineBed(tmp_path) as bed:
        yield bed


def try_to(start: Callable[[], object]) -> None:
    try:
        start()
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")


class Connections:
    """TCP connections of h1 to h2 that are held."""

    def __init__(self, bed: EdgeBed, count: int = HELD) -> None:
        bed.server("h2", "serve", bed.inner("h2"))
        self._held = [bed.application("h1", "hold", bed.inner("h2"), BYTES) for _ in range(count)]
        self.all_answer()

    def ask(self) -> None:
        for held in self._held:
            pipe(held.stdin).write("\n")
            pipe(held.stdin).flush()

    def hear(self) -> None:
        for held in self._held:
            assert pipe(held.stdout).readline().startswith("answered ")

    def all_answer(self) -> None:
        self.ask()
        self.hear()


def spines(bed: SpineBed) -> list[str]:
    paths = bed.discover("h1")["peer"]["paths"]
    return sorted(bed.spine_of(path) or "" for path in paths)


def leave(bed: SpineBed, spine: str) -> None:
    """Has both hosts discover paths until none is over the spine."""
    for host in HOSTS:
        eventually(
            lambda host=host: len(bed.discover(host)["peer"]["paths"]) == LINKS - 1,
            lambda host=host: bed.show(host)["peer"],
        )
    # An answer may come too late for a round, and a hop stay unknown.
    left = [other for other in SPINES if other != spine]
    eventually(lambda: spines(bed) == left, lambda: bed.show("h1")["peer"])


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("scheme", ["clove-ecn", "alb"])
def test_links_and_spines_that_die_take_no_connection_along(spine_bed: SpineBed, scheme: str):
    bed = spine_bed
    try_to(lambda: bed.start_discovery(scheme))
    eventually(lambda: spines(bed) == list(SPINES), lambda: bed.show("h1")["peer"])
    connections = Connections(bed)
    bed.connect("s1", False)  # leaves see it, and hash what came by it over the other links
    connections.all_answer()
    bed.connect("s1", True)
    connections.all_answer()
    bed.forward("s2", False)  # nobody sees it
    connections.ask()
    leave(bed, "s2")
    connections.hear()
    bed.forward("s2", True)
    eventually(lambda: spines(bed) == list(SPINES), lambda: bed.show("h1")["peer"])
    connections.all_answer()


@pytest.mark.extended
@pytest.mark.parametrize("scheme", ["edge-flowlet", "clove-ecn", "alb"])
def test_a_link_that_silently_loses_2_percent_is_accounted_for(bed: EdgeBed, scheme: str):
    ports: list[FaultyPort] = []
    try_to(lambda: ports.append(FaultyPort(bed, "l1", "p1")))
    bed.start_edges(scheme)
    connections = Connections(bed)
    (port,) = ports
    port.lose(50)

    def lost() -> int:
        return port.lost()["packets"]

    def answered_through_loss() -> bool:
        connections.all_answer()
        return lost() > 3

    eventually(answered_through_loss, lambda: port.lost())
    port.lose(0)
    connections.all_answer()
    assert port.lost()["seen"] >= 50 * lost()

    def all_but_lost() -> bool:
        came = total(bed.show("h2"), "received", "bytes")
        return came + port.lost()["inner_bytes"] == total(bed.show("h1"), "sent", "bytes")

    eventually(all_but_lost, "agreement on the bytes but for those lost")


@pytest.mark.extended
def test_intflow_moves_connections_where_a_spine_silently_loses_2_percent(spine_bed: SpineBed):
    bed = spine_bed
    ports: list[FaultyPort] = []
    try_to(lambda: ports.append(FaultyPort(bed, "s1", "d1")))
    leaf, _ = bed.start_leaves("intflow", 100)
    for host in HOSTS:
        bed.start_edge(host, bed.single_path(host, "intflow"))
    connections = Connections(bed)
    (port,) = ports

    def told() -> int:
        return bed.show("h1")["peer"]["instructions"]["failure"]

    port.lose(50)

    def failure_is_told() -> bool:
        connections.all_answer()
        return told() > 0 and port.lost()["packets"] > 0

    eventually(failure_is_told, lambda: bed.show("h1")["peer"]["instructions"])

    def moved() -> int:
        return sum(uplink["moved"] for uplink in leaf.state()["uplinks"])

    eventually(lambda: moved() > 0, lambda: leaf.state())
    connections.all_answer()


@pytest.mark.extended
def test_both_ends_are_restarted_at_once(bed: EdgeBed):
    try_to(bed.start_edges)
    connections = Connections(bed)

    def start_both() -> None:
        for host in HOSTS:
            bed.start_edge(host, bed.config(host))

    for number in (signal.SIGKILL, signal.SIGTERM):
        connections.ask()
        for host in HOSTS:
            bed.end_edge(host, number)
        connections.hear()
        connections.all_answer()
        start_both()
        connections.all_answer()
    eventually(lambda: accounts_agree(bed), "agreement on the bytes of each path")
    # Nothing of either end's state is left.
    connections.ask()
    for host in HOSTS:
        bed.end_edge(host, signal.SIGTERM)
        assert bed.edge(host, "stop").returncode == 0
    start_both()
    connections.hear()
    connections.all_answer()
    assert sum(sum(bed.show(host)["drops"].values()) for host in HOSTS) == 0


def longest_delay_ns(bed: EdgeBed) -> int:
    """The longest one that h1's edge heard of last."""
    return max(path.get("delayNs", 0) for path in bed.show("h1")["peer"]["paths"])


@pytest.mark.extended
@pytest.mark.parametrize("scheme", ["clove-latency", "alb", "intflow"])
def test_a_clock_that_is_stepped_breaks_no_connection(bed: EdgeBed, scheme: str):
    ports: list[FaultyPort] = []
    for router in ("l1", "l2"):
        try_to(lambda router=router: ports.append(FaultyPort(bed, router, "d")))
    # For intflow any flow with a delay of half a second is congested.
    bed.start_edges(scheme, intflow={"linkMbps": 10**6, "delayUs": 500_000, "sizeBytes": 1})
    connections = Connections(bed)
    to_h1, to_h2 = ports
    for step_ns in (SECOND_NS, 50_000, 2 * SECOND_NS, -SECOND_NS):
        step_clock(to_h1, to_h2, step_ns)
        connections.all_answer()
        connections.all_answer()
    # h1's clock is a second behind now: what it sends looks as if it had taken that long.
    if scheme == "clove-latency":
        assert longest_delay_ns(bed) > 0.9 * SECOND_NS
    elif scheme == "intflow":
        assert bed.show("h1")["peer"]["instructions"]["congestion"] > 0
    else:

        def forgotten() -> bool:
            connections.all_answer()
            return longest_delay_ns(bed) < 0.9 * SECOND_NS

        eventually(forgotten, lambda: bed.show("h1")["peer"]["paths"])
    eventually(lambda: accounts_agree(bed), "agreement on the bytes of each path")
