"""Guests with the kernel's own network stack that share a host's port."""

from __future__ import annotations

from contextlib import ExitStack
from ipaddress import IPv4Address

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.held_namespace import HeldNamespace
from evenweave_topos.topologies import HostPlace

_DEVICE = "eth0"
_WAIT_S = 5


class LinuxGuest:
    """A guest behind a VEPA bridge (IEEE 802.1Qbg: a macvlan device in that mode), which forwards
    nothing between guests itself. Its address has a prefix of 32 bits, its default route leads
    on-link to the gateway."""

    def __init__(self, fabric: Fabric, place: HostPlace, address: IPv4Address) -> None:
        """Raises CalledProcessError if the kernel refuses something."""
        self.address = address
        self._undo = ExitStack()
        self._namespace = HeldNamespace()
        self._undo.callback(self._namespace.close)
        try:
            port = fabric.net[place.name].defaultIntf().name
            device = f"guest{int(address) & 0xFF}"
            made = fabric.run(
                *(place, "ip", "link", "add", "link", port, "name", device),
                *("netns", str(self._namespace.pid), "type", "macvlan", "mode", "vepa"),
            )
            made.check_returncode()
            ip = self._namespace.ip
            ip("link", "set", device, "name", _DEVICE)
            ip("address", "add", f"{address}/32", "dev", _DEVICE)
            ip("link", "set", _DEVICE, "up")
            ip(*f"route add default via {place.gateway} dev {_DEVICE} onlink".split())
        except BaseException:
            self._undo.close()
            raise

    def reaches(self, address: IPv4Address) -> bool:
        """Whether an address answers one of its pings."""
        found = self._namespace.run("ping", "-c", "1", "-W", str(_WAIT_S), str(address))
        return found.returncode == 0

    def close(self) -> None:
        self._undo.close()
