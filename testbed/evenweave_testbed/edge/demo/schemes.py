"""The schemes that the demonstration compares, and which of them cannot be shown here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Scheme:
    """`edge` is evenweave-edge's name for how a flowlet chooses; `weighted`: its paths have WCMP's
    weights, else equal ones; `multipath`: connections are MPTCP's; `leaf`: leaf switches choose, by
    the scheme of that name."""

    name: str
    edge: str
    weighted: bool = False
    multipath: bool = False
    leaf: str | None = None


# Presto has static weights of the topology, as in Clove's experiments (section 5.2) and in sim.
SCHEMES = {
    scheme.name: scheme
    for scheme in (
        Scheme("ecmp", "ecmp"),
        Scheme("wcmp", "wcmp", weighted=True),
        Scheme("presto", "presto", weighted=True),
        Scheme("edge-flowlet", "edge-flowlet"),
        Scheme("clove-ecn", "clove-ecn"),
        Scheme("clove-ecn-wcmp", "clove-ecn", weighted=True),
        Scheme("clove-int", "clove-int"),
        Scheme("clove-latency", "clove-latency"),
        Scheme("alb", "alb"),
        Scheme("letflow", "ecmp", leaf="letflow"),
        Scheme("conga", "ecmp", leaf="conga"),
        Scheme("intflow", "intflow", leaf="intflow"),
        Scheme("mptcp", "ecmp", multipath=True),
    )
}

_MPTCP = Path("/proc/sys/net/mptcp/enabled")


def not_offered(mptcp: Path = _MPTCP) -> dict[str, str]:
    """Schemes that cannot be shown here, with the reason."""
    return {} if mptcp.exists() else {"mptcp": "this kernel has no MPTCP"}
