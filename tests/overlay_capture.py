"""Whether packets of an overlay that looks like TCP are what receivers take (docs/reference).

python3 overlay_capture.py DEVICE PORT COUNT

Says "ready", and after COUNT data packets of TCP over IPv4 "COUNT right", or what is wrong with the
first that is not.
"""

from __future__ import annotations

import socket
import struct
import sys

_ETHERNET, _IP, _TCP, _GENEVE = 14, 20, 20, 28
_ETH_P_IP, _CONTROL = 0x0800, 0x80
# Offset and flags, window, no checksum, no urgent pointer.
_REST = struct.pack("!HHHH", 0x5018, 0xFFFF, 0, 0)


def folded(data: bytes) -> int:
    """The Internet checksum's sum: 0xffff over what has a right one in it."""
    padded = data + bytes(len(data) % 2)
    total = sum(struct.unpack(f"!{len(padded) // 2}H", padded))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def mistake(packet: bytes) -> str | None:
    """What is wrong with a packet, from its outer IP header on."""
    tcp, inner = packet[_IP:], packet[_IP + _TCP + _GENEVE :]
    length = struct.unpack("!H", inner[2:4])[0]
    pseudo = inner[12:20] + struct.pack("!HH", socket.IPPROTO_TCP, length - _IP)
    checks = {
        "MTU": len(packet) <= 1500,
        "outer IP checksum": folded(packet[:_IP]) == 0xFFFF,
        "sequence number": struct.unpack("!I", tcp[4:8])[0] == (len(tcp) - _TCP) << 16,
        "rest of the header": tcp[12:20] == _REST,
        "inner length": length == len(inner),
        "inner IP checksum": folded(inner[:_IP]) == 0xFFFF,
        "inner TCP checksum": folded(pseudo + inner[_IP:]) == 0xFFFF,
    }
    return next((what for what, is_right in checks.items() if not is_right), None)


def watch(device: str, port: int, count: int) -> str:
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ETH_P_IP)) as raw:
        raw.bind((device, _ETH_P_IP))
        print("ready", flush=True)
        right = 0
        while right < count:
            frame = raw.recv(1 << 17)
            packet = frame[_ETHERNET : _ETHERNET + int.from_bytes(frame[16:18], "big")]
            if packet[9] != socket.IPPROTO_TCP or packet[22:24] != port.to_bytes(2, "big"):
                continue
            if packet[_IP + _TCP + 1] & _CONTROL:
                continue
            if what := mistake(packet):
                return f"wrong {what}: {packet[:120].hex()}"
            right += 1
        return f"{right} right"


if __name__ == "__main__":
    print(watch(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])), flush=True)
