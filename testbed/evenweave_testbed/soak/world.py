"""The true state of the fabric, kept from the faults alone and never read from a controller."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import permutations

from evenweave_topos.fabric_file import FabricSpec, Link
from evenweave_topos.topologies import HostPlace

# How a switch can be gone. Its neighbours' ports stay up unless it has no power.
REMOVED, POWERED_OFF, FLUSHED = "removed", "powered off", "flushed"

HostPair = tuple[str, str]


class World:
    """A fabric, and all that is wrong with it.

    `down`: links with an end that is administratively down, and that end. `silent`: links that
    carry nothing in one direction although both ports are up, and the end whose packets are lost.
    `gone`: switches that have neither rules nor a controller, and how. `disconnected`: switches
    with rules and without a controller. `excluded`: what the configuration keeps traffic away from.
    `middles`: whether links have one, in which packets can be lost (`grey.wires`).
    `damped`: links that the controller keeps traffic away from for some time, as it says itself.
    `risen`: links that came up in the last step, or before it at a switch that is disconnected.
    `unseen`: those of the `unproved` that the controller does not see.
    """

    def __init__(self, spec: FabricSpec, hosts: Sequence[HostPlace], middles: bool = False) -> None:
        self.spec = spec
        self.hosts = tuple(hosts)
        self.middles = middles
        self.down: dict[str, str] = {}
        self.silent: dict[str, str] = {}
        self.gone: dict[str, str] = {}
        self.disconnected: set[str] = set()
        self.excluded_switches: set[str] = set()
        self.excluded_links: set[str] = set()
        self.damped: frozenset[str] = frozenset()
        self.risen: set[str] = set()
        self.unseen: frozenset[str] = frozenset()
        self.hosts_down: set[str] = set()
        self.strategy = "wcmp"

    def copy(self) -> World:
        other = copy.copy(self)
        for name in ("down", "silent", "gone"):
            setattr(other, name, dict(getattr(self, name)))
        for name in ("disconnected", "excluded_switches", "excluded_links", "hosts_down", "risen"):
            setattr(other, name, set(getattr(self, name)))
        return other

    def defects(self) -> int:
        """How many things are wrong."""
        return sum(
            len(found)
            for found in (
                *(self.down, self.silent, self.gone, self.disconnected),
                *(self.excluded_switches, self.excluded_links, self.hosts_down),
            )
        )

    # Switches and links

    def begin_step(self) -> None:
        """Forgets links that came up and that probes have found since."""
        self.risen = self.unproved()

    def unproved(self) -> set[str]:
        """Links that may not be seen: they came up at a switch that is disconnected, and a probe
        needs both ends."""
        return {
            str(link)
            for link in self.spec.links
            if str(link) in self.risen and {link.a.switch, link.b.switch} & self.disconnected
        }

    def connected(self) -> set[str]:
        """Switches that have a controller."""
        return {s.id for s in self.spec.switches} - self.gone.keys() - self.disconnected

    def working_links(self) -> list[Link]:
        """Links that carry packets both ways, whoever may use them."""
        return [
            link
            for link in self.spec.links
            if str(link) not in self.down
            and str(link) not in self.silent
            and link.a.switch not in self.gone
            and link.b.switch not in self.gone
        ]

    def ports_of(self, link: Link) -> set[tuple[str, int]]:
        return {(end.switch, end.port) for end in (link.a, link.b)}

    def dead_ports(self) -> set[tuple[str, int]]:
        """Ports without carrier, as switches see for themselves."""
        return {
            port
            for link in self.spec.links
            if str(link) in self.down
            or POWERED_OFF in (self.gone.get(link.a.switch), self.gone.get(link.b.switch))
            for port in self.ports_of(link)
        }

    def routed_links(self, trusted: AbstractSet[str] = frozenset()) -> list[Link]:
        """Links that are to carry traffic; `trusted` are switches that have lost the controller and
        are used anyway."""
        switches = self.routed_switches(trusted)
        return [
            link
            for link in self.working_links()
            if str(link) not in self.excluded_links | self.damped | self.unseen
            and {link.a.switch, link.b.switch} <= switches
        ]

    def routed_switches(self, trusted: AbstractSet[str] = frozenset()) -> set[str]:
        return (self.connected() | (self.disconnected & trusted)) - self.excluded_switches

    def fabric(self, trusted: AbstractSet[str] = frozenset()) -> dict:
        """The fabric as it is to be used, as JSON: the input of `plan`."""
        switches = self.routed_switches(trusted)
        whole = self.spec.to_json()
        links = {(str(link.a), str(link.b)) for link in self.routed_links(trusted)}
        return {
            "switches": [s for s in whole["switches"] if s["id"] in switches],
            "links": [k for k in whole["links"] if (k["a"], k["b"]) in links],
            "subnets": [n for n in whole["subnets"] if n["switch"] in switches],
        }

    def configuration(self) -> dict:
        """The controller's fabric file."""
        link_ends = sorted(str(self.spec.link(name).a) for name in self.excluded_links)
        return self.spec.to_json() | {
            "strategy": self.strategy,
            "excluded": {"switches": sorted(self.excluded_switches), "links": link_ends},
        }

    # Hosts

    def reachable(self, trusted: AbstractSet[str] = frozenset()) -> set[HostPair]:
        """Pairs of hosts that the fabric has a path for."""
        part = components(self.routed_switches(trusted), self.routed_links(trusted))
        return {
            (one.name, two.name)
            for one, two in permutations(self.hosts, 2)
            if not {one.name, two.name} & self.hosts_down
            and one.switch in part
            and part[one.switch] == part.get(two.switch)
        }

    def leaves_a_path(self) -> bool:
        """Whether all hosts whose own ports and switches work reach each other."""
        part = components(self.routed_switches(), self.routed_links())
        return len({part[h.switch] for h in self.hosts if h.switch in part}) <= 1


def components(switches: Iterable[str], links: Iterable[Link]) -> dict[str, str]:
    """For each switch, the name of the connected part of the fabric that it is in."""
    part = {switch: switch for switch in switches}

    def root(switch: str) -> str:
        while part[switch] != switch:
            part[switch] = part[part[switch]]
            switch = part[switch]
        return switch

    for link in links:
        part[root(link.a.switch)] = root(link.b.switch)
    return {switch: root(switch) for switch in part}
