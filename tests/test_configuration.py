"""Configurations that are put while a fabric is live."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from held_tables import changed

from evenweave_testbed.controller import OPENFLOW_ADDRESS
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.openvswitch import OPENFLOW, run
from evenweave_testbed.polling import EVENT_LIMIT_S

_BRIDGE = "added"
_DPID = "00000000000000ad"

pytestmark = pytest.mark.fabric


@contextmanager
def one_more_switch(fabric: Fabric) -> Iterator[None]:
    """A bridge without links, connected to the controller as the others are."""
    settings = (
        f"datapath_type=netdev fail_mode=secure protocols={OPENFLOW} "
        f"other-config:datapath-id={_DPID}"
    )
    run("ovs-vsctl", "add-br", _BRIDGE, "--", "set", "bridge", _BRIDGE, *settings.split())
    try:
        fabric.ovs.set_controllers([_BRIDGE], f"tcp:{OPENFLOW_ADDRESS}")
        yield
    finally:
        run("ovs-vsctl", "del-br", _BRIDGE)


def await_switch(fabric: Fabric, name: str) -> None:
    """Waits until the controller has the added switch by this name, and by no other."""

    def named(_status: dict) -> bool:
        switches = {s["id"] for s in fabric.controller.topology()["fabric"]["switches"]}
        return switches - {s.id for s in fabric.spec.switches} == {name}

    fabric.controller.wait(named, f"switch {name}", EVENT_LIMIT_S)


def test_a_switch_is_added_before_it_connects_and_taken_out_while_connected(fabric):
    before = fabric.controller.configuration()
    groups = {s.id: fabric.groups(s.id) for s in fabric.spec.switches}
    more = copy.deepcopy(before)
    more["switches"].append({"id": "s1-9", "dpid": _DPID, "stage": 1})
    fabric.controller.put_configuration(more)
    try:
        found = fabric.controller.wait(
            lambda s: s["state"] == "degraded", "missing switch", EVENT_LIMIT_S
        )
        assert found["reasons"] == ["s1-9 is not connected"]
        with one_more_switch(fabric):
            fabric.controller.wait(lambda s: s["converged"], "convergence", EVENT_LIMIT_S)
            await_switch(fabric, "s1-9")
            fabric.controller.put_configuration(before)
            await_switch(fabric, f"of:{_DPID}")
            fabric.controller.put_configuration(more)
            await_switch(fabric, "s1-9")
    finally:
        fabric.controller.put_configuration(before)
        fabric.ready(EVENT_LIMIT_S)
    assert changed(groups, {s.id: fabric.groups(s.id) for s in fabric.spec.switches}) == []
