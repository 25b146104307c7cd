"""The operator's triggers at the real sdd-host: what they close is closed, and nothing is lost."""

from __future__ import annotations

import signal
import subprocess
import zlib

import pytest
from jvm import JAVA
from runtimes import JAR
from sdd_applications import ROOT_RULE
from sdd_controller import PORT, ask, configure, real_controller, send_json, trigger_at_h1
from sdd_pair import PACKET_BYTES, queue_of
from waiting import eventually

from evenweave_sdd import connect
from evenweave_testbed.sdd.bed import Bed, BedPlan

pytestmark = [pytest.mark.fabric, pytest.mark.real_time]

HOSTS = BedPlan(hosts=2)
WEB, BACKUP = 3, 4  # queues: behind those of two hosts and the packet queue
UDP = 17
# A packet of the first class in ten seconds, so that they wait until it may send more.
SLOW_BPS, FAST_BPS = 8 * PACKET_BYTES // 10, 10_000_000
WEB_PACKETS, BACKUP_PACKETS = 60, 5
FEW_BYTES = 5 * PACKET_BYTES


def sharing(web_bps: int) -> dict:
    return {
        "packetBytes": PACKET_BYTES,
        "classes": [
            {
                "name": "web",
                "ceilingBps": web_bps,
                "flows": [{"protocol": UDP, "destinationPort": 7}],
            },
            {"name": "backup", "flows": [{"protocol": UDP, "destinationPort": 9}]},
        ],
    }


FULL = {
    "name": "full",
    "hosts": ["h1"],
    "queue": "class:web",
    "when": f"bytes > {10 * PACKET_BYTES}",
    "until": f"bytes < {FEW_BYTES}",
    "actions": [{"action": "close", "queue": "class:backup"}],
}
# Closes its own queue, so that what waits is there until the operator lets it go.
HOLD = {
    "name": "hold",
    "queue": "class:web",
    "when": "packets > 3",
    "actions": [{"action": "close", "queue": "class:web"}],
}
SEND = """
import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for _ in range(int(sys.argv[3])):
    s.sendto(bytes(1000), (sys.argv[1], int(sys.argv[2])))
"""


def test_a_class_is_closed_while_another_waits_and_open_again_after(authority, tmp_path):
    config = configured(authority, tmp_path, [FULL])
    with (
        Bed(HOSTS, tmp_path, PORT, authority) as bed,
        real_controller(config, tmp_path) as rest,
    ):
        set_up(rest, "full")
        send(bed, 7, WEB_PACKETS)
        eventually(lambda: trigger_at_h1(rest, "full")["inForce"], lambda: ask(rest, "sdd/events"))
        # Requests are carried out in order: with this answer the queue is closed.
        ask(rest, "sdd/queues?host=h1")
        send(bed, 9, BACKUP_PACKETS)
        eventually(lambda: queues(bed, BACKUP)[0]["packets"] == BACKUP_PACKETS, "packets")
        assert queues(bed, BACKUP)[0]["sentPackets"] == 0
        assert send_json(rest, "PUT", "sdd/sharing", sharing(FAST_BPS))[0] == 200
        left: dict[str, dict] = {}

        def backup_leaves() -> bool:
            left["backup"], left["web"] = queues(bed, BACKUP, WEB)
            return left["backup"]["sentPackets"] > 0

        eventually(backup_leaves, lambda: ask(rest, "sdd/events"))
        # Both were read at once, and nobody gives the first class any more.
        assert left["web"]["bytes"] < FEW_BYTES
        eventually(
            lambda: [q["sentPackets"] for q in queues(bed, WEB, BACKUP)]
            == [WEB_PACKETS, BACKUP_PACKETS],
            "all packets",
        )
        events = [(e["event"], e["trigger"], e["host"]) for e in ask(rest, "sdd/events")["events"]]
        assert events == [("fired", "full", "h1"), ("ended", "full", "h1")]
        assert trigger_at_h1(rest, "full")["queuedBytes"] > 10 * PACKET_BYTES
        # On the command line, too; and what cannot be meant changes nothing.
        command = [*COMMAND, "show", "events", "--http", rest.removesuffix("/evenweave")]
        shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert "full  class:web  1      0" in shown
        assert send_json(rest, "PUT", "sdd/triggers", [FULL | {"queue": "to:h1"}]) == (
            409,
            {"error": 'triggers[0].hosts: "h1" has no queue to itself'},
        )
        assert send_json(rest, "DELETE", "sdd/sharing") == (
            409,
            {"error": 'triggers[0].queue: there is no class "web" in sharing'},
        )
        assert ask(rest, "sdd/triggers") == [FULL]


@pytest.mark.extended
def test_a_host_that_comes_back_watches_and_what_it_held_back_is_there(authority, tmp_path):
    config = configured(authority, tmp_path, [HOLD])
    with Bed(HOSTS, tmp_path, PORT, authority) as bed:
        with real_controller(config, tmp_path, ending=signal.SIGKILL) as rest:
            set_up(rest, "hold")
            send(bed, 7, WEB_PACKETS)
            eventually(
                lambda: trigger_at_h1(rest, "hold")["inForce"], lambda: ask(rest, "sdd/events")
            )
            ask(rest, "sdd/queues?host=h1")
            assert queue_of(bed, "h1", WEB)["packets"] > 0
        with real_controller(config, tmp_path) as rest:
            # It watches anew, and tells at once what is so already.
            eventually(lambda: trigger_at_h1(rest, "hold").get("fired") == 1, "trigger")
            ask(rest, "sdd/queues?host=h1")
            web = queue_of(bed, "h1", WEB)
            assert web["packets"] + web["sentPackets"] == WEB_PACKETS
            assert web["packets"] > 0
            # While packets wait: another trigger, and this one stays as it is.
            assert send_json(rest, "PUT", "sdd/triggers", [FULL, HOLD])[0] == 200
            assert trigger_at_h1(rest, "hold")["fired"] == 1
            assert send_json(rest, "POST", "sdd/triggers/hold/end") == (204, None)
            assert send_json(rest, "PUT", "sdd/sharing", sharing(FAST_BPS))[0] == 200
            eventually(lambda: queue_of(bed, "h1", WEB)["sentPackets"] == WEB_PACKETS, "packets")


@pytest.mark.extended
def test_applications_are_told_of_a_trigger_that_says_so(authority, tmp_path):
    told = FULL | {"applications": True}
    config = configured(authority, tmp_path, [told, FULL | {"name": "untold"}])
    plan = BedPlan(hosts=2, access=[ROOT_RULE | {"observes": [WEB]}])
    with (
        Bed(plan, tmp_path, PORT, authority) as bed,
        real_controller(config, tmp_path) as rest,
    ):
        set_up(rest, "full")
        set_up(rest, "untold")
        with connect(bed.applications("h1"), "observer") as host:
            host.listen(WEB)
            send(bed, 7, WEB_PACKETS)
            event = host.next_event()
            assert (event.method, event.queue) == ("event", WEB)
            assert event.cookie == zlib.crc32(b"full")
            assert event.bytes > 10 * PACKET_BYTES
            for name in ("full", "untold"):
                eventually(lambda n=name: trigger_at_h1(rest, n)["fired"] == 1, "the controller")
            # Withdrawn with the rest of the trigger: one that would fire at once tells nobody.
            others = [FULL | {"name": "untold", "when": "bytes >= 0"}]
            assert send_json(rest, "PUT", "sdd/triggers", others)[0] == 200
            eventually(lambda: trigger_at_h1(rest, "untold").get("fired") == 1, "the other one")
            host.statistics(WEB)  # behind anything that the triggers could have caused
            assert host.next_event(0) is None
        assert send_json(rest, "PUT", "sdd/triggers", [FULL | {"when": "Q[to:h1].bytes > 0"}]) == (
            409,
            {"error": 'triggers[0].when: at byte 2: "h1" has no queue to itself'},
        )


COMMAND = [*JAVA, "-jar", str(JAR), "sdd"]


def configured(authority, folder, triggers: list) -> object:
    # A host that hears nothing for long would follow its safe policy instead.
    return configure(
        authority,
        folder,
        circuitSwitch="switch",
        lostAfterPeriods=100_000,
        sharing=sharing(SLOW_BPS),
        triggers=triggers,
    )


def set_up(rest: str, trigger: str) -> None:
    """Waits until both hosts are there, whose addresses are mapped then, and h1 watches."""
    eventually(lambda: ask(rest, "sdd/status")["connected"] == 2, "hosts")
    eventually(lambda: trigger_at_h1(rest, trigger).get("state") == "watched", "trigger")


def send(bed: Bed, port: int, packets: int) -> None:
    bed.run("h1", "python3", "-c", SEND, bed.address("h2"), str(port), str(packets))


def queues(bed: Bed, *numbers: int) -> list[dict]:
    """Queues of h1, all read at once."""
    rows = {queue["number"]: queue for queue in bed.statistics()["hosts"]["h1"]["queues"]}
    return [rows[number] for number in numbers]
