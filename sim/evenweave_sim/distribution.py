"""Draws a chart of a distribution for each scheme as SVG: of long-lived flows' bandwidth, or of
small flows' completion times.

It has a panel for each point of the axis with a line for each scheme through the percentiles in
runs.csv, as means over seeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from evenweave_sim.legend import FONT, legend, size, stroke
from evenweave_sim.rows import FCT_PERCENTILES, PERCENTILES

_PANEL, _HEIGHT = 260, 300
_LEFT, _TOP, _BOTTOM = 45, 45, 45
_GAP = 20


@dataclass(frozen=True)
class Drawn:
    """The metrics to draw: p{percentile}{suffix}."""

    percentiles: tuple[int, ...]
    suffix: str
    label: str


BANDWIDTH = Drawn(PERCENTILES, "Rate", "bandwidth of a flow, Mb/s")
SMALL_FLOWS = Drawn(FCT_PERCENTILES, "FctSmall", "completion time of flows under 100 KB, ms")


def distribution(title: str, rows: list[dict[str, Any]], axis: str, drawn: Drawn) -> str:
    """Draws the panels, all with the scale from 0 to the greatest value of the last percentile. If
    points of the axis are texts, they are the names of their panels."""
    values = {(r[axis], r["scheme"], r["metric"]): r["value"] for r in rows}
    points = sorted({r[axis] for r in rows})
    schemes = list(dict.fromkeys(r["scheme"] for r in rows))
    last = f"p{drawn.percentiles[-1]}{drawn.suffix}"
    lasts = [value for (_, _, metric), value in values.items() if metric == last]
    most = max(lasts, default=1.0)
    names_left = _LEFT + len(points) * (_PANEL + _GAP)
    width, height = size(schemes)
    width, height = names_left + width, max(_HEIGHT, _TOP + height)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {FONT}>',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{_LEFT}" y="18">{escape(title)}</text>',
    ]
    for i, point in enumerate(points):
        left = _LEFT + i * (_PANEL + _GAP)
        name = point if isinstance(point, str) else f"{axis} {point:g}"
        lines += _frame(left, most, name, drawn.label, i == 0)
        for number, scheme in enumerate(schemes):
            places = [
                (_across(left, values[point, scheme, f"p{p}{drawn.suffix}"], most), _up(p))
                for p in drawn.percentiles
                if (point, scheme, f"p{p}{drawn.suffix}") in values
            ]
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
            lines.append(f'<polyline points="{path}" {stroke(number)}/>')
    lines += legend(names_left, _TOP, schemes, points=False)
    return "\n".join([*lines, "</svg>", ""])


def _frame(left: int, most: float, name: str, label: str, first: bool) -> list[str]:
    bottom, right = _HEIGHT - _BOTTOM, left + _PANEL
    lines = [
        f'<path d="M{left} {_TOP}V{bottom}H{right}" fill="none" stroke="black"/>',
        f'<text x="{(left + right) / 2}" y="{_TOP - 8}" text-anchor="middle">{escape(name)}</text>',
        f'<text x="{(left + right) / 2}" y="{_HEIGHT - 8}" text-anchor="middle">{label}</text>',
    ]
    for part in (0, 0.25, 0.5, 0.75, 1):
        x, y = left + part * _PANEL, _up(100 * part)
        lines.append(f'<path d="M{x:.1f} {bottom}v5" stroke="black"/>')
        lines.append(
            f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{part * most:.3g}</text>'
        )
        lines.append(f'<path d="M{left} {y:.1f}H{right}" stroke="#dddddd"/>')
        if first:
            lines.append(
                f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{100 * part:.0f} %</text>'
            )
    return lines


def _across(left: int, rate: float, most: float) -> float:
    return left + _PANEL * (rate / most if most else 0)


def _up(percent: float) -> float:
    return _HEIGHT - _BOTTOM - (_HEIGHT - _BOTTOM - _TOP) * percent / 100
