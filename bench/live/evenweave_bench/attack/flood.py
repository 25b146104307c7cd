"""The attacker, a process of its own: sends frames from a host, or opens connections, until its
input ends; then prints how many, in how many seconds, with how much processor time."""

from __future__ import annotations

import json
import select
import socket
import ssl
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from evenweave_bench.attack.frames import FRAMES, Place

# Made beforehand, so that the rate is what the network takes and not what this program makes.
_FRAMES = 1 << 16
_BURST = 64
# As many as a stranger keeps open at a time; the controller bounds them too.
_CONNECTIONS = 400
_CONNECT_TIMEOUT_S = 0.2
# What is sent once connected: nothing, nonsense, the beginning of a handshake.
_STRAYS = (b"", b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")


def frames(kind: str, place: Place, per_second: int) -> Callable[[], int]:
    """Sends a burst when it is time; returns how many frames went out. 0 a second: no pause."""
    made = FRAMES[kind](place)
    ready = [next(made) for _ in range(_FRAMES)]
    ((_, interface),) = [pair for pair in socket.if_nameindex() if pair[1] != "lo"]
    raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
    raw.bind((interface, 0))
    began = time.monotonic()
    sent = 0

    def burst() -> int:
        nonlocal sent
        if per_second and sent > (time.monotonic() - began) * per_second:
            time.sleep(_BURST / per_second / 2)
            return 0
        gone = 0
        for number in range(sent, sent + _BURST):
            # The interface's queue is full: the frame is lost, as on a wire.
            with suppress(OSError):
                raw.send(ready[number % _FRAMES])
                gone += 1
        sent += _BURST
        return gone

    return burst


def connections(host: str, port: int, source: str) -> Callable[[], int]:
    """Opens connections of a stranger, in turn silent, not TLS, half a handshake, and one whose
    answer the controller has to compute; waits for no answer, and closes the oldest when there are
    many."""
    opened: deque[socket.socket] = deque()
    says = [*_STRAYS, _client_hello()]
    number = 0

    def one() -> int:
        nonlocal number
        number += 1
        try:
            stray = socket.create_connection((host, port), _CONNECT_TIMEOUT_S, (source, 0))
            opened.append(stray)
            stray.sendall(says[number % len(says)])
        except OSError:
            return 0
        finally:
            if len(opened) > _CONNECTIONS:
                opened.popleft().close()
        return 1

    return one


def _client_hello() -> bytes:
    """The first message of a TLS handshake. It may be sent again and again."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    written = ssl.MemoryBIO()
    with suppress(ssl.SSLWantReadError):
        context.wrap_bio(ssl.MemoryBIO(), written).do_handshake()
    return written.read()


def main(kind: str, argument: str) -> None:
    given = json.loads(argument)
    act = (
        connections(given["host"], given["port"], given["source"])
        if kind == "tls"
        else frames(kind, Place(**given["place"]), given["perSecond"])
    )
    began, used, done = time.monotonic(), time.process_time(), 0
    print("attacking", flush=True)
    while not select.select([sys.stdin], [], [], 0)[0]:
        done += act()
    seconds = time.monotonic() - began
    print(json.dumps({"sent": done, "seconds": seconds, "cpu": time.process_time() - used}))


if __name__ == "__main__":
    main(*sys.argv[1:])
