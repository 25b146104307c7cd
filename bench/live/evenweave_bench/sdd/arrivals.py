"""When packets arrive at the far end of a link, by the kernel's time stamps."""

from __future__ import annotations

import socket
import struct
import time
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
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)  # nothing until bind
        self._socket.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
        self._socket.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, _BUFFER_BYTES)
        self._socket.setblocking(False)
        _wait_for_stamps()
        self._socket.bind((interface, _ETH_P_IP))

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


def _wait_for_stamps() -> None:
    """While no socket wants time stamps the kernel takes none, and when one does it begins a moment
    later; frames until then would be stamped when they are read. Asked of datagrams to itself."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
        probe.bind(("127.0.0.1", 0))
        while True:
            probe.sendto(b"", probe.getsockname())
            sent_ns = time.time_ns()
            extra = probe.recvmsg(1, 64)[1]
            if _nanoseconds(extra[0][2]) <= sent_ns:
                return
            time.sleep(0.001)  # the kernel's thread that begins it has this one's core


def _nanoseconds(stamp: bytes) -> int:
    """Of a struct timespec."""
    seconds, nanoseconds = struct.unpack("qq", stamp[:16])
    return int(seconds * 10**9 + nanoseconds)


def arrival_of(stamp: bytes, head: bytes) -> Arrival | None:
    """Of a struct timespec and a frame's beginning; None if it is not UDP over IPv4."""
    if len(head) < _HEAD or head[14] != 0x45 or head[23] != _UDP:
        return None
    (total,) = struct.unpack_from(">H", head, 16)
    (port,) = struct.unpack_from(">H", head, 36)
    return Arrival(
        _nanoseconds(stamp),
        socket.inet_ntoa(head[30:34]),
        port,
        head[15] >> 2,
        14 + total,
    )
