"""What becomes of switches and of ONOS when the application is stopped, removed, or replaced."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from held_tables import changed, flows_of, groups, route_rules
from runtimes import needs_onos, onos_application
from waiting import eventually

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import spread
from evenweave_testbed.loss import ProbeStream
from evenweave_testbed.onos.rest import APPLICATION, OnosError, OnosRest
from evenweave_testbed.polling import READY_LIMIT_S

pytestmark = [pytest.mark.fabric, *needs_onos]

_PORT = 6001
_STEADY_S = 1.0
_OVSDB_PORT = 6640
# Both ends of two links; twelve links are set up one after another.
_SET_UP_AT_REMOVAL = 4
# A property of ONOS's that the application presets.
_PRESET = ("org.onosproject.store.group.impl.DistributedGroupStore", "allowExtraneousGroups")
# A rule of somebody else's, for a protocol that no host here speaks.
_FOREIGN = {
    "priority": 7,
    "timeout": 0,
    "isPermanent": True,
    "treatment": {"instructions": [{"type": "OUTPUT", "port": "CONTROLLER"}]},
    "selector": {"criteria": [{"type": "ETH_TYPE", "ethType": "0x88b5"}]},
}


@pytest.fixture(scope="session")
def runtime() -> str:
    return "onos"


def install_anew(onos: OnosRest) -> None:
    """Installs the application that was uninstalled: ONOS goes on removing it for a while, and
    refuses to install it until then."""

    def installed() -> bool:
        try:
            onos.install(onos_application())
            return True
        except OnosError as error:
            if "409" not in str(error):
                raise
            return False

    eventually(installed, "end of the application before")
    eventually(onos.evenweave_answers, "answer of the application installed anew")


def test_the_application_is_not_active_without_what_it_requires(fabric, onos):
    before = groups(fabric)
    onos.deactivate("org.onosproject.openflow-base")
    try:
        eventually(lambda: not onos.is_active(APPLICATION), "end of the application")
        # ONOS calls it ended before its parts have.
        eventually(
            lambda: "evenweave.changes.pending" not in str(onos.get("/v1/metrics")),
            "end of the metrics",
        )
        assert changed(before, groups(fabric)) == [], "switches must go on with what they have"
    finally:
        onos.activate(APPLICATION)
        eventually(onos.evenweave_answers, "answer of the application")
    assert onos.is_active("org.onosproject.openflow-base")
    fabric.ready()
    assert changed(before, groups(fabric)) == []


def test_other_applications_keep_their_devices_when_the_application_is_deactivated(fabric, onos):
    fabric.ready()
    before = groups(fabric)
    devices = len(fabric.spec.switches)
    assert onos.available_devices() == devices
    onos.deactivate()
    try:
        eventually(lambda: not onos.is_active(APPLICATION), "end of the application")
        # ONOS calls it ended before its parts have.
        eventually(
            lambda: "evenweave.changes.pending" not in str(onos.get("/v1/metrics")),
            "end of the metrics",
        )
        for required in ("openflow", "hostprovider", "lldpprovider"):
            assert onos.is_active(f"org.onosproject.{required}")
        # Another application can still use them.
        onos.add_flow("of:0000000000000001", _FOREIGN)
        eventually(lambda: "dl_type=0x88b5" in flows_of("s1-0"), "another application's rule")
        assert onos.available_devices() == devices
    finally:
        onos.remove_flows("org.onosproject.rest")
        onos.activate(APPLICATION)
        eventually(onos.evenweave_answers, "answer of the application")
    fabric.ready()
    assert changed(before, groups(fabric)) == []


def test_uninstalling_removes_what_was_installed_and_nothing_else(fabric, onos):
    device = "of:0000000000000001"
    onos.add_flow(device, _FOREIGN)
    eventually(lambda: "dl_type=0x88b5" in flows_of("s1-0"), "foreign rule")
    assert groups(fabric)["s1-0"]
    try:
        onos.uninstall()
        eventually(lambda: not any(groups(fabric).values()), "end of the groups")
        eventually(
            lambda: not any(route_rules(s.id) for s in fabric.spec.switches), "end of the rules"
        )
        # ONOS's own, and the other application's.
        assert "dl_type=0x88cc" in flows_of("s1-0")
        assert "dl_type=0x88b5" in flows_of("s1-0")
        with pytest.raises(OnosError, match="404"):
            onos.get(f"/v1/applications/{APPLICATION}")
    finally:
        install_anew(onos)
    # The network configuration has outlived the application, but where hosts are only they can say:
    # made to forget the gateway's address, they ask for it as they would in time.
    for host in fabric.hosts:
        assert fabric.run(host, "ip", "neigh", "flush", "all").returncode == 0
    fabric.ready()
    assert groups(fabric)["s1-0"]


def test_a_purge_leaves_nothing_in_the_switches_and_no_preset_in_onos(fabric, onos):
    fabric.ready()
    ours = {switch: len(held) for switch, held in groups(fabric).items()}
    onos.add_flow("of:0000000000000001", _FOREIGN)
    eventually(lambda: "dl_type=0x88b5" in flows_of("s1-0"), "foreign rule")
    assert onos.property(*_PRESET) == "true"
    try:
        removed = onos.post("/evenweave/purge")
        assert removed["failed"] == []
        assert removed["switches"] == len(fabric.spec.switches)
        assert removed["groups"] == sum(ours.values()) > 0
        assert removed["rules"] > 0
        assert not any(groups(fabric).values())
        assert not any(route_rules(s.id) for s in fabric.spec.switches)
        assert "dl_type=0x88b5" in flows_of("s1-0"), "another application's rule is gone"
        eventually(lambda: not onos.is_active(APPLICATION), "end of the application")
        eventually(lambda: onos.property(*_PRESET) == "false", "ONOS's own setting")
        onos.uninstall()
        assert not any(groups(fabric).values())
    finally:
        install_anew(onos)
    assert onos.property(*_PRESET) == "true"
    for host in fabric.hosts:
        assert fabric.run(host, "ip", "neigh", "flush", "all").returncode == 0
    fabric.ready()
    assert {switch: len(held) for switch, held in groups(fabric).items()} == ours


@pytest.fixture
def setting_up(fabric: Fabric, onos: OnosRest) -> Iterator[Fabric]:
    """The fabric while BFD is being set up; then one without it, under the application anew."""
    whole = fabric.controller.configuration()
    bfd = {"enabled": True, "ovsdb": [fabric.ovs.serve_database(_OVSDB_PORT)]}
    fabric.controller.put_configuration(whole | {"bfd": bfd})
    eventually(lambda: len(fabric.ovs.detection()) >= _SET_UP_AT_REMOVAL, "settings for BFD")
    yield fabric
    install_anew(onos)
    onos.configure(whole)
    for host in fabric.hosts:
        assert fabric.run(host, "ip", "neigh", "flush", "all").returncode == 0
    fabric.ready()
    eventually(lambda: fabric.ovs.detection() == [], "end of BFD", READY_LIMIT_S)


def test_a_purge_ends_bfd_that_is_being_set_up(setting_up, onos):
    assert onos.post("/evenweave/purge")["failed"] == []
    assert setting_up.ovs.detection() == []
    eventually(lambda: not onos.is_active(APPLICATION), "end of the application")
    assert setting_up.ovs.detection() == []
    onos.uninstall()


def test_uninstalling_ends_bfd_that_is_being_set_up(setting_up, onos):
    onos.uninstall()
    eventually(lambda: setting_up.ovs.detection() == [], "end of BFD")


def test_an_upgrade_in_place_keeps_traffic_flowing(fabric, onos):
    flows = spread(fabric.hosts_of("s1-0"), fabric.hosts_of("s1-2"), 256, _PORT)
    before = groups(fabric)
    with ProbeStream(fabric, flows) as stream:
        time.sleep(_STEADY_S)
        onos.deactivate()
        eventually(lambda: not onos.is_active(APPLICATION), "end of the application")
        onos.uninstall()
        install_anew(onos)
        fabric.ready()
        time.sleep(_STEADY_S)
    assert stream.result.sent > 0
    assert stream.result.lost_at == ()
    assert changed(before, groups(fabric)) == []
    fabric.cut("s1-2/1-s2-0/4")
    try:
        eventually(lambda: changed(before, groups(fabric)) != [], "answer to a failure")
    finally:
        fabric.heal("s1-2/1-s2-0/4")
    fabric.ready()
