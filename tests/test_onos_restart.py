"""A lone instance of ONOS that is killed and started again: it has forgotten everything, and the
switches have not."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest
from held_tables import changed, groups, route_rules
from runtimes import LiveFabric, needs_onos, onos_application

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import spread
from evenweave_testbed.loss import ProbeStream
from evenweave_testbed.onos.cluster import Onos
from evenweave_testbed.onos.distribution import Distribution
from evenweave_testbed.onos.rest import OnosRest
from evenweave_testbed.polling import READY_LIMIT_S
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
def lone(live_fabric: LiveFabric) -> Iterator[tuple[Fabric, Onos]]:
    live_fabric.close()
    with (
        Fabric(load(IMBALANCED_3X3)) as fabric,
        Onos(Distribution.find(), fabric.directory / "onos") as onos,
    ):
        fabric.connect_switches(*onos.openflow_targets())
        onos.deploy(onos_application(), fabric.spec.to_json())
        fabric.controller = onos.controller()
        fabric.ready(READY_LIMIT_S)
        yield fabric, onos


def test_an_instance_that_is_killed_and_comes_back_changes_no_group_and_loses_no_packet(lone):
    fabric, onos = lone
    (instance,) = onos.instances
    settings = instance.directory / "config/component-cfg.json"
    settings.write_text(json.dumps(json.loads(settings.read_text()) | _SETTINGS))
    before = groups(fabric)
    rules = {s.id: sorted(route_rules(s.id)) for s in fabric.spec.switches}
    flows = spread(fabric.hosts_of("s1-0"), fabric.hosts_of("s1-2"), 256, _PORT)
    with ProbeStream(fabric, flows) as stream:
        time.sleep(_STEADY_S)
        instance.kill()
        time.sleep(_STEADY_S)
        instance.start()
        onos.wait_until_up()
        onos.wait_until_everywhere(
            OnosRest.evenweave_answers, "answer from the application", READY_LIMIT_S
        )
        # Network configuration is among what a lone instance forgets.
        onos.rest().configure(fabric.spec.to_json())
        fabric.ready(READY_LIMIT_S)
        time.sleep(_POLLS_S)
    assert stream.result.sent > 0
    assert stream.result.lost_at == ()
    assert changed(before, groups(fabric)) == []
    assert {s.id: sorted(route_rules(s.id)) for s in fabric.spec.switches} == rules
