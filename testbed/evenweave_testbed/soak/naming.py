"""Maps faults that a controller detects by itself to the events that report them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from evenweave_testbed.soak.faults import Fault

NAMED_BY: Mapping[str, tuple[str, ...]] = {
    "link-down": ("link-down",),
    "silent-link": ("link-down",),
    "link-flaps": ("link-down", "link-damped"),
    "switch-removed": ("switch-down",),
    "switch-powered-off": ("switch-down", "link-down"),
    "switch-flushed": ("switch-down",),
    "rules-deleted": ("drift",),
    "group-changed": ("drift",),
    "link-up": ("link-up",),
    "silence-ends": ("link-up",),
    "switch-back": ("switch-up",),
    "disconnected": ("switch-down",),
    "connected": ("switch-up",),
    "strategy": ("strategy",),
    "excluded": ("configuration",),
    "included": ("configuration",),
}
"""The kinds of events that name a kind of fault; others need none."""

_ABOUT_NOTHING = frozenset({"strategy", "configuration"})


def named_us(fault: Fault, events: Iterable[Mapping]) -> int | None:
    """When a fault was named, in microseconds of the epoch; None if it was not."""
    kinds = NAMED_BY.get(fault.kind, ())
    times = [
        int(event["detectedEpochMicros"])
        for event in events
        if event["kind"] in kinds
        and (event["kind"] in _ABOUT_NOTHING or _is_about(event["subject"], fault.subject))
    ]
    return min(times, default=None)


def _is_about(event: str, fault: str) -> bool:
    """Whether the subject of an event has that of a fault in it: a switch, or a link by either
    name."""
    one, _, other = fault.partition("-s")
    names = {fault, f"s{other}-{one}"} if "/" in fault else {fault}
    return any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", event) for name in names)
