"""Counts packets lost while the fabric changes: numbered probes of many TCP 4-tuples at a steady
rate, or a lower one if the sender does not get a core.

A probe is a bare TCP segment with the RST flag, from a raw socket: switches hash its ports as those
of any flow, and the destination's TCP drops it without an answer. Its sequence number is the number
of the probe. (UDP would not do: with OpenFlow 1.3 groups Open vSwitch does not hash UDP ports.)
"""

from __future__ import annotations

import socket
import struct
import threading
import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from evenweave_testbed.flows import Flow
from evenweave_testbed.interfaces import network_namespace_of
from evenweave_testbed.socket_buffers import dropped_by
from evenweave_topos.topologies import HostPlace

RATE_PPS = 4000
# A queue of 200 packets at 20 Mb/s holds a packet for 120 ms; three of them and a margin. In ticks:
# one that comes late on a busy machine, on which the switches may stand still as long, counts once.
_DRAIN_TICKS = 500

_SO_RCVBUFFORCE = 33
_RECEIVE_BUFFER_BYTES = 8 << 20
_HEADER = struct.Struct("!HHIIHHHH")  # ports, sequence, acknowledgment, flags, window, sum, urgent
_FIVE_WORDS_AND_RST = 0x5004
_LARGE_BYTES = 1400
_TICK_S = 0.001
# Ten ticks may come late.
_LONGEST_BURST_S = 0.01


@dataclass(frozen=True)
class Probes:
    """The fate of the probes; times are those of sending, in epoch microseconds, in order."""

    sent: int
    duplicated: int
    lost_at: tuple[int, ...]

    def lost_between(self, start: int, end: int) -> int:
        """How many probes sent in [start, end) were lost."""
        return sum(start <= at < end for at in self.lost_at)

    def lost_from(self, start: int) -> int:
        """How many probes sent at or after `start` were lost."""
        return sum(at >= start for at in self.lost_at)


class Pace:
    """Schedules sending at a steady rate. Packets that were not sent in time, because the sender
    had no core, are skipped: thousands of packets at once would be lost in queues, whatever the
    switches do."""

    def __init__(self, rate_pps: float, now_s: float) -> None:
        self._rate_pps = rate_pps
        self._next_s = now_s

    def due(self, now_s: float) -> int:
        """How many packets to send at a time; times must not decrease."""
        self._next_s = max(self._next_s, now_s - _LONGEST_BURST_S)
        count = int((now_s - self._next_s) * self._rate_pps)
        self._next_s += count / self._rate_pps
        return count


class Hosts(Protocol):
    """The part of a fabric that probes use."""

    def pid(self, host: HostPlace | str, /) -> int:
        """A process in the host's network namespace."""


class ProbeStream:
    """Sends probes over the flows in turn from entry to exit of a `with`; then `result` is set.

    A thread of its own sends and receives, so that the caller can do things to the fabric. Probe
    number n belongs to flow n modulo the number of flows. `tick_s` is the pause of that thread.
    Each `large_every`-th flow has packets of nearly the full size, for links with a small MTU.
    """

    def __init__(
        self,
        fabric: Hosts,
        flows: Sequence[Flow],
        rate_pps: int = RATE_PPS,
        tick_s: float = _TICK_S,
        large_every: int = 0,
    ) -> None:
        self._result: Probes | None = None
        self._rate_pps = rate_pps
        self._tick_s = tick_s
        self._sources: dict[str, socket.socket] = {}
        self._sinks: list[socket.socket] = []
        self._port = flows[0].destination_port
        for flow in flows:
            if flow.source.name not in self._sources:
                self._sources[flow.source.name] = _raw_socket(fabric, flow.source.name)
        for name in sorted({flow.destination.name for flow in flows}):
            self._sinks.append(_raw_socket(fabric, name))
        self._templates = [
            _Template(flow, _LARGE_BYTES if large_every and not index % large_every else 0)
            for index, flow in enumerate(flows)
        ]
        self._sent_at = array("q")
        self._received = bytearray()
        self._duplicated = 0
        self._stopping = threading.Event()
        self._failure: OSError | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> ProbeStream:
        self._thread.start()
        return self

    def sent(self) -> int:
        """How many probes have been sent so far: the number of the next one."""
        if self._failure:
            raise self._failure
        return len(self._sent_at)

    def missing(self, first: int, end: int) -> list[int]:
        """The numbers in [first, end) of the probes that have not arrived so far."""
        found, number = [], self._received.find(0, first, end)
        while number >= 0:
            found.append(number)
            number = self._received.find(0, number + 1, end)
        return found

    def sent_at(self, number: int) -> int:
        """When a probe was sent, in microseconds of the epoch."""
        return self._sent_at[number]

    def arrived(self, number: int) -> bool:
        return bool(self._received[number])

    def overflows(self) -> int:
        """How many packets the receiving sockets have dropped for lack of room."""
        return sum(dropped_by(sink) for sink in self._sinks)

    def __exit__(self, *_exception: object) -> None:
        self._stopping.set()
        self._thread.join()
        for endpoint in (*self._sources.values(), *self._sinks):
            endpoint.close()
        if self._failure:
            raise self._failure
        lost = (
            at for at, arrived in zip(self._sent_at, self._received, strict=True) if not arrived
        )
        self._result = Probes(len(self._sent_at), self._duplicated, tuple(lost))

    @property
    def result(self) -> Probes:
        """What became of the probes; there is none before the exit of the `with`."""
        assert self._result is not None, "still sending"
        return self._result

    def _run(self) -> None:
        try:
            pace = Pace(self._rate_pps, time.monotonic())
            while not self._stopping.is_set():
                for _ in range(pace.due(time.monotonic())):
                    self._send()
                self._receive()
                time.sleep(self._tick_s)
            for _ in range(_DRAIN_TICKS):
                time.sleep(_TICK_S)
                self._receive()
        except OSError as error:
            self._failure = error

    def _send(self) -> None:
        number = len(self._sent_at)
        template = self._templates[number % len(self._templates)]
        segment = template.segment(number)
        self._sent_at.append(time.time_ns() // 1000)
        self._received.append(0)
        self._sources[template.source].sendto(segment, (template.destination, 0))

    def _receive(self) -> None:
        for sink in self._sinks:
            while True:
                try:
                    packet = sink.recv(128)
                except BlockingIOError:
                    break
                self._count(packet)

    def _count(self, packet: bytes) -> None:
        header_bytes = 4 * (packet[0] & 0x0F)
        _, port, number, _, flags, *_ = _HEADER.unpack_from(packet, header_bytes)
        if port != self._port or flags != _FIVE_WORDS_AND_RST or number >= len(self._received):
            return  # some other TCP segment: a raw socket sees all of them
        segment = packet[header_bytes : header_bytes + _HEADER.size]
        template = self._templates[number % len(self._templates)]
        if segment != template.segment(number)[: _HEADER.size]:
            return  # damaged on its way, as its checksum shows; its number may be another's
        self._duplicated += self._received[number]
        self._received[number] = 1


class _Template:
    """The segments of a flow, which differ only in sequence number and checksum; some zeros follow
    the header."""

    def __init__(self, flow: Flow, payload_bytes: int = 0) -> None:
        self.source = flow.source.name
        self.destination = str(flow.destination.address)
        self._ports = flow.source_port, flow.destination_port
        pseudo_header = (
            flow.source.address.packed
            + flow.destination.address.packed
            + struct.pack("!HH", socket.IPPROTO_TCP, _HEADER.size + payload_bytes)
        )
        self._payload = bytes(payload_bytes)
        segment = _HEADER.pack(*self._ports, 0, 0, _FIVE_WORDS_AND_RST, 0, 0, 0)
        self._sum = _sum_words(pseudo_header + segment)

    def segment(self, number: int) -> bytes:
        total = self._sum + (number >> 16) + (number & 0xFFFF)
        checksum = ~_fold(total) & 0xFFFF
        header = _HEADER.pack(*self._ports, number, 0, _FIVE_WORDS_AND_RST, 0, checksum, 0)
        return header + self._payload


def _sum_words(data: bytes) -> int:
    return sum(word for (word,) in struct.iter_unpack("!H", data))


def _fold(total: int) -> int:
    """The sum in 16 bits with end-around carry (RFC 1071)."""
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def _raw_socket(fabric: Hosts, host: str) -> socket.socket:
    with network_namespace_of(fabric.pid(host)):
        endpoint = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_TCP)
    endpoint.setblocking(False)
    endpoint.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, _RECEIVE_BUFFER_BYTES)
    return endpoint
