"""The demonstration's report for people: a picture, tables, and which promises held."""

from __future__ import annotations

from collections.abc import Callable

from evenweave_testbed.demo.report import Failure, Report, UplinkTable
from evenweave_testbed.text_table import table
from evenweave_topos.fabric_file import FabricSpec, Link

GREEN, RED, BOLD, PLAIN = "32", "31", "1", ""

_COLUMNS = """\
  wanted: the weight that the controller computed; ideal: that weight over the sum of all weights.
  installed: how many of the group's hash slots the switch has for this uplink.
  switch gives: the share of all hash values that the switch sends to this uplink.
  measured: the share of the counted flows. A fair hash stays within 3 standard errors (s.e.) of
  what the switch gives in 997 of 1000 runs."""
_PROMISES = """\
  Each promise is a check of this run. If one is broken, the exit status is 1."""
_NEXT = """\
Next: ./evenweave lab                 this fabric with a shell: cut links, drain switches
      docs/tutorial.md               twenty minutes, from here to a fabric file of your own
      docs/how-to/own-switches.md    connect your own Open vSwitch switches"""

Paint = Callable[[str, str], str]


def painter(coloured: bool) -> Paint:
    """A function (text, colour) that colours text, or leaves it alone."""
    return (
        (lambda text, code: f"\x1b[{code}m{text}\x1b[0m" if code else text)
        if coloured
        else (lambda text, _code: text)
    )


def picture(spec: FabricSpec, source: str, destination: str, cut: Link | None = None) -> list[str]:
    """The paths between two switches, with port numbers; a cut link is drawn as `x`.

    s1-0                    s1-2
       1 --+-- s2-0 ------- 1
       2 --+
       3 ----- s2-1 ------- 2
       4 ----- s2-2 --+---- 3
                      +---- 4
    """
    lines = []
    middle = list(dict.fromkeys(k.other_end(source).switch for k in spec.links_of(source)))
    width = max(map(len, middle))
    for switch in middle:
        up = [k for k in spec.links_of(source) if k.joins(source, switch)]
        down = [k for k in spec.links_of(destination) if k.joins(destination, switch)]
        for row in range(max(len(up), len(down))):
            left = right = ""
            if row < len(up):
                dash = "x" if up[row] is cut else "-"
                left = f"{up[row].end_at(source).port:>4} -{dash}{'+' if len(up) > 1 else '-'}"
            if row < len(down):
                dash = "x" if down[row] is cut else "-"
                joint = "+" if len(down) > 1 else "-"
                right = f"{joint}{dash}-- {down[row].end_at(destination).port}"
            name = f"{'-- ' if up else '   '}{switch.center(width)}{' --' if down else ''}"
            middle_part = name if row == 0 else " " * (width + 6)
            lines.append(f"  {left:<8}{middle_part:<{width + 6}}{right}".rstrip())
    heading = f"  {source:>4}{' ' * (width + 12)}{destination}"
    return [heading, *lines]


def render(report: Report, spec: FabricSpec, paint: Paint) -> str:
    """The whole report as text."""
    pair = f"{report.source} to {report.destination}"
    mbps = report.link_bps / 1e6
    lines = [paint(f"Flows from {pair}, links of {mbps:g} Mb/s", BOLD), ""]
    lines += [*picture(spec, report.source, report.destination), ""]
    lines += [paint("Shares of the uplinks with WCMP", BOLD), *_uplinks(report.table, paint)]
    lines += [*_COLUMNS.splitlines(), ""]
    flows = report.throughput["wcmp"].flows
    lines += [paint(f"The same {flows} long flows with ECMP and with WCMP", BOLD)]
    lines += [*_throughput(report), ""]
    for failure in report.failures:
        cut = spec.link(failure.link) if failure.event == "link-down" else None
        verb = "cut" if cut else "up again"
        lines += [paint(f"Link {failure.link} {verb}", BOLD), ""]
        if cut:
            lines += [*picture(spec, report.source, report.destination, cut), ""]
        lines += [*_event(failure), *_uplinks(failure.table, paint), ""]
    checks = report.checks()
    lines += [paint("Promises", BOLD), *_PROMISES.splitlines()]
    for check in checks:
        mark = paint("held  ", GREEN) if check.held else paint("BROKEN", RED)
        detail = f" ({check.detail})" if check.detail and not check.held else ""
        lines.append(f"  {mark} {check.promise}{detail}")
    broken = sum(not check.held for check in checks)
    lines += [
        "",
        f"{len(checks) - broken} of {len(checks)} promises held.",
        "",
        *_NEXT.splitlines(),
    ]
    return "\n".join(lines)


def _uplinks(found: UplinkTable, paint: Paint) -> list[str]:
    header = ["port", "via", "wanted", "installed", "ideal", "switch gives", "measured", "flows"]
    rows = [
        [
            str(u.port),
            u.via,
            str(u.wanted),
            str(u.installed),
            f"{u.ideal_share:.1%}",
            f"{u.realised_share:.1%}",
            f"{u.measured_share:.1%} +- {u.standard_error:.1%}",
            str(u.flows),
        ]
        for u in found.uplinks
    ]
    units = ["", "", "weight", "slots", "share", "share", "share +- s.e.", ""]
    lines = table(header, [units, *rows])
    for index, uplink in enumerate(found.uplinks):
        verdict = ("within 3 s.e.", GREEN) if uplink.as_expected else ("NOT within 3 s.e.", RED)
        lines[index + 2] += "  " + paint(*verdict)
    lines.append(
        f"  Oversubscription {found.oversubscription:.4f}: "
        "the largest share that the switch gives an uplink, over its ideal share."
    )
    return lines


def _throughput(report: Report) -> list[str]:
    ecmp, wcmp = report.throughput["ecmp"], report.throughput["wcmp"]
    header = ["port", "via", "ECMP flows", "mean kb/s", "WCMP flows", "mean kb/s"]
    rows = [
        [
            str(u.port),
            u.via,
            str(e.flows),
            f"{e.mean_bps / 1e3:.0f}",
            str(w.flows),
            f"{w.mean_bps / 1e3:.0f}",
        ]
        for u, e, w in zip(report.table.uplinks, ecmp.uplinks, wcmp.uplinks, strict=True)
    ]
    lines = [*table(header, rows), ""]
    summary = [
        ["mean of all flows, kb/s", *(f"{r.spread.mean / 1e3:.0f}" for r in (ecmp, wcmp))],
        ["slowest flow, kb/s", *(f"{r.spread.minimum / 1e3:.0f}" for r in (ecmp, wcmp))],
        [
            "fifth percentile, kb/s",
            *(f"{r.spread.fifth_percentile / 1e3:.0f}" for r in (ecmp, wcmp)),
        ],
        ["coefficient of variation", *(f"{r.spread.cov:.3f}" for r in (ecmp, wcmp))],
        ["Jain's fairness index", *(f"{r.spread.jain:.3f}" for r in (ecmp, wcmp))],
    ]
    return lines + table(["", "ECMP", "WCMP"], summary)


def _event(failure: Failure) -> list[str]:
    probes = failure.probes
    lost = len(probes.lost_at)
    last = (
        ""
        if failure.last_loss_ms is None
        else (f", the last of them sent {failure.last_loss_ms:.1f} ms after it")
    )
    what = "the cut" if failure.event == "link-down" else "the repair"
    return [
        f"  {failure.confirm_ms:.1f} ms after {what} the switches had confirmed "
        f"{failure.groups_changed} changed groups,",
        f"  and by {failure.in_force_ms:.1f} ms they had also updated the flows they cache "
        "(an upper bound).",
        f"  {lost} of {probes.sent} packets were lost{last}.",
        "",
    ]
