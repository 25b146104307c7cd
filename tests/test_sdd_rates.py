"""Traffic classes under the real SDD controller: hosts keep to the rates that REST tells."""

from __future__ import annotations

import time

import pytest
from sdd_controller import PORT, ask, configure, real_controller
from sdd_pair import PACKET_BYTES, SENDER, sent_packets
from waiting import eventually

from evenweave_testbed.sdd.bed import Bed, BedPlan

pytestmark = pytest.mark.fabric

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


@pytest.mark.parametrize("method", ["tree", "rcp"])
def test_classes_share_what_a_host_sends_and_keep_to_their_ceilings(authority, tmp_path, method):
    # A host that hears nothing for long would follow its safe policy instead.
    config = configure(
        authority,
        tmp_path,
        circuitSwitch="switch",
        lostAfterPeriods=100_000,
        sharing=SHARING | {"method": method},
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
