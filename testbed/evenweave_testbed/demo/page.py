"""The controller's page of a demo that is kept: the fabric lives in a network namespace of its own,
and the operator's browser outside. A socket that listens outside is passed in, and what connects to
it is passed on to the controller."""

from __future__ import annotations

import asyncio
import signal
import socket
from contextlib import suppress
from functools import partial

from evenweave_testbed.controller import HTTP_ADDRESS

_HOST, _PORT = HTTP_ADDRESS.split(":")
_CHUNK = 1 << 16


def listen() -> socket.socket:
    """A socket for browsers, at the controller's usual port if that is free."""
    try:
        return socket.create_server((_HOST, int(_PORT)))
    except OSError:
        return socket.create_server((_HOST, 0))


def serve(listening: socket.socket | None) -> None:
    """Passes connections on until SIGINT or SIGTERM; without a socket only waits for one."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        asyncio.run(pass_on(listening, int(_PORT)))


def url(listening: socket.socket | None) -> str:
    """Where the page is."""
    port = listening.getsockname()[1] if listening else _PORT
    return f"http://{_HOST}:{port}/"


async def pass_on(listening: socket.socket | None, port: int) -> None:
    """Passes what connects on to a port of this namespace, until it is cancelled."""
    if listening is None:
        await asyncio.Event().wait()
        return
    async with await asyncio.start_server(partial(_connected, port), sock=listening) as server:
        await server.serve_forever()


async def _connected(port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        from_controller, to_controller = await asyncio.open_connection(_HOST, port)
    except OSError:
        writer.close()
        return
    await asyncio.gather(_copy(reader, to_controller), _copy(from_controller, writer))


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """All that comes, until either side ends."""
    try:
        while chunk := await reader.read(_CHUNK):
            writer.write(chunk)
            await writer.drain()
    except OSError:
        pass  # One of them has gone, as browsers do.
    finally:
        writer.close()
