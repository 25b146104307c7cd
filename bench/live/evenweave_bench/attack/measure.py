"""Fails links while the fabric is attacked, and measures how soon the controller has answered."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass

from evenweave_bench.attack.frames import FRAMES, Place
from evenweave_bench.failover.failures import FailoverError, require_held, tables, wait_whole
from evenweave_bench.failover.samples import percentile
from evenweave_testbed.controller import OPENFLOW_ADDRESS
from evenweave_testbed.cores import used_s
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.held_namespace import HeldNamespace
from evenweave_testbed.openvswitch import run
from evenweave_testbed.processes import pipe
from evenweave_testbed.sdd.priority import start_last

PER_SECOND = {"arp": 10_000, "lldp": 10_000, "bfd": 10_000, "icmp": 10_000, "overlay": 10_000}
PER_SECOND |= {"scan": 65_536, "tls": 0, "storm": 0}
"""The attacks, and how many packets a second each sends; 0: as many as it can. `storm` is the last:
the hosts that it makes up are known for minutes after it."""

MOST_TIMES_QUIET = 2
"""What is promised: a failure during an attack is answered in at most so many quiet times."""

# Where the stranger connects from: no switch has this address.
_STRANGER = "127.0.0.66"

_NEAR, _FAR = "attack-near", "attack-far"
_ALONE_S = 3.0
# Those that it found in a cache, and those that it asked ofproto about; lost are among the latter.
_LOOKUPS = re.compile(r"^\s*lookups: hit:(\d+) missed:(\d+)", re.MULTILINE)

# So that queues are as full as they become.
_BEFORE_S = 1.0
_EVENT_TIMEOUT_S = 60.0


class AttackError(RuntimeError):
    """An attack did not begin."""


@contextmanager
def attacking(fabric: Fabric, kind: str) -> Iterator[dict]:
    """Attacks until the `with` ends; then the dictionary has how many were `sent` in `seconds`, and
    the seconds of processor time (`cpu`) of that."""
    argument: dict = {"perSecond": PER_SECOND[kind]}
    within: int | None = None
    if kind in FRAMES:
        argument["place"] = asdict(_place(fabric))
        within = fabric.pid(fabric.hosts[0])
    else:
        host, _, port = OPENFLOW_ADDRESS.rpartition(":")
        argument |= {"host": host, "port": int(port), "source": _STRANGER}
    with _attacker(kind, argument, within) as result:
        yield result


def _place(fabric: Fabric) -> Place:
    attacker, neighbour = fabric.hosts[:2]
    link = fabric.spec.links[0]
    return Place(
        mac=attacker.mac,
        address=str(attacker.address),
        prefix=str(fabric.spec.subnets[0].prefix),
        neighbour=str(neighbour.address),
        far=str(fabric.hosts[-1].address),
        link=(link.b.switch, link.b.port),
    )


@contextmanager
def _attacker(kind: str, argument: dict, within: int | None) -> Iterator[dict]:
    """`within`: a process whose network namespace it attacks from, if not this one."""
    command = [sys.executable, "-m", "evenweave_bench.attack.flood", kind, json.dumps(argument)]
    if within is not None:
        command = ["nsenter", "--net", f"--target={within}", *command]
    # An attacker has a machine of its own: it takes no processor time from what it attacks.
    process = start_last(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    result: dict = {}
    try:
        if not pipe(process.stdout).readline():
            raise AttackError(f"the attack {kind} did not begin")
        time.sleep(_BEFORE_S)
        yield result
    finally:
        result |= json.loads(process.communicate()[0] or "{}")


def most_per_second(fabric: Fabric) -> int:
    """The most that the attacker gets through a link of this machine: the frames of `storm` that
    come out of a veth pair without a switch, while the fabric is quiet."""
    sender = HeldNamespace()
    try:
        run("ip", "link", "add", _FAR, "type", "veth", "peer", "name", _NEAR)
        run("ip", "link", "set", _NEAR, "netns", str(sender.pid))
        run("ip", "link", "set", _FAR, "up")
        sender.ip("link", "set", _NEAR, "up")
        argument = {"perSecond": 0, "place": asdict(_place(fabric))}
        with _attacker("storm", argument, sender.pid):
            began, before = time.monotonic(), _came_out()
            time.sleep(_ALONE_S)
            return round((_came_out() - before) / (time.monotonic() - began))
    finally:
        # The pair goes with its end in there.
        sender.close()


def _came_out() -> int:
    (link,) = json.loads(run("ip", "-json", "-statistics", "link", "show", _FAR))
    return link["stats64"]["rx"]["packets"]


@contextmanager
def taken_in(fabric: Fabric) -> Iterator[dict[str, float]]:
    """When the `with` ends, the dictionary has `perSecond`: the packets that switches took out of
    their ports' queues, each at every switch that it passed."""
    began, before = time.monotonic(), _looked_up(fabric)
    found: dict[str, float] = {}
    yield found
    found["perSecond"] = (_looked_up(fabric) - before) / (time.monotonic() - began)


def _looked_up(fabric: Fabric) -> int:
    return lookups(fabric.ovs.appctl("dpctl/show"))


def lookups(shown: str) -> int:
    """How many packets a datapath has looked up, found or not, by `dpctl/show`."""
    found = _LOOKUPS.search(shown)
    if not found:
        raise AttackError(f"the switches do not say what they looked up: {shown}")
    return sum(int(number) for number in found.groups())


@dataclass(frozen=True)
class Answer:
    """The answer to one port that went down: milliseconds until all switches had confirmed it, and
    how many of these went until the controller knew, until it began to compute, while it computed,
    and in rounds of changes."""

    confirmed_ms: float
    noticed_ms: float
    wait_ms: float
    computation_ms: float
    rounds_ms: float

    @classmethod
    def of(cls, event: Mapping, at: int) -> Answer:
        """From the event of a failure at `at`, in microseconds of the wall clock."""
        stages = event.get("stagesMs") or {}
        wait, rounds = stages.get("wait", 0.0), stages.get("rounds", 0.0)
        return cls(
            confirmed_ms=(event["confirmedEpochMicros"] - at) / 1000,
            noticed_ms=(event["detectedEpochMicros"] - at) / 1000,
            wait_ms=wait,
            computation_ms=sum(stages.values()) - wait - rounds,
            rounds_ms=rounds,
        )


def answers(fabric: Fabric, count: int, done: Callable[[float], None]) -> list[Answer]:
    """Takes down a port of `count` links, one after another, each healed before the next; returns
    the answer to each.

    Raises FailoverError if a switch does not hold what the controller says is confirmed.
    """
    found = []
    links = fabric.spec.links
    for number in range(count):
        link = links[number % len(links)]
        wait_whole(fabric, fabric.controller)
        since = fabric.controller.last_sequence()
        before = tables(fabric)
        at = fabric.cut(str(link))
        event = fabric.controller.wait_confirmed("link-down", link.names(), since, _EVENT_TIMEOUT_S)
        fabric.controller.wait(lambda s: s["confirmed"], "the last deletions", _EVENT_TIMEOUT_S)
        after = tables(fabric)
        if before == after:
            raise FailoverError(f"{link} is said to be answered, but no switch was changed")
        require_held(fabric, fabric.controller, after)
        fabric.heal(str(link))
        found.append(Answer.of(event, at))
        done((number + 1) / count)
    wait_whole(fabric, fabric.controller)
    return found


@contextmanager
def cores_used(pids: dict[str, int]) -> Iterator[dict[str, float]]:
    """When the `with` ends, the dictionary has how many processors' time each process took."""
    began, before = time.monotonic(), {name: used_s(pid) for name, pid in pids.items()}
    used: dict[str, float] = {}
    yield used
    seconds = time.monotonic() - began
    used |= {name: round((used_s(pid) - before[name]) / seconds, 2) for name, pid in pids.items()}


def figures(found: Sequence[Answer]) -> dict:
    """The median and the longest time, and the medians of its stages."""
    times_ms = [answer.confirmed_ms for answer in found]
    return {
        "n": len(times_ms),
        "p50Ms": round(percentile(times_ms, 50), 1),
        "maxMs": round(max(times_ms), 1),
        "stagesMs": {
            "noticed": _median([answer.noticed_ms for answer in found]),
            "wait": _median([answer.wait_ms for answer in found]),
            "computation": _median([answer.computation_ms for answer in found]),
            "rounds": _median([answer.rounds_ms for answer in found]),
        },
    }


def _median(times_ms: Sequence[float]) -> float:
    return round(percentile(times_ms, 50), 1)


def compared(attack: dict, quiet: dict) -> dict:
    """Adds the ratio of an attack's median to the quiet one, and whether the promise is held."""
    ratio = attack["p50Ms"] / quiet["p50Ms"]
    return attack | {
        "ratio": round(ratio, 2),
        "maxOverQuietMax": round(attack["maxMs"] / quiet["maxMs"], 2),
        "held": ratio <= MOST_TIMES_QUIET,
    }
