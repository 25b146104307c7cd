"""Steady UDP traffic between hosts of different switches, with counts of the packets sent."""

from __future__ import annotations

import socket
import threading
import time
from collections import Counter
from contextlib import AbstractContextManager

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import FIRST_SOURCE_PORT
from evenweave_testbed.interfaces import network_namespace_of
from evenweave_topos.topologies import HostPlace

_FIRST_PORT = 6201
TICKS_PER_SECOND = 50
_PAYLOAD_BYTES = 958
# With UDP, IPv4 and Ethernet headers, as a switch counts it.
FRAME_BYTES = _PAYLOAD_BYTES + 8 + 20 + 14
_POLL_S = 0.1


class DemandError(RuntimeError):
    """A host has stopped sending."""


class SteadyDemand:
    """While it is entered, sends packets between pairs of hosts, in the ratio of their shares: so
    many each tick, and on a busy machine ticks come late.

    A pair has a flow for each of `ports` source ports and as many destination ports, and sends a
    packet of each in turn. The ports are the same each time.
    """

    def __init__(
        self, fabric: Fabric, shares: dict[tuple[HostPlace, HostPlace], int], ports: int = 1
    ) -> None:
        self._shares = shares
        self._ports = ports
        self._senders = {
            source: [self._socket(fabric, source, FIRST_SOURCE_PORT + i) for i in range(ports)]
            for source in dict.fromkeys(source for source, _ in shares)
        }
        # Hosts would answer what nobody receives.
        self._receivers = [
            self._socket(fabric, to, _FIRST_PORT + i)
            for to in dict.fromkeys(to for _, to in shares)
            for i in range(ports)
        ]
        self._ending = threading.Event()
        self._sending = threading.Lock()
        self._thread = threading.Thread(target=self._send)
        self.sent: Counter[tuple[HostPlace, HostPlace]] = Counter()

    @staticmethod
    def _socket(fabric: Fabric, host: HostPlace, port: int) -> socket.socket:
        with network_namespace_of(fabric.pid(host)):
            end = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        end.bind((str(host.address), port))
        return end

    def __enter__(self) -> SteadyDemand:
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._ending.set()
        self._thread.join()
        for ends in [*self._senders.values(), self._receivers]:
            for end in ends:
                end.close()

    def wait(self, ticks: int) -> None:
        """Returns when every pair has sent for so many ticks more, however long that takes."""
        wanted = {
            pair: self.sent[pair] + ticks * share for pair, share in self._shares.items() if share
        }
        while any(self.sent[pair] < count for pair, count in wanted.items()):
            if not self._thread.is_alive():
                raise DemandError("the hosts have ceased to send")
            time.sleep(_POLL_S)

    def paused(self) -> AbstractContextManager:
        """Nothing is sent inside: what counters say then is of the packets sent so far."""
        return self._sending

    def _send(self) -> None:
        while not self._ending.wait(1 / TICKS_PER_SECOND):
            with self._sending:
                for pair, share in self._shares.items():
                    for _ in range(share):
                        self._send_one(*pair)

    def _send_one(self, source: HostPlace, to: HostPlace) -> None:
        receiver, sender = divmod(self.sent[source, to], self._ports)
        address = (str(to.address), _FIRST_PORT + receiver % self._ports)
        self._senders[source][sender].sendto(bytes(_PAYLOAD_BYTES), address)
        self.sent[source, to] += 1
