"""Switches that have lost the controller and must be routed around towards some destinations."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet

from evenweave_testbed.soak.tables import Tables
from evenweave_testbed.soak.world import World


def routed_around(
    world: World, trusted: AbstractSet[str], found: Mapping[str, Tables]
) -> dict[str, frozenset[str]]:
    """By prefix, the trusted switches that nobody may send its packets to: what such a switch holds
    cannot be changed, and of its next hops one is not nearer to the destination, or is itself to be
    routed around, or none is left. Prefixes without any are missing.

    `found`: what the switches hold.
    """
    detours = {}
    for subnet in world.spec.subnets:
        avoided = _avoided(world, trusted, found, subnet.switch, str(subnet.prefix))
        if avoided:
            detours[str(subnet.prefix)] = avoided
    return detours


def _avoided(
    world: World,
    trusted: AbstractSet[str],
    found: Mapping[str, Tables],
    destination: str,
    prefix: str,
) -> frozenset[str]:
    avoided: frozenset[str] = frozenset()
    while True:
        hops = _hops(world, trusted, destination, avoided)
        more = {
            switch
            for switch in (trusted - avoided - {destination}) & hops.keys()
            if not _leads_nearer(world, switch, found[switch], prefix, hops)
        }
        if not more:
            return avoided
        avoided |= more


def _hops(
    world: World, trusted: AbstractSet[str], destination: str, avoided: Collection[str]
) -> dict[str, int]:
    """How far each switch is from the destination, by links that are up, without those avoided."""
    neighbours: dict[str, set[str]] = {}
    for link in world.routed_links(trusted):
        a, b = link.a.switch, link.b.switch
        if a not in avoided and b not in avoided:
            neighbours.setdefault(a, set()).add(b)
            neighbours.setdefault(b, set()).add(a)
    hops, waiting = {destination: 0}, deque([destination])
    while waiting:
        switch = waiting.popleft()
        for neighbour in neighbours.get(switch, ()):
            if neighbour not in hops:
                hops[neighbour] = hops[switch] + 1
                waiting.append(neighbour)
    return hops


def _leads_nearer(
    world: World, switch: str, tables: Tables, prefix: str, hops: Mapping[str, int]
) -> bool:
    """Whether a switch has a next hop that works, and all it has are nearer to the destination. It
    skips those whose port is dead by itself, but takes them back by itself too."""
    ports = tables.routes.get(prefix) or {}
    dead = world.dead_ports()
    live = False
    for link in world.spec.links_of(switch):
        port = link.end_at(switch).port
        if port in ports:
            neighbour = link.other_end(switch).switch
            if hops.get(neighbour, len(hops)) >= hops[switch]:
                return False
            live |= (switch, port) not in dead
    return live
