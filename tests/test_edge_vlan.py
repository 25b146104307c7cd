"""Frames with VLAN tags on evenweave-edge's device (docs/reference/edge.md#vlans-and-bonds).
What is read is accounts; nothing here says how soon."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from waiting import eventually

from evenweave_testbed.edge.bed import EdgeBed
from evenweave_testbed.edge.namespaces import NoBpfError

pytestmark = pytest.mark.fabric

SEND = """
import socket, sys
out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
out.bind((sys.argv[1], 0))
for frame in sys.argv[2:]:
    out.send(bytes.fromhex(frame))
"""


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[EdgeBed]:
    with EdgeBed(tmp_path) as bed:
        yield bed


def start(bed: EdgeBed) -> None:
    try:
        bed.start_edges()
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")


def frame(bed: EdgeBed, source: str, tag: int | None = None) -> str:
    """One to h1 that has the header of its overlay, but not what a peer writes behind it."""
    (device,) = json.loads(bed.check("h1", "ip", "-j", "link", "show", "dev", "e0"))
    ethernet = bytes.fromhex(device["address"].replace(":", "")) + bytes([2, 0, 0, 0, 0, 9])
    vlan = b"" if tag is None else struct.pack("!HH", 0x8100, tag)
    geneve = bytes([7, 0, 8, 0, 0, 0, 7, 0]) + bytes(28) + bytes(40)
    udp = struct.pack("!HHHH", 50000, 6081, 8 + len(geneve), 0)
    addresses = socket.inet_aton(source) + socket.inet_aton(bed.outer("h1"))
    ip = struct.pack("!BBHHHBBH", 0x45, 0, 28 + len(geneve), 1, 0, 64, 17, 0) + addresses
    total = sum(struct.unpack("!10H", ip))
    total = (total & 0xFFFF) + (total >> 16)
    ip = ip[:10] + struct.pack("!H", ~total & 0xFFFF) + ip[12:]
    return (ethernet + vlan + b"\x08\x00" + ip + udp + geneve).hex()


def test_frames_of_other_vlans_are_none_of_the_edges(bed: EdgeBed):
    start(bed)
    stranger = "203.0.113.9"
    # Tags of VLAN 5 and of none, with priority 3; the last one is counted elsewhere.
    frames = [frame(bed, stranger, tag) for tag in (0x6005, 0x6005, 0x6000, None)]
    frames.append(frame(bed, bed.outer("h2")))
    bed.check("l1", "python3", "-c", SEND, "d", *frames)
    eventually(lambda: bed.show("h1")["drops"]["malformed"] == 1, lambda: bed.show("h1")["drops"])
    assert bed.show("h1")["drops"]["stranger"] == 2
