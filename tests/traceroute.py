"""Traceroute by a host of the live fabric: packets of a flow with rising TTL, and what answers."""

from __future__ import annotations

import select
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import Flow
from evenweave_testbed.interfaces import network_namespace_of
from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_topos.topologies import HostPlace, interface_name

TIME_EXCEEDED = (11, 0)
PORT_UNREACHABLE = (3, 3)
IPV4_BYTES = 20
_ICMP_BYTES = 8
_ETH_P_IP = 0x0800
_SYN = 0x02
# An answer takes milliseconds; what is not answered in that time is sent again, as mtr does.
_AGAIN_S = 1.0


@dataclass(frozen=True)
class Answer:
    """An ICMP error: who sent it, its type and code, and the packet it quotes."""

    address: str
    kind: tuple[int, int]
    quoted: bytes


def packet(
    flow: Flow, protocol: int, ttl: int, ident: int = 1, data: bytes = b"evenweave"
) -> bytes:
    """An IPv4 packet of a flow, TCP (a SYN) or UDP; the kernel fills in the header's checksum."""
    ports = struct.pack("!HH", flow.source_port, flow.destination_port)
    if protocol == socket.IPPROTO_UDP:
        payload = ports + struct.pack("!HH", 8 + len(data), 0) + data
    else:
        payload = ports + struct.pack("!IIBBHHH", 1, 0, 5 << 4, _SYN, 1024, 0, 0)
    addresses = flow.source.address.packed + flow.destination.address.packed
    length = IPV4_BYTES + len(payload)
    header = struct.pack("!BBHHHBBH", 0x45, 0, length, ident, 0, ttl, protocol, 0)
    return header + addresses + payload


class Prober:
    """A host's sockets: one that sends whole packets, one that gets the ICMP errors."""

    def __init__(self, fabric: Fabric, host: HostPlace) -> None:
        with network_namespace_of(fabric.pid(host)):
            self._sender = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
            self._errors = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)

    def __enter__(self) -> Prober:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._sender.close()
        self._errors.close()

    def send(self, sent: bytes) -> None:
        self._sender.sendto(sent, (socket.inet_ntoa(sent[16:20]), 0))

    def answer_to(self, sent: bytes) -> Answer:
        """The answer that quotes a packet of this flow and identification."""
        deadline = time.monotonic() + EVENT_LIMIT_S
        while time.monotonic() < deadline:
            self.send(sent)
            again = time.monotonic() + _AGAIN_S
            while (left_s := again - time.monotonic()) > 0:
                for answer in self.answers(left_s):
                    if _identity(answer.quoted) == _identity(sent):
                        return answer
        raise AssertionError(f"no answer to {sent.hex()}")

    def answers(self, timeout_s: float) -> Iterator[Answer]:
        """The errors that have come, and the first of those that come in time."""
        while select.select([self._errors], [], [], timeout_s)[0]:
            received = self._errors.recv(2048)
            kind = (received[IPV4_BYTES], received[IPV4_BYTES + 1])
            if kind in (TIME_EXCEEDED, PORT_UNREACHABLE):
                yield Answer(
                    socket.inet_ntoa(received[12:16]), kind, received[IPV4_BYTES + _ICMP_BYTES :]
                )
            timeout_s = 0


def _identity(sent: bytes) -> tuple[bytes, bytes]:
    """Identification, and protocol, addresses and ports."""
    return sent[4:6], sent[9:10] + sent[12:24]


@contextmanager
def passed_ports(fabric: Fabric, sent: bytes) -> Iterator[Callable[[int], list[tuple[str, int]]]]:
    """Watches the ends of all links: gives, once so many have been passed, the switch ports where
    the packet came in, in order."""
    ends = [end for link in fabric.spec.links for end in (link.a, link.b)]
    with ExitStack() as opened:
        captures = {}
        for end in ends:
            capture = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
            opened.enter_context(capture)
            capture.bind((interface_name(end.switch, end.port), _ETH_P_IP))
            captures[capture] = (end.switch, end.port)

        def passed(count: int) -> list[tuple[str, int]]:
            seen: dict[tuple[str, int], int] = {}
            while len(seen) < count:
                readable = select.select(list(captures), [], [], EVENT_LIMIT_S)[0]
                assert readable, f"the packet passed {seen}"
                for capture in readable:
                    frame, (_, _, direction, *_) = capture.recvfrom(2048)
                    if (
                        direction != socket.PACKET_OUTGOING
                        and frame[14:]
                        and _identity(frame[14:]) == _identity(sent)
                    ):
                        # Who has decremented the TTL more often got it later.
                        seen[captures[capture]] = frame[14 + 8]
            return sorted(seen, key=lambda end: -seen[end])

        yield passed
