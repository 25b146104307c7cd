"""Whether what a fabric sees of a hidden overlay is what hosts are to send (docs/reference).

python3 hidden_capture.py DEVICE PORT SOURCE COUNT

Watches packets of TCP over IPv4. Says "ready", and after COUNT from SOURCE how many of them tell of
their five-tuple in front of the guest's header and how many in an option, or what is wrong with the
first that is not right.
"""

from __future__ import annotations

import socket
import struct
import sys
from collections.abc import Iterator

from overlay_capture import folded

_ETHERNET, _IP, _TCP, _HIDDEN = 14, 20, 20, 28
_ETH_P_IP, _MAGIC, _KIND = 0x0800, 0xED9E, 253
_OPTION = struct.pack("!BBH", _KIND, _HIDDEN, _MAGIC)
_OFFSET_AND_FLAGS = 0x5018
_NO_GENEVE = b"\0\0"  # of the lower half of the sequence number in front of Geneve


def pseudo(addresses: bytes, size: int) -> bytes:
    return addresses + struct.pack("!HH", socket.IPPROTO_TCP, size)


def in_front(packet: bytes) -> str | None:
    """What is wrong with a packet that tells of its five-tuple in front, from its IP header on."""
    tcp, guest = packet[_IP:], packet[_IP + _HIDDEN :]
    checks = {
        "length": struct.unpack("!H", tcp[4:6])[0] == len(guest),
        "flags": struct.unpack("!H", tcp[12:14])[0] == _OFFSET_AND_FLAGS,
        "guest's addresses": tcp[20:22] == tcp[24:26] == bytes([10, 77]),
        "guest's checksum": folded(pseudo(tcp[20:28], len(guest)) + guest) == 0xFFFF,
    }
    return next((what for what, is_right in checks.items() if not is_right), None)


def in_option(packet: bytes) -> str | None:
    """The same of one that does so in an option."""
    tcp, option = packet[_IP:], packet[_IP + _TCP : _IP + _TCP + _HIDDEN]
    checks = {
        "option": option.startswith(_OPTION),
        "guest's addresses": option[4:6] == option[8:10] == bytes([10, 77]),
        "guest's ports": 7007 in struct.unpack("!HH", option[12:16]),
        "options": tcp[12] >> 4 in (12, 15),  # with the guest's time stamps or without
        "checksum": folded(pseudo(packet[12:20], len(tcp)) + tcp) == 0xFFFF,
    }
    return next((what for what, is_right in checks.items() if not is_right), None)


def has_option(packet: bytes) -> bool:
    """Whether it is of the second kind; any sequence number may end as those of the first do."""
    return packet[_IP + _TCP :].startswith(_OPTION)


def packets(device: str) -> Iterator[bytes]:
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ETH_P_IP)) as raw:
        raw.bind((device, _ETH_P_IP))
        print("ready", flush=True)
        while True:
            frame = raw.recv(1 << 17)
            packet = frame[_ETHERNET : _ETHERNET + int.from_bytes(frame[16:18], "big")]
            if packet[9] == socket.IPPROTO_TCP:
                yield packet


def watch(device: str, port: int, source: str, count: int) -> str:
    found = {in_front: 0, in_option: 0}
    for packet in packets(device):
        is_in_front = packet[26:28] == _MAGIC.to_bytes(2, "big") and not has_option(packet)
        told = in_front if is_in_front else in_option
        if packet[12:16] == socket.inet_aton(source) and packet[26:28] != _NO_GENEVE:
            what = told(packet)
            if packet[22:24] != port.to_bytes(2, "big"):
                what = "destination port"
            elif len(packet) > 1500:
                what = "MTU"
            elif folded(packet[:_IP]) != 0xFFFF:
                what = "IP checksum"
            if what:
                return f"wrong {what}: {packet[:120].hex()}"
            found[told] += 1
        elif packet[12:14] == bytes([10, 77]) or packet[16:18] == bytes([10, 77]):
            return f"not hidden: {packet[:60].hex()}"
        if sum(found.values()) == count:
            break
    return f"{found[in_front]} in front, {found[in_option]} in options"


if __name__ == "__main__":
    print(watch(sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])), flush=True)
