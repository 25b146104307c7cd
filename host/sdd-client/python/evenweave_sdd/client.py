"""The client: one connection for one thread, with blocking calls."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

_CHUNK_BYTES = 65536


class SddError(RuntimeError):
    """Raised if the host refuses a request. `status` is the reason's name, such as QUOTA."""

    def __init__(self, status: str, message: str) -> None:
        super().__init__(f"{status}: {message}")
        self.status = status


@dataclass(frozen=True)
class Event:
    """A notification from the host. `triggered`: a trigger of this application fired; `event`: a
    trigger of the controller fired, on a queue to which the application listens; `unmapped`: the
    sockets of a mapping are closed."""

    method: str
    queue: int
    cookie: int = 0
    time_ns: int = 0  # when the condition became true, by the host's clock
    packets: int = 0  # queued at that time
    bytes: int = 0
    dropped: int = 0  # events lost since the connection began
    trigger: int | None = None
    match: dict = field(default_factory=dict)


def flow_of(connected: socket.socket) -> dict:
    """Returns a match for exactly the packets that a connected TCP or UDP socket sends."""
    source, destination = connected.getsockname(), connected.getpeername()
    return {
        "protocol": socket.IPPROTO_TCP
        if connected.type == socket.SOCK_STREAM
        else socket.IPPROTO_UDP,
        "source": source[0],
        "sourcePort": source[1],
        "destination": destination[0],
        "destinationPort": destination[1],
    }


def connect(path: str | Path, name: str = "") -> Host:
    """Connects to the socket of a host, with a name that operators see. Raises OSError if no host
    listens, and SddError if no rule admits this user."""
    return Host(path, name)


class Host:
    """A connection to sdd-host; a context manager. Closing it closes the queues that were opened
    through it."""

    def __init__(self, path: str | Path, name: str = "") -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._events: deque[Event] = deque()
        self._received = b""
        self._requests = 0
        try:
            self._socket.connect(str(path))
            self.about = self.request("hello", **({"name": name} if name else {}))
        except BaseException:
            self._socket.close()
            raise

    def __enter__(self) -> Host:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self._socket.close()

    def fileno(self) -> int:
        """Returns the descriptor for select. It is readable when an event may have arrived;
        `next_event(0)` takes it."""
        return self._socket.fileno()

    def request(self, method: str, **params: object) -> dict:
        """Sends a request and returns its result. Raises SddError if the host refuses it, and
        ConnectionError if the host has terminated; all queues of the connection are then closed."""
        self._requests += 1
        message = {"jsonrpc": "2.0", "id": self._requests, "method": method, "params": params}
        self._socket.settimeout(None)
        with contextlib.suppress(BrokenPipeError):  # the host's last message gives the reason
            self._socket.sendall(json.dumps(message).encode() + b"\n")
        while True:
            answer = self._next_line(None)
            # An answer with another number belongs to a request that an exception of the caller
            # interrupted.
            if answer is not None and answer.get("id") == self._requests:
                break
        if "error" in answer:
            raise SddError(answer["error"]["data"]["status"], answer["error"]["message"])
        return answer["result"]

    def open_queue(self, **settings: object) -> Queue:
        """Opens a queue; `settings` are those of openQueue, such as closedByDefault=True."""
        return Queue(self, self.request("openQueue", **settings)["queue"])

    def queues_for_flows(self, match: dict) -> list[int]:
        return self.request("getQueuesForFlows", match=match)["queues"]

    def statistics(self, queue: int) -> dict:
        """Returns the statistics of a queue of this application, or of one that it may observe."""
        return self.request("queueStatistics", queue=queue)

    def listen(self, queue: int) -> None:
        """Subscribes to the events of the controller's triggers with `applications` on a queue."""
        self.request("listen", queue=queue)

    def ignore(self, queue: int) -> None:
        self.request("ignore", queue=queue)

    def next_event(self, timeout_s: float | None = None) -> Event | None:
        """Takes the oldest event. Returns None if none arrives in time."""
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        while not self._events:
            if self._next_line(deadline) is None:
                return None
        return self._events.popleft()

    def _next_line(self, deadline: float | None) -> dict | None:
        """Returns the next message, and also stores it if it is an event. Returns None after the
        deadline."""
        while b"\n" not in self._received:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            self._socket.settimeout(left)
            try:
                more = self._socket.recv(_CHUNK_BYTES)
            except (TimeoutError, BlockingIOError):
                return None
            if not more:
                raise ConnectionError("sdd-host has ended the connection")
            self._received += more
        line, _, self._received = self._received.partition(b"\n")
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict) or not ("method" in message or "id" in message):
            raise ConnectionError("this is not the socket of an sdd-host's applications")
        if "method" in message:
            params = message["params"]
            self._events.append(
                Event(
                    method=message["method"],
                    time_ns=params.pop("timeNs", 0),
                    **params,
                )
            )
        elif message["id"] is None:
            raise SddError(message["error"]["data"]["status"], message["error"]["message"])
        return message


class Queue:
    """A queue of this application. Conditions refer to it by its number: `Q[7].bytes`."""

    def __init__(self, host: Host, number: int) -> None:
        self.number = number
        self._host = host

    def configure(self, **settings: object) -> None:
        """Replaces all settings. Settings that are not given get their defaults."""
        self._host.request("configureQueue", queue=self.number, **settings)

    def close(self) -> None:
        """Closes the queue. Its flows, with their packets, return to the queue that they would use
        without it."""
        self._host.request("closeQueue", queue=self.number)

    def map(self, match: dict) -> None:
        self._host.request("mapFlow", queue=self.number, match=match)

    def unmap(self, match: dict) -> None:
        self._host.request("unmapFlow", match=match)

    def move_to(self, other: Queue, match: dict) -> None:
        self._host.request("moveFlows", fromQueue=self.number, toQueue=other.number, match=match)

    def add_condition(self, condition: str) -> None:
        self._host.request("addDequeueCondition", queue=self.number, condition=condition)

    def remove_condition(self, condition: str) -> None:
        self._host.request("removeDequeueCondition", queue=self.number, condition=condition)

    def clear_conditions(self) -> None:
        self._host.request("clearDequeueConditions", queue=self.number)

    def add_trigger(self, condition: str, cookie: int = 0) -> int:
        """Adds a trigger that fires an event whenever the condition becomes true. Returns its
        number."""
        answer = self._host.request(
            "addTrigger", queue=self.number, condition=condition, cookie=cookie
        )
        return answer["trigger"]

    def remove_trigger(self, trigger: int) -> None:
        self._host.request("removeTrigger", trigger=trigger)

    def statistics(self) -> dict:
        return self._host.statistics(self.number)
