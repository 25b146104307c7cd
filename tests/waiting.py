"""Waiting for what comes in moments on an idle machine, some time on a slow one, and never where
something is broken: the limit is a hang guard and promises nothing."""

from __future__ import annotations

import time
from collections.abc import Callable

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.polling import EVENT_LIMIT_S

_POLL_S = 0.05


def eventually(
    condition: Callable[[], bool],
    what: str | Callable[[], object],
    limit_s: float = EVENT_LIMIT_S,
    poll_s: float = _POLL_S,
) -> None:
    """Returns once the condition holds; AssertionError if it never does, and what that is."""
    deadline = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < deadline, f"no {what() if callable(what) else what}"
        time.sleep(poll_s)


def confirm(fabric: Fabric, **wanted) -> dict:
    """Waits until every switch has confirmed its changes, be something missing or not."""
    return fabric.controller.wait(
        lambda s: s["confirmed"] and all(s[k] == v for k, v in wanted.items()),
        f"confirmation with {wanted}",
        EVENT_LIMIT_S,
    )
