"""What the switches of a live fabric hold, as ovs-ofctl reads it."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.openvswitch import Group, run


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


def slots_on_switch(fabric, switch: str, group_id: int) -> Counter[int]:
    """Buckets per port of a group, as ovs-ofctl reads them from the switch."""
    (group,) = [g for g in fabric.groups(switch) if g.id == group_id]
    return Counter({b.port: 0 for b in group.buckets}) + Counter(
        itertools.chain.from_iterable([b.port] * b.weight for b in group.buckets)
    )


def route_rules(switch: str) -> list[str]:
    listed = run("ovs-ofctl", "-O", "OpenFlow13", "--no-stats", "dump-flows", switch, "ip")
    return [line for line in listed.splitlines() if "nw_dst=" in line]


def flows_of(switch: str) -> str:
    return run("ovs-ofctl", "-O", "OpenFlow13", "dump-flows", switch)
