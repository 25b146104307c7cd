"""Packets that a host sends from addresses that are not its own."""

from __future__ import annotations

import ipaddress
import socket
import struct

import pytest
from waiting import eventually

from evenweave_testbed.connections import connect_all
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import spread
from evenweave_testbed.frames import GATEWAY_MAC, interface_socket, mac_of, send_frames
from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_topos.topologies import HostPlace

pytestmark = pytest.mark.fabric

_ETHERTYPE_IPV4 = 0x0800
# For experiments (RFC 3692).
_PROTOCOL = 253
_MARK = b"evenweave source guard"
_COUNT = 20
_PORT = 6401
_OTHERS = "10.0.1.2"
_STRANGERS = "8.8.8.8"


def _packet(host: HostPlace, source: str, destination: HostPlace) -> bytes:
    ethernet = bytes.fromhex(GATEWAY_MAC.replace(":", "")) + mac_of(host)
    addresses = ipaddress.IPv4Address(source).packed + destination.address.packed
    length = 20 + len(_MARK)
    header = struct.pack("!BBHHHBBH", 0x45, 0, length, 0, 0, 64, _PROTOCOL, 0) + addresses
    total = sum(struct.unpack("!10H", header))
    total = (total & 0xFFFF) + (total >> 16)
    header = header[:10] + struct.pack("!H", ~(total + (total >> 16)) & 0xFFFF) + header[12:]
    return ethernet + struct.pack("!H", _ETHERTYPE_IPV4) + header + _MARK


def _arrived(raw: socket.socket, sources: set[str]) -> set[str]:
    """Adds the sources of the packets that wait."""
    raw.setblocking(False)
    while True:
        try:
            frame = raw.recv(2048)
        except BlockingIOError:
            return sources
        if frame[14 + 20 :].startswith(_MARK):
            sources.add(str(ipaddress.IPv4Address(frame[26:30])))


def _send(fabric: Fabric, host: HostPlace, to: HostPlace, sources: list[str]) -> set[str]:
    """Sends packets from each source, then from the host's own address until one arrives; returns
    the sources of those that arrived. All take one path, so none is behind the last."""
    own = str(host.address)
    arrived: set[str] = set()
    raw, _ = interface_socket(fabric, to, _ETHERTYPE_IPV4)
    with raw:
        for source in sources:
            send_frames(fabric, host, [_packet(host, source, to)] * _COUNT, pause_s=0.001)

        def own_arrives() -> bool:
            send_frames(fabric, host, [_packet(host, own, to)])
            return own in _arrived(raw, arrived)

        eventually(own_arrives, lambda: arrived)
    return arrived


def _converge(fabric: Fabric) -> None:
    fabric.controller.wait(lambda s: s["converged"], "convergence", EVENT_LIMIT_S)


def _refused(fabric: Fabric, host: HostPlace) -> int:
    fabric.controller.audit()
    ports = fabric.controller.packets()["sourceGuard"]["ports"]
    place = (host.switch, host.port)
    return sum(port["dropped"] for port in ports if (port["switch"], port["port"]) == place)


def test_packets_from_others_addresses_do_not_arrive_and_are_counted_by_port(fabric):
    host, neighbour = fabric.hosts_of("s1-0")[:2]
    peer = fabric.hosts_of("s1-2")[0]
    # so that all of them are known
    assert not connect_all(fabric, spread([host, neighbour], [peer], 4, _PORT))
    since, before = fabric.controller.last_sequence(), _refused(fabric, host)
    for to in (peer, neighbour):
        assert _send(fabric, host, to, [_OTHERS, _STRANGERS]) == {str(host.address)}
    # A busy switch may lose some before it looks at their source.
    eventually(
        lambda: before < _refused(fabric, host) <= before + 4 * _COUNT,
        lambda: fabric.controller.packets(),
    )
    kinds = {e["kind"]: e["subject"] for e in fabric.controller.events(since)}
    assert kinds["source-refused"].startswith(f"{host.switch}/{host.port} sent ")
    assert not connect_all(fabric, spread([host], [peer, neighbour], 4, _PORT))


@pytest.mark.extended
def test_a_neighbours_address_passes_by_prefix_and_not_by_host_and_all_do_when_off(fabric):
    host, neighbour = fabric.hosts_of("s1-0")[:2]
    peer = fabric.hosts_of("s1-2")[0]
    assert not connect_all(fabric, spread([host, neighbour], [peer], 4, _PORT))
    own, other = str(host.address), str(neighbour.address)
    expected = {
        "prefix": {own, other},
        "host": {own},
        "off": {own, other, _STRANGERS},
    }
    before = fabric.controller.configuration()
    try:
        for mode, arriving in expected.items():
            subnets = [
                {**subnet, "sourceGuard": mode} if subnet["switch"] == "s1-0" else subnet
                for subnet in before["subnets"]
            ]
            fabric.controller.put_configuration({**before, "subnets": subnets})
            _converge(fabric)
            assert _send(fabric, host, peer, [other, _STRANGERS]) == arriving, mode
    finally:
        fabric.controller.put_configuration(before)
        _converge(fabric)
