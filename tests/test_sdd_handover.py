"""What an operator changes at one SDD controller counts at the other that takes over from it."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sdd_controller import (
    PORT,
    Controller,
    configure,
    put,
    running_controller,
    send_json,
    trigger_at_h1,
)
from sdd_pair import PACKET_BYTES, SENDER
from sdd_takeover import HOSTS, OTHER_PORT, TERMS, Hosts, agreed
from waiting import eventually

pytestmark = [pytest.mark.fabric, pytest.mark.real_time]

UDP = 17
FILE_BPS, PUT_BPS = 8_000_000, 200_000
WEB = 3  # the queue of the first class: behind those of two hosts and the packet queue


def sharing(ceiling_bps: int, *more: dict) -> dict:
    flows = [{"protocol": UDP, "destinationPort": 7}]
    return {
        "packetBytes": PACKET_BYTES,
        "classes": [{"name": "web", "ceilingBps": ceiling_bps, "flows": flows}, *more],
    }


PUT = sharing(PUT_BPS, {"name": "mail", "flows": [{"protocol": UDP, "destinationPort": 9}]})
# What holds as long as the sender sends more than it may.
WAITS = [
    {
        "name": "waits",
        "hosts": ["h1"],
        "queue": "class:web",
        "when": "packets > 3",
        "actions": [{"action": "close", "queue": "class:mail"}],
    }
]


class Pair:
    """Two controllers with the same configuration but for `listen`; each may be started again."""

    def __init__(self, stack: ExitStack, authority, folder: Path) -> None:
        self._stack = stack
        self._folders = []
        self.controllers: list[Controller] = []
        for name, port in (("first", PORT), ("second", OTHER_PORT)):
            self._folders.append(folder / name)
            self._folders[-1].mkdir()
            configure(
                authority,
                self._folders[-1],
                **TERMS
                | {
                    "listen": f"127.0.0.1:{port}",
                    "controllers": [f"127.0.0.1:{PORT}", f"127.0.0.1:{OTHER_PORT}"],
                    "standby": True,
                    "takeOverAfterPeriods": 50,
                    "sharing": sharing(FILE_BPS),
                },
            )
            self.controllers.append(self._started(self._folders[-1]))

    def _started(self, folder: Path) -> Controller:
        return self._stack.enter_context(running_controller(folder / "sdd.json", folder))

    def says_of_itself(self) -> list[str]:
        """What logs have of links to the controller's own address, which is among those named."""
        return [
            line
            for folder, port in zip(self._folders, (PORT, OTHER_PORT), strict=True)
            for line in (folder / "controller.log").read_text().splitlines()
            if f"controller at /127.0.0.1:{port}" in line
        ]

    def kill(self, controller: Controller) -> None:
        controller.process.send_signal(signal.SIGKILL)
        controller.process.wait()

    def start_again(self, controller: Controller) -> Controller:
        index = self.controllers.index(controller)
        self.controllers[index] = self._started(self._folders[index])
        return self.controllers[index]


@pytest.fixture
def pair(authority, tmp_path) -> Iterator[tuple[Pair, Hosts]]:
    with ExitStack() as stack:
        pair = Pair(stack, authority, tmp_path)
        hosts = stack.enter_context(Hosts(HOSTS, tmp_path, PORT, authority))
        stack.callback(lambda: [print(p.read_text()) for p in tmp_path.rglob("*.log")])
        hosts.start("h1", "python3", "-c", SENDER, hosts.address("h2"), "7")
        yield pair, hosts


def leader_and_other(pair: Pair) -> tuple[Controller, Controller]:
    """Once the clients agree on it and the two are linked."""
    leader, other = agreed(pair.controllers)
    for controller in (leader, other):
        eventually(lambda c=controller: is_same(c), lambda c=controller: c.ask("sdd/status"))
    return leader, other


def is_same(controller: Controller) -> bool:
    """Whether the other one has said that what was changed here counts there. At its start a
    controller does not know yet which of the two addresses is its own."""
    rows = controller.ask("sdd/status")["controllers"]
    if len(rows) != 1 or not rows[0]["linked"]:
        return False
    assert rows[0]["sameConfiguration"]
    return rows[0]["samePolicy"]


def sent_bps(hosts: Hosts, seconds: float) -> float:
    """What the class sends from now on, by the host's clock."""

    def sent() -> tuple[int, int]:
        found = hosts.statistics()
        queues = found["hosts"]["h1"]["queues"]
        return found["timeNs"], sum(q["sentBytes"] for q in queues if q["number"] == WEB)

    (since, before), _, (until, after) = sent(), time.sleep(seconds), sent()
    return (after - before) * 8e9 / (until - since)


def has_what_was_put(controller: Controller) -> bool:
    return controller.ask("sdd/sharing") == PUT and controller.ask("sdd/triggers") == WAITS


def acts_on_it(controller: Controller, hosts: Hosts) -> None:
    """REST says so, the trigger is in force, and the host sends no more than it may."""
    assert has_what_was_put(controller)
    eventually(
        lambda: trigger_at_h1(controller.rest, "waits").get("inForce", False),
        lambda: controller.ask("sdd/events"),
    )
    slack_bps = 2 * 8 * PACKET_BYTES
    assert sent_bps(hosts, 2) <= PUT_BPS + slack_bps
    eventually(lambda: sent_bps(hosts, 1) > 0, lambda: controller.ask("sdd/rates"))


@pytest.mark.extended
def test_what_was_put_counts_after_the_controller_was_killed(pair):
    pair, hosts = pair
    leader, other = leader_and_other(pair)
    assert pair.says_of_itself() == []
    eventually(lambda: sent_bps(hosts, 1) > 2 * PUT_BPS, "traffic as the file has it")
    put(leader.rest, "sdd/sharing", PUT)
    put(leader.rest, "sdd/triggers", WAITS)
    pair.kill(leader)
    # The answer had come, so the other one had it.
    assert has_what_was_put(other)
    eventually(lambda: other.ask("sdd/status")["connected"] == 2, "hosts at the other")
    acts_on_it(other, hosts)
    # One that is back has it too, though its file says something else, and takes over with it.
    back = pair.start_again(leader)
    assert leader_and_other(pair) == (other, back)
    version = other.ask("sdd/status")["policyVersion"]
    assert back.ask("sdd/status")["policyVersion"] == version > 0
    pair.kill(other)
    eventually(lambda: back.ask("sdd/status")["connected"] == 2, "hosts at the first again")
    acts_on_it(back, hosts)


@pytest.mark.extended
def test_one_that_was_away_has_the_newest_and_not_what_it_had(pair):
    pair, hosts = pair
    leader, other = leader_and_other(pair)
    old = sharing(FILE_BPS // 2)
    put(leader.rest, "sdd/sharing", old)
    leader.process.send_signal(signal.SIGSTOP)
    eventually(lambda: other.ask("sdd/status")["connected"] == 2, "hosts at the other")
    assert other.ask("sdd/sharing") == old
    # 503 for as long as the one that is stopped counts as linked.
    put(other.rest, "sdd/sharing", PUT)
    put(other.rest, "sdd/triggers", WAITS)
    leader.process.send_signal(signal.SIGCONT)
    eventually(lambda: has_what_was_put(leader), lambda: leader.ask("sdd/sharing"))
    assert leader_and_other(pair) == (other, leader)
    acts_on_it(other, hosts)


@pytest.mark.extended
def test_a_change_that_the_other_does_not_confirm_is_answered_so(pair):
    pair, _ = pair
    leader, other = leader_and_other(pair)

    def answered_with_503() -> bool:
        """The other one is stopped, and still linked unless this machine takes seconds for it."""
        eventually(lambda: is_same(leader), lambda: leader.ask("sdd/status"))
        other.process.send_signal(signal.SIGSTOP)
        status, answer = send_json(leader.rest, "PUT", "sdd/sharing", PUT)
        other.process.send_signal(signal.SIGCONT)
        return status == 503 and answer["error"].startswith("it is changed here, but a linked ")

    eventually(answered_with_503, lambda: leader.ask("sdd/status"))
    assert leader.ask("sdd/sharing") == PUT
    put(leader.rest, "sdd/sharing", PUT)
    assert other.ask("sdd/sharing") == PUT
