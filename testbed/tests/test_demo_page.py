"""The relay between an operator's browser and the controller of a demo that is kept."""

from __future__ import annotations

import asyncio
import socket

from evenweave_testbed.demo import page


async def exchange(listening: socket.socket, port: int, request: bytes) -> bytes:
    """What comes back through the relay for a request, until the end."""
    relay = asyncio.create_task(page.pass_on(listening, port))
    address = listening.getsockname()
    reader, writer = await asyncio.open_connection(*address[:2])
    writer.write(request)
    await writer.drain()
    answer = await reader.read()
    writer.close()
    relay.cancel()
    return answer


def test_what_connects_is_passed_on_both_ways():
    async def run() -> bytes:
        async def controller(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"to " + await reader.readexactly(5))
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(controller, "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            return await exchange(socket.create_server(("127.0.0.1", 0)), port, b"hello")

    assert asyncio.run(run()) == b"to hello"


def test_a_browser_is_let_go_when_the_controller_has_gone():
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    listening = socket.create_server(("127.0.0.1", 0))
    assert asyncio.run(exchange(listening, port, b"")) == b""


def test_the_address_is_the_usual_one_unless_its_port_is_in_use():
    assert page.url(None) == "http://127.0.0.1:8282/"
    with page.listen() as first, page.listen() as second:
        assert page.url(first) != page.url(second)
        assert page.url(second).startswith("http://127.0.0.1:")
