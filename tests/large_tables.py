"""A fabric whose weights ask for large tables, and the tables as ovs-ofctl reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from evenweave_testbed.openvswitch import OPENFLOW, run
from evenweave_topos.fabric_file import FabricSpec, clos

# Of the uplinks to s2-0, s2-1 and s2-2, in Mb/s. Within 1.0005 of their shares in 2048 slots, and
# not in 1024.
WEIGHTS = (1000, 1001, 997)
LIMIT = 1.0005
SLOTS = 2048
_RULE = re.compile(r"duration=([\d.]+)s.*metadata=0x([0-9a-f]+) actions=group:(\d+)")


@dataclass(frozen=True)
class Rule:
    """The rule for a slot: its port, and for how many seconds it has been there."""

    port: int
    age_s: float


def uneven() -> FabricSpec:
    even = clos([[1, 1, 1], [1, 1, 1]], table=8192)
    mbps = dict(zip(("s2-0", "s2-1", "s2-2"), WEIGHTS, strict=True))
    links = tuple(replace(x, bps=mbps[x.b.switch] * 1_000_000) for x in even.links)
    return replace(even, links=links)


def slots_on_switch(switch: str, group_id: int) -> dict[int, Rule]:
    """By slot, the rules of a large table, as ovs-ofctl reads them."""
    text = run("ovs-ofctl", "-O", OPENFLOW, "dump-flows", switch, "table=20")
    rules = {}
    for age, metadata, group in _RULE.findall(text):
        table, slot = divmod(int(metadata, 16), 1 << 16)
        assert int(group) >> 16 & 0xFFF == table & 0xFFF
        if table == group_id:
            rules[slot] = Rule(int(group) & 0xFFFF, float(age))
    return rules


def owners(rules: dict[int, Rule]) -> list[int]:
    return [rules[slot].port for slot in range(len(rules))]
