"""What one host's packets can do to its neighbours and to the controller: ARP with false senders,
malformed ARP."""

from __future__ import annotations

import socket
import struct
import time
from pathlib import Path

import pytest
from waiting import eventually

from evenweave_testbed.connections import connect_all
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import spread
from evenweave_testbed.frames import (
    ETHERTYPE_ARP,
    arp_request,
    dropped_of,
    mac_of,
    raw_socket,
    send_frames,
)

pytestmark = pytest.mark.fabric

_PORT = 6001
# After which a host asks again.
_ANSWER_S = 1.0
_LINE = "a malformed packet is dropped"


def _places(fabric: Fabric) -> dict[str, tuple[str, int]]:
    hosts = fabric.controller.topology()["hosts"]
    return {host["address"]: (host["switch"], host["port"]) for host in hosts}


def test_a_false_claim_to_a_neighbours_address_changes_nothing_and_is_an_event(fabric):
    attacker, victim = fabric.hosts_of("s1-0")[:2]
    peer = fabric.hosts_of("s1-2")[0]
    before = _places(fabric)
    since = fabric.controller.last_sequence()
    claim = arp_request(mac_of(attacker), victim.address.packed, victim.gateway.packed)
    for _ in range(10):
        send_frames(fabric, attacker, [claim] * 5)
        assert not connect_all(fabric, spread([peer], [victim], 4, _PORT)), "traffic was lost"

    def duplicates() -> list[dict]:
        return [e for e in fabric.controller.events(since) if e["kind"] == "duplicate-address"]

    eventually(lambda: bool(duplicates()), lambda: fabric.controller.events(since))
    found = duplicates()
    assert len(found) == 1, found
    assert found[0]["subject"].startswith(f"{victim.address} at s1-0/")
    assert found[0]["confirmedEpochMicros"]
    assert _places(fabric) == before
    assert not connect_all(fabric, spread([peer], [victim], 4, _PORT))


@pytest.mark.extended
def test_a_flood_of_malformed_arp_costs_a_log_line_a_second(fabric):
    host = fabric.hosts_of("s1-0")[0]
    frame = arp_request(mac_of(host), host.address.packed, host.gateway.packed, hardware_length=8)
    logs = [fabric.directory / "controller.err", *(fabric.directory / "onos").glob("**/karaf.log")]
    before, began = _lines(logs), time.monotonic()
    send_frames(fabric, host, [frame] * 2000, pause_s=0.001)
    peer = fabric.hosts_of("s1-2")[0]
    assert not connect_all(fabric, spread([peer], [host], 4, _PORT))
    eventually(lambda: any(_LINE in line for line in _lines(logs)[len(before) :]), _LINE)
    added = _lines(logs)[len(before) :]
    # Another for what is dropped as too many; a busy machine may say something of its own.
    seconds = time.monotonic() - began
    of_the_port = [line for line in added if "s1-0/" in line or "of:" in line]
    assert len(of_the_port) <= 2 * (seconds + 2), f"{len(of_the_port)} lines in {seconds:.1f} s"
    assert not [line for line in added if line.lstrip().startswith("at org.evenweave")]


def _lines(logs: list[Path]) -> list[str]:
    return [line for log in logs if log.exists() for line in log.read_text().splitlines()]


@pytest.mark.extended
def test_a_flood_of_arp_takes_down_no_link_and_leaves_neighbours_the_controller(fabric):
    """Every request goes to the controller; so do the link probes, and another host's requests."""
    flooding, neighbour = fabric.hosts_of("s1-0")[:2]
    since = fabric.controller.last_sequence()
    before = dropped_of(fabric, flooding)
    asks = arp_request(mac_of(flooding), flooding.address.packed, neighbour.address.packed)
    probe = arp_request(mac_of(neighbour), neighbour.address.packed, flooding.address.packed)
    for _ in range(5):
        with raw_socket(fabric, neighbour, ETHERTYPE_ARP) as raw:

            def answered_in_the_flood(raw: socket.socket = raw) -> bool:
                send_frames(fabric, flooding, [asks] * 10_000)
                return _is_answered(raw, probe)

            eventually(answered_in_the_flood, "answer to the neighbour", poll_s=0)
    events = fabric.controller.events(since)
    assert not [event for event in events if event["kind"] in ("link-down", "switch-down")], events
    eventually(lambda: dropped_of(fabric, flooding) > before, "count of dropped packets")


def _is_answered(raw: socket.socket, request: bytes) -> bool:
    """Whether ARP for a neighbour is answered by the controller, in the gateway's name. A request
    may be lost with the flood where Open vSwitch has no room for more on the way to it."""
    raw.send(request)
    deadline = time.monotonic() + _ANSWER_S
    while (left_s := deadline - time.monotonic()) > 0:
        raw.settimeout(left_s)
        try:
            frame = raw.recv(100)
        except TimeoutError:
            return False
        if frame[20:22] == struct.pack("!H", 2):
            return True
    return False
