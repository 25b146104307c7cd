"""How frames of applications come in other than from a TAP device on the first core."""

from __future__ import annotations

import pytest
from sdd_pair import FOR_EVER, obeyed, pair_up, queue_of
from waiting import eventually

from evenweave_testbed.sdd.bed import Bed, BedPlan

pytestmark = [pytest.mark.fabric, pytest.mark.real_time]

WAYS = {
    "ingesting core": BedPlan(
        hosts=2, circuit_switch=False, process={"cores": {"evaluate": 0, "ingest": 1}}
    ),
    "veth pair": BedPlan(hosts=2, circuit_switch=False, driver="af_xdp", veth=True),
    "both": BedPlan(
        hosts=2,
        circuit_switch=False,
        driver="af_xdp",
        veth=True,
        process={"cores": {"evaluate": 0, "ingest": 1}},
    ),
}


BYTES = 2_000_000
SERVER = """
import socket
connection, _ = socket.create_server(("", 5000)).accept()
size = 0
while part := connection.recv(65536):
    size += len(part)
connection.sendall(str(size).encode())
"""
CLIENT = """
import socket, sys, time
while True:
    try:
        connection = socket.create_connection((sys.argv[1], 5000))
        break
    except ConnectionRefusedError:  # it does not listen yet
        time.sleep(0.1)
connection.sendall(bytes(int(sys.argv[2])))
connection.shutdown(socket.SHUT_WR)
print(connection.recv(100).decode())
"""


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("plan", WAYS.values(), ids=WAYS)
def test_applications_talk_through_the_queues(start_bed, plan):
    bed, controller = start_bed(plan)
    one, _ = pair_up(bed, controller)
    bed.start("h2", "python3", "-c", SERVER)
    one.command((0, "START", FOR_EVER))
    command = ("python3", "-c", CLIENT, bed.address("h2"), str(BYTES))
    done = bed.run("h1", *command)
    assert done.stdout.strip() == str(BYTES), done.stderr
    assert queue_of(bed, "h1")["sentBytes"] >= BYTES
    one.command((0, "STOP", 0))
    obeyed(one)
    for name in ("h1", "h2"):
        eventually(lambda name=name: every_frame_is_accounted_for(bed, name), "account of all")


def every_frame_is_accounted_for(bed: Bed, name: str) -> bool:
    """What came in was queued or is counted as lost, and what was queued left or waits."""
    host = bed.statistics()["hosts"][name]
    (queue,) = host["queues"]
    lost = host["unmapped"] + host["overflowed"] + host["noBuffer"] + host["malformed"]
    came, waits = queue["receivedPackets"], queue["packets"]
    return host["fromApplications"] == came + lost and came == queue["sentPackets"] + waits
