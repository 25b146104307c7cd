"""A stand-in for linuxptp's ptp4l, whose offset a test sets."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from pathlib import Path


class FakePtp4l:
    """Answers TIME_STATUS_NP, as linuxptp's ptp4l does, with an offset that the test sets."""

    def __init__(self, path: Path) -> None:
        self.offset_ns = 0
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self._server = threading.Thread(target=self._serve, daemon=True)
        self._server.start()

    def close(self) -> None:
        """Ends as a process that is killed: its socket's file stays."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._server.join()
        self._socket.close()

    def _serve(self) -> None:
        while True:
            request, address = self._socket.recvfrom(1500)
            if not request:
                return
            assert request[0] & 15 == 0x0D and request[48:54] == bytes.fromhex("00010002c000")
            data = struct.pack(">qqiiH12sI8s", self.offset_ns, 0, 0, 0, 0, bytes(12), 1, bytes(8))
            answer = bytearray(request[:46]) + bytes([2, 0])
            answer += struct.pack(">HHH", 1, 2 + len(data), 0xC000) + data
            with contextlib.suppress(OSError):  # who asked has ended
                self._socket.sendto(bytes(answer), address)
