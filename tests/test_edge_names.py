"""Devices that change names around evenweave-edge, which is on the one with the configured name, or
are gone (docs/reference/edge.md). What it has done is waited for; nothing here says how soon."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from waiting import eventually

from evenweave_testbed.edge.bed import EdgeBed
from evenweave_testbed.edge.namespaces import NoBpfError

pytestmark = pytest.mark.fabric


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[EdgeBed]:
    with EdgeBed(tmp_path) as bed:
        yield bed


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("transport", ["udp", "tcp"])
def test_an_edge_moves_to_the_device_that_gets_the_name_of_its_own(bed: EdgeBed, transport: str):
    try:
        bed.start_edges(transport=transport)
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")
    log = bed.directory / "h1.log"
    for command in (
        "link set dev e0 name e9",
        "link add e0 type veth peer name e0end",
        "link set dev e0end up",
        "link set dev e0 up",
    ):
        bed.check("h1", "ip", *command.split())
    eventually(lambda: "the edge is attached again" in log.read_text(), log.read_text)
    assert "clsact" in bed.check("h1", "tc", "qdisc", "show", "dev", "e0")
    assert "clsact" not in bed.check("h1", "tc", "qdisc", "show", "dev", "e9")
    route = ("ip", "route", "show", "proto", "229", "dev")
    eventually(lambda: bed.check("h1", *route, "e9") == "", "end of the route by e9")
    assert bed.show("h1")["device"] == "e0"
    links = json.loads(bed.check("h1", "ip", "-j", "link"))
    assert len([link for link in links if link["ifname"].startswith("ew")]) == (
        2 if transport == "tcp" else 0
    )
    bed.end_edge("h1", signal.SIGTERM)
    assert bed.edge("h1", "stop").returncode == 0
    assert bed.edge("h1", "stop").stderr == "evenweave-edge: no device has an edge\n"


@pytest.mark.extended
def test_stop_removes_what_an_edge_of_a_device_that_is_gone_has_left(bed: EdgeBed):
    try:
        bed.start_edge("h1", bed.config("h1", transport="tcp"))
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")
    bed.end_edge("h1", signal.SIGKILL)
    bed.check("h1", "ip", "link", "delete", "dev", "e0")
    assert len(bed.device_numbers("h1")) == 3
    assert bed.edge("h1", "stop", "e0").returncode == 1  # not asked for all of them
    assert bed.edge("h1", "stop").returncode == 0
    assert list(bed.device_numbers("h1")) == ["lo"]
    assert bed.edge("h1", "stop").returncode == 1
