"""More room in the packet sockets of a running switch daemon.

Open vSwitch's userspace datapath sends the packets of all ports of all bridges through *one*
AF_PACKET socket. The kernel charges each packet to that socket until it leaves its interface's
queue, and Linux's default of 208 KiB is room for some 90 packets of 1500 bytes. So without more
room, one congested link takes the sending of all others down: with four congested 20 Mb/s links,
flows over the fabric of Figure 3.2 (Tewari 2015) got 37 of 57 Mb/s, two links nearly nothing. The
default is a setting of the whole machine; the sockets of one process are not.
"""

from __future__ import annotations

import ctypes
import errno
import os
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

_SYS_PIDFD_GETFD = 438  # the same on every architecture (Linux 5.6)
_SO_SNDBUFFORCE, _SO_RCVBUFFORCE = 32, 33
_SO_MEMINFO = 55  # asm-generic/socket.h
_SK_MEMINFO_VARS, _SK_MEMINFO_DROPS = 9, 8  # linux/sock_diag.h

# All queues of a hundred congested links, at 200 packets of 2304 bytes (1500 and their overhead).
SEND_BYTES = 64 << 20
# What a receiving port gets while the daemon waits for a core, at 20 ms and 1 Gb/s.
RECEIVE_BYTES = 4 << 20

_libc = ctypes.CDLL(None, use_errno=True)


def widen(pid: int) -> int:
    """Sets the buffer sizes of all AF_PACKET sockets of a process; returns how many of them are
    bound to no interface (Open vSwitch's one sending socket, if it has sent anything yet)."""
    unbound = 0
    for packets in _packet_sockets(pid):
        packets.setsockopt(socket.SOL_SOCKET, _SO_SNDBUFFORCE, SEND_BYTES)
        packets.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, RECEIVE_BYTES)
        unbound += packets.getsockname()[0] == ""
    return unbound


def dropped_by(endpoint: socket.socket) -> int:
    """How many packets a socket has dropped because its receive buffer was full."""
    counters = endpoint.getsockopt(socket.SOL_SOCKET, _SO_MEMINFO, 4 * _SK_MEMINFO_VARS)
    return struct.unpack(f"{_SK_MEMINFO_VARS}I", counters)[_SK_MEMINFO_DROPS]


def dropped_by_process(pid: int) -> int:
    """The same of all AF_PACKET sockets of a process together."""
    return sum(map(dropped_by, _packet_sockets(pid)))


def _packet_sockets(pid: int) -> Iterator[socket.socket]:
    """A duplicate of each AF_PACKET socket of a process, closed when the next is taken."""
    process = os.pidfd_open(pid)
    try:
        for entry in Path(f"/proc/{pid}/fd").iterdir():
            duplicate = _libc.syscall(_SYS_PIDFD_GETFD, process, int(entry.name), 0)
            if duplicate < 0:
                error = ctypes.get_errno()
                if error == errno.EBADF:
                    continue  # closed since it was listed
                raise OSError(error, f"pidfd_getfd: {os.strerror(error)}")
            if not os.readlink(f"/proc/self/fd/{duplicate}").startswith("socket:"):
                os.close(duplicate)
                continue
            with socket.socket(fileno=duplicate) as packets:
                if packets.family == socket.AF_PACKET:
                    yield packets
    finally:
        os.close(process)
