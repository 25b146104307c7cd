"""The kinds of faults: their possible subjects, and their effect on the world."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import permutations

from evenweave_testbed.soak.world import FLUSHED, POWERED_OFF, REMOVED, World

# More at once than that, and a fabric of a dozen links is no longer one.
MOST_DEFECTS = 4
# The latest that a switch of `late-sessions` connects to a controller that has started again.
LATEST_SESSION_S = 30.0
_ORDERS = 1000
# Where the ledger's probes go.
PROBE_PORT = 7301
# None of the ids that are Evenweave's.
FOREIGN_GROUP = 9000
# How often a fault may part hosts from each other, where it could have been another one.
_PARTS_HOSTS = 0.1
_ATTEMPTS = 8


class Category(Enum):
    """What a fault may cost: a cut and a drift what the data plane cannot know; what others do what
    the controller must name; the rest nothing."""

    CUT = "cuts"
    DRIFT = "drifts"
    RESTART = "restarts"
    RECONNECT = "reconnects"
    HEAL = "heals"
    CHANGE = "changes"
    OTHER = "others"


@dataclass(frozen=True)
class Fault:
    """A fault, injected `delay_ms` after the one before it in its step."""

    kind: str
    subject: str
    detail: str = ""
    delay_ms: int = 0

    @property
    def category(self) -> Category:
        return KINDS[self.kind].category

    def apply(self, world: World) -> None:
        KINDS[self.kind].apply(world, self)

    def __str__(self) -> str:
        later = f" after {self.delay_ms} ms" if self.delay_ms else ""
        return " ".join(filter(None, (self.kind, self.subject, self.detail))) + later


Choice = tuple[str, str]


@dataclass(frozen=True)
class Kind:
    """`cards`: how many of the deck's cards are of this kind. `choose`: the subjects and details it
    may have in a world. `apply`: what it makes of the world."""

    category: Category
    cards: int
    choose: Callable[[World], Collection[Choice]]
    apply: Callable[[World, Fault], None]


def choose(kind: str, world: World, rng: random.Random) -> Fault | None:
    """A fault of a kind that can happen in this world; None if there is none."""
    chosen = KINDS[kind]
    if chosen.category is Category.CUT and world.defects() >= MOST_DEFECTS:
        return None
    choices = sorted(chosen.choose(world))
    if not choices:
        return None
    fault = None
    for _ in range(_ATTEMPTS):
        fault = Fault(kind, *rng.choice(choices))
        after = world.copy()
        fault.apply(after)
        if after.leaves_a_path() or not world.leaves_a_path():
            return fault
    return fault if rng.random() < _PARTS_HOSTS else None


def late_sessions(order: str, switches: Collection[str]) -> list[tuple[float, str]]:
    """When the switches connect, the first first: seconds after the start of the controller. The
    same for an order and switches."""
    rng = random.Random(order)
    return sorted((rng.uniform(0, LATEST_SESSION_S), switch) for switch in sorted(switches))


# Subjects of faults


def _whole_links(world: World) -> list[Choice]:
    """Links that work between switches that are connected, by either end. Of one with a middle the
    other end would stay up."""
    return [] if world.middles else _silenceable(world)


def _silenceable(world: World) -> list[Choice]:
    """Links that work between switches that are connected, by either end."""
    return [
        (str(link), str(end))
        for link in world.working_links()
        if {link.a.switch, link.b.switch} <= world.connected()
        for end in (link.a, link.b)
    ]


def _connected(world: World) -> list[Choice]:
    return [(switch, "") for switch in world.connected()]


def _connected_above(world: World) -> list[Choice]:
    """Switches without hosts: with one of the others, all its hosts are gone too."""
    return [(s.id, "") for s in world.spec.switches if s.stage > 1 and s.id in world.connected()]


def _rules(world: World) -> list[Choice]:
    """A part of a switch's rules: all, those for ARP, link discovery's, or those to a prefix."""
    matches = ["all", "arp", "dl_type=0x88cc"]
    matches += [f"ip,nw_dst={subnet.prefix}" for subnet in world.spec.subnets]
    stage = {s.id: s.stage for s in world.spec.switches}
    return [
        (switch, match)
        for switch in world.connected() - world.excluded_switches
        for match in matches
        if match != "arp" or stage[switch] == 1
    ]


def _groups(world: World) -> list[Choice]:
    """How the groups of a switch are changed behind the controller's back."""
    return [
        (switch, how)
        for switch in world.connected() - world.excluded_switches
        for how in ("one bucket", "deleted", "one more")
    ]


def _hosts(world: World) -> list[Choice]:
    return [
        (host.name, "")
        for host in world.hosts
        if host.name not in world.hosts_down and host.switch in world.connected()
    ]


def _excludable(world: World) -> list[Choice]:
    if world.excluded_switches or world.excluded_links:
        return []
    links = [(str(link), "link") for link in world.routed_links()]
    return [*((switch, "switch") for switch, _ in _connected_above(world)), *links]


def _excluded(world: World) -> list[Choice]:
    links = [(link, "link") for link in world.excluded_links]
    return [*((switch, "switch") for switch in world.excluded_switches), *links]


# Subjects of what others do: `acts`


def _used(world: World) -> set[str]:
    """Switches that the controller is in charge of and that carry traffic."""
    ends = {end.switch for link in world.routed_links() for end in (link.a, link.b)}
    return ends & world.connected()


def _foreign_rules(world: World) -> list[Choice]:
    """Rules above the controller's that drop, or send away, what goes to a prefix of another
    switch; all of it, that of one port, or by a group."""
    choices = []
    for switch in _used(world):
        far_ends = {
            link.end_at(switch): link.other_end(switch).switch
            for link in world.routed_links()
            if switch in (link.a.switch, link.b.switch)
        }
        for subnet in world.spec.subnets:
            if switch == subnet.switch or subnet.switch not in world.connected():
                continue
            to = f"nw_dst={subnet.prefix}"
            actions = ["drop", f"group:{FOREIGN_GROUP}"]
            actions += [
                f"output:{end.port}" for end, far in far_ends.items() if far != subnet.switch
            ]
            choices += [(switch, f"priority=65000,ip,{to},actions={action}") for action in actions]
            choices.append((switch, f"priority=65000,tcp,{to},tp_dst={PROBE_PORT},actions=drop"))
    return choices


def _places(world: World) -> list[Choice]:
    """First-stage switches, and the prefixes to whose hosts theirs have a path: the switch has a
    rule for each."""
    switch_of = {host.name: host.switch for host in world.hosts}
    ends = {(switch_of[one], switch_of[other]) for one, other in world.reachable()}
    used = _used(world)
    return [
        (one, str(subnet.prefix))
        for one, other in ends
        for subnet in world.spec.subnets
        if one in used and subnet.switch == other != one
    ]


def _port_settings(world: World) -> list[Choice]:
    """Ports of links that carry traffic, and of hosts."""
    ports = [str(end) for link in world.routed_links() for end in (link.a, link.b)]
    ports += [f"{h.switch}/{h.port}" for h in world.hosts if (h.name, "") in _hosts(world)]
    return [(port, how) for port in ports for how in ("no-forward", "no-receive")]


def _directions(amounts: Sequence[str]) -> Callable[[World], list[Choice]]:
    """Directions of links with a middle that carry traffic, by the end that sends, and by how much
    they are worse than they should be."""

    def choices(world: World) -> list[Choice]:
        return [
            (str(link), f"{end} {amount}")
            for link in (world.routed_links() if world.middles else ())
            for end in (link.a, link.b)
            for amount in amounts
        ]

    return choices


def _neighbours(world: World) -> list[Choice]:
    """Two hosts of a switch, both ways, that another switch's hosts reach."""
    reachable = world.reachable()
    return [
        (one.switch, f"{one.name} {other.name}")
        for one, other in permutations(world.hosts, 2)
        if one.switch == other.switch
        and one.switch in world.connected() - world.excluded_switches
        and not {one.name, other.name} & world.hosts_down
        and any((h.name, one.name) in reachable for h in world.hosts if h.switch != one.switch)
    ]


def _links_to_spare(world: World) -> list[Choice]:
    """Links that carry traffic, whose loss parts nobody from anybody."""
    choices = []
    for link in () if world.middles else world.routed_links():
        without = world.copy()
        without.down[str(link)] = str(link.a)
        if without.leaves_a_path() or not world.leaves_a_path():
            choices.append(("controller", str(link)))
    return choices


# Effects on the world


def _nothing(_world: World, _fault: Fault) -> None:
    pass


def _gone(how: str) -> Callable[[World, Fault], None]:
    return lambda world, fault: world.gone.update({fault.subject: how})


def _flush_disconnected(world: World, _fault: Fault) -> None:
    """Those that do not reach a controller come back without rules."""
    world.gone.update(dict.fromkeys(world.disconnected, FLUSHED))
    world.disconnected.clear()


def _put_down(world: World, fault: Fault) -> None:
    world.down[fault.subject] = fault.detail


def _silence(world: World, fault: Fault) -> None:
    world.silent[fault.subject] = fault.detail


def _rise(world: World, fault: Fault) -> None:
    world.down.pop(fault.subject, None)
    world.silent.pop(fault.subject, None)
    world.risen.add(fault.subject)


def _return(world: World, fault: Fault) -> None:
    del world.gone[fault.subject]
    world.risen |= {
        str(link) for link in world.spec.links if fault.subject in (link.a.switch, link.b.switch)
    }


def _use_strategy(world: World, fault: Fault) -> None:
    world.strategy = fault.subject


def _exclude(world: World, fault: Fault) -> None:
    excluded = world.excluded_links if fault.detail == "link" else world.excluded_switches
    excluded.add(fault.subject)


def _include(world: World, fault: Fault) -> None:
    world.excluded_links.discard(fault.subject)
    world.excluded_switches.discard(fault.subject)


KINDS: dict[str, Kind] = {
    "link-down": Kind(Category.CUT, 4, _whole_links, _put_down),
    "port-flap": Kind(Category.CUT, 2, _whole_links, _rise),
    "link-flaps": Kind(Category.CUT, 1, _whole_links, _rise),
    "silent-link": Kind(Category.CUT, 1, _silenceable, _silence),
    "switch-removed": Kind(Category.CUT, 1, _connected, _gone(REMOVED)),
    "switch-powered-off": Kind(
        Category.CUT,
        1,
        lambda world: [] if world.middles else _connected_above(world),
        _gone(POWERED_OFF),
    ),
    "switch-flushed": Kind(Category.CUT, 1, _connected_above, _gone(FLUSHED)),
    "all-switches-crash": Kind(Category.CUT, 1, lambda _: [("all", "")], _flush_disconnected),
    "host-port-down": Kind(
        Category.CUT, 1, _hosts, lambda world, fault: world.hosts_down.add(fault.subject)
    ),
    "rules-deleted": Kind(Category.DRIFT, 3, _rules, _nothing),
    "group-changed": Kind(Category.DRIFT, 2, _groups, _nothing),
    "link-up": Kind(Category.HEAL, 4, lambda world: world.down.items(), _rise),
    "silence-ends": Kind(Category.HEAL, 1, lambda world: world.silent.items(), _rise),
    "switch-back": Kind(Category.HEAL, 3, lambda world: world.gone.items(), _return),
    "host-port-up": Kind(
        *(Category.HEAL, 1, lambda world: [(host, "") for host in world.hosts_down]),
        lambda world, fault: world.hosts_down.remove(fault.subject),
    ),
    "controller-killed": Kind(Category.RESTART, 3, lambda _: [("controller", "")], _nothing),
    "controller-stopped": Kind(Category.RESTART, 2, lambda _: [("controller", "")], _nothing),
    "late-sessions": Kind(
        *(Category.RESTART, 1),
        lambda _: [("controller", f"order {number}") for number in range(_ORDERS)],
        _nothing,
    ),
    "session-reset": Kind(Category.RECONNECT, 2, _connected, _nothing),
    "disconnected": Kind(
        Category.RECONNECT,
        1,
        lambda world: _connected(world) if world.defects() < MOST_DEFECTS else [],
        lambda world, fault: world.disconnected.add(fault.subject),
    ),
    "connected": Kind(
        *(Category.RECONNECT, 1, lambda world: [(switch, "") for switch in world.disconnected]),
        lambda world, fault: world.disconnected.remove(fault.subject),
    ),
    "strategy": Kind(
        *(Category.CHANGE, 1),
        lambda world: [("ecmp" if world.strategy == "wcmp" else "wcmp", "")],
        _use_strategy,
    ),
    "excluded": Kind(Category.CHANGE, 1, _excludable, _exclude),
    "included": Kind(Category.CHANGE, 1, _excluded, _include),
    "foreign-rule": Kind(Category.OTHER, 4, _foreign_rules, _nothing),
    "contested-rule": Kind(Category.OTHER, 1, _places, _nothing),
    "harmless-rules": Kind(
        Category.OTHER, 1, lambda world: [(switch, "") for switch in _used(world)], _nothing
    ),
    "port-setting": Kind(Category.OTHER, 3, _port_settings, _nothing),
    "standalone": Kind(Category.OTHER, 1, _connected, _nothing),
    "lossy-link": Kind(Category.OTHER, 1, _directions(("0.05", "0.1", "0.2")), _nothing),
    "late-link": Kind(Category.OTHER, 1, _directions(("0.2", "0.4")), _nothing),
    "faint-link": Kind(Category.OTHER, 1, _directions(("0.01",)), _nothing),
    "corrupt-link": Kind(Category.OTHER, 1, _directions(("0.2",)), _nothing),
    "narrow-link": Kind(Category.OTHER, 1, _directions(("0.1",)), _nothing),
    "small-mtu": Kind(Category.OTHER, 1, _directions(("1200",)), _nothing),
    "other-master": Kind(Category.OTHER, 1, _connected, _nothing),
    "same-datapath": Kind(Category.OTHER, 1, _connected, _nothing),
    "unread-log": Kind(Category.OTHER, 1, _links_to_spare, _nothing),
    "guest-migrates": Kind(Category.OTHER, 1, _neighbours, _nothing),
    "guests-swap": Kind(Category.OTHER, 1, _neighbours, _nothing),
    "guest-restarts": Kind(Category.OTHER, 1, _neighbours, _nothing),
    "ports-renumbered": Kind(Category.OTHER, 1, _neighbours, _nothing),
}
"""All kinds of faults, by name."""

ACTS = frozenset(name for name, kind in KINDS.items() if kind.category is Category.OTHER)
RESTARTS = frozenset(name for name, kind in KINDS.items() if kind.category is Category.RESTART)
