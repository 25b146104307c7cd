"""Long TCP flows side by side: the goodput of each, counted where the bytes arrive."""

from __future__ import annotations

import errno
import select
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from evenweave_testbed.connections import connect, listen
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import Flow
from evenweave_testbed.shares import uplink_capture

# Named per socket, since the machine's default may be one that does not share a queue fairly (BBR).
# Of the two that do, Reno needs fewer round trips to equal shares at the few packets per flow here:
# the coefficient of variation within a link was 0.15..0.17 after 5 + 10 s, Cubic's 0.15..0.22.
CONGESTION_CONTROL = "reno"
# A connection that loses its retransmissions too doubles its timeout, and stands still for seconds
# on any path: the slowest of 192 flows then shows the timeout and not its path. Of three packets of
# each flow in a queue fewer are lost in a row when senders pace themselves; any rate above the
# link's turns pacing on. In 21 runs of each the slowest flow had 53..126 kb/s under ECMP and
# 140..197 under WCMP; unpaced, with Linux's 120 s of backing off, 0..101 and 0..180.
_PACING_BYTES_PER_S = 1 << 30
_LONGEST_TIMEOUT_MS = 1000
# By itself Linux gives a flow up after 15 timeouts, which are 15 s then; one that gets nothing for
# so long, on a machine that is busy with other work, is slow and not broken.
_GIVEN_UP_AFTER_MS = 600_000
# Linux's numbers, which Python's socket module does not have.
_SO_MAX_PACING_RATE = 47
_TCP_RTO_MAX_MS = 44
_CHUNK = bytes(1 << 16)
_CONNECT_TIMEOUT_S = 60.0


class FlowError(RuntimeError):
    """A long flow could not be started or broke."""


@dataclass(frozen=True)
class FlowRate:
    """A flow's goodput over the measuring window, and the uplink port it took (None: not seen)."""

    flow: Flow
    port: int | None
    bps: float


def measure_throughput(
    fabric: Fabric,
    switch: str,
    flows: Sequence[Flow],
    warm_up_s: float,
    seconds: float,
    progress: Callable[[float], None] = lambda _fraction: None,
) -> list[FlowRate]:
    """Runs all flows at once and measures each for `seconds` after `warm_up_s`.

    `progress` is called now and then with the part of the time that has passed.
    """
    with ExitStack() as opened:
        capture = opened.enter_context(uplink_capture(fabric, switch))
        run = _Transfer(fabric, flows, opened)
        start = time.monotonic()
        total_s = warm_up_s + seconds

        def report() -> None:
            progress(min(1.0, (time.monotonic() - start) / total_s))

        run.until(start + warm_up_s, report)
        before, before_at = list(run.received), time.monotonic()
        run.until(start + total_s, report)
        after, after_at = list(run.received), time.monotonic()
        seen = capture.sightings()
    window_s = after_at - before_at
    return [
        FlowRate(flow, seen.port_of(flow.key), 8 * (end - begin) / window_s)
        for flow, begin, end in zip(flows, before, after, strict=True)
    ]


class _Transfer:
    """Both ends of all flows in one epoll loop; `received` counts bytes per flow."""

    def __init__(self, fabric: Fabric, flows: Sequence[Flow], opened: ExitStack) -> None:
        self.received = [0] * len(flows)
        self._buffer = bytearray(1 << 18)
        self._poll = select.epoll()
        opened.callback(self._poll.close)
        self._senders: dict[int, socket.socket] = {}
        self._receivers: dict[int, tuple[int, socket.socket]] = {}
        options = _sender_options()
        ends = {(flow.destination, flow.destination_port) for flow in flows}
        listeners = [opened.enter_context(listen(fabric, *end)) for end in ends]
        for flow in flows:
            sender = opened.enter_context(connect(fabric, flow, options))
            self._senders[sender.fileno()] = sender
        self._accept(flows, listeners, opened)
        for sender in self._senders.values():
            self._poll.register(sender, select.EPOLLOUT)

    def _accept(
        self, flows: Sequence[Flow], listeners: Sequence[socket.socket], opened: ExitStack
    ) -> None:
        index_of = {flow.key: index for index, flow in enumerate(flows)}
        deadline = time.monotonic() + _CONNECT_TIMEOUT_S
        while len(self._receivers) < len(flows):
            wait_s = deadline - time.monotonic()
            if wait_s <= 0:
                missing = len(flows) - len(self._receivers)
                raise FlowError(f"{missing} of {len(flows)} long flows did not connect")
            for listener in select.select(listeners, [], [], wait_s)[0]:
                receiver, source = listener.accept()
                opened.enter_context(receiver)
                receiver.setblocking(False)
                index = index_of[(*source, *receiver.getsockname())]
                self._receivers[receiver.fileno()] = index, receiver
                self._poll.register(receiver, select.EPOLLIN)

    def until(self, deadline: float, report: Callable[[], None]) -> None:
        """Moves bytes until the monotonic time `deadline`."""
        while (wait_s := deadline - time.monotonic()) > 0:
            for descriptor, events in self._poll.poll(min(wait_s, 0.1)):
                if descriptor in self._senders:
                    self._send(self._senders[descriptor], events)
                else:
                    self._receive(*self._receivers[descriptor])
            report()

    def _send(self, sender: socket.socket, events: int) -> None:
        if events & (select.EPOLLERR | select.EPOLLHUP):
            raise FlowError(f"the flow from {sender.getsockname()} broke")
        try:
            sender.send(_CHUNK)
        except BlockingIOError:
            return

    def _receive(self, index: int, receiver: socket.socket) -> None:
        try:
            self.received[index] += receiver.recv_into(self._buffer)
        except BlockingIOError:
            return


def _sender_options() -> list[tuple]:
    """Socket options of a sender; a longest timeout only where Linux knows it (6.15 and later)."""
    options = [
        (socket.IPPROTO_TCP, socket.TCP_CONGESTION, CONGESTION_CONTROL.encode()),
        (socket.SOL_SOCKET, _SO_MAX_PACING_RATE, _PACING_BYTES_PER_S),
        (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _GIVEN_UP_AFTER_MS),
    ]
    longest_timeout = (socket.IPPROTO_TCP, _TCP_RTO_MAX_MS, _LONGEST_TIMEOUT_MS)
    with socket.socket() as probe:
        try:
            probe.setsockopt(*longest_timeout)
        except OSError as error:
            if error.errno != errno.ENOPROTOOPT:
                raise
            return options
    return [*options, longest_timeout]
