"""The network configuration that ONOS has for the application: removed, refused, and accepted."""

from __future__ import annotations

import pytest
from held_tables import changed, groups, route_rules
from runtimes import needs_onos
from waiting import eventually

from evenweave_testbed.flows import spread
from evenweave_testbed.loss import ProbeStream
from evenweave_testbed.onos.rest import OnosError
from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_topos.fabric_file import IMBALANCED_3X3, load

pytestmark = [pytest.mark.fabric, *needs_onos]

_PORT = 6001


@pytest.fixture(scope="session")
def runtime() -> str:
    return "onos"


def test_what_forwards_goes_on_when_the_network_configuration_is_removed(fabric, onos):
    fabric.ready()
    before = groups(fabric)
    rules = {s.id: sorted(route_rules(s.id)) for s in fabric.spec.switches}
    flows = spread(fabric.hosts_of("s1-0"), fabric.hosts_of("s1-2"), 256, _PORT)
    with ProbeStream(fabric, flows) as stream:
        onos.remove_configuration()
        status = fabric.controller.wait(
            lambda s: s["state"] == "degraded" and s["confirmed"], "degradation", EVENT_LIMIT_S
        )
        assert any("was removed" in reason for reason in status["reasons"])
        assert (status["switches"], status["links"]) == (6, 12)
        listed = [switch["id"] for switch in fabric.controller.topology()["fabric"]["switches"]]
        assert sorted(listed) == sorted(s.id for s in fabric.spec.switches)
        fabric.controller.audit()
        with pytest.raises(OnosError, match="allowEmpty"):
            onos.configure({"strategy": "ecmp"})
    assert stream.result.sent > 0
    assert stream.result.lost_at == ()
    assert changed(before, groups(fabric)) == []
    assert {s.id: sorted(route_rules(s.id)) for s in fabric.spec.switches} == rules
    onos.configure(load(IMBALANCED_3X3).to_json())
    fabric.ready()
    assert changed(before, groups(fabric)) == []


def test_an_empty_configuration_that_says_so_empties_the_switches(fabric, onos):
    fabric.ready()
    switches = [switch.id for switch in fabric.spec.switches]
    onos.configure({"allowEmpty": True})
    eventually(lambda: not any(groups(fabric).values()), "end of the groups")
    eventually(lambda: not any(route_rules(switch) for switch in switches), "end of the rules")
    status = fabric.controller.wait(
        lambda s: s["state"] == "degraded" and s["confirmed"] and s["links"] == 12,
        "links under datapath ids",
        EVENT_LIMIT_S,
    )
    assert status["switches"] == len(switches)
    listed = [switch["id"] for switch in fabric.controller.topology()["fabric"]["switches"]]
    assert sorted(listed) == sorted(f"of:{switch.dpid}" for switch in fabric.spec.switches)
    since = fabric.controller.last_sequence()
    onos.configure(load(IMBALANCED_3X3).to_json())
    for host in fabric.hosts:
        assert fabric.run(host, "ip", "neigh", "flush", "all").returncode == 0
    fabric.ready()
    kinds = {event["kind"] for event in fabric.controller.events(since)}
    assert not kinds & {"unexpected-link", "miscabled-link"}


def test_the_last_refused_configuration_is_shown_until_one_is_accepted(fabric, onos):
    faulty = load(IMBALANCED_3X3).to_json()
    faulty["links"][3]["bps"] = -1
    with pytest.raises(OnosError):
        onos.configure(faulty)
    status = fabric.controller.wait(
        lambda s: "refusedConfiguration" in s, "refusal in the status", EVENT_LIMIT_S
    )
    refused = status["refusedConfiguration"]
    assert refused["field"] == "links[3].bps"
    assert refused["problem"].startswith("must be")
    assert status["converged"]
    onos.configure(load(IMBALANCED_3X3).to_json())
    fabric.controller.wait(
        lambda s: "refusedConfiguration" not in s, "end of the refusal", EVENT_LIMIT_S
    )


def test_the_settings_that_the_application_changed_are_shown(fabric):
    shown = {s["name"]: s for s in fabric.controller.status()["runtimeSettings"]}
    assert shown.keys() == {"allowExtraneousRules", "allowExtraneousGroups"}
    assert all((s["value"], s["original"]) == ("true", "false") for s in shown.values())
