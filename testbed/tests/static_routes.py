"""Fixed forwarding for a two-stage fabric, for tests of the test bed itself without a
controller."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.openvswitch import OPENFLOW, run

GATEWAY_MAC = "02:ff:00:00:00:01"
GROUP = 1


def install(fabric: Fabric, slots: Mapping[str, Sequence[int]]) -> None:
    """Routes between the first and the last S1 switch.

    `slots` gives for each S1 switch the owner port of each slot of its group to the other; S2
    switches use their first link to a destination.
    """
    for switch, owners in slots.items():
        set_group(fabric, switch, owners, "add-group")
        _add_flows(
            switch,
            [
                f"priority=2,ip,nw_dst={host.address},actions=set_field:{host.mac}->eth_dst,"
                f"output:{host.port}"
                for host in fabric.hosts_of(switch)
            ]
            + [f"priority=1,ip,actions=group:{GROUP}"],
        )
    for spine in (s.id for s in fabric.spec.switches if s.stage == 2):
        first_port = {
            k.other_end(spine).switch: k.end_at(spine).port
            for k in reversed(fabric.spec.links_of(spine))
        }
        _add_flows(
            spine,
            [
                f"ip,nw_dst={subnet.prefix},actions=output:{first_port[subnet.switch]}"
                for subnet in fabric.spec.subnets
                if subnet.switch in first_port
            ],
        )
    for host in fabric.hosts:
        command = ["ip", "neigh", "replace", str(host.gateway), "lladdr", GATEWAY_MAC]
        done = fabric.run(host, *command, "dev", f"{host.name}-eth0")
        assert done.returncode == 0, done.stderr


def set_group(
    fabric: Fabric, switch: str, owners: Sequence[int], command: str = "mod-group"
) -> None:
    buckets = "".join(f",bucket=weight:1,watch_port:{p},actions=output:{p}" for p in owners)
    run("ovs-ofctl", "-O", OPENFLOW, command, switch, f"group_id={GROUP},type=select{buckets}")


def _add_flows(switch: str, flows: Sequence[str]) -> None:
    for flow in flows:
        run("ovs-ofctl", "-O", OPENFLOW, "add-flow", switch, flow)
