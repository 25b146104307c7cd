"""Raw frames sent by a host, and how the controller reacts to them."""

from __future__ import annotations

import socket
import struct
import time

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.interfaces import network_namespace_of
from evenweave_topos.topologies import HostPlace

ETHERTYPE_ARP = 0x0806
# The gateways' of all prefixes; rules that route match it.
GATEWAY_MAC = "02:45:56:57:00:01"
_REQUEST = 1
BROADCAST = b"\xff" * 6


def arp_request(mac: bytes, sender: bytes, target: bytes, hardware_length: int = 6) -> bytes:
    return arp_frame(
        BROADCAST, mac, _REQUEST, sender, bytes(6), target, hardware_length=hardware_length
    )


def arp_frame(
    to: bytes,
    mac: bytes,
    operation: int,
    sender: bytes,
    target_mac: bytes,
    target: bytes,
    ethertype: int = ETHERTYPE_ARP,
    hardware_length: int = 6,
) -> bytes:
    """An ARP or RARP frame, as its sender sends it."""
    ethernet = to + mac + struct.pack("!H", ethertype)
    arp = struct.pack("!HHBBH", 1, 0x0800, hardware_length, 4, operation)
    return ethernet + arp + mac + sender + target_mac + target + bytes(18)


def raw_socket(fabric: Fabric, host: HostPlace, ethertype: int) -> socket.socket:
    """Of a host's only interface; of type 0 it receives nothing."""
    raw, _ = interface_socket(fabric, host, ethertype)
    return raw


def interface_socket(fabric: Fabric, host: HostPlace, ethertype: int) -> tuple[socket.socket, int]:
    """The same with the interface's index."""
    with network_namespace_of(fabric.pid(host)):
        ((index, interface),) = [(i, name) for i, name in socket.if_nameindex() if name != "lo"]
        raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        raw.bind((interface, ethertype))
        return raw, index


def send_frames(fabric: Fabric, host: HostPlace, frames: list[bytes], pause_s: float = 0.0) -> None:
    """Sends frames out of a host's only interface."""
    with raw_socket(fabric, host, 0) as raw:
        for frame in frames:
            raw.send(frame)
            time.sleep(pause_s)


def mac_of(host: HostPlace) -> bytes:
    return bytes.fromhex(host.mac.replace(":", ""))


def dropped_of(fabric: Fabric, host: HostPlace) -> int:
    """How many packets of the host's port the controller has dropped."""
    ports = fabric.controller.packets()["ports"]
    place = (host.switch, host.port)
    return sum(port["dropped"] for port in ports if (port["switch"], port["port"]) == place)
