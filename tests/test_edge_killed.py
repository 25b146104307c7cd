"""evenweave-edge that is killed half-way, by a start or by `stop`: whatever it has done by then,
`stop` leaves nothing of it, and what an operator had on the device stays (docs/reference/edge.md).
"""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from killed import can_trace, run_until_change
from waiting import eventually

from evenweave_testbed.edge.bed import EdgeBed
from evenweave_testbed.edge.namespaces import NoBpfError

pytestmark = [
    pytest.mark.fabric,
    pytest.mark.skipif(not can_trace(), reason="system calls of this processor are not known"),
]

NONE = "evenweave-edge: no device has an edge\n"


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[EdgeBed]:
    with EdgeBed(tmp_path) as bed:
        yield bed


def start(bed: EdgeBed, transport: str = "udp") -> None:
    try:
        bed.start_edge("h1", bed.config("h1", transport=transport))
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")


def what_is_there(bed: EdgeBed) -> tuple[str, ...]:
    """All that an edge adds to a host."""
    links = json.loads(bed.check("h1", "ip", "-j", "link"))
    return (
        bed.check("h1", "tc", "qdisc", "show", "dev", "e0"),
        bed.check("h1", "tc", "filter", "show", "dev", "e0", "ingress"),
        bed.check("h1", "tc", "filter", "show", "dev", "e0", "egress"),
        bed.check("h1", "ip", "route"),
        *sorted(link["ifname"] for link in links),
    )


def kill(bed: EdgeBed, change: int, *arguments: str) -> bool:
    """Kills a command of h1 after so many changes; false if it has fewer."""
    return run_until_change(bed.inside("h1", *bed.edge_command(*arguments)), change)


def stop(bed: EdgeBed) -> None:
    done = bed.edge("h1", "stop")
    assert (done.returncode, done.stderr) in [(0, ""), (1, NONE)]


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("transport", ["udp", "tcp", "hidden"])
def test_stop_leaves_nothing_of_a_start_that_was_killed(bed: EdgeBed, transport: str):
    before = what_is_there(bed)
    start(bed, transport)
    config = str(bed.directory / "h1.json")
    bed.end_edge("h1", signal.SIGTERM)
    stop(bed)
    changes = 1
    while kill(bed, changes, "--config", config):
        stop(bed)
        assert what_is_there(bed) == before, f"after change {changes}"
        changes += 1
    stop(bed)
    assert what_is_there(bed) == before
    assert changes > 4  # qdisc, two filters or more, a route


@pytest.mark.extended
def test_a_start_takes_over_from_one_that_was_killed(bed: EdgeBed):
    before = what_is_there(bed)
    start(bed)
    bed.end_edge("h1", signal.SIGTERM)
    stop(bed)
    assert kill(bed, 1, "--config", str(bed.directory / "h1.json"))
    for host in ("h1", "h2"):
        bed.start_edge(host, bed.config(host))
    bed.server("h2", "serve", bed.inner("h2"))
    bed.requests(3, 1000)
    bed.end_edge("h1", signal.SIGTERM)
    stop(bed)
    assert what_is_there(bed) == before


@pytest.mark.extended
def test_a_stop_that_was_killed_is_ended_by_the_next(bed: EdgeBed):
    before = what_is_there(bed)
    changes = 1
    while True:
        start(bed, "tcp")
        bed.end_edge("h1", signal.SIGTERM)
        killed = kill(bed, changes, "stop")
        stop(bed)
        assert what_is_there(bed) == before, f"after change {changes}"
        if not killed:
            break
        changes += 1
    assert changes > 2


@pytest.mark.extended
@pytest.mark.parametrize("used", [False, True])
def test_an_operators_qdisc_stays_whenever_a_start_is_killed(bed: EdgeBed, used: bool):
    bed.check("h1", "tc", "qdisc", "add", "dev", "e0", "clsact")
    if used:
        bed.add_port_program("h1", "e0", "stamping_port.bpf.o")
    before = what_is_there(bed)
    start(bed)
    config = str(bed.directory / "h1.json")
    bed.end_edge("h1", signal.SIGTERM)
    stop(bed)
    assert what_is_there(bed) == before
    changes = 1
    while kill(bed, changes, "--config", config):
        stop(bed)
        assert what_is_there(bed) == before, f"after change {changes}"
        changes += 1
    assert changes > 3


@pytest.mark.extended
def test_a_qdisc_that_an_operator_puts_in_the_place_of_the_edges_stays(bed: EdgeBed):
    start(bed)
    log = bed.directory / "h1.log"
    bed.signal_edge("h1", signal.SIGSTOP)  # it sees the second at the first
    for what in ("del", "add"):
        bed.check("h1", "tc", "qdisc", what, "dev", "e0", "clsact")
    bed.signal_edge("h1", signal.SIGCONT)
    eventually(lambda: "the edge is attached again" in log.read_text(), log.read_text)
    bed.end_edge("h1", signal.SIGTERM)
    stop(bed)
    assert "clsact" in bed.check("h1", "tc", "qdisc", "show", "dev", "e0")
