"""A link at a four hundredth of its speed (docs/reference/fabric.md, Ports left out)."""

from __future__ import annotations

import copy
import time

import pytest
from waiting import eventually

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import spread
from evenweave_testbed.loss import ProbeStream

pytestmark = pytest.mark.fabric

_FLOWS = 192
_PORT = 6001
_SETTLE_S = 0.5
# The dissertation's group of s1-0 to s1-2 gives this one two of twelve entries.
_SLOW_PORT = 4


def ports_of(fabric: Fabric) -> set[int]:
    """The ports by which the switch's own table sends flows of a pair of hosts."""
    near, far = fabric.hosts_of("s1-0")[0], fabric.hosts_of("s1-2")[0]
    entries = fabric.controller.group("s1-0", "s1-2")["entries"]
    return set(fabric.slot_owners(near, far, entries))


def put(fabric: Fabric, configuration: dict) -> None:
    fabric.controller.put_configuration(configuration)
    eventually(lambda: fabric.controller.status()["converged"], "convergence")


def test_no_flow_crosses_a_slow_link_until_it_is_fast_again(fabric):
    before = fabric.controller.configuration()
    slow = copy.deepcopy(before)
    link = next(each for each in slow["links"] if f"s1-0/{_SLOW_PORT}" in (each["a"], each["b"]))
    link["bps"] //= 400
    whole = ports_of(fabric)
    flows = spread(fabric.hosts_of("s1-0"), fabric.hosts_of("s1-2"), _FLOWS, _PORT)
    try:
        with ProbeStream(fabric, flows) as stream:
            time.sleep(_SETTLE_S)
            put(fabric, slow)
            time.sleep(_SETTLE_S)
            assert ports_of(fabric) == whole - {_SLOW_PORT}
            group = fabric.controller.group("s1-0", "s1-2")
            assert [left["port"] for left in group["leftOut"]] == [_SLOW_PORT]
            put(fabric, slow | {"leaveOut": "never"})
            assert ports_of(fabric) == whole
            put(fabric, slow)
            put(fabric, before)
            time.sleep(_SETTLE_S)
            assert ports_of(fabric) == whole
    finally:
        put(fabric, before)
    assert stream.result.sent > 0
    assert stream.result.lost_at == ()
    kinds = [event["kind"] for event in fabric.controller.events()]
    assert kinds.count("port-left-out") == kinds.count("port-not-left-out") > 0
