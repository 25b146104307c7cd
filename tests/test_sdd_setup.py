"""What hosts keep of a controller before this one: once they are set up, only packets.

At sdd-host with a stand-in for the controller, and with the real one, whose classes change.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sdd_controller import PORT, ask, configure, real_controller, send_json
from sdd_pair import (
    PAIR,
    SENDER,
    match,
    open_queue,
    pair_up,
    queue_of,
    send_steadily,
    sent_packets,
)
from waiting import eventually

from evenweave_testbed.sdd.bed import Bed, BedPlan

pytestmark = [pytest.mark.fabric, pytest.mark.real_time]

UDP = 17
WITHOUT_SOURCE_PORT = 1
# As in the configuration of the host: a queue of its own for what goes to port 8.
OWN = 20
OWN_QUEUE = {
    "number": OWN,
    "network": "packet",
    "matches": [{"protocol": UDP, "destinationPort": 8}],
}
OPEN = {"network": "PACKET", "closedByDefault": "NO"}
PACKET_QUEUE, OF_CLASS = 2, 3
FLOWS = [{"protocol": UDP, "destinationPort": 7}]
# Ends with the first packet to a port.
RECEIVER = """
import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("", int(sys.argv[1])))
s.recv(2000)
"""


def test_what_is_not_set_up_again_ends_and_the_hosts_own_is_as_configured(start_bed):
    bed, controller = start_bed(
        BedPlan(hosts=2, circuit_switch=False, host={"queues": [OWN_QUEUE]})
    )
    one, _ = pair_up(bed, controller)
    open_queue(one, 1)
    for port in (7, 8):
        one.ok("MapFlow", queue=1, flowPriority=0, match=udp_to(port))
    open_queue(one, OWN)
    send_steadily(bed, "h1", "h2")
    bed.start("h1", "python3", "-c", SENDER, bed.address("h2"), "8")
    eventually(lambda: queue_of(bed, "h1", 1)["flows"] == 2, "flows that wait")
    controller.forget("h1")
    new = controller.session("h1")
    open_queue(new, 0, **OPEN)
    new.ok("MapFlow", queue=0, flowPriority=0, match=match())
    assert queues(new) == [0, 1, OWN]
    new.ok("EndSetup")
    assert queues(new) == [0, OWN]
    assert new.ok("GetQueuesForFlows", match=udp_to(7))["queues"] == [{"queue": 0}]
    assert new.ok("GetQueuesForFlows", match=udp_to(8))["queues"] == [{"queue": OWN}]
    for queue in (0, OWN):
        before = sent_packets(bed, "h1", queue)
        eventually(lambda q=queue, b=before: sent_packets(bed, "h1", q) > b + 10, "packets")
    # What this session made stays, however often it says that this is all.
    new.ok("EndSetup")
    assert queues(new) == [0, OWN]


@pytest.mark.extended
def test_packets_that_nothing_is_mapped_for_any_more_leave(start_bed):
    bed, controller = start_bed(PAIR)
    pair_up(bed, controller)
    send_steadily(bed, "h1", "h2")
    eventually(lambda: queue_of(bed, "h1")["packets"] > 10, "packets that wait")
    controller.forget("h1")
    new = controller.session("h1")
    new.ok("EndSetup")
    eventually(lambda: queue_of(bed, "h1")["packets"] == 0, "packets that leave")
    assert queue_of(bed, "h1")["sentPackets"] > 10
    assert new.ok("GetQueuesForFlows", match=match())["queues"] == []
    controller.forget("h1")
    new = controller.session("h1")
    new.ok("EndSetup")
    assert queues(new) == []


@pytest.mark.extended
@pytest.mark.parametrize(
    "classes",
    [
        {"sharing": {"classes": [{"name": "old", "flows": FLOWS}]}},
        {"circuitClasses": [{"name": "old", "flows": FLOWS}]},
    ],
    ids=["sharing", "circuitClasses"],
)
def test_flows_of_a_class_that_is_no_more_after_a_restart_still_arrive(
    authority, tmp_path, classes
):
    config = configured(authority, tmp_path, **classes)
    without = {k: v for k, v in json.loads(config.read_text()).items() if k not in classes}
    with Bed(BedPlan(hosts=2), tmp_path, PORT, authority) as bed:
        send_steadily(bed, "h1", "h2")
        of_class = 4 if "circuitClasses" in classes else OF_CLASS
        with real_controller(config, tmp_path):
            eventually(lambda: sent_packets(bed, "h1", of_class) > 10, "packets of the class")
            assert arrives(bed)
        config.write_text(json.dumps(without))
        with real_controller(config, tmp_path):
            eventually(lambda: of_class not in numbers(bed), "end of the class's queue")
            assert arrives(bed)
            eventually(lambda: sent_packets(bed, "h1", 1) > 10, "packets by circuits")
    assert "setting up queues" not in (tmp_path / "controller.log").read_text()


@pytest.mark.extended
def test_a_class_of_everything_leaves_everything_mapped(authority, tmp_path):
    config = configured(authority, tmp_path)
    everything = {"classes": [{"name": "all", "flows": [{}]}]}
    with (
        Bed(BedPlan(hosts=2), tmp_path, PORT, authority) as bed,
        real_controller(config, tmp_path) as rest,
    ):
        eventually(lambda: ask(rest, "sdd/status")["connected"] == 2, "hosts")
        send_steadily(bed, "h1", "h2")
        assert arrives(bed)
        unmapped = bed.statistics()["hosts"]["h1"]["unmapped"]
        assert send_json(rest, "PUT", "sdd/sharing", everything)[0] == 200
        eventually(lambda: sent_packets(bed, "h1", OF_CLASS) > 10, "packets of the class")
        others = {"classes": [{"name": "some", "flows": FLOWS}]}
        assert send_json(rest, "PUT", "sdd/sharing", others)[0] == 200
        eventually(lambda: sent_packets(bed, "h1", OF_CLASS + 1) > 10, "packets of the other")
        assert send_json(rest, "DELETE", "sdd/sharing")[0] < 300
        eventually(lambda: numbers(bed) == {1, PACKET_QUEUE}, "end of the classes' queues")
        assert arrives(bed)
        assert bed.statistics()["hosts"]["h1"]["unmapped"] == unmapped


@pytest.mark.extended
def test_a_host_that_starts_without_a_controller_sends_by_its_own_policy(authority, tmp_path):
    """A rack whose power failed, and whose controller is not back yet."""
    with Bed(BedPlan(hosts=2), tmp_path, PORT, authority) as bed:
        send_steadily(bed, "h1", "h2")
        assert arrives(bed)
        assert len(numbers(bed)) == 1


def configured(authority, folder: Path, **more: object) -> Path:
    # A host that hears nothing for long would follow its safe policy instead.
    return configure(
        authority,
        folder,
        circuitSwitch="switch",
        lostAfterPeriods=100_000,
        scheduler="fastpass",
        **more,
    )


def udp_to(port: int) -> dict:
    return match(protocol=UDP, destinationPort=port, wildcards=WITHOUT_SOURCE_PORT)


def queues(session) -> list[int]:
    """Those there are, by the host's answer."""
    rows = session.request("QueryQueues", firstQueue=0, count=2000)["queues"]
    return [row["queue"] for row in rows]


def numbers(bed: Bed) -> set[int]:
    return {queue["number"] for queue in bed.statistics()["hosts"]["h1"]["queues"]}


def arrives(bed: Bed) -> bool:
    """Whether what h1 sends reaches an application on h2."""
    return bed.run("h2", "python3", "-c", RECEIVER, "7").returncode == 0
