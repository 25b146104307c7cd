"""Packets of the overlay that no edge has written."""

from __future__ import annotations

import socket
import struct

from evenweave_testbed.edge.bed import EdgeBed

_SEND = (
    "import socket, sys; s = socket.socket(socket.AF_INET, socket.SOCK_RAW, 255);"
    "[s.sendto(bytes.fromhex(packet), (sys.argv[1], 0)) for packet in sys.argv[2:]]"
)


def send_forged(bed: EdgeBed, source: str, inner_source: str, *options: bytes) -> None:
    """Sends packets with these options from the fabric to h2, as from the outer source."""
    to = bed.outer("h2")
    packets = [forged(source, to, inner_source, bed.inner("h2"), option) for option in options]
    bed.check("l2", "python3", "-c", _SEND, to, *(packet.hex() for packet in packets))


def forged(source: str, destination: str, inner_source: str, inner: str, option: bytes) -> bytes:
    """A packet of the overlay, as from the outer source."""

    def ip(protocol: int, a: str, b: str, payload: bytes) -> bytes:
        head = struct.pack(
            "!BBHHHBBH4s4s", 0x45, 0, 20 + len(payload), 0, 0, 64, protocol, 0,
            socket.inet_aton(a), socket.inet_aton(b),
        )  # fmt: skip
        return head + payload

    geneve = struct.pack("!BBH3sBHBB", 5, 0, 0x0800, b"\0\0\7", 0, 0xFF65, 4, 4) + option
    guest = ip(17, inner_source, inner, struct.pack("!HHHH", 9, 9, 8, 0))
    udp = struct.pack("!HHHH", 50_000, 6081, 8 + len(geneve) + len(guest), 0)
    return ip(17, source, destination, udp + geneve + guest)
