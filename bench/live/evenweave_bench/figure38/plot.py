"""Cumulative distributions of flows' goodput, in the three panels of Figure 3.8."""

from __future__ import annotations

from collections.abc import Sequence

_WIDTH, _HEIGHT, _LEFT, _TOP, _GAP = 280, 220, 60, 40, 60
_COLOURS = ("#1b6ca8", "#c0392b", "#2e8b57")
_DASHES = {"ecmp": "5 3", "wcmp": "none"}


def svg(cases: Sequence[dict]) -> str:
    """The figure; rates are in terms of the flows' fair share, their mean under WCMP."""
    panels = [
        ("ECMP, one-to-one", [c for c in cases if _is(c, "one-to-one", "ecmp")]),
        ("WCMP, one-to-one", [c for c in cases if _is(c, "one-to-one", "wcmp")]),
        ("all-to-all", [c for c in cases if c["traffic"] == "all-to-all"]),
    ]
    width = _LEFT + len(panels) * (_WIDTH + _GAP)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{_TOP + _HEIGHT + 90}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    fair = {
        (c["traffic"], c["uplinks"]): sum(c["kbps"]) / len(c["kbps"])
        for c in cases
        if c["strategy"] == "wcmp"
    }
    for number, (title, shown) in enumerate(panels):
        lines += _panel(_LEFT + number * (_WIDTH + _GAP), title, shown, fair)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _is(case: dict, traffic: str, strategy: str) -> bool:
    return (case["traffic"], case["strategy"]) == (traffic, strategy)


_MOST = 2.5  # of the fair share, the right end of each panel


def _panel(left: float, title: str, cases: Sequence[dict], fair: dict) -> list[str]:
    lines = [_text(left + _WIDTH / 2, _TOP - 15, title)]
    for tenth in range(0, 11, 2):
        y = _TOP + _HEIGHT * (1 - tenth / 10)
        lines += [_stroke(left, y, left + _WIDTH, y, "#dddddd", "none")]
        lines += [_text(left - 16, y + 4, f"{tenth / 10:g}")]
    for half in range(6):
        lines += [_text(left + _WIDTH * half / 2 / _MOST, _TOP + _HEIGHT + 18, f"{half / 2:g}")]
    lines += [_text(left + _WIDTH / 2, _TOP + _HEIGHT + 36, "goodput / fair share")]
    for number, case in enumerate(cases):
        colour = _COLOURS[(case["uplinks"] - 7) % len(_COLOURS)]
        dashes = _DASHES[case["strategy"]]
        share = fair[case["traffic"], case["uplinks"]]
        lines += [_curve(left, [rate / share for rate in case["kbps"]], colour, dashes)]
        x, y = left + 150 * (number % 2), _TOP + _HEIGHT + 54 + 15 * (number // 2)
        lines += [_stroke(x, y, x + 25, y, colour, dashes)]
        lines += [_text(x + 80, y + 4, f"N={case['uplinks']} {case['strategy'].upper()}")]
    return lines


def _curve(left: float, shares: Sequence[float], colour: str, dashes: str) -> str:
    points = " ".join(
        f"{left + _WIDTH * min(share, _MOST) / _MOST:.1f},"
        f"{_TOP + _HEIGHT * (1 - (index + 1) / len(shares)):.1f}"
        for index, share in enumerate(shares)
    )
    return (
        f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5" '
        f'stroke-dasharray="{dashes}"/>'
    )


def _stroke(x1: float, y1: float, x2: float, y2: float, colour: str, dashes: str) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
        f'stroke-dasharray="{dashes}"/>'
    )


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{text}</text>'
