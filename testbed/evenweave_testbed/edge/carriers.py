"""Tells a leaf's programs which uplinks have a carrier:
python3 -m evenweave_testbed.edge.carriers MAP DEVICE...

Writes to the map with this number, at key 0, a bit for each device that is up and has a carrier, in
the devices' order: at the start, after which it says "ready", and whenever the kernel says that a
link changed. Goes on until it is ended.
"""

from __future__ import annotations

import fcntl
import socket
import struct
import subprocess
import sys
from collections.abc import Sequence

_RTMGRP_LINK = 1
_SIOCGIFFLAGS = 0x8913
_IFF_UP, _IFF_RUNNING = 0x1, 0x40
_IFREQ = struct.Struct("16sH14x")


def carriers(devices: Sequence[str]) -> int:
    """A bit for each that is up and has a carrier; one that is gone has none."""
    wanted, bits = _IFF_UP | _IFF_RUNNING, 0
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for place, device in enumerate(devices):
            try:
                answer = fcntl.ioctl(asking, _SIOCGIFFLAGS, _IFREQ.pack(device.encode(), 0))
            except OSError:
                continue
            if _IFREQ.unpack(answer)[1] & wanted == wanted:
                bits |= 1 << place
    return bits


def _write(map_id: str, bits: int) -> None:
    value = [str(byte) for byte in bits.to_bytes(8, "little")]
    update = ["map", "update", "id", map_id, "key", "0", "0", "0", "0", "value", *value]
    subprocess.run(["bpftool", *update], check=True)


def main(map_id: str, devices: Sequence[str]) -> None:
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE) as news:
        # Before the first look, so that no change falls between.
        news.bind((0, _RTMGRP_LINK))
        known = carriers(devices)
        _write(map_id, known)
        print("ready", flush=True)
        while True:
            news.recv(1 << 16)
            now = carriers(devices)
            if now != known:
                _write(map_id, now)
                known = now


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
