"""Operations on interfaces that Mininet lacks: set one up or down with a time stamp, and enter a
host's namespace."""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager

_CLONE_NEWNET = 0x40000000  # linux/sched.h
_SIOCGIFFLAGS, _SIOCSIFFLAGS = 0x8913, 0x8914  # linux/sockios.h
_IFF_UP = 1
_IFREQ = struct.Struct("16sh22x")  # struct ifreq with the flags of the union

_libc = ctypes.CDLL(None, use_errno=True)


def set_up(interface: str, up: bool) -> int:
    """Takes an interface of this namespace up or down; returns the time just before, in
    microseconds of the epoch. An ioctl, since a process for `ip link` costs milliseconds that
    would count as the controller's."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        request = _IFREQ.pack(interface.encode(), 0)
        _, flags = _IFREQ.unpack(fcntl.ioctl(control, _SIOCGIFFLAGS, request))
        flags = flags | _IFF_UP if up else flags & ~_IFF_UP
        before = time.time_ns() // 1000
        fcntl.ioctl(control, _SIOCSIFFLAGS, _IFREQ.pack(interface.encode(), flags))
        return before


@contextmanager
def network_namespace_of(pid: int) -> Iterator[None]:
    """Moves this thread into the network namespace of a process for the body of a `with`.

    A socket stays in the namespace it was made in, so a program that makes its sockets inside may
    use them outside: one process can hold the ends of flows between many hosts.
    """
    own = os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    try:
        other = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY | os.O_CLOEXEC)
        try:
            _setns(other)
        finally:
            os.close(other)
        try:
            yield
        finally:
            _setns(own)
    finally:
        os.close(own)


def _setns(descriptor: int) -> None:
    if _libc.setns(descriptor, _CLONE_NEWNET) != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"setns: {os.strerror(error)}")
