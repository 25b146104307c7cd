"""Network namespaces joined by a bridge in the namespace of the test bed: one machine each."""

from __future__ import annotations

import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

BRIDGE = "evw-onos"
_START_TIMEOUT_S = 10.0


class Machines:
    """Namespaces with an address each in `network` (the first three octets, mask /24); this one is
    number 254. They go with this process, or when it closes them."""

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
        holder = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "unshare", "--net", "sleep", "infinity"],
            stdin=subprocess.DEVNULL,
        )
        self._undo.callback(_end, holder)
        _wait_until_apart(holder.pid)
        near, far = self._interface(number), f"{self._interface(number)}f"
        _ip("link", "add", near, "type", "veth", "peer", "name", far, "netns", str(holder.pid))
        _ip("link", "set", near, "master", BRIDGE, "up")
        _ip("link", "set", "lo", "up", inside=holder.pid)
        _ip("address", "add", f"{self.address(number)}/24", "dev", far, inside=holder.pid)
        _ip("link", "set", far, "up", inside=holder.pid)
        return holder.pid

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


def _ip(*arguments: str, inside: int | None = None) -> None:
    enter = ["nsenter", "--net", f"--target={inside}"] if inside else []
    subprocess.run([*enter, "ip", *arguments], check=True)


def _end(holder: subprocess.Popen) -> None:
    holder.kill()
    holder.wait()


def _wait_until_apart(pid: int) -> None:
    """Waits until the process has its own network namespace and stays the one it is."""
    own = Path("/proc/self/ns/net").readlink()
    deadline = time.monotonic() + _START_TIMEOUT_S
    while (
        Path(f"/proc/{pid}/ns/net").readlink() == own
        or Path(f"/proc/{pid}/comm").read_text().strip() != "sleep"
    ):
        if time.monotonic() > deadline:
            raise RuntimeError(f"process {pid} got no network namespace")
        time.sleep(0.01)
