"""The switches' tables, read by ovs-ofctl from the switches themselves."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from evenweave_testbed.openvswitch import OPENFLOW, Group, SwitchError, parse_groups, run
from evenweave_topos.fabric_file import FabricSpec

_RULE = re.compile(r"priority=(?P<priority>\d+),?(?P<match>\S*) actions=(?P<actions>\S+)")
# Rules that route match the gateway's MAC address too.
_DESTINATION = re.compile(r"ip,(?:dl_dst=[0-9a-f:]+,)?nw_dst=([0-9./]+)")
_GROUP = re.compile(r"\bgroup:(\d+)")
_OUTPUT = re.compile(r"\boutput:(\d+)")
# Clients wait for the switch daemon, not for each other.
_AT_ONCE = 4
# A plan that is under way ends long before.
_READS = 50

CONTROLLER = "controller"
DISCOVERY, ARP = "dl_type=0x88cc", "arp"


@dataclass(frozen=True)
class Tables:
    """One switch's groups and rules.

    `routes`: for each prefix the number of slots of each port, or None where the controller gets
    the packets. `hosts`: the port of each host by its address. `others`: what else is matched.
    `rules`: every rule as it stands, for comparison with a later reading.
    """

    groups: Mapping[int, Group]
    routes: Mapping[str, Mapping[int, int] | None]
    group_of: Mapping[str, int] = field(default_factory=dict)
    hosts: Mapping[str, int] = field(default_factory=dict)
    others: frozenset[str] = frozenset()
    rules: frozenset[str] = frozenset()

    def is_whole(self) -> bool:
        """Whether every group that a rule uses is there."""
        return self.groups.keys() >= set(self.group_of.values())

    def unused_groups(self) -> list[int]:
        return sorted(self.groups.keys() - set(self.group_of.values()))

    def to_json(self, switch: str) -> dict:
        """The switch's part of a state, as `evenweave verify` reads it. Groups are numbered anew:
        ids may exceed what a state may have."""
        return {
            "id": switch,
            "groups": [
                {
                    "id": number,
                    "ports": [bucket.port for bucket in group.buckets],
                    "weights": [bucket.weight for bucket in group.buckets],
                }
                for number, group in enumerate(self.groups.values(), 1)
                if group.buckets
            ],
            "flows": [
                *(
                    {"match": prefix, "action": self._action(prefix, slots)}
                    for prefix, slots in self.routes.items()
                ),
                *({"match": ARP, "action": CONTROLLER} for match in self.others if match == ARP),
            ],
        }

    def _action(self, prefix: str, slots: Mapping[int, int] | None) -> str:
        if slots is None:
            return CONTROLLER
        if prefix in self.group_of:
            number = list(self.groups).index(self.group_of[prefix]) + 1
            return f"dec_ttl,group:{number}"
        (port,) = slots
        return f"dec_ttl,output:{port}"


def slots_of(group: Group) -> Counter[int]:
    slots: Counter[int] = Counter()
    for bucket in group.buckets:
        slots[bucket.port] += bucket.weight
    return slots


def parse_tables(rules: str, groups: Iterable[Group]) -> Tables:
    """Parses `ovs-ofctl dump-flows --no-stats`; rules with several outputs keep their last."""
    by_id = {group.id: group for group in groups}
    routes: dict[str, Mapping[int, int] | None] = {}
    group_of: dict[str, int] = {}
    hosts: dict[str, int] = {}
    others: set[str] = set()
    lines = [line.strip() for line in rules.splitlines() if "actions=" in line]
    for line in lines:
        rule = _RULE.search(line)
        destination = _DESTINATION.fullmatch(rule["match"]) if rule else None
        if rule is None or destination is None:
            others.add(rule["match"] if rule else line)
            continue
        to_group, outputs = _GROUP.search(rule["actions"]), _OUTPUT.findall(rule["actions"])
        if "/" not in destination[1]:
            if outputs:
                hosts[destination[1]] = int(outputs[-1])
        elif to_group:
            group = int(to_group[1])
            group_of[destination[1]] = group
            routes[destination[1]] = slots_of(by_id[group]) if group in by_id else {}
        else:
            routes[destination[1]] = {int(outputs[-1]): 1} if outputs else None
    return Tables(by_id, routes, group_of, hosts, frozenset(others), frozenset(lines))


def read_tables(switches: Iterable[str]) -> dict[str, Tables]:
    """Reads switches that have a bridge."""
    names = sorted(switches)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return dict(zip(names, pool.map(_read, names), strict=True))


def _read(switch: str) -> Tables:
    """Groups and rules that go together: those of one moment, unless they change all the time."""
    options = ("-O", OPENFLOW, "--no-names")
    groups = run("ovs-ofctl", *options, "dump-groups", switch)
    for _ in range(_READS):
        rules = run("ovs-ofctl", *options, "--no-stats", "dump-flows", switch)
        before, groups = groups, run("ovs-ofctl", *options, "dump-groups", switch)
        tables = parse_tables(rules, parse_groups(groups))
        if groups == before and tables.is_whole():
            return tables
    raise SwitchError(f"{switch}: groups and rules do not go together")


def changed_groups(before: Mapping[str, Tables], after: Mapping[str, Tables]) -> int:
    """How many groups were added, removed or changed, bucket by bucket."""
    return sum(
        before[s].groups.get(g) != after[s].groups.get(g)
        for s in before.keys() & after.keys()
        for g in before[s].groups.keys() | after[s].groups.keys()
    )


def changed_rules(before: Mapping[str, Tables], after: Mapping[str, Tables]) -> int:
    return sum(len(before[s].rules ^ after[s].rules) for s in before.keys() & after.keys())


Port = tuple[str, int]


@dataclass(frozen=True)
class Walk:
    """The ways of packets from a switch to a prefix: ports by which they leave switches, and
    switches from which they may have nowhere to go but ports that are dead."""

    ports: frozenset[Port]
    dead_ends: frozenset[str]

    def switches(self) -> set[str]:
        return {switch for switch, _ in self.ports}


def walk(
    spec: FabricSpec,
    tables: Mapping[str, Tables],
    source: str,
    prefix: str,
    dead: AbstractSet[Port] = frozenset(),
) -> Walk:
    """Follows every path; a switch skips buckets of dead ports, but has no other plain rule."""
    far_ends = {
        (link.end_at(s).switch, link.end_at(s).port): link.other_end(s).switch
        for link in spec.links
        for s in (link.a.switch, link.b.switch)
    }
    ports: set[Port] = set()
    dead_ends: set[str] = set()
    seen, waiting = {source}, [source]
    while waiting:
        switch = waiting.pop()
        slots = tables[switch].routes.get(prefix) if switch in tables else None
        leaving = {(switch, port) for port, count in (slots or {}).items() if count}
        if leaving and leaving <= dead:
            dead_ends.add(switch)
        for port in leaving - dead:
            ports.add(port)
            following = far_ends.get(port)
            if following is not None and following not in seen:
                seen.add(following)
                waiting.append(following)
    return Walk(frozenset(ports), frozenset(dead_ends))
