"""Flows that Open vSwitch's datapath has cached and that contradict the switch's own rules.

The userspace datapath of Open vSwitch 3.1.0 (Debian 12) can fail to update a cached flow when rules
change, and takes it for updated: packets are then dropped for as long as they keep coming, whatever
the OpenFlow tables say. Seen once in some ten switches that came back without rules. No controller
can know of it; the packets are the bed's losses, not the network's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from evenweave_testbed.openvswitch import SwitchError, run

_DROPPED = re.compile(r"^(?:ufid:\S+ )?(?P<flow>.*), packets:(?P<packets>\d+),.* actions:drop\b")
_ACTIONS = re.compile(r"^Datapath actions: (?P<actions>.*)$", re.MULTILINE)
_IPV4 = "eth_type(0x0800)"


def purge_stale_drops() -> int:
    """Removes all cached flows if some drop IPv4 packets that the rules do not drop; returns how
    many packets these have dropped."""
    dump = run("ovs-appctl", "dpctl/dump-flows", "-m", "--names", "netdev@ovs-netdev")
    packets = sum(count for _, count in stale_drops(dump, trace))
    if packets:
        run("ovs-appctl", "revalidator/purge")
    return packets


def trace(flow: str) -> str:
    """What the rules do with a cached flow's packets."""
    try:
        return run("ovs-appctl", "ofproto/trace", flow)
    except SwitchError:
        return ""  # its port or its recirculation is gone, and so will the flow be


def stale_drops(dump: str, traced: Callable[[str], str]) -> Iterator[tuple[str, int]]:
    """The cached flows of a dump that drop IPv4 packets against the rules, and how many."""
    for line in dump.splitlines():
        found = _DROPPED.match(line)
        if found and _IPV4 in line and int(found["packets"]) > 0:
            actions = _ACTIONS.search(traced(found["flow"]))
            if actions and actions["actions"].strip() != "drop":
                yield found["flow"], int(found["packets"])
