"""Many short TCP connections with fixed 4-tuples, all opened by one process."""

from __future__ import annotations

import errno
import select
import socket
import struct
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import Flow
from evenweave_testbed.interfaces import network_namespace_of
from evenweave_topos.topologies import HostPlace

_BACKLOG = 1024
# Enough to keep the switches busy, few enough that no queue of a shaped link overflows with SYNs.
_AT_ONCE = 64
# Closing with a reset leaves no TIME_WAIT, so the same ports can be used again at once.
_RESET_ON_CLOSE = (socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def listen(fabric: Fabric, host: HostPlace, port: int) -> socket.socket:
    """A non-blocking listening socket on a host."""
    with network_namespace_of(fabric.pid(host)):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((str(host.address), port))
    listener.listen(_BACKLOG)
    listener.setblocking(False)
    return listener


def connect(fabric: Fabric, flow: Flow, options: Iterable[tuple] = ()) -> socket.socket:
    """A non-blocking socket that has begun to connect from the flow's source, ports fixed."""
    with network_namespace_of(fabric.pid(flow.source)):
        client = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    client.setblocking(False)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    client.setsockopt(*_RESET_ON_CLOSE)
    for option in options:
        client.setsockopt(*option)
    client.bind((str(flow.source.address), flow.source_port))
    started = client.connect_ex((str(flow.destination.address), flow.destination_port))
    if started not in (0, errno.EINPROGRESS):
        client.close()
        raise OSError(started, f"connect {flow.key}: {errno.errorcode.get(started, started)}")
    return client


def connect_all(fabric: Fabric, flows: Sequence[Flow], timeout_s: float = 60.0) -> list[Flow]:
    """Opens and closes a connection for each flow; returns the flows that failed in the time."""
    with ExitStack() as opened:
        poll = select.epoll()
        opened.callback(poll.close)
        listeners = {}
        for host, port in {(flow.destination, flow.destination_port) for flow in flows}:
            listener = opened.enter_context(listen(fabric, host, port))
            listeners[listener.fileno()] = listener
            poll.register(listener, select.EPOLLIN)
        waiting = list(reversed(flows))
        connecting: dict[int, tuple[Flow, socket.socket]] = {}
        failed: list[Flow] = []
        deadline = time.monotonic() + timeout_s
        while (waiting or connecting) and time.monotonic() < deadline:
            while waiting and len(connecting) < _AT_ONCE:
                flow = waiting.pop()
                client = connect(fabric, flow)
                connecting[client.fileno()] = flow, client
                poll.register(client, select.EPOLLOUT)
            for descriptor, _ in poll.poll(0.1):
                if descriptor in listeners:
                    _accept_and_close(listeners[descriptor])
                    continue
                flow, client = connecting.pop(descriptor)
                if client.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                    failed.append(flow)
                poll.unregister(client)
                client.close()
        for flow, client in connecting.values():
            client.close()
            failed.append(flow)
        return failed + waiting


def _accept_and_close(listener: socket.socket) -> None:
    while True:
        try:
            accepted, _ = listener.accept()
        except BlockingIOError:
            return
        except ConnectionAbortedError:
            continue  # reset by the client before it was accepted
        # Not a reset: it could reach the client before it has seen that it is connected.
        accepted.close()
