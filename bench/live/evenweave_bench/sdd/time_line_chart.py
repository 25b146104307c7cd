"""A time-line of one host as SVG: a row for each destination, a box for each circuit, a stroke for
each packet, a line where a week begins."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape

from evenweave_sim.legend import FONT, colour

_LEFT, _TOP, _BOTTOM = 50, 40, 70
_PLOT_WIDTH, _ROW = 900, 26
_MARKS = 10  # of the axis, about
_CIRCUIT, _PACKET, _SWITCHED = colour(2), colour(0), colour(6)


def time_line_chart(title: str, line: dict, moment: str) -> str:
    """line: what weeks.time_line made. moment: what happened at 0 ms."""
    low, high = line["fromMs"], line["toMs"]
    ways = line["packets"]
    to = {day[2] for day in line["days"]} | {name for way in ways.values() for name in way}
    rows = {name: _TOP + _ROW * i for i, name in enumerate(sorted(to))}
    bottom = _TOP + _ROW * len(rows)
    width, height = _LEFT + _PLOT_WIDTH + 20, bottom + _BOTTOM

    def across(ms: float) -> float:
        return _LEFT + (min(max(ms, low), high) - low) * _PLOT_WIDTH / (high - low)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {FONT}>',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{_LEFT}" y="18">{escape(title)}</text>',
    ]
    for begin in line["weeksMs"]:
        lines.append(f'<path d="M{across(begin):.1f} {_TOP}V{bottom}" stroke="#bbbbbb"/>')
    for start, end, name in line["days"]:
        x, wide = across(start), across(end) - across(start)
        lines.append(
            f'<rect x="{x:.1f}" y="{rows[name] + 3}" width="{wide:.1f}" height="{_ROW - 6}" '
            f'fill="{_CIRCUIT}" fill-opacity="0.35" stroke="{_CIRCUIT}"/>'
        )
    for way, stroke in (("circuit", _PACKET), ("packetSwitch", _SWITCHED)):
        for name, times in ways.get(way, {}).items():
            lines.append(_strokes(map(across, times), rows[name], stroke))
    for name, top in rows.items():
        lines.append(
            f'<text x="{_LEFT - 6}" y="{top + _ROW / 2 + 4}" text-anchor="end">{name}</text>'
        )
    lines += [
        f'<path d="M{_LEFT} {_TOP}V{bottom}H{_LEFT + _PLOT_WIDTH}" fill="none" stroke="black"/>',
        f'<path d="M{across(0):.1f} {_TOP - 8}V{bottom}" stroke="black" stroke-dasharray="4 3"/>',
    ]
    for mark in _marks(low, high):
        lines.append(
            f'<text x="{across(mark):.1f}" y="{bottom + 18}" text-anchor="middle">{mark:g}</text>'
        )
    lines.append(
        f'<text x="{_LEFT + _PLOT_WIDTH / 2}" y="{bottom + 36}" text-anchor="middle">'
        f"ms since {escape(moment)}</text>"
    )
    return "\n".join([*lines, *_legend(bottom + 54, bool(ways)), "</svg>", ""])


def _strokes(places: Iterable[float], top: float, stroke: str) -> str:
    """One for each place, but one for all that fall on the same tenth of a point."""
    at = dict.fromkeys(f"{x:.1f}" for x in places)
    drawn = "".join(f"M{x} {top + 5}v{_ROW - 10}" for x in at)
    return f'<path d="{drawn}" stroke="{stroke}" stroke-width="0.5"/>'


def _marks(low: float, high: float) -> list[float]:
    """Round numbers from low to high."""
    steps = (m * 10.0**e for e in range(6) for m in (1, 2, 5))
    step = next(step for step in steps if (high - low) / step <= _MARKS)
    return [step * i for i in range(int(-(-low // step)), int(high // step) + 1)]


def _legend(y: float, packets: bool) -> list[str]:
    named = [(_CIRCUIT, "circuit", 12)]
    if packets:
        named += [(_PACKET, "packet by a circuit", 1), (_SWITCHED, "by the packet switch", 1)]
    lines = []
    for i, (fill, name, wide) in enumerate(named):
        x = _LEFT + 180 * i
        lines.append(f'<rect x="{x}" y="{y - 10}" width="{wide}" height="12" fill="{fill}"/>')
        lines.append(f'<text x="{x + 18}" y="{y}">{name}</text>')
    return lines
