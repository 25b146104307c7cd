"""OpenFlow messages between switches and their controllers, captured at the switches.

Open vSwitch copies every OpenFlow message between a bridge and its controller (the master, if there
are several) to each client of `BRIDGE.snoop` in its run directory. So the time at which a
change reached a switch is known without believing the controller.
"""

from __future__ import annotations

import os
import selectors
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from evenweave_testbed.openvswitch import SwitchError
from evenweave_testbed.processes import pipe

# OpenFlow 1.3.5, section A.1: version, type, length, transaction id.
_HEADER = struct.Struct("!BBHI")
# Section 7.3.4.3, after the header: command, type, padding, group.
_GROUP_MOD = struct.Struct("!HBxI")
_DELETE_GROUP = 2
# Section 7.3.4.1: the command comes after two cookies and the table's id.
_FLOW_COMMAND_AT = _HEADER.size + 17
_DELETE_FLOWS = (3, 4)
_VERSION = 4
_HELLO = _HEADER.pack(_VERSION, 0, _HEADER.size, 0)
ERROR, PORT_STATUS, FLOW_MOD, GROUP_MOD, BARRIER_REPLY = 1, 12, 14, 15, 21
_CHANGES = (FLOW_MOD, GROUP_MOD)
_KEPT = (*_CHANGES, ERROR, PORT_STATUS, BARRIER_REPLY)

_CONNECT_TIMEOUT_S = 5.0


@dataclass(frozen=True)
class Message:
    """A message of type `kind` that a switch got or sent at `at` (epoch microseconds). An error has
    the transaction id `xid` of the message that the switch refused; a change of a group has the
    `group`; a change of a group or rule has whether it `deletes`."""

    at: int
    switch: str
    kind: int
    xid: int
    group: int = 0
    deletes: bool = False


class SwitchLog:
    """Listens to the switches from entry to exit of a `with`; then `messages` has what it captured.

    A process of its own does, in real time as the switches themselves, because a listener that
    waits for a core hears things late: on two busy cores a thread of this one was up to 50 ms late.
    """

    def __init__(self, sockets: Path, switches: Iterable[str]) -> None:
        """`sockets` is Open vSwitch's run directory. The switches must have a controller."""
        self.messages: list[Message] = []
        self._command = [sys.executable, "-m", __name__, str(sockets), *switches]
        self._listener: subprocess.Popen | None = None

    def __enter__(self) -> SwitchLog:
        self._listener = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        if not pipe(self._listener.stdout).readline():
            self.__exit__()
            raise SwitchError("nothing can be heard of the switches")
        return self

    def __exit__(self, *_exception: object) -> None:
        # The end of its input is what it waits for.
        said = self._listener.communicate()[0] if self._listener else ""
        for line in said.splitlines():
            at, switch, kind, xid, group, deletes = line.split()
            self.messages.append(
                Message(int(at), switch, int(kind), int(xid), int(group), deletes == "True")
            )


def _listen(sockets: Path, switches: Sequence[str]) -> None:
    """The listener: reports that it listens, and prints what it captured when its input ends."""
    # A container may lack the right.
    with suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    heard: list[str] = []
    with selectors.DefaultSelector() as selector:
        selector.register(sys.stdin, selectors.EVENT_READ)
        for switch in switches:
            connection = _connect(sockets / f"{switch}.snoop")
            selector.register(connection, selectors.EVENT_READ, (switch, bytearray()))
        print("listening", flush=True)
        while True:
            for key, _ in selector.select():
                if key.fileobj is sys.stdin:
                    print("\n".join(heard))
                    return
                switch, buffered = key.data
                chunk = cast(socket.socket, key.fileobj).recv(1 << 16)
                at = time.time_ns() // 1000
                if not chunk:
                    selector.unregister(key.fileobj)
                buffered += chunk
                heard += [
                    f"{at} {switch} {kind} {xid} {group} {deletes}"
                    for kind, xid, group, deletes in take(buffered)
                    if kind in _KEPT
                ]


def _connect(path: Path) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(_CONNECT_TIMEOUT_S)
    connection.connect(str(path))
    connection.sendall(_HELLO)
    # The switch's own hello: from here on it copies.
    connection.recv(_HEADER.size, socket.MSG_PEEK)
    connection.setblocking(False)
    return connection


def take(buffered: bytearray) -> list[tuple[int, int, int, bool]]:
    """Takes the whole messages off the front of a buffer; returns types, transaction ids, and of
    changes of groups the group, and of all changes whether they delete."""
    taken = []
    while len(buffered) >= _HEADER.size:
        _, kind, length, xid = _HEADER.unpack_from(buffered)
        if len(buffered) < length:
            break
        group, deletes = 0, False
        if kind == GROUP_MOD and length >= _HEADER.size + _GROUP_MOD.size:
            command, _, group = _GROUP_MOD.unpack_from(buffered, _HEADER.size)
            deletes = command == _DELETE_GROUP
        elif kind == FLOW_MOD and length > _FLOW_COMMAND_AT:
            deletes = buffered[_FLOW_COMMAND_AT] in _DELETE_FLOWS
        taken.append((kind, xid, group, deletes))
        del buffered[:length]
    return taken


def changes(messages: Sequence[Message], since: int) -> list[Message]:
    """The changes of groups and rules that reached switches at or after a time, without those that
    the switch refused, and without deletions of groups that had been deleted already: ONOS deletes
    a group once more that an older description of the switch still holds."""
    return [messages[i] for i in _changes(messages) if messages[i].at >= since]


def refused(messages: Sequence[Message], since: int) -> int:
    """How many changes of groups and rules switches refused that reached them since a time."""
    sent = sum(m.kind in _CHANGES and m.at >= since for m in messages)
    return sent - sum(messages[i].at >= since for i in _accepted(messages))


def _changes(messages: Sequence[Message]) -> list[int]:
    """The indices of what changed a switch."""
    made = []
    deleted: set[tuple[str, int]] = set()
    for index in _accepted(messages):
        message = messages[index]
        group = (message.switch, message.group)
        ends_group = message.kind == GROUP_MOD and message.deletes
        if ends_group and group in deleted:
            continue
        made.append(index)
        if ends_group:
            deleted.add(group)
        elif message.kind == GROUP_MOD:
            deleted.discard(group)
    return made


def _accepted(messages: Sequence[Message]) -> list[int]:
    """The indices of the changes that were not refused."""
    accepted: dict[int, None] = {}
    latest: dict[tuple[str, int], int] = {}
    for index, message in enumerate(messages):
        if message.kind in _CHANGES:
            accepted[index] = None
            latest[message.switch, message.xid] = index
        elif message.kind == ERROR:
            # An error about something else has no such change before it.
            accepted.pop(latest.get((message.switch, message.xid), -1), None)
    return list(accepted)


def confirmed_at(messages: Sequence[Message], since: int) -> int | None:
    """When the last switch had sent the barrier reply that follows its last change since then.

    Where none follows (ONOS repairs single rules without a barrier) the change's own time counts.
    None if nothing was changed.
    """
    last = {messages[i].switch: i for i in _changes(messages) if messages[i].at >= since}
    times = []
    for switch, index in last.items():
        replies = (m.at for m in messages[index:] if m.switch == switch and m.kind == BARRIER_REPLY)
        times.append(next(replies, messages[index].at))
    return max(times, default=None)


if __name__ == "__main__":
    _listen(Path(sys.argv[1]), sys.argv[2:])
