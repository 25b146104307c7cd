"""Measures the share of the flows between two switches that each uplink carries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evenweave_testbed.connections import connect_all
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import Flow
from evenweave_testbed.syn_capture import SynCapture
from evenweave_topos.topologies import interface_name


@dataclass(frozen=True)
class MeasuredShares:
    """`flows` has a count for each uplink port, 0 included."""

    flows: dict[int, int]
    attempted: int
    failed: int
    moved: int

    def share(self, port: int) -> float:
        """The port's part of all flows that were seen, 0 if none was."""
        total = sum(self.flows.values())
        return self.flows[port] / total if total else 0.0


def measure_shares(fabric: Fabric, switch: str, flows: Sequence[Flow]) -> MeasuredShares:
    """Opens a connection for each flow and counts on which uplink of `switch` its SYN left."""
    with uplink_capture(fabric, switch) as capture:
        failed = connect_all(fabric, flows)
        seen = capture.sightings()
    keys = [flow.key for flow in flows]
    counts = seen.flows_per_port(keys)
    ports = [link.end_at(switch).port for link in fabric.uplinks(switch)]
    return MeasuredShares(
        {port: counts[port] for port in ports}, len(keys), len(failed), seen.moved(keys)
    )


def uplink_capture(fabric: Fabric, switch: str) -> SynCapture:
    """A capture of the SYNs that leave a switch through its uplinks."""
    ports = [link.end_at(switch).port for link in fabric.uplinks(switch)]
    return SynCapture({port: interface_name(switch, port) for port in ports})
