"""Frames that load one direction of a link."""

from __future__ import annotations

import socket
import struct
import threading
import time

from evenweave_testbed.loss import Pace

_ETHER_TYPE = 0x88B5  # IEEE 802's for local experiments
_ADDRESSES = bytes.fromhex("020000000002020000000001")
_TICK_S = 0.005


class Load:
    """Frames that a switch's interface sends from `start` to `stop`, and that the switch at the
    other end drops. Both ends count them, as they count all packets."""

    def __init__(self, interface: str, pps: int, frame_bytes: int) -> None:
        self._interface = interface
        self._pps = pps
        self._frame = (_ADDRESSES + struct.pack("!H", _ETHER_TYPE)).ljust(frame_bytes, b"\0")
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def bps(self) -> int:
        return self._pps * len(self._frame) * 8

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        pace = Pace(self._pps, time.monotonic())
        with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as sender:
            sender.bind((self._interface, 0))
            while not self._ended.wait(_TICK_S):
                for _ in range(pace.due(time.monotonic())):
                    sender.send(self._frame)
