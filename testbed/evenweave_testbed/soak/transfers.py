"""Long-lived TCP connections between all pairs of hosts, which must survive every fault."""

from __future__ import annotations

import selectors
import socket
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from contextlib import ExitStack
from itertools import permutations
from typing import cast

from evenweave_testbed.connections import connect, listen
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import LAST_SOURCE_PORT, Flow
from evenweave_testbed.soak.world import HostPair
from evenweave_topos.topologies import HostPlace

_PORT = 7302
_MESSAGE = b"still here "
_PERIOD_S = 0.2
_ACCEPT_TIMEOUT_S = 20.0
_PROGRESS_TIMEOUT_S = 120.0
_POLL_S = 0.05
# linux/tcp.h. A connection is not given up while its hosts are cut off for minutes, and goes on
# within a second once they are not; both say nothing about what the network does to it.
_TCP_USER_TIMEOUT, _TCP_RTO_MAX_MS = 18, 44
_HOUR_MS, _SECOND_MS = 3_600_000, 1000


class TransferError(RuntimeError):
    """The connections could not be opened on a fabric that works."""


def connections_between_all(hosts: Sequence[HostPlace]) -> list[Flow]:
    pairs = permutations(hosts, 2)
    return [Flow(*pair, LAST_SOURCE_PORT - index, _PORT) for index, pair in enumerate(pairs)]


class Transfers:
    """A connection for each flow, over which the source sends a few bytes several times a second,
    from entry to exit of a `with`. One thread does all of it."""

    def __init__(self, fabric: Fabric, flows: Sequence[Flow]) -> None:
        self._fabric = fabric
        self._flows = list(flows)
        self._undo = ExitStack()
        self._selector = selectors.DefaultSelector()
        self._clients: dict[HostPair, socket.socket] = {}
        self._received: dict[HostPair, int] = {}
        self._broken: dict[HostPair, str] = {}
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Transfers:
        try:
            self._open()
        except BaseException:
            self._undo.close()
            raise
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._stopping.set()
        self._thread.join()
        self._undo.close()

    def count(self) -> int:
        return len(self._flows)

    def broken(self) -> dict[HostPair, str]:
        """The pairs whose connections have ended, and why."""
        return dict(self._broken)

    def stalled(
        self,
        pairs: Iterable[HostPair],
        timeout_s: float = _PROGRESS_TIMEOUT_S,
        pause: Callable[[float], None] = time.sleep,
    ) -> AbstractSet[HostPair]:
        """Waits until more has arrived over the connections of these pairs; returns those over
        which nothing has, though they are not broken."""
        before = dict(self._received)
        waiting = set(pairs)
        deadline = time.monotonic() + timeout_s
        while True:
            waiting -= {p for p in waiting if self._received[p] > before[p]} | self._broken.keys()
            if not waiting or time.monotonic() > deadline:
                return waiting
            pause(_POLL_S)

    def _open(self) -> None:
        self._undo.callback(self._selector.close)
        by_source = {(str(f.source.address), f.source_port): _pair(f) for f in self._flows}
        listeners = {}
        for host in {flow.destination for flow in self._flows}:
            listeners[host] = self._undo.enter_context(listen(self._fabric, host, _PORT))
        for flow in self._flows:
            client = self._undo.enter_context(connect(self._fabric, flow, _tcp_options()))
            self._clients[_pair(flow)] = client
            self._received[_pair(flow)] = 0
        missing = set(self._clients)
        deadline = time.monotonic() + _ACCEPT_TIMEOUT_S
        while missing:
            for listener in listeners.values():
                try:
                    server, address = listener.accept()
                except BlockingIOError:
                    continue
                self._undo.enter_context(server)
                server.setblocking(False)
                pair = by_source[address]
                missing.discard(pair)
                self._selector.register(server, selectors.EVENT_READ, pair)
            if missing and time.monotonic() > deadline:
                raise TransferError(f"no TCP connection for {sorted(missing)}")

    def _run(self) -> None:
        due = time.monotonic()
        while not self._stopping.is_set():
            if time.monotonic() >= due:
                for pair, client in self._clients.items():
                    if pair not in self._broken:
                        self._send(pair, client)
                due = time.monotonic() + _PERIOD_S
            for key, _ in self._selector.select(max(0.0, due - time.monotonic())):
                self._receive(cast(socket.socket, key.fileobj), key.data)

    def _send(self, pair: HostPair, client: socket.socket) -> None:
        try:
            client.send(_MESSAGE)
        except BlockingIOError:
            pass  # so much is under way already
        except OSError as error:
            self._broken.setdefault(pair, f"the sender's end: {error.strerror}")

    def _receive(self, server: socket.socket, pair: HostPair) -> None:
        try:
            got = server.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError as error:
            self._end(server, pair, f"the receiver's end: {error.strerror}")
            return
        if got:
            self._received[pair] += len(got)
        else:
            self._end(server, pair, "closed")

    def _end(self, server: socket.socket, pair: HostPair, why: str) -> None:
        self._broken.setdefault(pair, why)
        self._selector.unregister(server)


def _pair(flow: Flow) -> HostPair:
    return flow.source.name, flow.destination.name


def _tcp_options() -> list[tuple]:
    options: list[tuple] = [(socket.IPPROTO_TCP, _TCP_USER_TIMEOUT, _HOUR_MS)]
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as trial:
        try:
            # Linux 6.15.
            trial.setsockopt(socket.IPPROTO_TCP, _TCP_RTO_MAX_MS, _SECOND_MS)
            options.append((socket.IPPROTO_TCP, _TCP_RTO_MAX_MS, _SECOND_MS))
        except OSError:
            pass
    return options
