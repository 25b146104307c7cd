"""The circuit switch between two hosts, live, under a stand-in controller."""

from __future__ import annotations

import json
import subprocess
import time

import pytest
from sdd_pair import FOR_EVER, match, open_queue, pair_up, send_steadily
from waiting import eventually

from evenweave_testbed.sdd.bed import BedPlan
from evenweave_testbed.sdd.build import program

pytestmark = [pytest.mark.fabric, pytest.mark.real_time]


def test_the_switch_carries_circuits_and_counts_what_is_out_of_slot(start_bed):
    bed, controller = start_bed(BedPlan(hosts=2))
    one, _ = pair_up(bed, controller)
    switch = controller.session("switch")
    assert [port["hostName"] for port in switch.hello["ports"]] == ["h1", "h2"]
    send_steadily(bed, "h1", "h2")
    one.command((0, "START", FOR_EVER))
    dark = switch.wait_for("CircuitStats", lambda s: s["ports"][0]["droppedInNight"] > 10)
    assert dark["ports"][0]["circuitPackets"] == 0
    switch.ok(
        "CircuitConfigure",
        atNs=time.monotonic_ns() + 10_000_000,
        nightNs=1_000_000,
        circuits=[{"inputPort": 0, "outputPort": 1}, {"inputPort": 1, "outputPort": 0}],
    )
    lit = switch.wait_for("CircuitStats", lambda s: s["ports"][0]["circuitPackets"] > 10)
    assert lit["configurations"] == 1
    assert lit["ports"][0]["droppedOutOfSlot"] == 0
    switch.ok(
        "CircuitConfigure",
        atNs=time.monotonic_ns() + 10_000_000,
        nightNs=1_000_000,
        circuits=[{"inputPort": 1, "outputPort": 0}],
    )
    switch.wait_for("CircuitStats", lambda s: s["ports"][0]["droppedOutOfSlot"] > 10)
    refused = switch.request(
        "CircuitConfigure",
        atNs=0,
        nightNs=0,
        circuits=[{"inputPort": 0, "outputPort": 1}, {"inputPort": 1, "outputPort": 1}],
    )
    assert refused["status"] == "ARGUMENT"


@pytest.mark.extended
def test_marked_packets_take_the_packet_switch_and_no_circuit(start_bed):
    bed, controller = start_bed(BedPlan(hosts=2))
    one, _ = pair_up(bed, controller)
    open_queue(one, 1, network="PACKET", closedByDefault="NO")
    one.ok("MapFlow", queue=1, flowPriority=0, match=match("10.9.0.2"))
    send_steadily(bed, "h1", "h2")
    switch = controller.session("switch")
    stats = switch.wait_for("CircuitStats", lambda s: s["ports"][0]["packetPackets"] > 10)
    assert stats["ports"][0]["circuitPackets"] == 0
    assert stats["ports"][0]["droppedInNight"] == 0
    eventually(lambda: bed.statistics()["hosts"]["h2"]["received"] > 10, "packets that arrive")


@pytest.mark.core_cases(1)
@pytest.mark.parametrize(
    ("second", "error"),
    [
        ({"device": "v0", "host": "h2"}, "ports[1].device: v0 is also that of ports[0]"),
        ({"device": "v1", "host": "h1"}, "ports[1].host: h1 is also at ports[0]"),
    ],
)
def test_ports_that_are_one_are_an_error_of_the_field(tmp_path, second, error):
    files = dict.fromkeys(("serverName", "certificate", "key", "authority"), "x")
    config = {
        "name": "cs",
        "linkBps": 1,
        "packetSwitchBps": 1,
        "ports": [{"device": "v0", "host": "h1"}, second],
        "control": {"address": "127.0.0.1", "port": 1} | files,
    }
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config))
    checked = [program("circuit-switch"), "--check", path]
    done = subprocess.run(checked, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, f"circuit-switch: {path}: {error}\n")
