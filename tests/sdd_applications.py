"""What tests of applications with queues at sdd-host share: a bed whose root may have some."""

from __future__ import annotations

from evenweave_testbed.sdd.bed import Bed, BedPlan

FIRST = 48  # of the applications' queues, with 64 in all
ROOT_RULE = {
    "user": "root",
    "queues": 3,
    "mappings": 2,
    "conditions": 3,
    "triggers": 2,
    "connections": 3,
    "priority": 5,
    "network": "circuit",
    "matches": [{"protocol": 17}],
    "observes": [0],
}
PLAN = BedPlan(hosts=2, circuit_switch=False, access=[ROOT_RULE])


def owned(bed: Bed) -> list[dict]:
    return [queue for queue in bed.statistics()["hosts"]["h1"]["queues"] if "owner" in queue]
