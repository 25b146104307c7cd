"""A lone instance of ONOS that is killed and started again: it has forgotten everything, and the
switches have not."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest
from held_tables import changed, groups, route_rules
from large_tables import LIMIT, SLOTS, owners, slots_on_switch, uneven
from runtimes import LiveFabric, needs_onos, onos_application
from waiting import confirm, eventually

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import spread
from evenweave_testbed.loss import ProbeStream
from evenweave_testbed.onos.cluster import Onos
from evenweave_testbed.onos.distribution import Distribution
from evenweave_testbed.onos.instance import Instance
from evenweave_testbed.onos.rest import OnosRest
from evenweave_testbed.polling import READY_LIMIT_S
from evenweave_testbed.soak.bed import ports_without_carrier
from evenweave_topos.fabric_file import IMBALANCED_3X3, load

pytestmark = [pytest.mark.fabric, *needs_onos]

_PORT = 6001
_STEADY_S = 1.0
# ONOS polls rules every 5 s and groups every 10 s.
_POLLS_S = 12.0
# As docs/reference/onos.md has it for a lone instance.
_SETTINGS = {
    "org.onosproject.net.flow.impl.FlowRuleManager": {"allowExtraneousRules": "true"},
    "org.onosproject.store.group.impl.DistributedGroupStore": {"allowExtraneousGroups": "true"},
}


@pytest.fixture
def lone(live_fabric: LiveFabric, request: pytest.FixtureRequest) -> Iterator[tuple[Fabric, Onos]]:
    """ONOS with a fabric, which a test may choose."""
    live_fabric.close()
    with (
        Fabric(getattr(request, "param", load(IMBALANCED_3X3))) as fabric,
        Onos(Distribution.find(), fabric.directory / "onos") as onos,
    ):
        fabric.connect_switches(*onos.openflow_targets())
        onos.deploy(onos_application(), fabric.spec.to_json())
        fabric.controller = onos.controller()
        fabric.ready(READY_LIMIT_S)
        yield fabric, onos


def keep_what_is_extraneous(instance: Instance) -> None:
    settings = instance.directory / "config/component-cfg.json"
    settings.write_text(json.dumps(json.loads(settings.read_text()) | _SETTINGS))


def restart(fabric: Fabric, onos: Onos, configuration: dict) -> None:
    """Network configuration is among what a lone instance forgets."""
    (instance,) = onos.instances
    instance.start()
    onos.wait_until_up()
    onos.wait_until_everywhere(
        OnosRest.evenweave_answers, "answer from the application", READY_LIMIT_S
    )
    onos.rest().configure(configuration)
    fabric.ready(READY_LIMIT_S)


def test_an_instance_that_is_killed_and_comes_back_changes_no_group_and_loses_no_packet(lone):
    fabric, onos = lone
    (instance,) = onos.instances
    keep_what_is_extraneous(instance)
    before = groups(fabric)
    rules = {s.id: sorted(route_rules(s.id)) for s in fabric.spec.switches}
    flows = spread(fabric.hosts_of("s1-0"), fabric.hosts_of("s1-2"), 256, _PORT)
    with ProbeStream(fabric, flows) as stream:
        time.sleep(_STEADY_S)
        instance.kill()
        time.sleep(_STEADY_S)
        restart(fabric, onos, fabric.spec.to_json())
        time.sleep(_POLLS_S)
    assert stream.result.sent > 0
    assert stream.result.lost_at == ()
    assert changed(before, groups(fabric)) == []
    assert {s.id: sorted(route_rules(s.id)) for s in fabric.spec.switches} == rules


@pytest.mark.parametrize("lone", [pytest.param(uneven(), id="uneven")], indirect=True)
def test_large_tables_do_without_the_instance_and_it_finds_them_as_they_were(lone):
    fabric, onos = lone
    (instance,) = onos.instances
    keep_what_is_extraneous(instance)
    limited = fabric.spec.to_json() | {"maxOversubscription": LIMIT}
    fabric.controller.put_configuration(limited)
    confirm(fabric)
    group = fabric.controller.group("s1-0", "s1-1")
    assert group["entries"] == SLOTS
    before = slots_on_switch("s1-0", group["groupId"])
    link = fabric.spec.links[1]
    port = link.end_at("s1-0").port
    flows = spread(fabric.hosts_of("s1-0"), fabric.hosts_of("s1-1"), 256, _PORT)
    with ProbeStream(fabric, flows) as stream:
        time.sleep(_STEADY_S)
        killed_at = time.time_ns() // 1000
        instance.kill()
        time.sleep(_STEADY_S)
        cut_at = time.time_ns() // 1000
        fabric.cut(str(link))
        eventually(lambda: port in ports_without_carrier("s1-0"), "end of the carrier")
        fabric.ovs.wait_for_datapath()
        in_force_at = time.time_ns() // 1000
        time.sleep(_STEADY_S)
        fabric.heal(str(link))
        restart(fabric, onos, limited)
        time.sleep(_POLLS_S)
    assert stream.result.sent > 0
    assert stream.result.lost_between(killed_at, cut_at) == 0
    assert stream.result.lost_from(in_force_at) == 0
    assert fabric.controller.audit() == []
    after = slots_on_switch("s1-0", group["groupId"])
    assert owners(after) == owners(before)
    assert all(after[slot].age_s >= before[slot].age_s for slot in before)
