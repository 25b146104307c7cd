"""Applications that open queues of their own at a live sdd-host, by its socket.

What they may do is in docs/reference/sdd-applications.md.
"""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import Callable, Iterator

import pytest
from sdd_applications import FIRST, PLAN, owned
from sdd_pair import match, pair_up, queue_of, send_steadily
from waiting import eventually

from evenweave_sdd import Host, Queue, SddError, connect
from evenweave_testbed.sdd.bed import Bed
from evenweave_testbed.sdd.stand_in import StandIn

pytestmark = [pytest.mark.fabric, pytest.mark.real_time]

UDP_TO_7 = {"protocol": 17, "destinationPort": 7}


@pytest.fixture
def pair(start_bed: Callable) -> tuple[Bed, StandIn]:
    """h1 and h2, whose queues 0 take everything and are open."""
    bed, controller = start_bed(PLAN)
    one, _ = pair_up(bed, controller)
    one.ok("AddDequeueCondition", queue=0, condition="TRUE")
    return bed, controller


@pytest.fixture
def host(pair: tuple[Bed, StandIn]) -> Iterator[Host]:
    """A connection to h1."""
    with connect(pair[0].applications("h1"), "test") as connection:
        yield connection


def held(host: Host) -> Queue:
    """A shut queue for what send_steadily sends."""
    queue = host.open_queue(closedByDefault=True)
    queue.map(UDP_TO_7)
    return queue


def refused(call: Callable, *arguments: object, **named: object) -> str:
    with pytest.raises(SddError) as error:
        call(*arguments, **named)
    return error.value.status


def test_an_application_holds_its_flows_back_and_lets_them_go(pair, host):
    bed, _ = pair
    queue = held(host)
    assert queue.number == FIRST
    send_steadily(bed, "h1", "h2")
    eventually(lambda: queue.statistics()["packets"] > 10, "packets that wait")
    assert queue.statistics()["sentPackets"] == 0
    queue.add_condition("TRUE")
    eventually(lambda: queue.statistics()["sentPackets"] > 10, "packets that leave")
    queue.remove_condition("TRUE")
    queue.add_condition("sentPackets < 0")
    sent = queue.statistics()["sentPackets"]
    time.sleep(0.2)
    assert queue.statistics()["sentPackets"] == sent


@pytest.mark.extended
def test_it_is_told_when_its_conditions_become_true(pair, host):
    bed, _ = pair
    queue = held(host)
    trigger = queue.add_trigger("packets >= 20", cookie=9)
    send_steadily(bed, "h1", "h2")
    event = host.next_event()
    assert (event.method, event.trigger, event.cookie) == ("triggered", trigger, 9)
    assert (event.queue, event.packets, event.dropped) == (queue.number, 20, 0)
    queue.remove_trigger(trigger)
    assert refused(queue.remove_trigger, trigger) == "NOT_FOUND"
    # a condition may read another of its queues
    other = host.open_queue()
    queue.add_condition(f"Q[{other.number}].flows = 0")
    eventually(lambda: queue.statistics()["packets"] == 0, "empty queue")


@pytest.mark.extended
def test_flows_move_between_its_queues_with_their_packets(pair, host):
    bed, _ = pair
    shut, open_one = held(host), host.open_queue()
    send_steadily(bed, "h1", "h2")
    eventually(lambda: shut.statistics()["packets"] > 10, "packets that wait")
    assert host.queues_for_flows(UDP_TO_7) == [shut.number]
    shut.move_to(open_one, UDP_TO_7)
    eventually(lambda: open_one.statistics()["sentPackets"] > 10, "packets that leave")
    assert shut.statistics()["packets"] == 0
    assert refused(shut.unmap, {"protocol": 17}) == "NOT_FOUND"
    open_one.unmap(UDP_TO_7)
    before = queue_of(bed, "h1")["sentPackets"]
    eventually(lambda: queue_of(bed, "h1")["sentPackets"] > before + 10, "packets as before")


@pytest.mark.extended
def test_what_a_controller_left_behind_is_nothing_of_applications(pair, host):
    bed, controller = pair
    queue = held(host)
    send_steadily(bed, "h1", "h2")
    controller.forget("h1")
    controller.session("h1").ok("EndSetup")
    assert host.queues_for_flows(UDP_TO_7) == [queue.number]
    before = queue.statistics()["packets"]
    eventually(lambda: queue.statistics()["packets"] > before + 10, "packets that wait")


NUMBERED = """
import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for number in range(300):
    s.sendto(number.to_bytes(4, "big"), (sys.argv[1], 7))
"""
RECEIVER = """
import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
SO_RCVBUFFORCE = 33
s.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 1 << 20)  # room for all, which come at once
s.bind(("", 7))
print("bound", flush=True)
print([int.from_bytes(s.recv(4), "big") for _ in range(300)] == list(range(300)))
"""
APPLICATION = """
import sys
from evenweave_sdd import connect
host = connect(sys.argv[1], "doomed")
queue = host.open_queue(closedByDefault=True)
queue.map({"protocol": 17, "destinationPort": 7})
print(queue.number, flush=True)
host.next_event()
"""


@pytest.mark.extended
@pytest.mark.parametrize("mapped_without_it", [True, False])
def test_what_waits_leaves_in_order_when_its_application_is_killed(pair, mapped_without_it):
    bed, controller = pair
    command = ["python3", "-c", APPLICATION, bed.applications("h1")]
    application = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert application.stdout.readline() == f"{FIRST}\n"
    assert owned(bed)[0]["owner"]["application"] == "doomed"
    receiver = bed.start("h2", "python3", "-c", RECEIVER)
    assert receiver.stdout.readline() == "bound\n"
    assert bed.run("h1", "python3", "-c", NUMBERED, bed.address("h2")).returncode == 0
    eventually(lambda: owned(bed)[0]["packets"] == 300, "packets that wait")
    if not mapped_without_it:
        controller.session("h1").ok("UnmapFlow", match=match())
    application.kill()
    application.communicate()
    assert receiver.stdout.readline() == "True\n"
    eventually(lambda: not owned(bed), "end of its queue")


@pytest.mark.extended
def test_triggers_of_the_controller_reach_those_who_listen(pair, host):
    bed, controller = pair
    one = controller.session("h1")
    with connect(bed.applications("h1"), "deaf") as deaf:
        host.listen(0)
        one.ok("AddTrigger", queue=0, target="APPLICATION", cookie=77, condition="bytes >= 0")
        event = host.next_event()
        assert (event.method, event.queue, event.cookie) == ("event", 0, 77)
        host.ignore(0)
        one.ok("AddTrigger", queue=0, target="APPLICATION", cookie=78, condition="bytes >= 0")
        deaf.statistics(0)  # behind anything that the trigger could have caused
        assert host.next_event(0.2) is None and deaf.next_event(0) is None
    assert refused(host.listen, 1) == "DENIED"
    assert "TriggerFired" not in one.latest


@pytest.mark.extended
def test_a_new_session_of_the_controller_leaves_applications_alone(pair, host):
    bed, controller = pair
    queue = held(host)
    queue.add_trigger("packets >= 20", cookie=5)
    assert controller.session("h1").hello["maxQueues"] == FIRST
    controller.forget("h1")
    one = controller.session("h1")
    one.wait_for("ClockStatus")  # after which what was of the session before is gone
    assert one.request("AddDequeueCondition", queue=FIRST, condition="TRUE")["status"] == "QUEUE"
    assert one.request("RemoveQueue", queue=FIRST)["status"] == "QUEUE"
    assert one.request("RemoveTrigger", trigger=0)["status"] == "NOT_FOUND"
    one.command((FIRST, "START", 2**63 - 1))
    send_steadily(bed, "h1", "h2")
    assert host.next_event().cookie == 5
    assert queue.statistics()["sentPackets"] == 0


def test_what_it_may_not_do_is_refused_and_changes_nothing(pair, host):
    bed, _ = pair
    queue = held(host)
    second, third = host.open_queue(), host.open_queue()
    before = bed.statistics()["hosts"]["h1"]["queues"]
    assert refused(host.open_queue) == "QUOTA"
    assert refused(queue.configure, priority=6) == "DENIED"
    assert refused(queue.configure, maxPackets=0) == "PARAMETER"
    assert refused(queue.configure, maxPackets=2001) == "QUOTA"  # of 4000, and 1000 in the others
    assert refused(queue.map, {"protocol": 6, "destinationPort": 80}) == "DENIED"
    assert refused(queue.map, {}) == "DENIED"
    second.map({"protocol": 17, "destinationPort": 8})
    assert refused(second.map, {"protocol": 17, "destinationPort": 9}) == "QUOTA"
    assert refused(queue.add_condition, "Q[1].packets = 0") == "DENIED"
    assert refused(queue.add_trigger, "Q[1].packets = 0") == "DENIED"
    queue.add_condition("Q[0].packets > 1000000")
    windows = [f"(currTime > {10**18 + i} AND currTime < {10**18 + i + 5})" for i in (0, 10, 20)]
    assert refused(queue.add_condition, " OR ".join(windows)) == "QUOTA"
    queue.add_condition(" OR ".join(windows[:2]))
    assert refused(queue.add_condition, "packets > 5") == "QUOTA"
    for _ in range(2):
        third.add_trigger("packets > 1000000")
    assert refused(third.add_trigger, "packets > 1000000") == "QUOTA"
    assert refused(host.request, "closeQueue", queue=0) == "QUEUE"
    assert refused(host.request, "configureQueue", queue=0) == "QUEUE"
    with connect(bed.applications("h1"), "another") as another:
        assert refused(another.statistics, queue.number) == "DENIED"
        assert refused(another.request, "closeQueue", queue=queue.number) == "QUEUE"
        assert refused(another.open_queue) == "QUOTA"  # of the user, not of the connection
    assert bed.statistics()["hosts"]["h1"]["queues"] == before


@pytest.mark.extended
def test_what_is_mapped_already_is_its_owners(pair, host):
    bed, controller = pair
    one = controller.session("h1")
    flows = match() | {"protocol": 17, "destinationPort": 7, "wildcards": 1}
    one.ok("MapFlow", queue=0, flowPriority=0, match=flows)
    queue = host.open_queue()
    assert refused(queue.map, UDP_TO_7) == "EXISTS"
    one.ok("UnmapFlow", match=flows)
    queue.map(UDP_TO_7)
    one.ok("MapFlow", queue=0, flowPriority=0, match=flows)  # the controller may take it
    queue.close()
    assert one.ok("GetQueuesForFlows", match=flows)["queues"] == [{"queue": 0}]


@pytest.mark.extended
def test_bad_lines_are_answered_and_those_that_never_end_close_the_connection(pair):
    bed, _ = pair

    def answers(*lines: bytes) -> list[dict]:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(bed.applications("h1")))
            connection.sendall(b"".join(lines))
            connection.shutdown(socket.SHUT_WR)
            got = b"".join(iter(lambda: connection.recv(65536), b""))
        return [json.loads(line) for line in got.splitlines()]

    good = b'{"jsonrpc":"2.0","id":"a","method":"hello"}\n'
    codes = [
        (b"nonsense\n", -32700),
        (b"[]\n", -32600),
        (b'{"id":1,"method":"hello"}\n', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"fly"}\n', -32601),
        (b'{"jsonrpc":"2.0","id":1,"method":"openQueue","params":{"colour":1}}\n', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"closeQueue","params":{"queue":-1}}\n', -32602),
    ]
    *errors, last = answers(*(line for line, _ in codes), good)
    assert [error["error"]["code"] for error in errors] == [code for _, code in codes]
    assert last["result"]["host"] == "h1" and last["id"] == "a"
    (only,) = answers(b"x" * 9000)
    assert "too long" in only["error"]["message"]
    assert bed.statistics()["hosts"]["h1"]["applications"]["connected"] == 0


@pytest.mark.extended
def test_an_application_that_does_not_read_loses_its_events_and_nobody_elses(pair, host):
    bed, _ = pair
    # its trigger fires with each packet that arrives in the empty queue and leaves at once
    with connect(bed.applications("h1"), "deaf") as deaf:
        queue = deaf.open_queue()
        queue.map(UDP_TO_7)
        queue.add_trigger("packets > 0")
        send_steadily(bed, "h1", "h2")
        dropped = lambda: bed.statistics()["hosts"]["h1"]["applications"]["eventsDropped"]  # noqa: E731
        eventually(lambda: dropped() > 0, "events that are dropped")
        host.request("hello")
        sent = queue_of(bed, "h1", queue.number)["sentPackets"]
        eventually(lambda: queue_of(bed, "h1", queue.number)["sentPackets"] > sent, "packets")
        while (event := deaf.next_event()).dropped == 0:
            pass
        assert event.dropped > 0
