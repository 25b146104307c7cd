"""Both ends of requests: python3 -m evenweave_testbed.edge.demo.traffic WHAT tcp|mptcp ...

serve PROTOCOL ADDRESS              answers a request, 8 bytes with a size, with so many bytes; says
                                    "ready", and goes on until it is ended
request PROTOCOL ADDRESS SERVER FILE
                                    says "ready" and reads a line of JSON: {"startNs": when,
                                    "requests": [[atNs, size, sourcePort], ...]}; opens a connection
                                    from ADDRESS for each request when it is due, and writes for
                                    each, once its last byte is there, [index, fctNs, lateNs,
                                    bytes], a JSON array in a line; times are on CLOCK_MONOTONIC

A request's completion time counts from when its connection is begun. `lateNs` is by how much that
was later than due, which is this program's fault and nobody else's. After an error `fctNs` is null.
"""

from __future__ import annotations

import asyncio
import errno
import json
import os
import socket
import sys
import time

PORT = 7008
_PROTOCOLS = {"tcp": socket.IPPROTO_TCP, "mptcp": 262}  # Linux's IPPROTO_MPTCP
# Named per socket: the machine's default may be one that looks at neither losses nor marks (BBR),
# and a namespace other than the first may not set its own default.
_CONGESTION_CONTROL = b"cubic"
_SIZE_BYTES = 8
_CHUNK = 1 << 18
_BACKLOG = 1024


def _socket(protocol: str) -> socket.socket:
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM, _PROTOCOLS[protocol])
    made.setblocking(False)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, _CONGESTION_CONTROL)
    return made


async def _connect(connection: socket.socket, to: tuple[str, int]) -> None:
    """As the loop's own `sock_connect`, which asks the resolver and that knows no MPTCP."""
    loop = asyncio.get_running_loop()
    error = connection.connect_ex(to)
    if error == errno.EINPROGRESS:
        writable = loop.create_future()
        loop.add_writer(connection, writable.set_result, None)
        try:
            await writable
        finally:
            loop.remove_writer(connection)
        error = connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    if error:
        raise OSError(error, os.strerror(error))


async def serve(protocol: str, address: str) -> None:
    loop = asyncio.get_running_loop()
    zeros = memoryview(bytes(_CHUNK))
    answers: set[asyncio.Task] = set()

    async def answer(connection: socket.socket) -> None:
        with connection:
            request = b""
            while len(request) < _SIZE_BYTES:
                data = await loop.sock_recv(connection, _SIZE_BYTES - len(request))
                if not data:
                    return
                request += data
            left = int.from_bytes(request, "big")
            while left > 0:
                part = zeros[: min(left, _CHUNK)]
                await loop.sock_sendall(connection, part)
                left -= len(part)
            # The client closes first, so that its end tells that it has all.
            await loop.sock_recv(connection, 1)

    listening = _socket(protocol)
    listening.bind((address, PORT))
    listening.listen(_BACKLOG)
    print("ready", flush=True)
    while True:
        connection, _ = await loop.sock_accept(listening)
        connection.setblocking(False)
        task = loop.create_task(answer(connection))
        answers.add(task)
        task.add_done_callback(answers.discard)


async def request(protocol: str, address: str, server: str, file: str) -> None:
    loop = asyncio.get_running_loop()
    print("ready", flush=True)
    asked = json.loads(sys.stdin.readline())
    start_ns = asked["startNs"]
    buffer = bytearray(_CHUNK)  # what is received is not looked at, so one is enough for all

    async def fetch(index: int, due_ns: int, size: int, source_port: int) -> None:
        begun_ns, got, fct_ns = time.monotonic_ns(), 0, None
        try:
            with _socket(protocol) as connection:
                connection.bind((address, source_port))
                await _connect(connection, (server, PORT))
                await loop.sock_sendall(connection, size.to_bytes(_SIZE_BYTES, "big"))
                while got < size and (count := await loop.sock_recv_into(connection, buffer)):
                    got += count
                if got == size:
                    fct_ns = time.monotonic_ns() - begun_ns
        except OSError as error:
            print(f"flow {index}: {error}", file=sys.stderr)
        print(json.dumps([index, fct_ns, begun_ns - due_ns, got]), file=results)

    with open(file, "w") as results:
        async with asyncio.TaskGroup() as flows:
            for index, (at_ns, size, source_port) in enumerate(asked["requests"]):
                due_ns = start_ns + at_ns
                await asyncio.sleep(max(0, due_ns - time.monotonic_ns()) / 1e9)
                flows.create_task(fetch(index, due_ns, size, source_port))


if __name__ == "__main__":
    what, *words = sys.argv[1:]
    asyncio.run(serve(*words) if what == "serve" else request(*words))
