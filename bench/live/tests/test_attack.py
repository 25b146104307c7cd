"""What attackers send, and what the benchmark makes of the times."""

from __future__ import annotations

import struct
from ipaddress import IPv4Address
from itertools import islice

import pytest

from evenweave_bench.attack.frames import FRAMES, Place
from evenweave_bench.attack.measure import (
    PER_SECOND,
    Answer,
    AttackError,
    compared,
    figures,
    lookups,
)

PLACE = Place(
    mac="02:00:0a:00:00:02",
    address="10.0.0.2",
    prefix="10.0.0.0/16",
    neighbour="10.0.0.3",
    far="10.2.0.2",
    link=("s2-0", 1),
)


def _packets(kind: str, count: int) -> list[bytes]:
    return [frame[14:] for frame in islice(FRAMES[kind](PLACE), count)]


@pytest.mark.parametrize("kind", ["bfd", "icmp", "overlay", "scan"])
def test_ip_headers_have_their_lengths_and_checksums(kind):
    for packet in _packets(kind, 6):
        words = struct.unpack("!10H", packet[:20])
        total = sum(words)
        while total >> 16:
            total = (total & 0xFFFF) + (total >> 16)
        assert total == 0xFFFF
        assert words[1] == len(packet)


def test_a_scan_asks_for_every_address_of_its_prefix():
    targets = {IPv4Address(packet[16:20]) for packet in _packets("scan", 1 << 16)}
    assert len(targets) == 1 << 16
    assert PER_SECOND["scan"] == 1 << 16


def test_spoofed_arp_names_the_neighbour_and_the_gateway_as_the_attackers():
    claims = {
        (packet[8:14].hex(":"), str(IPv4Address(packet[14:18]))) for packet in _packets("arp", 4)
    }
    assert claims == {(PLACE.mac, PLACE.neighbour), (PLACE.mac, "10.0.0.1")}


def test_a_storm_never_repeats_a_sender_soon():
    senders = [packet[8:18] for packet in _packets("storm", 1000)]
    assert len(set(senders)) == 1000


def test_packets_are_counted_whether_their_flow_was_cached_or_not():
    shown = "netdev@ovs-netdev:\n  lookups: hit:1200 missed:34 lost:5\n  flows: 7\n"
    assert lookups(shown) == 1234
    with pytest.raises(AttackError):
        lookups("netdev@ovs-netdev:\n  flows: 7\n")


def _answers(*times_ms):
    return [Answer(ms, ms / 2, ms / 8, ms / 8, ms / 4) for ms in times_ms]


def test_the_promise_is_held_up_to_twice_the_quiet_time():
    quiet = figures(_answers(10.0, 20.0, 30.0))
    assert compared(figures(_answers(40.0)), quiet)["held"]
    found = compared(figures(_answers(41.0, 41.0, 90.0)), quiet)
    assert not found["held"]
    assert (found["ratio"], found["maxOverQuietMax"]) == (2.05, 3.0)


def test_the_stages_of_an_answer_are_its_whole_time():
    stages = {"wait": 1.0, "routes": 2.0, "verify": 3.0, "rounds": 4.0}
    event = {"detectedEpochMicros": 5_000, "confirmedEpochMicros": 15_000, "stagesMs": stages}
    assert Answer.of(event, 0) == Answer(15.0, 5.0, 1.0, 5.0, 4.0)
    assert figures([Answer.of(event, 0)])["stagesMs"] == {
        "noticed": 5.0,
        "wait": 1.0,
        "computation": 5.0,
        "rounds": 4.0,
    }
