"""Hosts that send steady UDP traffic to hosts of other switches, and count what they send."""

from __future__ import annotations

import socket
import threading
from collections import Counter

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.interfaces import network_namespace_of
from evenweave_topos.topologies import HostPlace

_PORT = 6201
TICKS_PER_SECOND = 50
_PAYLOAD_BYTES = 958
# With UDP, IPv4 and Ethernet headers, as a switch counts it.
FRAME_BYTES = _PAYLOAD_BYTES + 8 + 20 + 14


class SteadyDemand:
    """While it is entered, sends packets between pairs of hosts, in the ratio of their shares: so
    many each tick, and on a busy machine ticks come late."""

    def __init__(self, fabric: Fabric, shares: dict[tuple[HostPlace, HostPlace], int]) -> None:
        self._shares = shares
        self._senders = {source: self._socket(fabric, source) for source, _ in shares}
        # Hosts would answer what nobody receives.
        self._receivers = [self._socket(fabric, to, _PORT) for to in {to for _, to in shares}]
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._send)
        self.sent: Counter[tuple[HostPlace, HostPlace]] = Counter()

    @staticmethod
    def _socket(fabric: Fabric, host: HostPlace, port: int = 0) -> socket.socket:
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
        for end in [*self._senders.values(), *self._receivers]:
            end.close()

    def _send(self) -> None:
        while not self._ending.wait(1 / TICKS_PER_SECOND):
            for pair, share in self._shares.items():
                for _ in range(share):
                    address = (str(pair[1].address), _PORT)
                    self._senders[pair[0]].sendto(bytes(_PAYLOAD_BYTES), address)
                    self.sent[pair] += 1
