"""Flows with fixed addresses and ports: a switch hashes them the same way in every measurement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evenweave_topos.topologies import HostPlace

# Source ports are below Linux's ephemeral range (32768..60999), where a port may be taken already.
FIRST_SOURCE_PORT = 10_000
LAST_SOURCE_PORT = 32_767


@dataclass(frozen=True)
class Flow:
    """A TCP flow by its 4-tuple."""

    source: HostPlace
    destination: HostPlace
    source_port: int
    destination_port: int

    @property
    def key(self) -> tuple[str, int, str, int]:
        """The 4-tuple as it stands in a packet from the source."""
        return (
            str(self.source.address),
            self.source_port,
            str(self.destination.address),
            self.destination_port,
        )


def spread(
    sources: Sequence[HostPlace],
    destinations: Sequence[HostPlace],
    count: int,
    destination_port: int,
    first_source_port: int = FIRST_SOURCE_PORT,
) -> list[Flow]:
    """`count` flows over all pairs of hosts in turn, each with a source port of its own."""
    if not 0 < count <= LAST_SOURCE_PORT + 1 - first_source_port:
        raise ValueError(f"{count} flows do not fit source ports from {first_source_port}")
    pairs = [(source, destination) for source in sources for destination in destinations]
    return [
        Flow(*pairs[index % len(pairs)], first_source_port + index, destination_port)
        for index in range(count)
    ]
