"""The style of a chart's lines, and the legend beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape

FONT = 'font-family="sans-serif" font-size="12"'

# Okabe and Ito's colours, which colour-blind people can distinguish, and two greys.
_COLOURS = ["#000000", "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7"]
_COLOURS += ["#777777", "#BBBBBB"]

# Dashes (strokes and gaps) of lines with the same colour; their points differ by corners.
_DASHES = ["", "8 4", "2 3", "10 3 2 3"]
_CORNERS = [0, 4, 3, 5]
_POINT_RADIUS = 3

_LINE_HEIGHT, _SAMPLE = 18, 24
_CHARACTER = 7  # more than a character's mean width


def colour(number: int) -> str:
    return _COLOURS[number % len(_COLOURS)]


def stroke(number: int) -> str:
    """Returns the attributes of the line with that number."""
    dash = _DASHES[number // len(_COLOURS) % len(_DASHES)]
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'fill="none" stroke="{colour(number)}" stroke-width="2"{dashed}'


def point(number: int, x: float, y: float) -> str:
    """Returns a point of the line with that number: a circle, or a polygon for a dashed line."""
    corners = _CORNERS[number // len(_COLOURS) % len(_CORNERS)]
    if not corners:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_POINT_RADIUS}" fill="{colour(number)}"/>'
    radius = _POINT_RADIUS + 1.5  # approximately the same area
    turns = [(i / corners - 0.25) * math.tau for i in range(corners)]
    places = [f"{x + radius * math.cos(t):.1f},{y + radius * math.sin(t):.1f}" for t in turns]
    return f'<polygon points="{" ".join(places)}" fill="{colour(number)}"/>'


def size(names: Sequence[str]) -> tuple[int, int]:
    """Returns the legend's width and height."""
    longest = max(map(len, names), default=0)
    return _SAMPLE + 10 + _CHARACTER * longest, _LINE_HEIGHT * len(names) + 10


def legend(left: int, top: int, names: Sequence[str], points: bool) -> list[str]:
    """Draws the legend. points: whether lines have points."""
    lines = []
    for i, name in enumerate(names):
        y = top + 14 + _LINE_HEIGHT * i
        lines.append(f'<path d="M{left} {y - 4}h{_SAMPLE}" {stroke(i)}/>')
        lines += [point(i, left + _SAMPLE / 2, y - 4)] if points else []
        lines.append(f'<text x="{left + _SAMPLE + 6}" y="{y}">{escape(name)}</text>')
    return lines
