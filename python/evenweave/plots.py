"""Plots of weights and striping plans, with matplotlib (`pip install evenweave[plots]`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from evenweave.models import Paths

# Of the Okabe-Ito palette, which colour-blind readers can tell apart.
IDEAL, REALISED = "#0072b2", "#d55e00"


def shares(
    ideal: Sequence[float],
    realised: Sequence[float],
    labels: Sequence[str] | None = None,
    axes: Axes | None = None,
) -> Axes:
    """Bars of the shares of ports before and after reduction, side by side. Both are weights in
    any unit; `labels` name the ports, which are numbered from 1 otherwise."""
    if len(ideal) != len(realised):
        raise ValueError(f"realised: {len(realised)} weights for {len(ideal)} ports")
    axes = axes or _axes()
    width = 0.4
    names = labels or [str(number) for number in range(1, len(ideal) + 1)]
    for offset, weights, colour, name in (
        (-width / 2, ideal, IDEAL, "ideal"),
        (width / 2, realised, REALISED, "realised"),
    ):
        whole = sum(weights)
        places = [number + offset for number in range(len(weights))]
        heights = [weight / whole for weight in weights]
        axes.bar(places, heights, width, color=colour, label=name)
    axes.set_xticks(range(len(ideal)), names)
    axes.set_xlabel("port")
    axes.set_ylabel("share of traffic")
    axes.legend()
    return axes


def paths(answer: Paths, axes: Axes | None = None) -> Axes:
    """The shares of all paths of a pair, as Client.paths answers them."""
    found = answer["paths"]
    axes = shares(
        [path["idealShare"] for path in found],
        [path["realisedShare"] for path in found],
        [str(number) for number in range(1, len(found) + 1)],
        axes,
    )
    axes.set_xlabel("path")
    axes.set_title(f"{answer['from']} to {answer['to']}")
    return axes


def striping(matrix: Sequence[Sequence[int]], axes: Axes | None = None) -> Axes:
    """A striping plan as a map: the number of links of each S1 switch to each S2 switch."""
    axes = axes or _axes()
    image = axes.imshow(matrix, cmap="cividis", aspect="auto")
    axes.set_xlabel("S2 switch")
    axes.set_ylabel("S1 switch")
    axes.figure.colorbar(image, ax=axes, label="links")
    return axes


def _axes() -> Axes:
    from matplotlib import pyplot

    return pyplot.subplots()[1]
