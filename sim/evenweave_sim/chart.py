"""Draws a chart of a result as SVG: a metric over the axis, with a line for each scheme."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any
from xml.sax.saxutils import escape

from evenweave_sim.legend import FONT, legend, point, size, stroke

_PLOT_RIGHT, _PLOT_HEIGHT = 510, 360  # including the axes and their names
_LEFT, _TOP, _BOTTOM = 60, 30, 45
_LEGEND = _PLOT_RIGHT + 12
_FEW_MARKS = 3


def chart(
    title: str, rows: list[dict[str, Any]], axis: str, metrics: Sequence[str], of: str = ""
) -> str:
    """Draws the first of the metrics that has a value above 0. The ordinate is logarithmic, since
    schemes are compared by ratios; values that are not above 0 are omitted. of: text after the
    metric's name at the ordinate."""
    points, metric = [], metrics[0]
    for metric in metrics:
        if points := [r for r in rows if r["metric"] == metric and r["value"] > 0]:
            break
    if not points:
        nothing = f'<text x="{_LEFT}" y="{_TOP + 20}">nothing above 0 to draw</text>'
        return _drawing(title, [nothing], [])
    marks = sorted({r[axis] for r in points})
    values = [r["value"] for r in points]
    across = _Scale(marks[0], marks[-1], _LEFT + 10, _PLOT_RIGHT - 10)
    low, high = math.log10(min(values)), math.log10(max(values))
    up = _Scale(low - 0.05, high + 0.05, _PLOT_HEIGHT - _BOTTOM, _TOP)
    lines = _axes(axis, marks, across, up, metric + of)
    schemes = list(dict.fromkeys(r["scheme"] for r in points))
    for i, scheme in enumerate(schemes):
        own = sorted((r[axis], r["value"]) for r in points if r["scheme"] == scheme)
        places = [(across(x), up(math.log10(y))) for x, y in own]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        lines.append(f'<polyline points="{path}" {stroke(i)}/>')
        lines += [point(i, x, y) for x, y in places]
    return _drawing(title, lines, schemes)


def _drawing(title: str, lines: Sequence[str], names: Sequence[str]) -> str:
    """Returns a complete SVG document with the size of the axes and the legend."""
    width, height = size(names)
    width, height = _LEGEND + width, max(_PLOT_HEIGHT, _TOP + height)
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {FONT}>',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{_LEFT}" y="18">{escape(title)}</text>',
    ]
    return "\n".join([*head, *lines, *legend(_LEGEND, _TOP, names, points=True), "</svg>", ""])


class _Scale:
    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self._low, self._start = low, start
        self._step = (end - start) / (high - low) if high > low else 0

    def __call__(self, value: float) -> float:
        return self._start + (value - self._low) * self._step


def _axes(axis: str, marks: list[float], across: _Scale, up: _Scale, metric: str) -> list[str]:
    bottom, right = _PLOT_HEIGHT - _BOTTOM, _PLOT_RIGHT
    middle = (_LEFT + right) / 2
    lines = [
        f'<path d="M{_LEFT} {_TOP}V{bottom}H{right}" fill="none" stroke="black"/>',
        f'<text x="{middle}" y="{_PLOT_HEIGHT - 8}" text-anchor="middle">{axis}</text>',
        f'<text x="14" y="{(_TOP + bottom) / 2}" text-anchor="middle" '
        f'transform="rotate(-90 14 {(_TOP + bottom) / 2})">{escape(metric)}</text>',
    ]
    for mark in marks:
        x = across(mark)
        lines.append(f'<path d="M{x:.1f} {bottom}v5" stroke="black"/>')
        lines.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{mark:g}</text>')
    for value in _marked(lambda v: _TOP <= up(math.log10(v)) <= bottom):
        y = up(math.log10(value))
        lines.append(f'<path d="M{_LEFT} {y:.1f}H{right}" stroke="#dddddd"/>')
        lines.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
    return lines


def _marked(seen: Callable[[float], bool]) -> list[float]:
    """Returns the visible values to mark on the logarithmic ordinate: three per decade, or also
    values between them if that gives fewer than three."""
    for steps in ((1, 2, 5), range(1, 10), (x / 10 for x in range(10, 100))):
        decades = [step * 10.0**e for step in steps for e in range(-4, 6)]
        found = sorted(filter(seen, decades))
        if len(found) >= _FEW_MARKS:
            break
    return found
