"""What applications do: python3 -m evenweave_testbed.edge.applications WHAT ADDRESS [NUMBER...]

serve ADDRESS                   returns over TCP what it gets, until it is ended; says "ready"
requests ADDRESS COUNT BYTES    as many connections one after the other, each with one request
                                of that size; says "answered COUNT"
hold ADDRESS BYTES              one connection; for each line it reads it makes one request, and
                                says "answered NUMBER"
datagrams ADDRESS COUNT BYTES   UDP one way; says "sent COUNT"
receive ADDRESS COUNT BYTES     gets so many datagrams of that size; says "ready", "got COUNT"
"""

from __future__ import annotations

import socket
import sys
import threading

_PORT = 7007


def say(text: str) -> None:
    print(text, flush=True)


def serve(address: str) -> None:
    def answer(connection: socket.socket) -> None:
        with connection:
            while data := connection.recv(65536):
                connection.sendall(data)

    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.create_server((address, _PORT), family=family, backlog=64) as listening:
        say("ready")
        while True:
            connection, _ = listening.accept()
            threading.Thread(target=answer, args=[connection], daemon=True).start()


def request(connection: socket.socket, size: int) -> None:
    """Reads while it sends: else both ends would wait for the other to read, once all buffers
    between them are full."""
    sending = threading.Thread(target=connection.sendall, args=[bytes(size)], daemon=True)
    sending.start()
    while size > 0:
        data = connection.recv(65536)
        if not data:
            raise ConnectionError("closed before the answer was whole")
        size -= len(data)
    sending.join()


def requests(address: str, count: int, size: int) -> None:
    for _ in range(count):
        with socket.create_connection((address, _PORT)) as connection:
            request(connection, size)
    say(f"answered {count}")


def hold(address: str, size: int) -> None:
    with socket.create_connection((address, _PORT)) as connection:
        for number, _ in enumerate(sys.stdin, 1):
            request(connection, size)
            say(f"answered {number}")


def datagrams(address: str, count: int, size: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sending:
        for _ in range(count):
            sending.sendto(bytes(size), (address, _PORT))
    say(f"sent {count}")


def receive(address: str, count: int, size: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiving:
        receiving.bind((address, _PORT))
        say("ready")
        for _ in range(count):
            if len(receiving.recv(65536)) != size:
                raise ValueError("another size")
    say(f"got {count}")


if __name__ == "__main__":
    what, where, *numbers = sys.argv[1:]
    commands = {f.__name__: f for f in (serve, requests, hold, datagrams, receive)}
    commands[what](where, *map(int, numbers))
