"""Forwards packets from one device to another after a delay:
python3 -m evenweave_testbed.grey.delay INLET OUTLET SECONDS

Says "ready" when it has begun; goes on until it is ended.
"""

from __future__ import annotations

import select
import socket
import sys
import time
from collections import deque

_ETH_P_ALL = 0x0003
_MOST_BYTES = 1 << 16
_MOST_WAITING = 1 << 14


def _open(device: str) -> socket.socket:
    end = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ETH_P_ALL))
    end.bind((device, _ETH_P_ALL))
    return end


def main(inlet: str, outlet: str, seconds: float) -> None:
    waiting: deque[tuple[float, bytes]] = deque()
    with _open(inlet) as coming, _open(outlet) as going:
        print("ready", flush=True)
        while True:
            left = max(0.0, waiting[0][0] - time.monotonic()) if waiting else None
            if select.select([coming], [], [], left)[0]:
                frame, address = coming.recvfrom(_MOST_BYTES)
                if address[2] != socket.PACKET_OUTGOING and len(waiting) < _MOST_WAITING:
                    waiting.append((time.monotonic() + seconds, frame))
            while waiting and waiting[0][0] <= time.monotonic():
                going.send(waiting.popleft()[1])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
