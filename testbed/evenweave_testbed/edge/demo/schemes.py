"""The schemes that the demonstration compares, and which of them cannot be shown here."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from evenweave_topos.published_schema import SCHEMAS


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


# What is shown for a scheme of evenweave-edge, if not that scheme alone with equal weights. Presto
# has static weights of the topology, as in Clove's experiments (section 5.2) and in sim.
_SHOWN = {
    "wcmp": [Scheme("wcmp", "wcmp", weighted=True)],
    "presto": [Scheme("presto", "presto", weighted=True)],
    "clove-ecn": [
        Scheme("clove-ecn", "clove-ecn"),
        Scheme("clove-ecn-wcmp", "clove-ecn", weighted=True),
    ],
    "intflow": [
        Scheme("letflow", "ecmp", leaf="letflow"),
        Scheme("conga", "ecmp", leaf="conga"),
        Scheme("intflow", "intflow", leaf="intflow"),
        Scheme("mptcp", "ecmp", multipath=True),
    ],
}
_EDGE_SCHEMES = json.loads((SCHEMAS / "common.json").read_text())["$defs"]["edgeScheme"]["enum"]
SCHEMES = {
    scheme.name: scheme
    for name in _EDGE_SCHEMES
    for scheme in _SHOWN.get(name, [Scheme(name, name)])
}

_MPTCP = Path("/proc/sys/net/mptcp/enabled")


def not_offered(mptcp: Path = _MPTCP) -> dict[str, str]:
    """Schemes that cannot be shown here, with the reason."""
    return {} if mptcp.exists() else {"mptcp": "this kernel has no MPTCP"}
