"""Frames that a host sends past its own network stack, and what the controller makes of them."""

from __future__ import annotations

import socket
import struct
import time

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.interfaces import network_namespace_of
from evenweave_topos.topologies import HostPlace

ETHERTYPE_ARP = 0x0806
_REQUEST = 1
_BROADCAST = b"\xff" * 6


def arp_request(mac: bytes, sender: bytes, target: bytes, hardware_length: int = 6) -> bytes:
    ethernet = _BROADCAST + mac + struct.pack("!H", ETHERTYPE_ARP)
    arp = struct.pack("!HHBBH", 1, 0x0800, hardware_length, 4, _REQUEST)
    return ethernet + arp + mac + sender + bytes(6) + target + bytes(18)


def raw_socket(fabric: Fabric, host: HostPlace, ethertype: int) -> socket.socket:
    """Of a host's only interface; of type 0 it receives nothing."""
    with network_namespace_of(fabric.pid(host)):
        (interface,) = [name for _, name in socket.if_nameindex() if name != "lo"]
        raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        raw.bind((interface, ethertype))
        return raw


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
