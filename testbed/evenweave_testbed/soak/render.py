"""A soak's result for people."""

from __future__ import annotations

from evenweave_testbed.soak.report import Report


def _by_kind(report: Report) -> list[str]:
    """How long each kind took to be named, and what it cost, where it was alone in its step."""
    if not report.by_kind:
        return []
    head = ("alone in a step", "faults", "named s", "longest", "said on s", "packets lost")
    rows = ["", f"{head[0]:<20}" + "".join(f"{name:>14}" for name in head[1:])]
    for kind, account in sorted(report.by_kind.items()):
        found = account.to_json()
        named, cleared = found["named"] or {}, found["cleared"] or {}
        cells = (
            found["n"],
            named.get("medianS", ""),
            named.get("maxS", ""),
            cleared.get("medianS", ""),
            found["packetsLost"],
        )
        rows.append(f"{kind:<20}" + "".join(f"{cell:>14}" for cell in cells))
    return rows


def render(report: Report) -> str:
    result = report.to_json()
    lines = [
        f"{report.faults} faults in {report.steps} steps, seed {report.seed}, {report.runtime}",
        *(f"  fabric {number}: {text}" for number, text in enumerate(report.fabrics, 1)),
        "",
        f"{'':<12}{'faults':>8}{'packets lost':>14}{'groups changed':>16}",
    ]
    for category, account in report.accounts.items():
        changed = result[category.value].get("groupsChanged", "")
        lines.append(f"{category.value:<12}{account.faults:>8}{account.lost:>14}{changed:>16}")
    lines += _by_kind(report)
    if report.model:
        links, switches = report.model["links"], report.model["switches"]
        lines += [
            "",
            f"{report.model['months']} months of the model; availability of links "
            f"{links['drawn']:.3%} (tables: {links['table']:.3%}), of switches "
            f"{switches['drawn']:.3%} ({switches['table']:.3%}).",
        ]
    lines += [
        "",
        f"{report.sent} probes sent; {report.uncounted} of them had no path, {report.bed_lost} were"
        " lost in the test bed itself.",
        f"{report.connections} TCP connections, of which {report.broken} broke.",
        "",
        *(f"VIOLATION {violation}" for violation in report.violations),
        f"{len(report.violations)} violations. To repeat: {report.reproduce}",
    ]
    return "\n".join(lines)
