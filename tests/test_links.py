"""Links that probes find and the fabric file does not have."""

from __future__ import annotations

import select
import socket
import threading

import pytest
from waiting import eventually

from evenweave_testbed.connections import connect_all
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import spread
from evenweave_testbed.interfaces import network_namespace_of
from evenweave_testbed.loss import ProbeStream
from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_topos.topologies import HostPlace

pytestmark = pytest.mark.fabric

_ETH_P_ALL = 0x0003
_LLDP_AND_BDDP = (b"\x88\xcc", b"\x89\x42")
_ETHERTYPE = slice(12, 14)
_POLL_S = 0.1
_FLOWS = 64
_PORT = 6101


class ProbeRelay:
    """Two hosts that pass each other every discovery probe that comes to them."""

    def __init__(self, fabric: Fabric, one: HostPlace, other: HostPlace) -> None:
        self._ends = [self._open(fabric, host) for host in (one, other)]
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._relay)

    @staticmethod
    def _open(fabric: Fabric, host: HostPlace) -> socket.socket:
        with network_namespace_of(fabric.pid(host)):
            end = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ETH_P_ALL))
            end.bind((fabric.net[host.name].defaultIntf().name, _ETH_P_ALL))
        return end

    def __enter__(self) -> ProbeRelay:
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._ending.set()
        self._thread.join()
        for end in self._ends:
            end.close()

    def _relay(self) -> None:
        while not self._ending.is_set():
            for end in select.select(self._ends, [], [], _POLL_S)[0]:
                frame, address = end.recvfrom(2048)
                incoming = address[2] != socket.PACKET_OUTGOING
                if incoming and frame[_ETHERTYPE] in _LLDP_AND_BDDP:
                    self._ends[1 - self._ends.index(end)].send(frame)


def unexpected(fabric: Fabric) -> list[frozenset[str]]:
    links = fabric.controller.topology()["unexpectedLinks"]
    return [frozenset((link["a"], link["b"])) for link in links]


def test_hosts_that_relay_probes_draw_no_traffic(fabric):
    one, other = fabric.hosts_of("s1-0")[-1], fabric.hosts_of("s1-2")[-1]
    relayed = frozenset(f"{host.switch}/{host.port}" for host in (one, other))
    since = fabric.controller.last_sequence()
    before = {s.id: fabric.groups(s.id) for s in fabric.spec.switches}
    flows = spread(fabric.hosts_of("s1-0")[:-1], fabric.hosts_of("s1-2")[:-1], _FLOWS, _PORT)
    with ProbeStream(fabric, flows) as stream, ProbeRelay(fabric, one, other):
        eventually(lambda: relayed in unexpected(fabric), fabric.controller.topology)
        # The hosts at the relaying ports keep working too.
        assert not connect_all(fabric, spread([one], [other], _FLOWS, _PORT))
        status = fabric.controller.wait(lambda s: s["converged"], "convergence", EVENT_LIMIT_S)
    assert stream.result.sent > 0
    assert stream.result.lost_at == ()
    assert status["links"] == len(fabric.spec.links)
    assert status["hosts"] == len(fabric.hosts)
    after = {s.id: fabric.groups(s.id) for s in fabric.spec.switches}
    assert [switch for switch in before if before[switch] != after[switch]] == []
    kinds = [event["kind"] for event in fabric.controller.events(since)]
    assert kinds == ["unexpected-link"]
