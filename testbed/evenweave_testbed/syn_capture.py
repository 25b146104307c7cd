"""Which uplink a TCP flow took: its SYN, captured as it leaves each uplink's interface."""

from __future__ import annotations

import ctypes
import socket
import struct
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

FlowKey = tuple[str, int, str, int]

_ETH_P_ALL = 0x0003
_SO_ATTACH_FILTER = 26
_SO_RCVBUFFORCE = 33
_SOL_PACKET, _PACKET_STATISTICS = 263, 6
# A queued SYN costs the kernel about 1 KiB; room for some thousand of them between two drains.
_RECEIVE_BUFFER_BYTES = 8 << 20
_ETHERNET_HEADER_BYTES = 14

# Classic BPF: (code, jump if true, jump if false, operand). Jumps count from the next instruction.
_OUTGOING_SYN = [
    (0x30, 0, 0, 0xFFFFF004),  # ldb  packet type (SKF_AD_OFF + SKF_AD_PKTTYPE)
    (0x15, 0, 11, 4),  #         jeq  PACKET_OUTGOING, else drop
    (0x28, 0, 0, 12),  #         ldh  ether type
    (0x15, 0, 9, 0x0800),  #     jeq  IPv4, else drop
    (0x30, 0, 0, 23),  #         ldb  protocol
    (0x15, 0, 7, 6),  #          jeq  TCP, else drop
    (0x28, 0, 0, 20),  #         ldh  fragment offset
    (0x45, 5, 0, 0x1FFF),  #     jset later fragment: drop
    (0xB1, 0, 0, 14),  #         ldxb x = length of the IP header
    (0x50, 0, 0, 27),  #         ldb  TCP flags, at 14 + x + 13
    (0x54, 0, 0, 0x12),  #       and  SYN | ACK
    (0x15, 0, 1, 0x02),  #       jeq  SYN alone, else drop
    (0x06, 0, 0, 128),  #        ret  128 bytes: all headers
    (0x06, 0, 0, 0),  #          ret  0: drop
]


class CaptureError(RuntimeError):
    """Captured packets were lost before they could be counted."""


@dataclass
class Sightings:
    """For each flow the ports it was seen on; a retransmitted SYN counts once per port."""

    ports: dict[FlowKey, set[int]] = field(default_factory=dict)

    def add(self, flow: FlowKey, port: int) -> None:
        self.ports.setdefault(flow, set()).add(port)

    def flows_per_port(self, flows: Iterable[FlowKey]) -> Counter[int]:
        """How many of the flows took each port; flows seen on several ports are left out."""
        seen = (self.ports.get(flow, set()) for flow in flows)
        return Counter(next(iter(ports)) for ports in seen if len(ports) == 1)

    def port_of(self, flow: FlowKey) -> int | None:
        """The port a flow took; None if it was seen on none or on several."""
        ports = self.ports.get(flow, set())
        return next(iter(ports)) if len(ports) == 1 else None

    def moved(self, flows: Iterable[FlowKey]) -> int:
        """How many of the flows were seen on more than one port."""
        return sum(len(self.ports.get(flow, ())) > 1 for flow in flows)


class SynCapture:
    """Captures outgoing SYNs without ACK on interfaces, given by the port number to report."""

    def __init__(self, interfaces: Mapping[int, str]) -> None:
        self._sockets: dict[int, socket.socket] = {}
        for port, interface in interfaces.items():
            self._sockets[port] = _open(interface)

    def __enter__(self) -> SynCapture:
        return self

    def __exit__(self, *_exception: object) -> None:
        for capture in self._sockets.values():
            capture.close()

    def sightings(self) -> Sightings:
        """All flows captured so far; raises CaptureError if the kernel dropped any."""
        seen = Sightings()
        for port, capture in self._sockets.items():
            while True:
                try:
                    packet = capture.recv(256)
                except BlockingIOError:
                    break
                seen.add(flow_key(packet), port)
            statistics = capture.getsockopt(_SOL_PACKET, _PACKET_STATISTICS, 8)
            dropped = struct.unpack("II", statistics)[1]
            if dropped:
                raise CaptureError(f"port {port}: {dropped} captured packets were dropped")
        return seen


def flow_key(packet: bytes) -> FlowKey:
    """Addresses and ports of an Ethernet frame with IPv4 and TCP in it."""
    ip = packet[_ETHERNET_HEADER_BYTES:]
    header_bytes = 4 * (ip[0] & 0x0F)
    source_port, destination_port = struct.unpack_from("!HH", ip, header_bytes)
    source, destination = socket.inet_ntoa(ip[12:16]), socket.inet_ntoa(ip[16:20])
    return source, source_port, destination, destination_port


def _open(interface: str) -> socket.socket:
    # Protocol 0 captures nothing, so no packet gets in between before the filter is attached.
    capture = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
    capture.setblocking(False)
    capture.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, _RECEIVE_BUFFER_BYTES)
    code = b"".join(struct.pack("HBBI", *instruction) for instruction in _OUTGOING_SYN)
    program = ctypes.create_string_buffer(code)
    descriptor = struct.pack("HP", len(_OUTGOING_SYN), ctypes.addressof(program))
    capture.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, descriptor)
    capture.bind((interface, _ETH_P_ALL))
    return capture
