"""What switches and their controllers say to each other, seen from the switches' side.

Open vSwitch copies every OpenFlow message between a bridge and its controller (the master, if there
are several) to whoever connects to `BRIDGE.snoop` in its run directory. So the time at which a
change reached a switch is known without believing the controller.
"""

from __future__ import annotations

import selectors
import socket
import struct
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

# OpenFlow 1.3.5, section A.1: version, type, length, transaction id.
_HEADER = struct.Struct("!BBHI")
_VERSION = 4
_HELLO = _HEADER.pack(_VERSION, 0, _HEADER.size, 0)
FLOW_MOD, GROUP_MOD, BARRIER_REPLY = 14, 15, 21
_CHANGES = (FLOW_MOD, GROUP_MOD)
_KEPT = (*_CHANGES, BARRIER_REPLY)

_POLL_S = 0.2
_CONNECT_TIMEOUT_S = 5.0


@dataclass(frozen=True)
class Message:
    """A message of type `kind` that a switch got or sent at `at` (epoch microseconds)."""

    at: int
    switch: str
    kind: int


class SwitchLog:
    """Listens to the switches from entry to exit of a `with`.

    A time is when this program read the copy, so never too early, and late by what it takes to wake
    up: well below a millisecond on an idle machine.
    """

    def __init__(self, sockets: Path, switches: Iterable[str]) -> None:
        """`sockets` is Open vSwitch's run directory. The switches must have a controller."""
        self._sockets = sockets
        self._switches = list(switches)
        self._messages: list[Message] = []
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._connections: list[tuple[str, socket.socket]] = []

    def __enter__(self) -> SwitchLog:
        for switch in self._switches:
            connection = socket.socket(socket.AF_UNIX)
            connection.settimeout(_CONNECT_TIMEOUT_S)
            connection.connect(str(self._sockets / f"{switch}.snoop"))
            connection.sendall(_HELLO)
            # The switch's own hello: from here on it copies.
            connection.recv(_HEADER.size, socket.MSG_PEEK)
            connection.setblocking(False)
            self._connections.append((switch, connection))
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._stopping.set()
        self._thread.join()
        for _, connection in self._connections:
            connection.close()

    def messages(self) -> list[Message]:
        """What was heard so far, in the order of hearing."""
        return list(self._messages)

    def _read(self) -> None:
        with selectors.DefaultSelector() as selector:
            for switch, connection in self._connections:
                selector.register(connection, selectors.EVENT_READ, (switch, bytearray()))
            while not self._stopping.is_set():
                for key, _ in selector.select(_POLL_S):
                    switch, buffered = key.data
                    chunk = key.fileobj.recv(1 << 16)
                    at = time.time_ns() // 1000
                    if not chunk:
                        selector.unregister(key.fileobj)
                        continue
                    buffered += chunk
                    self._messages += [
                        Message(at, switch, kind) for kind in take(buffered) if kind in _KEPT
                    ]


def take(buffered: bytearray) -> list[int]:
    """Takes the whole messages off the front of a buffer; returns their types."""
    kinds = []
    while len(buffered) >= _HEADER.size:
        _, kind, length, _ = _HEADER.unpack_from(buffered)
        if len(buffered) < length:
            break
        kinds.append(kind)
        del buffered[:length]
    return kinds


def changes(messages: Sequence[Message], since: int) -> list[Message]:
    """The changes of groups and rules that reached switches at or after a time."""
    return [m for m in messages if m.kind in _CHANGES and m.at >= since]


def confirmed_at(messages: Sequence[Message], since: int) -> int | None:
    """When the last switch had sent the barrier reply that follows its last change since then.

    None if nothing was changed, or a change not confirmed by barrier.
    """
    last = {
        m.switch: index for index, m in enumerate(messages) if m.kind in _CHANGES and m.at >= since
    }
    replies = []
    for switch, index in last.items():
        following = (
            m.at for m in messages[index:] if m.switch == switch and m.kind == BARRIER_REPLY
        )
        reply = next(following, None)
        if reply is None:
            return None
        replies.append(reply)
    return max(replies, default=None)
