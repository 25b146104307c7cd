"""When packets arrive at the far end of a link, by the kernel's time stamps."""

from __future__ import annotations

import socket
import struct
from dataclasses import dataclass

_SO_TIMESTAMPNS, _SO_RCVBUFFORCE = 35, 33  # asm-generic/socket.h
_SOL_PACKET, _PACKET_STATISTICS = 263, 6  # linux/socket.h, linux/if_packet.h
_ETH_P_IP, _UDP = 0x0800, 17
_HEAD = 42  # Ethernet, IPv4 without options, UDP
_BUFFER_BYTES = 64 << 20


@dataclass(frozen=True)
class Arrival:
    """A UDP packet over IPv4."""

    time_ns: int  # CLOCK_REALTIME
    destination: str
    port: int  # of the destination
    dscp: int
    bytes: int  # with its Ethernet header


class Arrivals:
    """What an interface receives from the other end of its link, from now on. The kernel keeps it
    until it is asked for, so that nothing runs meanwhile: 30,000 packets or so. Needs root."""

    def __init__(self, interface: str) -> None:
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ETH_P_IP))
        self._socket.bind((interface, _ETH_P_IP))
        self._socket.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
        self._socket.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, _BUFFER_BYTES)
        self._socket.setblocking(False)

    def stop(self) -> list[Arrival]:
        """All until now, in order; RuntimeError if the kernel had no room for some."""
        found = []
        with self._socket:
            try:
                while True:
                    head, extra, _, _ = self._socket.recvmsg(_HEAD, 64)
                    found.append(arrival_of(extra[0][2], head))
            except BlockingIOError:
                statistics = self._socket.getsockopt(_SOL_PACKET, _PACKET_STATISTICS, 8)
        lost = struct.unpack("II", statistics)[1]
        if lost:
            raise RuntimeError(f"of the packets that came, the kernel had no room for {lost}")
        return [arrival for arrival in found if arrival]


def arrival_of(stamp: bytes, head: bytes) -> Arrival | None:
    """Of a struct timespec and a frame's beginning; None if it is not UDP over IPv4."""
    if len(head) < _HEAD or head[14] != 0x45 or head[23] != _UDP:
        return None
    seconds, nanoseconds = struct.unpack("qq", stamp[:16])
    (total,) = struct.unpack_from(">H", head, 16)
    (port,) = struct.unpack_from(">H", head, 36)
    return Arrival(
        seconds * 10**9 + nanoseconds,
        socket.inet_ntoa(head[30:34]),
        port,
        head[15] >> 2,
        14 + total,
    )
