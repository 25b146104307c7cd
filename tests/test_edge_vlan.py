"""Frames with VLAN tags on evenweave-edge's device
(docs/reference/edge.md#vlans-bonds-and-macvlans). What is read is accounts; nothing here says how
soon."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from waiting import eventually

from evenweave_testbed.edge.bed import HOSTS, EdgeBed
from evenweave_testbed.edge.namespaces import NoBpfError
from evenweave_testbed.processes import pipe
from evenweave_testbed.sdd.build import program

pytestmark = pytest.mark.fabric

SEND = """
import socket, sys
out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
out.bind((sys.argv[1], 0))
for frame in sys.argv[2:]:
    out.send(bytes.fromhex(frame))
"""

# Segments of TCP to a host, each with a mark; frames for the device come after "frames".
SEND_SEGMENTS = """
import socket, struct, sys
device, to, *words = sys.argv[1:]
segment = struct.pack("!HHIIBBHHH", 1, 2, 3, 4, 0x50, 0x10, 5, 6, 0)
cut = words.index("frames")
for mark in words[:cut]:
    out = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_TCP)
    out.setsockopt(socket.SOL_SOCKET, socket.SO_MARK, int(mark))
    out.sendto(segment, (to, 0))
out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
out.bind((device, 0))
for frame in words[cut + 1:]:
    out.send(bytes.fromhex(frame))
"""

# Tags, - without one, and destinations of IPv4 packets that arrive, so many.
RECEIVE = """
import socket, struct, sys
device, count = sys.argv[1], int(sys.argv[2])
got = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
got.bind((device, 3))
got.setsockopt(263, 8, 1)  # SOL_PACKET, PACKET_AUXDATA
print("ready", flush=True)
while count:
    frame, [(_, _, told)], _, sender = got.recvmsg(2048, 64)
    if sender[2] == socket.PACKET_OUTGOING or frame[12:14] != bytes([8, 0]):
        continue
    status, tag, protocol = struct.unpack("I12xHH", told[:20])
    tag = f"{protocol:x}:{tag:x}" if status & 0x10 else "-"  # TP_STATUS_VLAN_VALID
    print(tag, socket.inet_ntoa(frame[30:34]), flush=True)
    count -= 1
"""


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[EdgeBed]:
    with EdgeBed(tmp_path) as bed:
        yield bed


def start(bed: EdgeBed, *hosts: str, **changes: object) -> None:
    try:
        for host in hosts:
            bed.start_edge(host, bed.config(host, **changes))
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")


def mac(bed: EdgeBed, name: str, device: str) -> str:
    (shown,) = json.loads(bed.check(name, "ip", "-j", "link", "show", "dev", device))
    return shown["address"]


def frame(bed: EdgeBed, source: str, tag: int | None = None) -> str:
    """One to h1 that has the header of its overlay, but not what a peer writes behind it."""
    ethernet = bytes.fromhex(mac(bed, "h1", "e0").replace(":", "")) + bytes([2, 0, 0, 0, 0, 9])
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
    start(bed, *HOSTS)
    stranger = "203.0.113.9"
    # Tags of VLAN 5 and of none, with priority 3; the last one is counted elsewhere.
    frames = [frame(bed, stranger, tag) for tag in (0x6005, 0x6005, 0x6000, None)]
    frames.append(frame(bed, bed.outer("h2")))
    bed.check("l1", "python3", "-c", SEND, "d", *frames)
    eventually(lambda: bed.show("h1")["drops"]["malformed"] == 1, lambda: bed.show("h1")["drops"])
    assert bed.show("h1")["drops"]["stranger"] == 2


def inner_frame(bed: EdgeBed, *tags: tuple[int, int]) -> str:
    """A guest's segment to h2 as it would leave h1 without an edge, with tags written in it."""
    ethernet = bytes.fromhex(mac(bed, "l1", "d").replace(":", "")) + bytes([2, 0, 0, 0, 0, 9])
    vlans = b"".join(struct.pack("!HH", *tag) for tag in tags)
    addresses = socket.inet_aton(bed.inner("h1")) + socket.inet_aton(bed.inner("h2"))
    ip = struct.pack("!BBHHHBBH", 0x45, 0, 40, 1, 0, 64, 6, 0) + addresses
    return (ethernet + vlans + b"\x08\x00" + ip + bytes(12) + b"\x50" + bytes(7)).hex()


@pytest.mark.extended
@pytest.mark.parametrize("transport", ["udp", "hidden"])
def test_frames_that_leave_for_other_vlans_are_none_of_the_edges(bed: EdgeBed, transport: str):
    start(bed, "h1", transport=transport)  # alone, so that nothing comes back that it would answer
    # So that no address is asked for.
    router_mac = mac(bed, "l1", "d")
    neighbour = f"ip neighbour replace 192.168.1.254 lladdr {router_mac} dev e0 nud permanent"
    bed.check("h1", *neighbour.split())
    code = f"tc filter add dev e0 egress prio 1 bpf da obj {program('tag_vlan.bpf.o')} sec tc"
    bed.check("h1", *code.split())
    router = bed.start_program("l1", "python3", "-c", RECEIVE, "d", "6")
    assert pipe(router.stdout).readline() == "ready\n"
    # Tags that the device writes, of VLAN 5 and of none with priority 3; and in frames themselves.
    marks = [0, 0x16005, 0x16000, 0x10005]
    frames = [inner_frame(bed, (0x8100, 5)), inner_frame(bed, (0x88A8, 5))]
    bed.check(
        "h1", "python3", "-c", SEND_SEGMENTS, "e0", bed.inner("h2"), *map(str, marks), "frames",
        *frames,
    )  # fmt: skip
    guest, outer = bed.inner("h2"), bed.outer("h2")
    # Two processors may have passed them on, each in its order.
    assert sorted(pipe(router.stdout).read().splitlines()) == sorted(
        [
            f"- {outer}",
            f"8100:6005 {guest}",
            f"8100:6000 {outer}",
            f"8100:5 {guest}",
            f"8100:5 {guest}",
            f"88a8:5 {guest}",
        ]
    )
    sent = sum(path["sent"]["packets"] for path in bed.show("h1")["peer"]["paths"])
    assert sent == 2
