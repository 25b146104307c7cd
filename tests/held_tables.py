"""What the switches of a live fabric hold, as ovs-ofctl reads it."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.openvswitch import Group, run

_MARK = "dl_type=0x88b6"
# By switch and group or rule, the port of each slot; of a rule none.
Tables = dict[tuple[str, str], tuple[int, ...]]


def changed(before: Mapping, after: Mapping) -> list:
    """The keys whose values differ. An assertion about the values themselves would take minutes to
    print how groups of 256 buckets differ."""
    return sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))


def unlike_wanted(fabric) -> dict[str, tuple[dict[int, int], dict[int, int]]]:
    """By switch, where they differ: how many buckets its groups have, and are to have."""
    differing = {}
    for switch in fabric.spec.switches:
        held = {g.id: len(g.buckets) for g in fabric.groups(switch.id)}
        wanted = {g["groupId"]: g["entries"] for g in fabric.controller.groups(switch.id)}
        if held != wanted:
            differing[switch.id] = (held, wanted)
    return differing


def groups(fabric: Fabric) -> dict[str, list[Group]]:
    return {s.id: fabric.groups(s.id) for s in fabric.spec.switches}


def tables(fabric: Fabric) -> Tables:
    """Every switch's groups, slot by slot, and the rules that the application made."""
    held: Tables = {}
    for switch in fabric.spec.switches:
        for group in fabric.groups(switch.id):
            slots = [bucket.port for bucket in group.buckets for _ in range(bucket.weight)]
            held[switch.id, f"group {group.id:#x}"] = tuple(slots)
        for rule in rules(switch.id):
            held[switch.id, rule] = ()
    return held


def shares(tables: Tables) -> Tables:
    """The tables without regard to the order of slots, since a port's slots need not be the same
    ones after it was without any; and with a rule's group in place of the group's number, which
    depends on the order in which groups came and went."""
    held: Tables = {}
    for switch, entry in tables:
        rule, to_group, number = entry.partition("group:")
        if to_group:
            # A listing of a group that is replaced meanwhile may lack it.
            slots = tables.get((switch, f"group {int(number):#x}"), ())
            held[switch, rule + to_group] = tuple(sorted(slots))
        elif not entry.startswith("group "):
            held[switch, entry] = ()
    return held


def rules(switch: str) -> list[str]:
    """Matches and actions of a switch's IPv4 rules, without counters and times."""
    listed = run("ovs-ofctl", "-O", "OpenFlow13", "--no-stats", "dump-flows", switch, "ip")
    return sorted(line.split("priority=")[1] for line in listed.splitlines() if "priority=" in line)


def slots_on_switch(fabric, switch: str, group_id: int) -> Counter[int]:
    """Buckets per port of a group, as ovs-ofctl reads them from the switch."""
    (group,) = [g for g in fabric.groups(switch) if g.id == group_id]
    return Counter({b.port: 0 for b in group.buckets}) + Counter(
        itertools.chain.from_iterable([b.port] * b.weight for b in group.buckets)
    )


def route_rules(switch: str) -> list[str]:
    listed = run("ovs-ofctl", "-O", "OpenFlow13", "--no-stats", "dump-flows", switch, "ip")
    routes = [line for line in listed.splitlines() if "nw_dst=" in line]
    return [line for line in routes if "actions=drop" not in line]


def flows_of(switch: str) -> str:
    return run("ovs-ofctl", "-O", "OpenFlow13", "dump-flows", switch)


def ages(switch: str) -> dict[str, float]:
    """For how many seconds a switch has held each of its groups and IPv4 rules, and the mark."""
    of = {}
    for line in flows_of(switch).splitlines():
        found = re.search(r"duration=([\d.]+)s.*priority=(.*)", line)
        if found and re.match(rf"\d+,(ip|{_MARK})", found[2]):
            of[found[2]] = float(found[1])
    for group, age in re.findall(
        r"group_id=(\d+),duration=([\d.]+)s",
        run("ovs-ofctl", "-O", "OpenFlow13", "dump-group-stats", switch),
    ):
        of[f"group {int(group):#x}"] = float(age)
    return of


def mark(switch: str) -> None:
    """Adds a rule that matches nothing sent here: what is older was there at this moment."""
    run("ovs-ofctl", "-O", "OpenFlow13", "add-flow", switch, f"priority=1,{_MARK},actions=drop")


def younger_than_mark(switch: str) -> list[str]:
    """The groups and rules that a switch got after the mark."""
    of = ages(switch)
    (since,) = (age for entry, age in of.items() if _MARK in entry)
    return sorted(entry for entry, age in of.items() if age < since)
