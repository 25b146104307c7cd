"""One TCP connection that says how it goes: python3 tcp_flow.py sink|source ADDRESS CONTROL

Both have that congestion control.

sink     takes what comes, until it is ended; says "ready"
source   makes a connection; for each number it reads it sends so many bytes, waits until they are
         acknowledged, and says in JSON what the kernel counts; at first its ports and the number of
         its next byte
"""

from __future__ import annotations

import json
import socket
import struct
import sys
import time

_PORT = 7008
_TCP_REPAIR, _TCP_REPAIR_QUEUE, _TCP_QUEUE_SEQ = 19, 20, 21
_SEND_QUEUE, _REPAIR_OFF_WITHOUT_PROBE = 2, -1
# Offsets in struct tcp_info (linux/tcp.h).
_COUNTS = {"unacked": 24, "ssthresh": 76, "cwnd": 80, "delivered": 192, "deliveredCe": 196}
_INFO_BYTES = 200


def say(what: object) -> None:
    print(json.dumps(what), flush=True)


def counts(connection: socket.socket) -> dict[str, int]:
    info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _INFO_BYTES)
    return {name: struct.unpack_from("=I", info, at)[0] for name, at in _COUNTS.items()}


def next_number(connection: socket.socket) -> int:
    """The sequence number of the next byte that is sent."""

    def repair(option: int, value: int) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, option, value)

    repair(_TCP_REPAIR, 1)
    repair(_TCP_REPAIR_QUEUE, _SEND_QUEUE)
    number = connection.getsockopt(socket.IPPROTO_TCP, _TCP_QUEUE_SEQ)
    repair(_TCP_REPAIR, _REPAIR_OFF_WITHOUT_PROBE)
    return number & 0xFFFFFFFF


def choose(connection: socket.socket, control: str) -> None:
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, control.encode())


def control_of(connection: socket.socket) -> str:
    name = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, 16)
    return name.rstrip(b"\0").decode()


def source(address: str, control: str) -> None:
    with socket.socket() as connection:
        choose(connection, control)
        connection.connect((address, _PORT))
        ports = [connection.getsockname()[1], _PORT]
        say({"ports": ports, "number": next_number(connection)})
        for line in sys.stdin:
            connection.sendall(bytes(int(line)))
            while (now := counts(connection))["unacked"]:
                time.sleep(0.0005)
            say(now | {"control": control_of(connection)})


def sink(address: str, control: str) -> None:
    with socket.create_server((address, _PORT)) as listening:
        choose(listening, control)
        print("ready", flush=True)
        while True:
            connection, _ = listening.accept()
            with connection:
                while connection.recv(1 << 20):
                    pass


if __name__ == "__main__":
    {"sink": sink, "source": source}[sys.argv[1]](*sys.argv[2:])
