"""Circuit classes that want more than a host can receive share its circuits by their weights."""

from __future__ import annotations

import pytest
from sdd_controller import PORT, ask, configure, real_controller
from waiting import eventually

from evenweave_testbed.sdd.bed import Bed, BedPlan

pytestmark = [pytest.mark.fabric, pytest.mark.real_time]

# gold comes from h1 and silver from h2, each more than a circuit of h3 carries.
HOSTS = BedPlan(hosts=3, link_bps=5_000_000, pace_to_link=True)
TIMESLOTS = 8
UDP = 17
CLASSES = {"gold": ("h1", 7, 3), "silver": ("h2", 8, 1)}
# Each up to three times what a circuit of h3 carries.
SENDER = """
import socket, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
while True:
    for _ in range(2):
        s.sendto(bytes(1000), (sys.argv[1], int(sys.argv[2])))
    time.sleep(0.001)
"""
# What a timeslot of a day of 20 ms carries at most, and one that began in the day before.
DAY_PACKETS = HOSTS.link_bps * 20 // 8_000 // 1000 + 1
# Of gold, in twelve and a half weeks. More waits before, so that no week wants for demand although
# a busy machine stops the senders.
COUNTED = 900
WEEKS_THAT_WAIT = 14


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("loop", ["tight", "loose"])
def test_classes_that_compete_get_circuits_by_weight(authority, tmp_path, loop):
    # A host that hears nothing for long would follow its safe policy instead.
    config = configure(
        authority,
        tmp_path,
        hosts=HOSTS.names(),
        circuitSwitch="switch",
        lostAfterPeriods=100_000,
        loop=loop,
        periodNs=160_000_000,
        slotNs=17_000_000,
        circuitBps=HOSTS.link_bps,
        scheduler="fastpass",
        order="weightedShares",
        circuitClasses=[
            {"name": name, "weight": weight, "flows": [{"protocol": UDP, "destinationPort": port}]}
            for name, (_, port, weight) in CLASSES.items()
        ],
    )
    with (
        Bed(HOSTS, tmp_path, PORT, authority) as bed,
        real_controller(config, tmp_path) as rest,
    ):
        eventually(lambda: ask(rest, "sdd/status")["connected"] == 3, "hosts")
        assert ask(rest, "sdd/status")["order"] == "weightedShares"
        jobs = {
            name: bed.start(host, "python3", "-c", SENDER, bed.address("h3"), str(port))
            for name, (host, port, _) in CLASSES.items()
        }
        eventually(lambda: both_want_enough(rest), lambda: ask(rest, "sdd/demand"))
        # The week that is planned for that demand is announced next.
        planned = ask(rest, "sdd/status")["periods"]
        eventually(lambda: ask(rest, "sdd/status")["periods"] > planned + 1, "periods")
        first = ask(rest, "sdd/status")["periods"]
        before = sent(rest)
        seen = []

        def enough_is_sent() -> bool:
            seen.append(circuits_to_h3(rest))
            return sent(rest)["gold"] - before["gold"] >= COUNTED

        eventually(enough_is_sent, lambda: sent(rest))
        after = sent(rest)
        assert set(seen) == {(6, 2)}
        # Each class keeps to its timeslots in the weeks that began, the first and the last. Those
        # for which a busy machine was late are missing.
        weeks = ask(rest, "sdd/status")["periods"] - first + 2
        for name, timeslots in {"gold": 6, "silver": 2}.items():
            assert 0 < after[name] - before[name] <= weeks * timeslots * DAY_PACKETS
        shown = ask(rest, "sdd/demand")["classes"]
        assert [(c["class"], c["weight"]) for c in shown] == [("gold", 3), ("silver", 1)]
        # What gold does not want any more is silver's.
        jobs["gold"].kill()
        eventually(lambda: circuits_to_h3(rest) == (0, TIMESLOTS), lambda: circuits_to_h3(rest))


def both_want_enough(rest: str) -> bool:
    week = HOSTS.link_bps * 160 // 8_000
    wanted = [row["bytes"] for row in ask(rest, "sdd/demand")["classes"]]
    return min(wanted) > WEEKS_THAT_WAIT * week


def circuits_to_h3(rest: str) -> tuple[int, int]:
    """Of the week announced last, the timeslots of h1 and of h2."""
    days = ask(rest, "sdd/schedule")["days"]
    circuits = [(c["from"], c["to"]) for day in days for c in day["circuits"]]
    return circuits.count(("h1", "h3")), circuits.count(("h2", "h3"))


def sent(rest: str) -> dict[str, int]:
    """The packets of each class that have left."""
    rows = {
        name: ask(rest, f"sdd/queues?host={host}")["queues"] for name, (host, *_) in CLASSES.items()
    }
    return {
        name: next(
            row["sentPackets"]
            for row in of_host
            if (row.get("to"), row.get("class")) == ("h3", name)
        )
        for name, of_host in rows.items()
    }
