"""A fake SDD controller for tests: sends only what the test sends."""

from __future__ import annotations

import contextlib
import queue
import secrets
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_testbed.sdd import wire
from evenweave_testbed.sdd.pki import Identity

_LENGTH = struct.Struct("<I")


@dataclass
class Terms:
    """The terms that each Welcome message contains."""

    period_ns: int = 100_000_000
    guard_ns: int = 1_000_000
    lost_after_periods: int = 36_000  # an hour, longer than any test
    safe_policy: str = "CLOSED"
    safe_rate_bps: int = 1_000_000
    packet_delay_ns: int = 0
    epoch_ns: int = field(default_factory=time.monotonic_ns)


class Session:
    """A host's, or the circuit switch's."""

    def __init__(self, connection: ssl.SSLSocket, terms: Terms, number: int) -> None:
        self.key = secrets.token_bytes(32)
        self.id = secrets.randbelow(2**63) + 1
        self.terms = terms
        self.sequence = 0
        self.received: queue.Queue[tuple[str, dict]] = queue.Queue()
        self.latest: dict[str, dict] = {}  # by message
        self._connection = connection
        self._replies: dict[int, dict] = {}
        self._arrived = threading.Condition()
        self._requests = 0
        self._lock = threading.Lock()
        self._datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        name, self.hello = wire.decode(self._read())
        if name != "Hello":
            raise ValueError(f"{name} instead of Hello")
        self.name = self.hello["name"]
        certificate = cast(dict[str, Any], connection.getpeercert())
        self.common_name = dict(part[0] for part in certificate["subject"])["commonName"]
        self._write(
            wire.encode(
                "Welcome",
                sessionId=self.id,
                datagramKey=self.key,
                clock="MONOTONIC",
                number=number,
                epochNs=terms.epoch_ns,
                periodNs=terms.period_ns,
                guardNs=terms.guard_ns,
                lostAfterPeriods=terms.lost_after_periods,
                safePolicy=terms.safe_policy,
                safeRateBps=terms.safe_rate_bps,
                packetDelayNs=terms.packet_delay_ns,
                takeOverAfterPeriods=terms.lost_after_periods,
            )
        )
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def request(self, message: str, **values: object) -> dict:
        """Sends a request and gives its Reply, or QueueStats."""
        with self._arrived:
            self._requests += 1
            number = self._requests
        self._write(wire.encode(message, requestId=number, **values))
        with self._arrived:
            if not self._arrived.wait_for(lambda: number in self._replies, EVENT_LIMIT_S):
                raise TimeoutError(f"{self.name}: no reply to {message}")
            return self._replies.pop(number)

    def ok(self, message: str, **values: object) -> dict:
        """The same, where the answer must be OK."""
        reply = self.request(message, **values)
        assert reply["status"] == "OK", (message, values, reply)
        return reply

    def datagram(self, *commands: tuple[int, str, int]) -> bytes:
        """A datagram with the next sequence: (queue, "START" or "STOP", until) of each command."""
        self.sequence += 1
        message = wire.encode(
            "StartStop",
            sessionId=self.id,
            sequence=self.sequence,
            period=0,
            timeNs=time.monotonic_ns(),
            commands=[
                {"queue": number, "action": action, "untilNs": until}
                for number, action, until in commands
            ],
        )
        return wire.sign(message, self.key)

    def send_datagram(self, datagram: bytes) -> None:
        self._datagrams.sendto(datagram, ("127.0.0.1", self.hello["datagramPort"]))

    def command(self, *commands: tuple[int, str, int]) -> None:
        self.send_datagram(self.datagram(*commands))

    def wait_for(self, message: str, such: Callable[[dict], bool] = lambda _: True) -> dict:
        """The next message of this name that is such, from those not yet taken."""
        deadline = time.monotonic() + EVENT_LIMIT_S
        while True:
            name, values = self.received.get(timeout=max(0.01, deadline - time.monotonic()))
            if name == message and such(values):
                return values

    def send_raw(self, frame: bytes) -> None:
        self._write(frame)

    def close(self, reset: bool = False) -> None:
        """Ends the session by FIN, or by RST, in either case without TLS's close_notify: as the
        kernel does for a process that is killed."""
        # not closed under a thread that reads: the descriptor's number could be another's by then
        with contextlib.suppress(OSError):
            if reset:
                at_once = struct.pack("ii", 1, 0)
                self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
            self._connection.shutdown(socket.SHUT_RD if reset else socket.SHUT_RDWR)
        self._listener.join()
        self._connection.close()
        self._datagrams.close()

    def _listen(self) -> None:
        try:
            while True:
                name, values = wire.decode(self._read())
                if name in ("Reply", "QueueStats"):
                    with self._arrived:
                        self._replies[values["requestId"]] = values
                        self._arrived.notify_all()
                else:
                    self.latest[name] = values
                    self.received.put((name, values))
        except (OSError, EOFError, ValueError):
            self.received.put(("ended", {}))

    def _read(self) -> bytes:
        return self._read_exactly(_LENGTH.unpack(self._read_exactly(_LENGTH.size))[0])

    def _read_exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            part = self._connection.recv(size - len(data))
            if not part:
                raise EOFError
            data += part
        return data

    def _write(self, message: bytes) -> None:
        with self._lock:
            self._connection.sendall(_LENGTH.pack(len(message)) + message)


class StandIn:
    """Listens on loopback until it is closed; `sessions` has them by name."""

    def __init__(self, identity: Identity, authority: Path, terms: Terms) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.load_cert_chain(identity.certificate, identity.key)
        context.load_verify_locations(authority)
        context.verify_mode = ssl.CERT_REQUIRED
        self.terms = terms
        self.sessions: dict[str, Session] = {}
        self.refused: list[str] = []  # connections that came to nothing, and why
        self._count = self._accepted = 0
        self._context = context
        self._changed = threading.Condition()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self._acceptor = threading.Thread(target=self._accept, daemon=True)
        self._acceptor.start()

    def session(self, name: str) -> Session:
        with self._changed:
            if not self._changed.wait_for(lambda: name in self.sessions, EVENT_LIMIT_S):
                raise TimeoutError(
                    f"no session of {name}; there are: {list(self.sessions)}, accepted: "
                    f"{self._accepted}, handshakes: {self._count}, refused: {self.refused}"
                )
            return self.sessions[name]

    def forget(self, name: str, reset: bool = False) -> None:
        """Ends a session, so that `session` waits for the next one."""
        with self._changed:
            self.sessions.pop(name).close(reset)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._acceptor.join()
        self._listening.close()
        for session in list(self.sessions.values()):
            session.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            self._accepted += 1
            threading.Thread(target=self._welcome, args=(connection,), daemon=True).start()

    def _welcome(self, connection: socket.socket) -> None:
        try:
            tls = self._context.wrap_socket(connection, server_side=True)
            self._count += 1
            session = Session(tls, self.terms, self._count)
        except (OSError, EOFError, ValueError) as error:
            self.refused.append(str(error))
            return
        with self._changed:
            self.sessions[session.name] = session
            self._changed.notify_all()
