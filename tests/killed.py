"""Runs a program up to a given one of its changes by rtnetlink, and kills it there."""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import struct
import subprocess
from collections.abc import Sequence
from pathlib import Path

_TRACEME, _SYSCALL, _SETOPTIONS, _GET_SYSCALL_INFO = 0, 24, 0x4200, 0x420E
_TRACESYSGOOD, _EXITKILL = 1, 1 << 20
_ENTRY, _EXIT = 1, 2
_SYSCALL_STOP = signal.SIGTRAP | 0x80
# sendto has the message; writev and sendmsg lead to it, by a vector or a msghdr.
_SENDS = {
    "x86_64": {44: (), 20: (0,), 46: (16, 0)},
    "aarch64": {206: (), 66: (0,), 211: (16, 0)},
}
_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
_libc.ptrace.restype = ctypes.c_long


def can_trace() -> bool:
    """Whether this is known to work on this machine's processor."""
    return platform.machine() in _SENDS


def run_until_change(command: Sequence[str], change: int) -> bool:
    """Kills it when the kernel has done what its `change`-th (from 1) message asks for that is no
    question. False: it had no so many before it said "ready" or ended; it is ended then too."""
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: _libc.ptrace(_TRACEME, 0, None, None),
    ) as process:
        try:
            return _follow(process, change)
        finally:
            process.kill()
            process.wait()


def _follow(process: subprocess.Popen, change: int) -> bool:
    changes, deliver, changing = 0, 0, False
    assert process.stdout is not None
    os.set_blocking(process.stdout.fileno(), False)
    _, status = os.waitpid(process.pid, 0)  # its own exec
    _ptrace(_SETOPTIONS, process.pid, data=_TRACESYSGOOD | _EXITKILL)
    while not os.WIFEXITED(status) and not os.WIFSIGNALED(status):
        if os.WSTOPSIG(status) == _SYSCALL_STOP:
            op, number, second = _syscall(process.pid)
            if op == _ENTRY:
                changing = _changes(process.pid, number, second)
            elif op == _EXIT and changing:
                changes += 1
                if changes == change:
                    return True
            if process.stdout.read():
                return False
        elif os.WSTOPSIG(status) != signal.SIGTRAP:
            deliver = os.WSTOPSIG(status)
        _ptrace(_SYSCALL, process.pid, data=deliver)
        deliver = 0
        _, status = os.waitpid(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return False


def _ptrace(request: int, pid: int, address: int = 0, data: int = 0) -> None:
    if _libc.ptrace(request, pid, address, data) < 0:
        raise OSError(ctypes.get_errno(), "ptrace")


def _syscall(pid: int) -> tuple[int, int, int]:
    """Whether a call begins or ends; of one that begins its number and second argument."""
    info = ctypes.create_string_buffer(88)
    _ptrace(_GET_SYSCALL_INFO, pid, len(info), ctypes.addressof(info))
    number, _, second = struct.unpack_from("=QQQ", info.raw, 24)
    return info.raw[0], number, second


def _changes(pid: int, number: int, argument: int) -> bool:
    way = _SENDS[platform.machine()].get(number)
    if way is None:
        return False
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for offset in way:
            memory.seek(argument + offset)
            (argument,) = struct.unpack("=Q", memory.read(8))
        memory.seek(argument + 4)
        (kind,) = struct.unpack("=H", memory.read(2))
    return kind >= 16 and kind & 3 != 2  # RTM_NEW..., RTM_DEL..., RTM_SET...; not RTM_GET...
