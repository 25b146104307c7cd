"""A router of a bed as a leaf switch that chooses uplinks itself: LetFlow's, CONGA's or IntFlow's,
by the programs of host/edge/switch/leaf_port.bpf.c."""

from __future__ import annotations

import ipaddress
import json
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evenweave_testbed.edge.namespaces import OVERLAY_PORT, EdgeNamespaces
from evenweave_testbed.sdd.build import program

# libedge's enum edge_leaf_scheme and EDGE_UPLINKS.
SCHEMES = ("letflow", "conga", "intflow")
_MOST_UPLINKS = 16
_OBJECT = "leaf_port.bpf.o"
# Of the run's own mount namespace.
_PINS = Path("/sys/fs/bpf")
_CARRIERS = "evenweave_testbed.edge.carriers"


@dataclass(frozen=True)
class Uplink:
    device: str
    next_hop: str
    bps: int


@dataclass(frozen=True)
class Fabric:
    """Parameters shared by all leaves. `prefixes[i]`: the prefixes behind leaf i. `slower`: by how
    much links are slower than the 10 Gb/s that CONGA is made for."""

    scheme: str
    gap_us: int
    slower: int
    prefixes: Sequence[Sequence[str]]


class Leaf:
    """The running leaf `number`, on the namespace `name` of a bed, with which it ends."""

    def __init__(
        self,
        bed: EdgeNamespaces,
        name: str,
        number: int,
        fabric: Fabric,
        host_devices: Sequence[str],
        uplinks: Sequence[Uplink],
    ) -> None:
        self._bed, self._name, self._number, self._fabric = bed, name, number, fabric
        self._uplinks = list(uplinks)
        pins = _PINS / f"leaf-{name}"
        attach = {
            "leaf_from_host": host_devices,
            "leaf_from_fabric": [uplink.device for uplink in uplinks],
        }
        bed.load(name, program(_OBJECT), pins)
        try:
            for program_name, devices in attach.items():
                for device in devices:
                    bed.attach_pinned(name, device, pins / program_name)
            self._maps = bed.maps_of(name, "pinned", str(pins / "leaf_from_host"))
        finally:
            # Devices hold the programs, and programs their maps.
            for pin in pins.iterdir():
                pin.unlink()
            pins.rmdir()
        for place, prefixes in enumerate(fabric.prefixes):
            for prefix in prefixes:
                self._put_place(ipaddress.IPv4Network(prefix), place)
        self._configure()
        devices = attach["leaf_from_fabric"]
        bed.start_server(name, _CARRIERS, self._maps["up"], *devices)

    def set_rate(self, device: str, bps: int) -> None:
        """What the leaf takes for the rate of an uplink."""
        (place,) = (i for i, uplink in enumerate(self._uplinks) if uplink.device == device)
        self._uplinks[place] = Uplink(device, self._uplinks[place].next_hop, bps)
        self._configure()

    def state(self) -> dict:
        """What hosts sent by each uplink: IP bytes without the overlay's header; how many flowlets
        began there, and how many of those came from another uplink. `level`: the highest load that
        any leaf last brought back, 0 to 7; `up`: whether it has a carrier. `tags`: of arrivals;
        `refused`: those that no leaf wrote."""
        state, carriers = self._value("state"), self._value("up")
        levels = state["leaf"]["to_level"]
        return {
            "uplinks": [
                {
                    "device": uplink.device,
                    **state["sent"][i],
                    "level": max(to[i] for to in levels),
                    "up": bool(carriers >> i & 1),
                }
                for i, uplink in enumerate(self._uplinks)
            ],
            "tags": state["tags"],
            "refused": state["refused"],
        }

    def _configure(self) -> None:
        numbers = [
            SCHEMES.index(self._fabric.scheme),
            self._number,
            self._fabric.gap_us * 1000,
            self._fabric.slower,
            OVERLAY_PORT,
            len(self._uplinks),
        ]
        devices = self._bed.device_numbers(self._name)
        for uplink in self._uplinks:
            next_hop = int.from_bytes(socket.inet_aton(uplink.next_hop), "little")
            numbers += [devices[uplink.device], next_hop, uplink.bps]
        numbers += [0, 0, 0] * (_MOST_UPLINKS - len(self._uplinks))
        self._bed.set_port(self._name, self._maps["port"], *numbers)

    def _value(self, name: str) -> Any:
        """The only entry of a map."""
        dump = f"bpftool -j map dump id {self._maps[name]}"
        (entry,) = json.loads(self._bed.check(self._name, *dump.split()))
        return entry["formatted"]["value"]

    def _put_place(self, prefix: ipaddress.IPv4Network, leaf: int) -> None:
        key = prefix.prefixlen.to_bytes(4, "little") + prefix.network_address.packed
        self._bed.put(self._name, self._maps["places"], key, leaf.to_bytes(8, "little"))
