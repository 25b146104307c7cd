"""Results of recordings: completion times, shares of the paths, the reaction to a slower link."""

from __future__ import annotations

import math
from collections.abc import Sequence

from evenweave_testbed.edge.demo.run import DEGRADES, Flow, Recording, Sample
from evenweave_testbed.statistics import nearest_rank

# Of the sizes before they are scaled, as the papers and `sim` have them.
SMALL_BELOW_BYTES, LARGE_ABOVE_BYTES = 100_000, 10_000_000
# Between the path's share by capacity after its link has half its rate (1/6) and an equal share
# (1/4). Up to a load of 76 % the slower link can carry more than that, so that TCP's congestion
# control does not get a path below it by itself.
SHARE_BELOW = 0.2
_WINDOW_S = 1.0
# Of all, small and large flows.
TIMES = (
    *("meanFctMs", "p99FctMs"),
    *("smallMeanFctMs", "smallP99FctMs"),
    *("largeMeanFctMs", "largeP99FctMs"),
)


def figures(recording: Recording, seconds: float, scale: float) -> dict:
    """The part of the JSON for a scheme. Completion times are of the flows that arrived before the
    link degraded, those under `reaction` of the others."""
    at_s = recording.degraded_at_s
    before = [flow for flow in recording.flows if flow.request.at_s < at_s]
    after = [flow for flow in recording.flows if flow.request.at_s >= at_s]
    path = DEGRADES[0] - 1
    servers, clients = recording.servers, recording.clients
    return {
        **completion_times(before, scale),
        "bytesPerPath": list(recording.path_bytes),
        "sentBytes": recording.sent_bytes,
        "uplinkShares": _rounded(shares(recording.samples, 0, at_s)),
        "reorderedShare": _ratio(clients["TcpExtTCPOFOQueue"], clients["TcpInSegs"]),
        "retransmittedShare": _ratio(servers["TcpRetransSegs"], servers["TcpOutSegs"]),
        "duplicateShare": _ratio(servers["TcpExtTCPDSACKRecv"], servers["TcpOutSegs"]),
        "reorderingsSeenBySenders": servers["TcpExtTCPSACKReorder"],
        "timeouts": servers["TcpExtTCPTimeouts"],
        "marks": recording.marks,
        "reaction": {
            **completion_times(after, scale),
            "shareBefore": round(shares(recording.samples, 0, at_s)[path], 4),
            "shareAfter": round(shares(recording.samples, at_s, seconds)[path], 4),
            "belowAfterMs": below_after_ms(recording.samples, path, at_s, seconds),
        },
        "lateStartP99Ms": round(nearest_rank([f.late_ns for f in recording.flows], 99) / 1e6, 3),
        "processorsBusy": round(recording.busy, 3),
        **({"leaves": recording.leaves} if recording.leaves else {}),
        **({"instructions": recording.instructions} if recording.instructions else {}),
    }


def completion_times(flows: Sequence[Flow], scale: float) -> dict:
    """TIMES, in ms; null for a kind that has no flows."""
    small = [flow for flow in flows if flow.request.size < SMALL_BELOW_BYTES * scale]
    large = [flow for flow in flows if flow.request.size > LARGE_ABOVE_BYTES * scale]
    values: list[float | None] = []
    for some in (flows, small, large):
        times = [flow.fct_ns / 1e6 for flow in some]
        values.append(round(math.fsum(times) / len(times), 3) if times else None)
        values.append(round(nearest_rank(times, 99), 3) if times else None)
    return {"flows": len(flows), **dict(zip(TIMES, values, strict=True))}


def shares(samples: Sequence[Sample], from_s: float, to_s: float) -> list[float]:
    """Each uplink's share of the bytes between the first samples at or after the two times; zeros
    where there were none."""
    first = _at(samples, from_s).uplinks
    last = _at(samples, to_s).uplinks
    sent = [end - begin for begin, end in zip(first, last, strict=True)]
    return [part / (sum(sent) or 1) for part in sent]


def below_after_ms(
    samples: Sequence[Sample], path: int, from_s: float, to_s: float
) -> float | None:
    """How long after `from_s` the path's share of the bytes begins to be below SHARE_BELOW for a
    second, and so is its share of all bytes from then to `to_s`; None: never, or it was before."""
    if shares(samples, 0, from_s)[path] < SHARE_BELOW:
        return None
    for sample in samples:
        if from_s <= sample.at_s <= to_s - _WINDOW_S:
            second = shares(samples, sample.at_s, sample.at_s + _WINDOW_S)[path]
            rest = shares(samples, sample.at_s, to_s)[path]
            if max(second, rest) < SHARE_BELOW:
                return round((sample.at_s - from_s) * 1e3, 1)
    return None


def wrong_accounts(name: str, shown: dict, asked_bytes: int) -> list[str]:
    """What does not add up in a scheme's figures; nothing if all does."""
    by_path, sent = sum(shown["bytesPerPath"]), shown["sentBytes"]
    wrong = []
    # A leaf counts what reached it, and a server's own queue may drop; an edge counts before that.
    complete = asked_bytes <= by_path <= sent if "leaves" in shown else by_path == sent
    if not complete:
        wrong.append(f"{name}: the paths carried {by_path} bytes of {sent} that servers sent")
    if sent < asked_bytes:
        wrong.append(f"{name}: servers sent {sent} bytes, and clients got {asked_bytes}")
    return wrong


def _at(samples: Sequence[Sample], at_s: float) -> Sample:
    return next((sample for sample in samples if sample.at_s >= at_s), samples[-1])


def _ratio(part: int, whole: int) -> float:
    return round(part / whole, 5) if whole else 0.0


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(value, 4) for value in values]
