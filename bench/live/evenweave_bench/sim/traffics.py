"""What the networks carry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evenweave_sim.experiment import distribution

OURS, NS3, TUNED, GLOBAL = "evenweave", "ns3", "ns3Tuned", "ns3Global"
"""Networks: ours; ns-3's own; the same with our event queue and allocator; with global routing."""

_QUICK_FLOWS = 12
# At 8 Gb/s a byte takes a nanosecond, the unit of ns-3's clock: neither network rounds.
_BPS = 8_000_000_000


@dataclass(frozen=True)
class Traffic:
    name: str
    what: str
    leaves: int
    spines: int
    hosts_per_leaf: int
    flows: int
    congestion: str
    load: float = 0.6
    # Without marks the windows are small enough that nothing is lost; with DCTCP both are those of
    # ALB's experiments.
    buffer_bytes: int = 2_000_000
    window_bytes: int = 65_536
    networks: tuple[str, ...] = (OURS, NS3, TUNED)

    def question(self, seed: int, *, quick: bool) -> dict[str, Any]:
        """As sim/bench takes it."""
        return {
            "leaves": self.leaves,
            "spines": self.spines,
            "hostsPerLeaf": self.hosts_per_leaf,
            "bps": _BPS,
            "delayNs": 5_000,
            "bufferBytes": self.buffer_bytes,
            "markBytes": 100_000,
            "windowBytes": self.window_bytes,
            "congestion": self.congestion,
            "load": self.load,
            "flows": _QUICK_FLOWS if quick else self.flows,
            "seed": seed,
            "sizes": distribution("web_search"),
        }


ALL = (
    Traffic("pair", "one host to one host, each way, over one path", 2, 1, 1, 100, "newreno"),
    Traffic(
        *("onePath", "8 hosts to 8 hosts over one path", 2, 1, 8, 100, "newreno"),
        networks=(OURS, NS3, TUNED, GLOBAL),
    ),
    Traffic("leafSpine", "64 hosts, 8 leaves, 8 spines, ECMP", 8, 8, 8, 150, "newreno"),
    Traffic(
        *("marks", "the same with DCTCP and marks above 100 KB", 8, 8, 8, 150, "dctcp"),
        buffer_bytes=922_800,
        window_bytes=524_288,
    ),
)
