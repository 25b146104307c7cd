"""Guests of a hypervisor at hosts' ports: stations with a MAC address and an IPv4 address of their
own, which say no more than a test has them say. They answer ARP while they are on."""

from __future__ import annotations

import socket
import struct
import threading
from ipaddress import IPv4Address
from types import TracebackType

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.frames import (
    BROADCAST,
    ETHERTYPE_ARP,
    GATEWAY_MAC,
    arp_frame,
    interface_socket,
)
from evenweave_topos.topologies import HostPlace

ETHERTYPE_IPV4, ETHERTYPE_RARP, _ETHERTYPE_VLAN = 0x0800, 0x8035, 0x8100
_REQUEST, _REPLY, _REVERSE_REQUEST = 1, 2, 3
_ALL_TYPES = 0x0003
# linux/if_packet.h: frames to other MAC addresses than the interface's are received too.
_SOL_PACKET, _PACKET_ADD_MEMBERSHIP, _PROMISCUOUS = 263, 1, 1
_POLL_S = 0.1
_FRAME_BYTES = 2048
# For experiments (RFC 3692).
_PROTOCOL = 253


class Guest:
    """One guest. It hears what comes to its port; `received` has the payloads of the packets to
    it, `told` the MAC addresses that others named as having its address."""

    def __init__(self, fabric: Fabric, place: HostPlace, mac: str, address: IPv4Address) -> None:
        self.mac = bytes.fromhex(mac.replace(":", ""))
        self.address = address
        self.received: list[bytes] = []
        self.told: list[bytes] = []
        self._fabric = fabric
        self._place = place
        self._on = False
        self._socket = self._open()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def __enter__(self) -> Guest:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._thread.join()
        self._socket.close()

    def turn(self, on: bool) -> None:
        """Its port stays up whether it is on or not, and it says nothing."""
        self._on = on

    def move(self, place: HostPlace) -> None:
        """To another port, without a word."""
        self._place = place
        before, self._socket = self._socket, self._open()
        before.close()

    def probe(self) -> None:
        """Asks whether its address is free (RFC 5227, section 2.1.1)."""
        self._send_arp(_REQUEST, bytes(4), self.address.packed)

    def announce(self) -> None:
        self.claim(self.address)

    def claim(self, address: IPv4Address) -> None:
        """Says that it has an address."""
        self._send_arp(_REQUEST, address.packed, address.packed)

    def announce_by_rarp(self) -> None:
        """As QEMU does for a guest that has migrated (net/announce.c)."""
        rarp = arp_frame(
            BROADCAST, self.mac, _REVERSE_REQUEST, bytes(4), self.mac, bytes(4), ETHERTYPE_RARP
        )
        self._socket.send(rarp)

    def send(
        self,
        to: IPv4Address,
        payload: bytes,
        mac: str = GATEWAY_MAC,
        source: IPv4Address | None = None,
        source_mac: bytes | None = None,
        vlan: int | None = None,
    ) -> None:
        """Sends a packet by its gateway, unless told otherwise."""
        packet = _ipv4((source or self.address).packed, to.packed, payload)
        tag = b"" if vlan is None else struct.pack("!HH", _ETHERTYPE_VLAN, vlan)
        macs = bytes.fromhex(mac.replace(":", "")) + (source_mac or self.mac)
        self._socket.send(macs + tag + struct.pack("!H", ETHERTYPE_IPV4) + packet)

    def _open(self) -> socket.socket:
        raw, index = interface_socket(self._fabric, self._place, _ALL_TYPES)
        raw.settimeout(_POLL_S)
        request = struct.pack("IHH8s", index, _PROMISCUOUS, 0, bytes(8))
        raw.setsockopt(_SOL_PACKET, _PACKET_ADD_MEMBERSHIP, request)
        return raw

    def _send_arp(self, operation: int, sender: bytes, target: bytes) -> None:
        self._socket.send(arp_frame(BROADCAST, self.mac, operation, sender, bytes(6), target))

    def _run(self) -> None:
        while not self._ended.is_set():
            raw = self._socket
            try:
                frame, (_, _, kind, *_) = raw.recvfrom(_FRAME_BYTES)
            except OSError:
                continue  # nothing came, or the guest has moved
            if kind != socket.PACKET_OUTGOING:
                self._hear(raw, frame)

    def _hear(self, raw: socket.socket, frame: bytes) -> None:
        (ethertype,) = struct.unpack_from("!H", frame, 12)
        if ethertype == ETHERTYPE_IPV4:
            if frame[:6] == self.mac and frame[30:34] == self.address.packed and self._on:
                self.received.append(frame[34:])
        elif ethertype == ETHERTYPE_ARP:
            (operation,) = struct.unpack_from("!H", frame, 20)
            mac, sender, target = frame[22:28], frame[28:32], frame[38:42]
            if operation == _REQUEST and target == self.address.packed and self._on:
                answer = arp_frame(frame[6:12], self.mac, _REPLY, target, mac, sender)
                raw.send(answer)
            if operation == _REPLY and frame[:6] == self.mac and sender == self.address.packed:
                self.told.append(mac)


def _ipv4(source: bytes, destination: bytes, payload: bytes) -> bytes:
    header = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(payload), 0, 0, 64, _PROTOCOL, 0)
    words = struct.unpack("!10H", header + source + destination)
    total = sum(words)
    total = (total & 0xFFFF) + (total >> 16)
    total = (total & 0xFFFF) + (total >> 16)
    return header[:10] + struct.pack("!H", 0xFFFF ^ total) + source + destination + payload
