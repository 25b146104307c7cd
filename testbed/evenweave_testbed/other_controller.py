"""A foreign controller: it claims the role of master of a switch and does nothing else."""

from __future__ import annotations

import contextlib
import socket
import struct
from threading import Event, Thread

_HELLO, _ECHO_REQUEST, _ECHO_REPLY = 0, 2, 3
_ROLE_REQUEST, _ROLE_REPLY = 24, 25
_NOCHANGE, _MASTER = 0, 2


class OtherController:
    """Listens for switches and claims the role of master on each; `versions` as in OFPT_HELLO."""

    def __init__(self, port: int, version: int) -> None:
        self._version = version
        self._listener = socket.create_server(("127.0.0.1", port))
        self._connections: list[socket.socket] = []
        # Set when the first switch has made this controller its master.
        self.is_master = Event()
        self.target = f"tcp:127.0.0.1:{port}"
        Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> OtherController:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.leave()

    def leave(self) -> None:
        """Goes away as a program does that ends."""
        # Closing alone leaves a socket open while a thread waits on it.
        for each in (self._listener, *self._connections):
            with contextlib.suppress(OSError):  # It has ended already.
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        try:
            while True:
                connection, _ = self._listener.accept()
                self._connections.append(connection)
                Thread(target=self._serve, args=(connection,), daemon=True).start()
        except OSError:
            pass  # Closed.

    def _serve(self, connection: socket.socket) -> None:
        try:
            self._send(connection, _HELLO, 1, b"")
            self._role(connection, _NOCHANGE, 0)
            while True:
                header = self._read(connection, 8)
                _, kind, length, xid = struct.unpack("!BBHI", header)
                body = self._read(connection, length - 8)
                if kind == _ECHO_REQUEST:
                    self._send(connection, _ECHO_REPLY, xid, body)
                elif kind == _ROLE_REPLY:
                    role, generation = struct.unpack("!I4xQ", body[:16])
                    if role == _MASTER:
                        self.is_master.set()
                    elif not self.is_master.is_set():
                        self._role(connection, _MASTER, (generation + 1) % 2**64)
        except OSError:
            pass  # The connection has ended.

    def _role(self, connection: socket.socket, role: int, generation: int) -> None:
        self._send(connection, _ROLE_REQUEST, 2, struct.pack("!I4xQ", role, generation))

    def _send(self, connection: socket.socket, kind: int, xid: int, body: bytes) -> None:
        header = struct.pack("!BBHI", self._version, kind, 8 + len(body), xid)
        connection.sendall(header + body)

    @staticmethod
    def _read(connection: socket.socket, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = connection.recv(count - len(data))
            if not more:
                raise ConnectionError
            data += more
        return data
