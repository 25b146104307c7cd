"""Proof that links are shaped: Mininet's TCLink only prints an error when `tc` refuses."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping

# tc prints a rate with four digits at least (33.333 Mb/s as 33333Kbit).
_RATE_TOLERANCE = 0.001

_UNIT_BPS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9}


class ShapingError(RuntimeError):
    """A link does not have the rate that was asked for."""


def shaped_rates_bps(text: str) -> list[float]:
    """Rates of the HTB classes in the output of `tc class show dev ...`, in bits per second."""
    rates = re.findall(r"^class htb .*?\brate (\d+(?:\.\d+)?)([KMG]?)bit\b", text, re.MULTILINE)
    return [float(number) * _UNIT_BPS[unit] for number, unit in rates]


def check_shaping(wanted_bps: Mapping[str, float]) -> None:
    """Compares the rate of each interface of this namespace with the one wanted.

    Raises ShapingError naming every interface that is unshaped or off by more than the tolerance.
    """
    faults = []
    for interface, wanted in wanted_bps.items():
        shown = subprocess.run(
            ["tc", "class", "show", "dev", interface],
            capture_output=True,
            text=True,
            check=False,
        )
        rates = shaped_rates_bps(shown.stdout) if shown.returncode == 0 else []
        if len(rates) != 1:
            faults.append(f"{interface}: not shaped, {wanted / 1e6:g} Mb/s wanted")
        elif abs(rates[0] - wanted) > _RATE_TOLERANCE * wanted:
            faults.append(f"{interface}: {rates[0] / 1e6:g} Mb/s, {wanted / 1e6:g} Mb/s wanted")
    if faults:
        raise ShapingError("; ".join(faults))
