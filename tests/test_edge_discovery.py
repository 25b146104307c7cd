"""Discovery of paths by evenweave-edge, on a leaf-spine fabric of Linux routers.

Nothing here says how soon: a discovery is requested and waited for.
"""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from waiting import eventually

from evenweave_testbed.edge.bed import HOSTS
from evenweave_testbed.edge.namespaces import NoBpfError
from evenweave_testbed.edge.spines import CANDIDATES, SPINES, SpineBed
from evenweave_testbed.processes import pipe

pytestmark = pytest.mark.fabric


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[SpineBed]:
    with SpineBed(tmp_path) as bed:
        yield bed


def start(bed: SpineBed, scheme: str = "clove-ecn", **paths: int) -> None:
    try:
        bed.start_discovery(scheme, **paths)
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")


def spines(shown: dict) -> list[str | None]:
    return sorted(SpineBed.spine_of(path) or "" for path in shown["peer"]["paths"])


def find(bed: SpineBed, *wanted: str) -> None:
    """Has both hosts discover paths until they are over these spines and no others."""
    for host in HOSTS:
        eventually(
            lambda host=host: len(bed.discover(host)["peer"]["paths"]) == len(wanted),
            lambda host=host: bed.show(host)["peer"],
        )
    # An answer may come too late for a round, and a hop stay unknown.
    eventually(
        lambda: any(spines(look("h1")) == list(wanted) for look in (bed.show, bed.discover)),
        lambda: bed.show("h1")["peer"],
    )


def by_port(shown: dict) -> dict[int, dict]:
    return {path["sourcePort"]: path for path in shown["peer"]["paths"]}


def ask(connection: subprocess.Popen) -> None:
    """One request over a connection that is held."""
    pipe(connection.stdin).write("\n")
    pipe(connection.stdin).flush()
    assert pipe(connection.stdout).readline().startswith("answered ")


def test_a_path_over_each_spine_is_found(bed: SpineBed):
    start(bed)
    find(bed, *SPINES)

    def all_answered() -> bool:
        peer = bed.discover("h1")["peer"]
        known = all("*" not in path["hops"] for path in peer["paths"])
        return known and peer["discovery"]["arrived"] == CANDIDATES

    eventually(all_answered, lambda: bed.show("h1")["peer"])
    shown = bed.show("h1")
    assert spines(shown) == list(SPINES)
    for path in shown["peer"]["paths"]:
        spine = SpineBed.spine_of(path)
        number = spine[1] if spine else ""
        # The last router by the address that the packet came to.
        wanted = ["192.168.1.254", f"10.0.{number}.2", f"10.1.{number}.1", bed.outer("h2")]
        assert path["hops"] == wanted
        assert path["sharedLinks"] == 1  # to the first router
    assert shown["peer"]["discovery"]["tried"] == CANDIDATES
    assert bed.show("h2")["peer"]["probes"]["answered"] >= CANDIDATES
    assert sum(shown["drops"].values()) == 0


@pytest.mark.extended
def test_packets_go_where_the_probes_went(bed: SpineBed):
    start(bed, "presto")
    find(bed, *SPINES)
    bed.server("h2", "serve", bed.inner("h2"))
    before = bed.link_bytes()
    bed.requests(40, 300_000)
    over = [after - then for after, then in zip(bed.link_bytes(), before, strict=True)]
    shown = bed.show("h1")
    for path in shown["peer"]["paths"]:
        spine = SpineBed.spine_of(path)
        assert spine is not None
        # Frames have a header more than what is counted inside, at most 70 bytes on 1 KB or more;
        # acknowledgements are small and many, and large segments are counted once.
        assert over[int(spine[1])] >= path["sent"]["bytes"] > 0
    assert all(share > 0.15 * sum(over) for share in over)  # of 0.25, by Presto's turns


@pytest.mark.extended
def test_fewer_are_chosen_where_fewer_are_wanted_or_there(bed: SpineBed):
    start(bed, discover=2)
    assert len(set(spines(bed.show("h1")))) == 2
    for host in HOSTS:
        bed.end_edge(host, signal.SIGTERM)
        bed.start_edge(host, bed.discovering(host, discover=8))
    find(bed, *SPINES)  # 8 are wanted, 4 ways are there


@pytest.mark.extended
def test_a_spine_that_dies_is_left_and_traffic_goes_on(bed: SpineBed):
    start(bed)
    bed.server("h2", "serve", bed.inner("h2"))
    bed.requests(20, 10_000)
    before = by_port(bed.show("h1"))
    bed.forward("s1", False)
    find(bed, "s0", "s2", "s3")
    assert bed.show("h1")["peer"]["discovery"]["arrived"] < CANDIDATES
    bed.requests(20, 10_000)
    # Paths over the other spines live on, counters and all.
    alive = {port for port, path in before.items() if SpineBed.spine_of(path) != "s1"}
    after = by_port(bed.show("h1"))
    assert alive == set(after)
    assert sum(path["weight"] for path in after.values()) == pytest.approx(1, abs=1e-4)
    bed.forward("s1", True)
    find(bed, *SPINES)
    assert alive < set(by_port(bed.show("h1")))
    bed.requests(20, 10_000)


@pytest.mark.extended
def test_paths_that_live_on_keep_their_state(bed: SpineBed):
    # A flowcell ends by its size only: a state that was lost would begin another.
    start(bed, "presto")
    find(bed, *SPINES)
    bed.server("h2", "serve", bed.inner("h2"))
    held = bed.application("h1", "hold", bed.inner("h2"), 100)
    ask(held)

    def flowlets() -> int:
        return sum(path["sent"]["flowlets"] for path in bed.show("h1")["peer"]["paths"])

    def ports() -> list[int]:
        return [path["sourcePort"] for path in bed.show("h1")["peer"]["paths"]]

    assert flowlets() == 1
    before = ports()
    for _ in range(3):
        bed.discover("h1")
        ask(held)
    assert bed.end_edge("h1", signal.SIGKILL) == -signal.SIGKILL
    assert spines(bed.show("h1")) == list(SPINES)
    assert bed.edge("h1", "discover").returncode == 1  # nobody is there to do it
    bed.start_edge("h1", bed.discovering("h1", "presto"))
    ask(held)
    bed.discover("h1")
    ask(held)
    assert flowlets() == 1
    assert ports() == before


@pytest.mark.extended
def test_a_dead_path_keeps_no_place_from_those_that_live(bed: SpineBed):
    start(bed)
    find(bed, *SPINES)
    places = {path["sourcePort"]: path["path"] for path in bed.show("h1")["peer"]["paths"]}
    last = bed.show("h1")["peer"]["paths"][-1]
    spine = SpineBed.spine_of(last)
    assert spine is not None
    bed.forward(spine, False)
    find(bed, *(other for other in SPINES if other != spine))
    after = {path["sourcePort"]: path["path"] for path in bed.show("h1")["peer"]["paths"]}
    assert after == {port: place for port, place in places.items() if port != last["sourcePort"]}


@pytest.mark.extended
def test_routers_with_linux_defaults_hide_hops_and_make_up_none(bed: SpineBed):
    bed.use_defaults()
    start(bed)
    paths = bed.discover("h1")["peer"]["paths"]
    assert len(paths) == len(SPINES)
    for path in paths:
        assert path["hops"][-1] == bed.outer("h2")
        assert SpineBed.spine_of(path) in (None, *SPINES)


@pytest.mark.extended
def test_discovery_is_periodic(bed: SpineBed):
    start(bed, periodS=1)
    bed.forward("s2", False)
    eventually(lambda: spines(bed.show("h1")) == ["s0", "s1", "s3"], "end of the paths over s2")
    bed.forward("s2", True)
    eventually(lambda: spines(bed.show("h1")) == list(SPINES), "path over s2")


@pytest.mark.extended
def test_without_any_router_that_answers_all_ports_are_used(bed: SpineBed):
    for router in bed.routers:
        bed.set(router, icmp_ratelimit=10**9)  # ms until the first one
    start(bed)

    def paths() -> list[dict]:
        return bed.discover("h1")["peer"]["paths"]

    # A candidate without an answer in time is no path until the next round.
    eventually(lambda: len(paths()) == CANDIDATES, lambda: bed.show("h1")["peer"])
    assert all(path["hops"] == ["*", "*", "*", bed.outer("h2")] for path in paths())
    bed.server("h2", "serve", bed.inner("h2"))
    bed.requests(20, 10_000)


@pytest.mark.extended
def test_a_peer_without_an_edge_is_found_when_it_comes(bed: SpineBed):
    try:
        bed.start_edge("h1", bed.discovering("h1"))
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")
    eventually(
        lambda: bed.show("h1")["peer"].get("discovery", {}).get("tried") == CANDIDATES, "round"
    )
    shown = bed.show("h1")["peer"]
    assert len(shown["paths"]) == CANDIDATES
    assert shown["discovery"]["arrived"] == 0
    bed.start_edge("h2", bed.discovering("h2"))
    eventually(lambda: spines(bed.show("h1")) == list(SPINES), "paths, without being asked")
