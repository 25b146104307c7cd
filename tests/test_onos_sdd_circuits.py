"""Hybrid, triggers and circuit classes of the SDD controller inside ONOS, as operators configure
and see them: by the network configuration, on the command line and in REST."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from onos_sdd import (
    SENDER,
    Hosts,
    Keys,
    Operator,
    document,
    listens,
    make_keys,
    one_instance,
    one_operator,
)
from runtimes import LiveFabric, needs_onos
from waiting import eventually

from evenweave_testbed.onos.cluster import Onos
from evenweave_testbed.sdd.bed import BedPlan

pytestmark = [
    pytest.mark.fabric,
    pytest.mark.real_time,
    *needs_onos,
    pytest.mark.skipif(shutil.which("ssh") is None, reason="ONOS's command line needs ssh"),
]

# Two of them send to h2, each more than its half of a circuit and the packet switch carry.
HOSTS = BedPlan(hosts=3, link_bps=5_000_000, pace_to_link=True)
HYBRID = {"packetDelayNs": 5_000_000, "bps": 2_000_000}
TO_H2 = 1  # the queue of h1
UDP = 17
HOLD = {
    "name": "hold",
    "hosts": ["h1"],
    "queue": "to:h2",
    "when": "packets > 0",
    "actions": [{"action": "close", "queue": "to:h2"}],
}


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_keys(tmp_path_factory.mktemp("sdd") / "keys", *HOSTS.names(), "switch").folder


@pytest.fixture(scope="module")
def onos(live_fabric: LiveFabric, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Onos]:
    live_fabric.close()
    with one_instance(tmp_path_factory.mktemp("onos")) as running:
        yield running


@pytest.fixture
def operator(onos: Onos, tmp_path: Path) -> Iterator[Operator]:
    with one_operator(onos, tmp_path) as operator:
        yield operator


def configured(keys: Path, **more: object) -> dict:
    # A host that hears nothing for long would follow its safe policy instead.
    return document(HOSTS, keys, circuitSwitch="switch", lostAfterPeriods=100_000, **more)


@pytest.fixture
def hybrid(operator: Operator, keys: Path, tmp_path: Path) -> Iterator[Hosts]:
    """Hosts that send by circuits and by the packet switch."""
    assert operator.configure(configured(keys, packetBps=5_000_000, hybrid=HYBRID))[0] == 200
    eventually(listens, "SDD controller")
    with Hosts(HOSTS, tmp_path, Keys(keys)) as hosts:
        for sender in ("h1", "h3"):
            hosts.start(sender, "python3", "-c", SENDER, hosts.address("h2"), "7")
        eventually(lambda: everybody_is_there(operator), lambda: operator.get("sdd/status"))
        eventually(lambda: min(ways(operator)) > 50, lambda: ways(operator))
        yield hosts


def everybody_is_there(operator: Operator) -> bool:
    status = operator.get("sdd/status")[1]
    return status["connected"] == HOSTS.hosts and status["circuitSwitch"]


def queue_of(operator: Operator) -> dict:
    """h1's queue to h2; one that has sent nothing before the host has it."""
    rows = operator.get("sdd/queues?host=h1")[1]["queues"]
    none = {"sentPackets": 0, "packetSwitchPackets": 0}
    return next((row for row in rows if row["queue"] == TO_H2), none)


def ways(operator: Operator) -> tuple[int, int]:
    """The packets of h1 to h2 that circuits carried, and the packet switch."""
    queue = queue_of(operator)
    return queue["sentPackets"] - queue["packetSwitchPackets"], queue["packetSwitchPackets"]


def pass_periods(operator: Operator, count: int) -> None:
    """Returns when the controller has carried out so many more periods."""
    before = operator.get("sdd/status")[1]["periods"]
    eventually(lambda: operator.get("sdd/status")[1]["periods"] >= before + count, "periods")


def both_carry_more_than(operator: Operator, before: tuple[int, int]) -> None:
    eventually(
        lambda: all(n > b for n, b in zip(ways(operator), before, strict=True)),
        lambda: (before, ways(operator)),
    )


def test_hybrid_is_on_the_command_line_and_in_rest(operator, hybrid):
    assert operator.get("sdd/status")[1]["hybrid"] == HYBRID
    shown = f"hybrid.bps={HYBRID['bps']}, hybrid.packetDelayNs={HYBRID['packetDelayNs']}"
    assert shown in operator.command("sdd-status")
    remainders: list[dict] = []

    def something_remains() -> bool:
        remainders[:] = operator.get("sdd/schedule")[1]["packetSwitch"]
        return {"from", "to", "remainderBytes", "rateBps"} in [set(row) for row in remainders]

    eventually(something_remains, lambda: operator.get("sdd/schedule"))
    assert sum(row["rateBps"] for row in remainders if row["to"] == "h2") <= HYBRID["bps"]
    eventually(
        lambda: re.search(
            r"\n   from=h[13], to=h2, remainderBytes=\d+, rateBps=\d+",
            operator.command("sdd-schedule"),
        ),
        lambda: operator.command("sdd-schedule"),
    )
    of_h1 = operator.command("sdd-queues h1")
    assert re.search(r"queue=1, to=h2, network=circuit, .*packetSwitchPackets=[1-9]", of_h1)
    of_all = operator.command("sdd-queues")
    assert all(f"host={name}, queue=" in of_all for name in HOSTS.names())
    # What REST says left is what the host says, when nothing more leaves.
    assert operator.ask("PUT", "evenweave/sdd/triggers", [HOLD])[0] == 200
    eventually(lambda: in_force(operator, "hold"), lambda: operator.get("sdd/events"))
    pass_periods(operator, 4)  # the week planned before and the one that ran are over
    (queue,) = (q for q in hybrid.statistics()["hosts"]["h1"]["queues"] if q["number"] == TO_H2)
    by_packet_switch = queue["packetSwitchPackets"]
    assert ways(operator) == (queue["sentPackets"] - by_packet_switch, by_packet_switch)


def in_force(operator: Operator, name: str) -> bool:
    """Whether the trigger's actions are, at any host."""
    rows = operator.get("sdd/events")[1]["triggers"]
    return next(row["inForce"] for row in rows if row["name"] == name) > 0


def test_triggers_are_set_ended_and_taken_away_on_the_command_line(operator, hybrid):
    listed = operator.command(f"sdd-triggers '{json.dumps([HOLD])}'")
    assert listed.splitlines() == [
        "triggers=1",
        "   name=hold, queue=to:h2, when=packets > 0, hosts=h1",
        "      action=close, queue=to:h2",
    ]
    assert operator.command("sdd-triggers") == listed
    assert json.loads(operator.command("sdd-triggers -j")) == [HOLD]
    eventually(
        lambda: "event=fired, trigger=hold, host=h1" in operator.command("sdd-events"),
        lambda: operator.command("sdd-events"),
    )
    shown = operator.command("sdd-events")
    assert "name=hold, queue=to:h2, fired=1, inForce=1" in shown
    assert "      host=h1, state=watched, inForce=true, fired=1, lastNs=" in shown
    pass_periods(operator, 4)  # the week planned before and the one that ran are over
    held = ways(operator)
    pass_periods(operator, 10)
    assert ways(operator) == held
    assert operator.command("sdd-triggers --end hold") == ""
    both_carry_more_than(operator, held)
    # What waited then nobody has said.
    ended = r"event=ended-by-operator, trigger=hold, host=h1\n"
    assert re.search(ended, operator.command("sdd-events"))
    assert operator.command("sdd-triggers --none") == "triggers=0\n"
    assert "name=hold" not in operator.command("sdd-events")
    both_carry_more_than(operator, ways(operator))


def test_triggers_are_set_ended_and_taken_away_in_rest(operator, hybrid):
    assert operator.ask("PUT", "evenweave/sdd/triggers", [HOLD]) == (200, [HOLD])
    eventually(lambda: in_force(operator, "hold"), lambda: operator.get("sdd/events"))
    wrong = [HOLD, HOLD | {"name": "bad", "when": "packets > > 0"}]
    status, answer = operator.ask("PUT", "evenweave/sdd/triggers", wrong)
    assert status == 409
    assert "triggers[1].when" in answer["error"]
    assert operator.get("sdd/triggers") == (200, [HOLD])
    held = ways(operator)
    assert operator.ask("POST", "evenweave/sdd/triggers/hold/end")[0] == 204
    both_carry_more_than(operator, held)
    status, answer = operator.ask("POST", "evenweave/sdd/triggers/no/end")
    assert (status, answer) == (404, {"error": 'there is no trigger "no"'})
    assert operator.ask("DELETE", "evenweave/sdd/triggers")[0] == 204
    assert operator.get("sdd/triggers") == (200, [])


# What commands cannot mean, and what they say of it.
REFUSED = {
    "sdd-queues h9": 'no host "h9" is connected',
    "sdd-triggers [{name:a}]": "invalid JSON at character 4 of [{name:a}]",
    "sdd-triggers '{}'": "triggers: must be an array",
    """sdd-triggers '[{"name": "a", "queue": "class:no", "when": "TRUE"}]'""": (
        'triggers[0].queue: there is no class "no" in sharing'
    ),
    """sdd-triggers '[{"name": "a", "queue": "to:h2", "when": "bytes >"}]'""": (
        "triggers[0].when: at byte 7: "
    ),
    "sdd-triggers --end 'n o/x'": 'there is no trigger "n o/x"',
    "sdd-triggers --none --end x": "one of triggers, --none and --end, not two",
    "sdd-sharing '{}'": "classes: is missing",
    "sdd-edge e/9": 'there is no edge "e/9"',
}


def test_what_a_command_cannot_mean_is_said_in_one_line(operator, keys):
    assert operator.configure(configured(keys))[0] == 200
    eventually(lambda: operator.get("sdd/status")[0] == 200, "SDD controller")
    for line, reason in REFUSED.items():
        refusal = operator.refusal(line)
        assert reason in refusal, line
        assert len(refusal.splitlines()) == 1, refusal


def test_an_instance_that_is_not_in_the_cluster_is_named(operator, keys):
    assert operator.configure(configured(keys, instance="10.0.0.9"))[0] == 200
    eventually(
        lambda: "instance 10.0.0.9 is not in the cluster" in operator.refusal("sdd-status"),
        lambda: operator.get("sdd/status"),
    )


def circuit_classes(urgent: int) -> list[dict]:
    return [
        {"name": "shuffle", "coflow": True, "flows": [{"protocol": UDP, "destinationPort": 7}]},
        {
            "name": "urgent",
            "priority": urgent,
            "flows": [{"protocol": UDP, "destinationPort": 8}],
        },
    ]


def test_circuit_classes_are_on_the_command_line_and_in_rest(operator, keys, tmp_path):
    fastpass = {"scheduler": "fastpass", "order": "smallestCoflow"}
    configuration = configured(keys, **fastpass, circuitClasses=circuit_classes(7))
    assert operator.configure(configuration)[0] == 200
    eventually(listens, "SDD controller")
    with Hosts(HOSTS, tmp_path, Keys(keys)) as hosts:
        hosts.start("h1", "python3", "-c", SENDER, hosts.address("h2"), "7", "8", "9")
        eventually(lambda: everybody_is_there(operator), lambda: operator.get("sdd/status"))
        nothing = dict.fromkeys((None, "shuffle", "urgent"), 0)
        all_send_more_than(operator, nothing)
        shown = operator.command("sdd-queues h1")
        assert re.search(r"to=h2, network=circuit, priority=0", shown)
        assert re.search(r"to=h2, class=shuffle, network=circuit, priority=0", shown)
        assert re.search(r"to=h2, class=urgent, network=circuit, priority=7", shown)
        assert "order=smallestCoflow" in operator.command("sdd-status")
        eventually(
            lambda: all(row["demand"] for row in operator.get("sdd/demand")[1]["classes"]),
            lambda: operator.get("sdd/demand"),
        )
        demand = operator.command("sdd-demand")
        assert re.search(r"\n   class=shuffle, priority=0, coflow=true, bytes=\d+", demand)
        assert re.search(r"\n   class=urgent, priority=7, coflow=false, bytes=\d+", demand)
        assert "circuits=h1>h2" in operator.command("sdd-schedule")
        # Others take their place with a restart, and both networks carry them.
        configuration |= {"packetBps": 5_000_000, "hybrid": HYBRID}
        configuration["circuitClasses"] = circuit_classes(3)
        assert operator.configure(configuration)[0] == 200
        eventually(
            lambda: "class=urgent, priority=3" in operator.said("sdd-demand"),
            lambda: operator.said("sdd-demand"),
        )
        eventually(lambda: everybody_is_there(operator), lambda: operator.get("sdd/status"))
        all_send_more_than(operator, sent_by_class(operator) or nothing)
        # By weight: coflows are not for that order.
        configuration["order"] = "weightedShares"
        status, answer = operator.configure(configuration)
        assert status == 400
        assert re.search(r"circuitClasses\[0\]\.coflow", json.dumps(answer))
        configuration["circuitClasses"] = [
            {"name": each["name"], "weight": 3, "flows": each["flows"]}
            for each in circuit_classes(0)
        ]
        assert operator.configure(configuration)[0] == 200
        eventually(
            lambda: re.search(r"\n   class=shuffle, .*weight=3", operator.said("sdd-demand")),
            lambda: operator.said("sdd-demand"),
        )
        assert "order=weightedShares" in operator.command("sdd-status")
        eventually(lambda: everybody_is_there(operator), lambda: operator.get("sdd/status"))
        all_send_more_than(operator, sent_by_class(operator) or nothing)


def all_send_more_than(operator: Operator, before: dict[str | None, int]) -> None:
    eventually(
        lambda: all(sent_by_class(operator).get(c, 0) > n for c, n in before.items()),
        lambda: (before, sent_by_class(operator)),
    )


def sent_by_class(operator: Operator) -> dict[str | None, int]:
    """Packets that h1 has sent to h2, by class."""
    status, answer = operator.get("sdd/queues?host=h1")
    rows = answer["queues"] if status == 200 else []
    return {row.get("class"): row["sentPackets"] for row in rows if row.get("to") == "h2"}
