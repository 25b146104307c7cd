"""A lone instance of ONOS, as it is shipped, that is killed and started again: it has kept its
stores, and the switches what they hold."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from held_tables import changed, groups, mark, route_rules, younger_than_mark
from large_tables import LIMIT, SLOTS, owners, slots_on_switch, uneven
from runtimes import LiveFabric, needs_onos, onos_application
from waiting import confirm, eventually

from evenweave_testbed.connections import connect_all
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import Flow, spread
from evenweave_testbed.loss import ProbeStream
from evenweave_testbed.onos.cluster import Onos
from evenweave_testbed.onos.distribution import Distribution
from evenweave_testbed.onos.rest import OnosRest
from evenweave_testbed.polling import READY_LIMIT_S
from evenweave_testbed.soak.bed import ports_without_carrier
from evenweave_topos.fabric_file import IMBALANCED_3X3, load

pytestmark = [pytest.mark.fabric, *needs_onos]

_PORT = 6001
_STEADY_S = 1.0
# ONOS polls rules every 5 s and groups every 10 s.
_POLLS_S = 12.0


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


def restart(fabric: Fabric, onos: Onos) -> None:
    (instance,) = onos.instances
    instance.start()
    onos.wait_until_up()
    onos.wait_until_everywhere(
        OnosRest.evenweave_answers, "answer from the application", READY_LIMIT_S
    )
    fabric.ready(READY_LIMIT_S)


def test_an_instance_that_is_killed_and_comes_back_touches_no_group_and_no_rule(lone):
    """What forwards is older than the kill: nothing of it was taken out and put back."""
    fabric, onos = lone
    (instance,) = onos.instances
    switches = [switch.id for switch in fabric.spec.switches]
    before = groups(fabric)
    rules = {switch: sorted(route_rules(switch)) for switch in switches}
    for switch in switches:
        mark(switch)
    instance.kill()
    assert not connect_all(fabric, some_flows(fabric, "s1-2")), "without ONOS"
    restart(fabric, onos)
    time.sleep(_POLLS_S)
    assert {switch: younger_than_mark(switch) for switch in switches} == {s: [] for s in switches}
    assert changed(before, groups(fabric)) == []
    assert {switch: sorted(route_rules(switch)) for switch in switches} == rules
    assert not connect_all(fabric, some_flows(fabric, "s1-2"))


def some_flows(fabric: Fabric, to: str) -> list[Flow]:
    return spread(fabric.hosts_of("s1-0"), fabric.hosts_of(to), 64, _PORT)


@pytest.mark.parametrize("lone", [pytest.param(uneven(), id="uneven")], indirect=True)
def test_large_tables_do_without_the_instance_and_it_finds_them_as_they_were(lone):
    fabric, onos = lone
    (instance,) = onos.instances
    limited = fabric.spec.to_json() | {"maxOversubscription": LIMIT}
    fabric.controller.put_configuration(limited)
    confirm(fabric)
    group = fabric.controller.group("s1-0", "s1-1")
    assert group["entries"] == SLOTS
    before = slots_on_switch("s1-0", group["groupId"])
    link = fabric.spec.links[1]
    port = link.end_at("s1-0").port
    instance.kill()
    assert not connect_all(fabric, some_flows(fabric, "s1-1")), "without ONOS"
    # One way: the far end does not see the cut, and answers may take the link.
    with ProbeStream(fabric, some_flows(fabric, "s1-1")) as stream:
        fabric.cut(str(link))
        eventually(lambda: port in ports_without_carrier("s1-0"), "end of the carrier")
        fabric.ovs.wait_for_datapath()
        in_force_at = time.time_ns() // 1000
        time.sleep(_STEADY_S)
    assert stream.result.sent > 0
    assert stream.result.lost_from(in_force_at) == 0, "without ONOS and the link"
    fabric.heal(str(link))
    restart(fabric, onos)
    time.sleep(_POLLS_S)
    assert fabric.controller.audit() == []
    after = slots_on_switch("s1-0", group["groupId"])
    assert owners(after) == owners(before)
    assert all(after[slot].age_s >= before[slot].age_s for slot in before)
