"""Traffic classes under the real SDD controller: hosts keep to the rates that REST tells."""

from __future__ import annotations

import json
import time

import pytest
from sdd_controller import PORT, ask, configure, real_controller, send_json
from sdd_pair import PACKET_BYTES, SENDER, keep_order, sent_packets
from waiting import eventually

from evenweave_testbed.sdd.bed import Bed, BedPlan

pytestmark = [pytest.mark.fabric, pytest.mark.real_time]

HOSTS = BedPlan(hosts=2)
CAPACITY_BPS = 2_000_000
CEILING_BPS = 200_000
WEB, VIDEO, BACKUP = 3, 4, 5  # queues: behind those of two hosts and the packet queue
UDP = 17
SHARING = {
    "capacityBps": CAPACITY_BPS,
    "packetBytes": PACKET_BYTES,
    "classes": [
        {"name": "tenant", "weight": 3},
        {"name": "web", "in": "tenant", "flows": [{"protocol": UDP, "destinationPort": 7}]},
        {"name": "video", "flows": [{"protocol": UDP, "destinationPort": 8}]},
        {
            "name": "backup",
            "ceilingBps": CEILING_BPS,
            "flows": [{"protocol": UDP, "destinationPort": 9}],
        },
    ],
}

GUARANTEED_BPS = 150_000
OTHERS = {
    "capacityBps": CAPACITY_BPS,
    "packetBytes": PACKET_BYTES,
    "classes": [
        {
            "name": "archive",
            "guaranteedBps": GUARANTEED_BPS,
            "ceilingBps": CEILING_BPS,
            "flows": [{"protocol": UDP, "destinationPort": 9}],
        },
        {"name": "web", "weight": 9, "flows": [{"protocol": UDP, "destinationPort": 7}]},
    ],
}
# Two flows of numbered packets, eight of each every half second: two thirds of what the slower may
# send, so that no queue is ever full, and packets wait most of the time. They end with one of the
# last number once a file is there.
LAST = 65_535
BURSTS = f"""
import os, socket, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
def send(number):
    for port in (7, 9):
        s.sendto(number.to_bytes(2, "big") + bytes(998), (sys.argv[1], port))
number = 0
while not os.path.exists(sys.argv[2]):
    for _ in range(8):
        send(number)
        number += 1
    time.sleep(0.5)
send({LAST})
"""
# What comes, by port, until the last has come to each.
RECEIVER = f"""
import json, select, socket
ports = (7, 9)
sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for port in ports]
numbers = {{port: [] for port in ports}}
SO_RCVBUFFORCE = 33
for s, port in zip(sockets, ports):
    s.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 1 << 20)  # also while a busy machine stops it
    s.bind(("", port))
print("ready", flush=True)
while any(not got or got[-1] != {LAST} for got in numbers.values()):
    for s in select.select(sockets, [], [])[0]:
        packet = s.recv(2000)
        numbers[s.getsockname()[1]].append(int.from_bytes(packet[:2], "big"))
print(json.dumps(numbers))
"""


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("method", ["tree", "rcp"])
def test_classes_share_what_a_host_sends_and_keep_to_their_ceilings(authority, tmp_path, method):
    # A host that hears nothing for long would follow its safe policy instead.
    config = configure(
        authority,
        tmp_path,
        circuitSwitch="switch",
        lostAfterPeriods=100_000,
        sharing=by_method(method),
    )
    with (
        Bed(HOSTS, tmp_path, PORT, authority) as bed,
        real_controller(config, tmp_path) as rest,
    ):
        eventually(lambda: ask(rest, "sdd/status")["connected"] == 2, "hosts")
        # Each sends up to 8 Mb/s, many times what there is.
        for port in (7, 8, 9):
            bed.start("h1", "python3", "-c", SENDER, bed.address("h2"), str(port))
        for queue in (WEB, VIDEO, BACKUP):
            eventually(lambda q=queue: sent_packets(bed, "h1", q) > 5, f"queue {queue}")
        eventually(lambda: settled(rates(rest), method), lambda: rates(rest))
        sent, seconds = sent_in(bed, 3)
        # A packet that was due before, and one for the gap between two rates.
        slack = 2 * PACKET_BYTES
        assert 0 < sent[BACKUP] <= CEILING_BPS / 8 * seconds + slack
        assert sent[WEB] > 0 and sent[VIDEO] > 0
        # On a busy machine senders may pause, and be back: by RCP, one then has what the other had
        # until a later report. The tree never gives out more than there is, but for small changes.
        most_bps = 1.2 * CAPACITY_BPS if method == "tree" else 2 * CAPACITY_BPS + CEILING_BPS
        assert sum(sent.values()) <= most_bps / 8 * seconds + 3 * slack
        (queue,) = [q for q in ask(rest, "sdd/queues?host=h1")["queues"] if q["queue"] == BACKUP]
        assert queue["class"] == "backup"
        described = {row["name"]: row for row in ask(rest, "sdd/rates")["classes"]}
        assert described["web"]["in"] == "tenant"
        assert [described[name].get("queue") for name in ("tenant", "web", "video", "backup")] == [
            None,
            WEB,
            VIDEO,
            BACKUP,
        ]


@pytest.mark.extended
def test_other_classes_lose_and_reorder_nothing_while_packets_wait(authority, tmp_path):
    # A host that hears nothing for long would follow its safe policy instead.
    config = configure(
        authority, tmp_path, circuitSwitch="switch", lostAfterPeriods=100_000, sharing=SHARING
    )
    with (
        Bed(HOSTS, tmp_path, PORT, authority) as bed,
        real_controller(config, tmp_path) as rest,
    ):
        set_up(bed, rest)
        keep_order(bed)
        receiver = bed.start("h2", "python3", "-c", RECEIVER)
        assert receiver.stdout.readline() == "ready\n"
        connected = bed.log("sdd-host").count("controller: connected")
        end = tmp_path / "end"
        bed.start("h1", "python3", "-c", BURSTS, bed.address("h2"), str(end))
        for sharing in [OTHERS, SHARING] * 3:
            name = "archive" if sharing is OTHERS else "backup"
            assert send_json(rest, "PUT", "sdd/sharing", sharing) == (200, sharing)
            # It is a class's turn to change its queue while some of its packets wait.
            eventually(lambda n=name: waiting(rest, n) > 0, "packets that wait")
        eventually(lambda: "sentBps" in rates_of(rest, "backup"), "measured rate")
        # No window of a second or more holds more than its rate and two packets: the first may be
        # late, and one catches up (gate.c).
        assert rates_of(rest, "backup")["sentBps"] <= CEILING_BPS + 2 * 8 * PACKET_BYTES
        beyond = OTHERS | {"capacityBps": GUARANTEED_BPS - 1}
        refused, answer = send_json(rest, "PUT", "sdd/sharing", beyond)
        assert (refused, answer["error"]) == (
            409,
            f"capacityBps: guarantees of {GUARANTEED_BPS} bit/s exceed the limit of"
            f" {GUARANTEED_BPS - 1} bit/s",
        )
        assert ask(rest, "sdd/sharing") == SHARING
        end.touch()
        eventually(lambda: receiver.poll() is not None, "last packet of each flow")
        for port, numbers in json.loads(receiver.stdout.read()).items():
            assert numbers == [*range(len(numbers) - 1), LAST], port
        # Queues of classes that are gone are closed, and nobody had to connect again.
        wanted = {row["queue"] for row in ask(rest, "sdd/rates")["classes"] if "queue" in row}
        eventually(lambda: class_queues(bed) == wanted, lambda: class_queues(bed))
        assert bed.log("sdd-host").count("controller: connected") == connected


def by_method(method: str) -> dict:
    """The classes for this method: weights are for the tree alone."""
    if method == "tree":
        return SHARING
    classes = [{k: v for k, v in row.items() if k != "weight"} for row in SHARING["classes"]]
    return SHARING | {"method": method, "classes": classes}


def rates_of(rest: str, name: str) -> dict:
    """A class's row at h1; empty if there is no such class."""
    rows = ask(rest, "sdd/rates")["rates"]
    return next((r for r in rows if (r["host"], r["class"]) == ("h1", name)), {})


def waiting(rest: str, name: str) -> int:
    return rates_of(rest, name).get("queuedBytes", 0)


def set_up(bed: Bed, rest: str) -> None:
    """Waits until both hosts have all flows mapped, without which first packets would be lost."""
    for host in ("h1", "h2"):
        eventually(lambda h=host: class_queues(bed, h) == {WEB, VIDEO, BACKUP}, "queues")
    # The controller maps flows right after, before it answers this; and hosts answer in order.
    ask(rest, "sdd/rates")
    ask(rest, "sdd/queues?host=h1")


def class_queues(bed: Bed, host: str = "h1") -> set[int]:
    queues = bed.statistics()["hosts"][host]["queues"]
    return {queue["number"] for queue in queues if queue["number"] >= WEB}


def settled(found: dict[str, int], method: str) -> bool:
    """Whether the rates are what they should be while everybody sends."""
    if method == "tree":
        shared = CAPACITY_BPS - CEILING_BPS
        wanted = {"web": shared * 3 / 4, "video": shared / 4, "backup": CEILING_BPS}
        # rates that differ by less stay as they are
        return all(abs(found[name] - rate) <= rate / 16 for name, rate in wanted.items())
    return found["web"] == found["video"] < 0.6 * CAPACITY_BPS


def rates(rest: str) -> dict[str, int]:
    rows = ask(rest, "sdd/rates")["rates"]
    return {row["class"]: row["rateBps"] for row in rows if row["host"] == "h1"}


def sent_in(bed: Bed, seconds: float) -> tuple[dict[int, int], float]:
    """What each class's queue sends from now on, and in which time by the host's clock."""
    before = bed.statistics()
    time.sleep(seconds)
    after = bed.statistics()

    def counts(statistics: dict) -> dict[int, int]:
        queues = statistics["hosts"]["h1"]["queues"]
        return {q["number"]: q["sentBytes"] for q in queues if q["number"] >= WEB}

    first, last = counts(before), counts(after)
    return {q: last[q] - first[q] for q in last}, (after["timeNs"] - before["timeNs"]) / 1e9
