"""Fails links of a fabric of routers under FRR and measures what is lost until that is answered."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import cycle, islice

from evenweave_bench.failover.failures import (
    AFTER_S,
    BEFORE_S,
    PROBE_RATE_PPS,
    detection_s,
    flows_between_all,
    outage_ms,
)
from evenweave_bench.failover.routers import RouterFabric
from evenweave_bench.failover.samples import Outage
from evenweave_testbed.flows import Flow
from evenweave_testbed.interfaces import network_namespace_of, set_up
from evenweave_testbed.loss import ProbeStream
from evenweave_testbed.silence import end_silence, silence
from evenweave_topos.fabric_file import End, Link
from evenweave_topos.topologies import interface_name


def measure(
    fabric: RouterFabric, kind: str, count: int, done: Callable[[float], None]
) -> list[Outage]:
    """Fails `count` links, in the fabric's order and over again; each heals, with all next hops
    back, before the next. `kind` is one of `failures.DETECTED`."""
    flows = flows_between_all(fabric)
    samples = []
    for number, link in enumerate(islice(cycle(fabric.spec.links), count)):
        fabric.wait_whole()
        samples.append(_fail(fabric, link, kind, flows))
        done((number + 1) / count)
    return samples


def _fail(fabric: RouterFabric, link: Link, kind: str, flows: Sequence[Flow]) -> Outage:
    ends = [link.a, link.b] if kind == "silent" else [link.a]
    with ProbeStream(fabric, flows, PROBE_RATE_PPS) as stream:
        time.sleep(BEFORE_S)
        at = max(_change(fabric, end, kind, failed=True) for end in ends)
        time.sleep(AFTER_S + detection_s(fabric.bfd_ms))
    for end in ends:
        _change(fabric, end, kind, failed=False)
    result = stream.result
    return Outage(str(link), outage_ms(result, at), result.lost_from(at), result.sent)


def _change(fabric: RouterFabric, end: End, kind: str, failed: bool) -> int:
    """Fails or heals an end of a link; returns when, in microseconds of the epoch."""
    interface = interface_name(end.switch, end.port)
    with network_namespace_of(fabric.pid(end.switch)):
        if kind == "portDown":
            return set_up(interface, not failed)
        return silence(interface) if failed else end_silence(interface)
