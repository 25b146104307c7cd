"""Network namespaces joined by a bridge in the namespace of the test bed: one machine each."""

from __future__ import annotations

import subprocess
from contextlib import ExitStack

from evenweave_testbed.held_namespace import HeldNamespace

BRIDGE = "evw-onos"


class Machines:
    """Namespaces with an address each in `network` (the first three octets, mask /24); this one is
    number 254. They end with this process, or when it closes them."""

    def __init__(self, network: str) -> None:
        self._network = network
        self._undo = ExitStack()
        _ip("link", "add", BRIDGE, "type", "bridge")
        self._undo.callback(_ip, "link", "delete", BRIDGE)
        _ip("address", "add", f"{network}.254/24", "dev", BRIDGE)
        _ip("link", "set", BRIDGE, "up")

    def address(self, number: int) -> str:
        return f"{self._network}.{number}"

    def add(self, number: int) -> int:
        """Makes the machine with that number; returns a process in its namespace."""
        machine = HeldNamespace()
        self._undo.callback(machine.close)
        near, far = self._interface(number), f"{self._interface(number)}f"
        _ip("link", "add", near, "type", "veth", "peer", "name", far, "netns", str(machine.pid))
        _ip("link", "set", near, "master", BRIDGE, "up")
        machine.ip("address", "add", f"{self.address(number)}/24", "dev", far)
        machine.ip("link", "set", far, "up")
        return machine.pid

    def partition(self, number: int) -> None:
        """Takes the machine off the network."""
        _ip("link", "set", self._interface(number), "down")

    def join(self, number: int) -> None:
        """Puts the machine back on the network."""
        _ip("link", "set", self._interface(number), "up")

    def close(self) -> None:
        self._undo.close()

    @staticmethod
    def _interface(number: int) -> str:
        return f"evw-onos-{number}"


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)
