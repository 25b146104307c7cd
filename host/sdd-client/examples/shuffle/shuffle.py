#!/usr/bin/python3
"""An all-to-all shuffle that schedules its own transfers; see README.md."""

from __future__ import annotations

import argparse
import json
import socket
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, field

from evenweave_sdd import Host, Queue, connect, flow_of

_CHUNK = bytes(65536)


@dataclass
class Transfer:
    """The transfer of one partition to one peer."""

    peer: int
    connection: socket.socket
    queue: Queue | None = None  # None: the transfer is not scheduled
    seconds: float = 0.0


@dataclass
class Intake:
    """Receives the other peers' partitions, each over its own connection."""

    listening: socket.socket
    expected: int
    received: dict[str, int] = field(default_factory=dict)  # bytes by address

    def run(self) -> None:
        threads = []
        for _ in range(self.expected):
            connection, address = self.listening.accept()
            threads.append(threading.Thread(target=self._take, args=(connection, address[0])))
            threads[-1].start()
        for thread in threads:
            thread.join()

    def _take(self, connection: socket.socket, address: str) -> None:
        with connection:
            total = 0
            while data := connection.recv(len(_CHUNK)):
                total += len(data)
            self.received[address] = total
            connection.sendall(b"%d\n" % total)  # tells the sender that the partition has arrived


def rounds(rank: int, count: int) -> list[int]:
    """Returns the peers in the order in which this one sends to them. In each round all send to
    different peers, so that no peer receives two partitions at once."""
    return [(rank + step) % count for step in range(1, count)]


def schedule(host: Host, transfers: list[Transfer], partition_bytes: int) -> None:
    """Opens a queue for each transfer, which transmits when the previous queue has sent its
    partition. The host evaluates that condition at each packet; no message of the application is
    needed."""
    before: Queue | None = None
    for transfer in transfers:
        queue = host.open_queue(closedByDefault=True, maxPackets=500)
        sent = f"Q[{before.number}].sentBytes >= {partition_bytes}" if before else "TRUE"
        queue.add_condition(sent)
        queue.add_trigger(f"sentBytes >= {partition_bytes}", cookie=transfer.peer)
        queue.map(flow_of(transfer.connection))
        transfer.queue = before = queue


def send(transfer: Transfer, partition_bytes: int, begin: float) -> None:
    left = partition_bytes
    while left > 0:
        left -= transfer.connection.send(_CHUNK[: min(left, len(_CHUNK))])
    transfer.connection.shutdown(socket.SHUT_WR)
    if int(transfer.connection.makefile().readline()) != partition_bytes:
        raise RuntimeError(f"peer {transfer.peer} has not received its partition")
    transfer.seconds = time.monotonic() - begin


def connect_to(address: str, port: int, deadline: float) -> socket.socket:
    """Connects to a peer, which starts at about the same time."""
    while True:
        try:
            return socket.create_connection((address, port))
        except ConnectionRefusedError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def shuffle(arguments: argparse.Namespace) -> dict:
    peers, rank = arguments.peers, arguments.rank
    with ExitStack() as stack:
        intake = Intake(
            stack.enter_context(socket.create_server((peers[rank], arguments.port))), len(peers) - 1
        )
        taking = threading.Thread(target=intake.run)
        taking.start()
        deadline = time.monotonic() + arguments.wait
        transfers = [
            Transfer(peer, connect_to(peers[peer], arguments.port, deadline))
            for peer in rounds(rank, len(peers))
        ]
        host = None
        if arguments.socket:
            host = stack.enter_context(connect(arguments.socket, "shuffle"))
            schedule(host, transfers, arguments.bytes)
        begin = time.monotonic()
        sending = [
            threading.Thread(target=send, args=(transfer, arguments.bytes, begin))
            for transfer in transfers
        ]
        for thread in sending:
            thread.start()
        sent = []
        while host and len(sent) < len(transfers):
            event = host.next_event()
            if event and event.method == "triggered":
                sent.append({"peer": event.cookie, "timeNs": event.time_ns})
        for thread in [*sending, taking]:
            thread.join()
        seconds = [transfer.seconds for transfer in transfers]
        return {
            "rank": rank,
            "order": [transfer.peer for transfer in transfers],
            "sent": sent,
            "receivedBytes": intake.received,
            "meanSeconds": sum(seconds) / len(seconds),
            "lastSeconds": max(seconds),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", required=True, type=lambda text: text.split(","))
    parser.add_argument(
        "--rank", required=True, type=int, help="index of this process among the peers"
    )
    parser.add_argument("--bytes", type=int, default=1_000_000, help="size of each partition")
    parser.add_argument("--port", type=int, default=5002)
    parser.add_argument("--wait", type=float, default=60, help="seconds to wait for peers to start")
    parser.add_argument(
        "--socket", help="socket of this host's sdd-host; without it transfers are not scheduled"
    )
    print(json.dumps(shuffle(parser.parse_args())))


if __name__ == "__main__":
    main()
