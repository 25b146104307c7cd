"""Another controller becomes master of switches, and two switches have one datapath id."""

from __future__ import annotations

import json
import urllib.request

import pytest
from openflow_versions import EMBEDDED, allowing
from runtimes import LiveFabric, command_of
from waiting import eventually

from evenweave_testbed.controller import OPENFLOW_ADDRESS
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import spread
from evenweave_testbed.loss import ProbeStream
from evenweave_testbed.openvswitch import run
from evenweave_testbed.other_controller import OtherController
from evenweave_topos.fabric_file import IMBALANCED_3X3, load

pytestmark = pytest.mark.fabric

_FLOWS = 64
_PORT = 6301
_OTHER_PORT = 6699
_DATABASE_PORT = 6640
_OURS = f"tcp:{OPENFLOW_ADDRESS}"
_SWITCH = "s1-0"
# The first switch has two minutes for the echo that it is asked for.
_PATIENT = ["--switch-timeout", "600"]
_WIRE_VERSION = {"OpenFlow13": 4, "OpenFlow13,OpenFlow15": 6}


def connections(fabric: Fabric) -> list[dict]:
    with urllib.request.urlopen(f"{fabric.controller.base}/connections", timeout=30) as answer:
        return json.load(answer)["connections"]


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("case", EMBEDDED)
def test_a_controller_that_claims_a_switch_once_and_leaves_costs_no_packet(
    live_fabric: LiveFabric, case: tuple[str, str]
):
    runtime, protocols = case
    fabric = live_fabric.get(load(IMBALANCED_3X3), runtime)
    flows = spread(fabric.hosts_of(_SWITCH), fabric.hosts_of("s1-2"), _FLOWS, _PORT)
    with allowing(fabric, protocols), ProbeStream(fabric, flows) as stream:
        since = fabric.controller.last_sequence()
        try:
            with OtherController(_OTHER_PORT, _WIRE_VERSION[protocols]) as other:
                run("ovs-vsctl", "set-controller", _SWITCH, _OURS, other.target)
                assert other.is_master.wait(600)
            eventually(lambda: kinds(fabric, since, "other-master"), "event of the other master")
            fabric.ready()
            (row,) = [row for row in connections(fabric) if row["switch"] == _SWITCH]
            assert row["master"]
            # Nothing else went: neither links nor other switches.
            lost = {e["subject"] for e in kinds(fabric, since, "switch-down")}
            assert lost <= {_SWITCH}
            assert kinds(fabric, since, "link-down") == []
        finally:
            run("ovs-vsctl", "set-controller", _SWITCH, _OURS)
            fabric.ready()
    assert stream.result.sent > 0
    assert stream.result.lost_from(0) == 0


def kinds(fabric: Fabric, since: int, kind: str) -> list[dict]:
    return [event for event in fabric.controller.events(since) if event["kind"] == kind]


@pytest.mark.extended
def test_a_standby_names_the_master_and_claims_the_switch_when_it_has_gone(
    live_fabric: LiveFabric,
):
    live_fabric.close()
    command = [*command_of("embedded"), "--standby"]
    with Fabric(load(IMBALANCED_3X3), controller_command=command) as fabric:
        fabric.ready()
        server = fabric.ovs.serve_database(_DATABASE_PORT)
        configured = fabric.controller.configuration()
        bfd = {"enabled": False, "intervalMs": 100, "ovsdb": [server]}
        fabric.controller.put_configuration({**configured, "bfd": bfd})
        with OtherController(_OTHER_PORT, _WIRE_VERSION["OpenFlow13"]) as other:
            run("ovs-vsctl", "set-controller", _SWITCH, _OURS, other.target)
            assert other.is_master.wait(600)
            reason = f"another controller at {other.target} is master of {_SWITCH}"
            fabric.controller.wait(lambda s: reason in s["reasons"], reason, 600)
        fabric.controller.wait(lambda s: s["converged"], "takeover", 600)


@pytest.mark.extended
def test_a_second_switch_with_a_datapath_id_is_refused_and_named(live_fabric: LiveFabric):
    live_fabric.close()
    command = [*command_of("embedded"), *_PATIENT]
    with Fabric(load(IMBALANCED_3X3), controller_command=command) as fabric:
        fabric.ready()
        connect_twin(fabric)


def connect_twin(fabric: Fabric) -> None:
    """Gives a second bridge the datapath id of one, and takes it away again."""
    since = fabric.controller.last_sequence()
    datapath = run("ovs-vsctl", "get", "bridge", _SWITCH, "datapath_id").strip().strip('"')
    flows = spread(fabric.hosts_of(_SWITCH), fabric.hosts_of("s1-2"), _FLOWS, _PORT)
    with ProbeStream(fabric, flows) as stream:
        run(
            *("ovs-vsctl", "add-br", "twin"),
            *("--", "set", "bridge", "twin", "datapath_type=netdev", "fail_mode=secure"),
            *("protocols=OpenFlow13", f"other_config:datapath-id={datapath}"),
            *("--", "set-controller", "twin", _OURS),
        )
        try:
            eventually(
                lambda: kinds(fabric, since, "duplicate-datapath"), "event of the datapath id"
            )
            status = fabric.controller.wait(lambda s: s["state"] == "degraded", "reason", 600)
            (reason,) = [r for r in status["reasons"] if "datapath id" in r]
            assert reason.startswith(f"two switches have the datapath id of {_SWITCH}: the one at ")
            assert reason.count("127.0.0.1:") == 2
        finally:
            run("ovs-vsctl", "del-br", "twin")
        fabric.controller.wait(lambda s: s["converged"], "end of the reason", 600)
    events = fabric.controller.events(since)
    assert len(kinds(fabric, since, "duplicate-datapath")) == 1
    assert [e for e in events if e["kind"] in ("switch-down", "switch-up", "link-down")] == []
    assert stream.result.sent > 0
    assert stream.result.lost_from(0) == 0
