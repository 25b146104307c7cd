"""Shaped links: a rate and a short queue, and proof that both took.

Mininet's TCLink only prints an error when `tc` refuses, which leaves a link unshaped.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping

from mininet.link import TCIntf, TCLink

# Three packets for each of the 64 flows that share a link when 192 flows take three: enough for TCP
# to recover without timeouts. Measured at 20 Mb/s with equal numbers of flows: the coefficient of
# variation within a link was 0.37..0.46 with 500 packets, 0.15..0.20 with 200, 0.18..0.29 with 100.
QUEUE_PACKETS = 200

# Drop from the front (Lakshman, Neidhardt, Ott 1996). A full drop-tail queue makes Open vSwitch's
# batched send fail, which throws the rest of the batch away; of two links that feed a third, the
# one polled later then starved (0.03 against 17.7 Mb/s). Here sending never fails.
_QUEUE = "pfifo_head_drop"

# tc prints a rate with four digits at least (33.333 Mb/s as 33333Kbit).
_RATE_TOLERANCE = 0.001

_UNIT_BPS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9}


class ShapingError(RuntimeError):
    """A link does not have the configured rate or queue."""


class ShapedInterface(TCIntf):
    """An interface whose `bw` (Mb/s) comes with a short queue that drops from the front."""

    def bwCmds(self, bw: float | None = None, **parameters: object) -> tuple[list[str], str]:
        commands, parent = super().bwCmds(bw=bw, **parameters)
        if bw is not None:
            commands.append(f"%s qdisc add dev %s{parent}handle 10: {_QUEUE} limit {QUEUE_PACKETS}")
        return commands, parent


class ShapedLink(TCLink):
    """A link of shaped interfaces, without checksums left to the interface: the userspace datapath
    does not compute them."""

    def __init__(self, *nodes: object, **parameters: object) -> None:
        super().__init__(
            *nodes, **{"cls1": ShapedInterface, "cls2": ShapedInterface, "txo": False} | parameters
        )


def shaped_rates_bps(text: str) -> list[float]:
    """Rates of the HTB classes in the output of `tc class show dev ...`, in bits per second."""
    rates = re.findall(r"^class htb .*?\brate (\d+(?:\.\d+)?)([KMG]?)bit\b", text, re.MULTILINE)
    return [float(number) * _UNIT_BPS[unit] for number, unit in rates]


def queue_limits(text: str) -> list[int]:
    """Limits in packets of the drop-from-front queues in the output of `tc qdisc show dev ...`."""
    return [int(n) for n in re.findall(rf"^qdisc {_QUEUE} .*?\blimit (\d+)p\b", text, re.MULTILINE)]


def check_shaping(wanted_bps: Mapping[str, float]) -> None:
    """Compares rate and queue of each interface of this namespace with what is wanted.

    Raises ShapingError naming every interface that is unshaped or off by more than the tolerance.
    """
    faults = []
    for interface, wanted in wanted_bps.items():
        rates = shaped_rates_bps(_show("class", interface))
        if len(rates) != 1:
            faults.append(f"{interface}: not shaped, {wanted / 1e6:g} Mb/s wanted")
        elif abs(rates[0] - wanted) > _RATE_TOLERANCE * wanted:
            faults.append(f"{interface}: {rates[0] / 1e6:g} Mb/s, {wanted / 1e6:g} Mb/s wanted")
        elif queue_limits(_show("qdisc", interface)) != [QUEUE_PACKETS]:
            faults.append(f"{interface}: no queue of {QUEUE_PACKETS} packets")
    if faults:
        raise ShapingError("; ".join(faults))


def _show(what: str, interface: str) -> str:
    command = ["tc", what, "show", "dev", interface]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout
