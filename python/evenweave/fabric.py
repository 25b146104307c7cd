"""Builds fabrics: switch by switch, from a striping plan, or from another fabric.

fabric = (
    FabricBuilder()
    .switch("leaf1", 1).switch("leaf2", 1).switch("spine", 2)
    .link("leaf1", "spine", count=2).link("leaf2", "spine")
    .subnet("leaf1").subnet("leaf2")
    .build()
)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from evenweave_topos.fabric_file import (
    DEFAULT_LINK_BPS,
    FabricError,
    FabricSpec,
    clos,
    fat_tree,
    load,
    parse,
)

__all__ = [
    "FabricBuilder",
    "FabricError",
    "FabricSpec",
    "clos",
    "fat_tree",
    "load",
    "parse",
    "without",
]


class FabricBuilder:
    """Collects switches, links and subnets; chooses ports, dpids and prefixes that are not given.
    Each method returns the builder."""

    def __init__(self) -> None:
        self._switches: list[dict] = []
        self._links: list[dict] = []
        self._subnets: list[dict] = []
        self._last_port: Counter[str] = Counter()

    def switch(
        self,
        id: str,
        stage: int,
        *,
        table: int | None = None,
        target: str | None = None,
        dpid: str | None = None,
    ) -> FabricBuilder:
        """Adds a switch; stage 1 is next to the hosts. `table` is its number of multipath table
        entries, None for no limit; `target` how it holds groups."""
        optional = {"table": table, "target": target, "dpid": dpid}
        given = {name: value for name, value in optional.items() if value is not None}
        self._switches.append({"id": id, "stage": stage} | given)
        return self

    def link(self, a: str, b: str, *, bps: int = DEFAULT_LINK_BPS, count: int = 1) -> FabricBuilder:
        """Adds `count` parallel links of `bps` bits per second at the next ports of two switches,
        which are numbered from 1."""
        for _ in range(count):
            self._links.append({"a": self._next_port(a), "b": self._next_port(b), "bps": bps})
        return self

    def subnet(self, switch: str, prefix: str | None = None) -> FabricBuilder:
        """Adds hosts behind a switch; without a prefix those of the next of 10.0.0.0/24,
        10.0.1.0/24 and so on."""
        number = len(self._subnets)
        given = prefix or f"10.{number >> 8}.{number & 255}.0/24"
        self._subnets.append({"switch": switch, "prefix": given})
        return self

    def build(self) -> FabricSpec:
        """The fabric; raises FabricError naming the field that is wrong."""
        return parse({"switches": self._switches, "links": self._links, "subnets": self._subnets})

    def _next_port(self, switch: str) -> str:
        self._last_port[switch] += 1
        return f"{switch}/{self._last_port[switch]}"


def without(fabric: FabricSpec, elements: Iterable[str]) -> FabricSpec:
    """The fabric after failures: without these switches, with their links and subnets, and links.
    Raises FabricError for a name that the fabric does not have."""
    ids = {switch.id for switch in fabric.switches}
    names = set(elements)
    gone = {fabric.link(name) for name in names - ids}
    return FabricSpec(
        tuple(switch for switch in fabric.switches if switch.id not in names),
        tuple(
            link
            for link in fabric.links
            if link not in gone and not {link.a.switch, link.b.switch} & names
        ),
        tuple(subnet for subnet in fabric.subnets if subnet.switch not in names),
    )
