"""What waits for a circuit takes the packet switch, live: none twice, none out of order."""

from __future__ import annotations

import itertools
import json
import time

import pytest
from sdd_controller import PORT, ask, configure, real_controller, send_json, trigger_at_h1
from sdd_pair import FOR_EVER, keep_order, pair_up, queue_of, send_steadily
from waiting import eventually

from evenweave_testbed.sdd.bed import Bed, BedPlan
from evenweave_testbed.sdd.stand_in import Terms

pytestmark = [pytest.mark.fabric, pytest.mark.real_time]

LINK_BPS = 50_000_000
HYBRID = {"packetDelayNs": 1_000_000, "bps": 4_000_000}
TO_H2 = 1  # h1's queue
URGENT = {"name": "urgent", "priority": 7, "flows": [{"protocol": 17, "destinationPort": 7}]}
URGENT_TO_H2 = 4  # h1's queue where there is that class: behind the packet queue, 2
LAST = 2**32 - 1
# Bursts that the packet switch cannot carry alone, and which leave circuits time to end between
# them. Once the first file is there, packets of the last number until the second one is there, for
# some of them may be lost.
BURSTS = f"""
import os, socket, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
def send(number):
    s.sendto(number.to_bytes(4, "big") + bytes(996), (sys.argv[1], 7))
number = 0
while not os.path.exists(sys.argv[2]):
    for _ in range(60):
        send(number)
        number += 1
    time.sleep(0.1)
while not os.path.exists(sys.argv[3]):
    send({LAST})
    time.sleep(0.1)
"""
RECEIVER = f"""
import json, socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("", 7))
print("ready", flush=True)
numbers = []
while not numbers or numbers[-1] != {LAST}:
    numbers.append(int.from_bytes(s.recv(2000)[:4], "big"))
print(json.dumps(numbers))
"""


def test_traffic_without_a_circuit_arrives_by_the_packet_switch(start_bed):
    bed, controller = start_bed(BedPlan(hosts=2), Terms(packet_delay_ns=1_000_000))
    one, _ = pair_up(bed, controller)
    switch = controller.session("switch")
    send_steadily(bed, "h1", "h2")
    eventually(lambda: queue_of(bed, "h1")["packets"] > 10, "packets that wait")
    now = time.monotonic_ns()
    slot = {"queue": 0, "startNs": now, "endNs": FOR_EVER - 1, "rateBps": 2_000_000}
    refused = one.request("SetPacketSlots", period=0, slots=[slot, slot | {"rateBps": 0}])
    assert (refused["status"], refused["value"]) == ("ARGUMENT", 1)
    stats = switch.wait_for("CircuitStats", lambda s: s["ports"][0]["packetPackets"] > 50)
    assert (stats["ports"][0]["circuitPackets"], stats["ports"][0]["droppedInNight"]) == (0, 0)
    eventually(lambda: bed.statistics()["hosts"]["h2"]["received"] > 50, "packets that arrive")
    queue = queue_of(bed, "h1")
    assert queue["packetSwitchPackets"] == queue["sentPackets"] > 50
    report = one.wait_for("DemandReport", lambda r: any(q["sentBytes"] for q in r["queues"]))
    (reported,) = report["queues"]
    assert reported["packetSwitchBytes"] == reported["sentBytes"]
    # A circuit, which the switch has not: from now on nothing goes by the packet switch.
    one.command((0, "START", FOR_EVER))
    switch.wait_for("CircuitStats", lambda s: s["ports"][0]["droppedInNight"] > 10)
    queue = queue_of(bed, "h1")
    assert queue["packetSwitchPackets"] < queue["sentPackets"]
    by_packet_switch = queue["packetSwitchPackets"]
    eventually(lambda: queue_of(bed, "h1")["sentPackets"] > queue["sentPackets"], "more packets")
    assert queue_of(bed, "h1")["packetSwitchPackets"] == by_packet_switch


@pytest.mark.core_cases(1)
@pytest.mark.parametrize(
    ("loop", "classes", "queue"),
    [("tight", [], TO_H2), ("loose", [], TO_H2), ("tight", [URGENT], URGENT_TO_H2)],
    ids=["tight", "loose", "class"],
)
def test_both_ways_carry_a_flow_in_order_and_each_packet_once(
    authority, tmp_path, loop, classes, queue
):
    # A host that hears nothing for long would follow its safe policy instead.
    config = configure(
        authority,
        tmp_path,
        circuitSwitch="switch",
        lostAfterPeriods=100_000,
        circuitBps=LINK_BPS,
        packetBps=5_000_000,
        hybrid=HYBRID,
        loop=loop,
        circuitClasses=classes,
    )
    with (
        Bed(BedPlan(hosts=2, pace_to_link=True), tmp_path, PORT, authority) as bed,
        real_controller(config, tmp_path) as rest,
    ):
        eventually(lambda: everybody_is_there(rest), "hosts and the circuit switch")
        assert ask(rest, "sdd/status")["hybrid"] == HYBRID
        keep_order(bed)
        receiver = bed.start("h2", "python3", "-c", RECEIVER)
        assert receiver.stdout.readline() == "ready\n"
        end, arrived = tmp_path / "end", tmp_path / "arrived"
        files = (str(end), str(arrived))
        sender = bed.start("h1", "python3", "-c", BURSTS, bed.address("h2"), *files)
        eventually(lambda: min(ways(rest, queue)) > 200, lambda: ways(rest, queue))
        eventually(lambda: ask(rest, "sdd/schedule")["days"], "week with days")
        end.touch()
        eventually(lambda: receiver.poll() is not None, "last packet")
        arrived.touch()
        eventually(lambda: sender.poll() is not None, "end of the sender")
        numbers = json.loads(receiver.stdout.read())
        assert len(numbers) > 200
        assert all(one < later for one, later in itertools.pairwise(numbers))
        # Whatever left is accounted for, once.
        eventually(lambda: queue_of(bed, "h1", queue)["packets"] == 0, "empty queue")
        eventually(lambda: at_switch(rest) == sent(bed), lambda: (at_switch(rest), sent(bed)))


@pytest.mark.extended
def test_what_a_trigger_closes_takes_the_packet_switch_neither(authority, tmp_path):
    config = configure(
        authority,
        tmp_path,
        circuitSwitch="switch",
        lostAfterPeriods=100_000,
        circuitBps=LINK_BPS,
        packetBps=5_000_000,
        hybrid=HYBRID,
    )
    with (
        Bed(BedPlan(hosts=2, pace_to_link=True), tmp_path, PORT, authority) as bed,
        real_controller(config, tmp_path) as rest,
    ):
        eventually(lambda: everybody_is_there(rest), "hosts and the circuit switch")
        bed.start("h1", "python3", "-c", BURSTS, bed.address("h2"), str(tmp_path / "never"))
        eventually(lambda: min(ways(rest)) > 100, lambda: ways(rest))
        hold = {"name": "hold", "queue": "to:h2", "when": "packets > 0"}
        hold["actions"] = [{"action": "close", "queue": "to:h2", "hosts": ["h1"]}]
        assert send_json(rest, "PUT", "sdd/triggers", [hold])[0] == 200
        eventually(lambda: trigger_at_h1(rest, "hold")["inForce"], lambda: ask(rest, "sdd/events"))
        # when the weeks planned before are over, however late the host is
        eventually(lambda: stands_still(rest), lambda: ways(rest))
        held = ways(rest)
        pass_periods(rest, 10)
        assert ways(rest) == held
        assert queue_of(bed, "h1", TO_H2)["packets"] > 0
        assert send_json(rest, "PUT", "sdd/triggers", [])[0] == 200
        eventually(lambda: min(n - h for n, h in zip(ways(rest), held, strict=True)) > 100, "both")


def pass_periods(rest: str, count: int) -> None:
    """Returns when the controller has carried out so many more periods."""
    before = ask(rest, "sdd/status")["periods"]
    eventually(lambda: ask(rest, "sdd/status")["periods"] >= before + count, "periods")


def stands_still(rest: str) -> bool:
    before = ways(rest)
    pass_periods(rest, 4)
    return ways(rest) == before


def everybody_is_there(rest: str) -> bool:
    status = ask(rest, "sdd/status")
    return status["connected"] == 2 and status["circuitSwitch"]


def ways(rest: str, number: int = TO_H2) -> tuple[int, int]:
    """The packets of h1 to h2 that circuits carried, and the packet switch, as REST has them; none
    before the host has its queues."""
    rows = ask(rest, "sdd/queues?host=h1")["queues"]
    queues = [row for row in rows if row["queue"] == number]
    packet_switch = sum(queue["packetSwitchPackets"] for queue in queues)
    return sum(queue["sentPackets"] for queue in queues) - packet_switch, packet_switch


def sent(bed: Bed) -> tuple[int, int]:
    """What h1 has sent to circuits, and to the packet switch, through all its queues."""
    queues = bed.statistics()["hosts"]["h1"]["queues"]
    packet_switch = sum(queue["packetSwitchPackets"] for queue in queues)
    return sum(queue["sentPackets"] for queue in queues) - packet_switch, packet_switch


def at_switch(rest: str) -> tuple[int, int]:
    """What of h1 came to the circuit switch for circuits, and for the packet switch."""
    port = ask(rest, "sdd/misses")["circuitSwitch"]["ports"][0]
    circuits = port["circuitPackets"] + port["droppedInNight"] + port["droppedOutOfSlot"]
    return circuits, port["packetPackets"] + port["droppedOther"]
