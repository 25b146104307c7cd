"""Circuit classes at the real sdd-host: each has queues of its own, which its circuits empty."""

from __future__ import annotations

import pytest
from sdd_controller import PORT, ask, configure, real_controller
from waiting import eventually

from evenweave_testbed.sdd.bed import Bed, BedPlan

pytestmark = [pytest.mark.fabric, pytest.mark.real_time]

HOSTS = BedPlan(hosts=2)
# Queues of h1 to h2: of what is in no class, and, behind the packet queue, of the two classes.
REST, SHUFFLE, URGENT = 1, 4, 6
UDP = 17
PACKETS = 40
SEND = """
import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for _ in range(int(sys.argv[2])):
    for port in (7, 8, 9):
        s.sendto(bytes(1000), (sys.argv[1], port))
"""


def test_each_class_has_queues_that_its_circuits_empty(authority, tmp_path):
    # A host that hears nothing for long would follow its safe policy instead.
    config = configure(
        authority,
        tmp_path,
        circuitSwitch="switch",
        lostAfterPeriods=100_000,
        scheduler="fastpass",
        order="smallestCoflow",
        circuitClasses=[
            {"name": "shuffle", "coflow": True, "flows": flows(7)},
            {"name": "urgent", "priority": 7, "flows": flows(8)},
        ],
    )
    with (
        Bed(HOSTS, tmp_path, PORT, authority) as bed,
        real_controller(config, tmp_path) as rest,
    ):
        eventually(lambda: ask(rest, "sdd/status")["connected"] == 2, "hosts")
        eventually(lambda: set(sent(bed)) >= {REST, SHUFFLE, URGENT}, "queues")
        back = {queue - 1 for queue in (REST, SHUFFLE, URGENT)}
        eventually(lambda: set(sent(bed, "h2")) >= back, "queues of h2 to h1")
        # Flows are mapped after that, and hosts answer in order.
        ask(rest, "sdd/queues?host=h1")
        bed.run("h1", "python3", "-c", SEND, bed.address("h2"), str(PACKETS))
        wanted = dict.fromkeys((REST, SHUFFLE, URGENT), PACKETS)
        eventually(lambda: wanted.items() <= sent(bed).items(), lambda: sent(bed))
        rows = {row["queue"]: row for row in ask(rest, "sdd/queues?host=h1")["queues"]}
        assert [(rows[q]["to"], rows[q].get("class"), rows[q]["priority"]) for q in wanted] == [
            ("h2", None, 0),
            ("h2", "shuffle", 0),
            ("h2", "urgent", 7),
        ]
        shown = ask(rest, "sdd/demand")["classes"]
        assert [(c["class"], c["priority"], c["coflow"]) for c in shown] == [
            ("shuffle", 0, True),
            ("urgent", 7, False),
        ]


def flows(port: int) -> list[dict]:
    return [{"protocol": UDP, "destinationPort": port}]


def sent(bed: Bed, host: str = "h1") -> dict[int, int]:
    """What each queue of a host has sent, packets."""
    queues = bed.statistics()["hosts"][host]["queues"]
    return {queue["number"]: queue["sentPackets"] for queue in queues}
