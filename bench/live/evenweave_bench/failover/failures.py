"""Fails links of the live fabric one after another and measures how Evenweave reacts."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Protocol

from evenweave_bench.failover.samples import Sample
from evenweave_bench.failover.stages import stages
from evenweave_bench.failover.switch_log import GROUP_MOD, Message, SwitchLog, changes, refused
from evenweave_testbed.controller import Controller
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import FIRST_SOURCE_PORT, Flow, spread
from evenweave_testbed.loss import Probes, ProbeStream
from evenweave_testbed.openvswitch import Group
from evenweave_testbed.silence import end_silence, silence
from evenweave_topos.fabric_file import FabricSpec, Link
from evenweave_topos.topologies import HostPlace, interface_name

# Four times fewer than the demonstration's, since they share two cores with what is measured.
PROBE_RATE_PPS = 1000
_FLOWS_PER_PAIR = 16
_PORT = 7001
BEFORE_S = 0.3
# Longer than every runtime needs as a rule; the controller gets no request in the meantime.
AFTER_S = 1.5
_EVENT_TIMEOUT_S = 30.0
_CONVERGENCE_TIMEOUT_S = 60.0
# What the listener hears later than this after a confirmation came later: it runs in real time,
# next to the switches alone.
LISTENER_LATENESS_US = 5_000

Tables = dict[str, dict[int, Group]]


class FailoverError(RuntimeError):
    """A runtime could not be measured, or reported a state that its switches do not have."""


class _Hosts(Protocol):
    """A fabric, of switches or of routers, with hosts."""

    spec: FabricSpec

    def hosts_of(self, switch: str) -> list[HostPlace]: ...


def flows_between_all(fabric: _Hosts) -> list[Flow]:
    """The same number of flows from the hosts of each subnet to those of each other."""
    switches = [subnet.switch for subnet in fabric.spec.subnets]
    flows: list[Flow] = []
    for source, destination in permutations(switches, 2):
        flows += spread(
            fabric.hosts_of(source),
            fabric.hosts_of(destination),
            _FLOWS_PER_PAIR,
            _PORT,
            FIRST_SOURCE_PORT + len(flows),
        )
    return flows


def detection_s(period_ms: int) -> float:
    """How long BFD takes to find a failure, at most: until three packets are missing."""
    return 3 * period_ms / 1000


@dataclass(frozen=True)
class PortDown:
    """Failures that switches see at once: a port of the link goes down."""

    @property
    def detection_s(self) -> float:
        """How long it takes until the failure is found, at most."""
        return 0.0

    def prepare(self, fabric: Fabric, link: Link) -> None:
        """Makes ready for a failure of this link."""

    def fail(self, fabric: Fabric, link: Link) -> int:
        """Fails the link; returns when, in microseconds of the epoch."""
        return fabric.cut(str(link))

    def heal(self, fabric: Fabric, link: Link) -> None:
        fabric.heal(str(link))


@dataclass(frozen=True)
class Silent(PortDown):
    """Failures that only BFD finds: the link loses everything while its ports stay up."""

    period_ms: int

    @property
    def detection_s(self) -> float:
        return detection_s(self.period_ms)

    def prepare(self, fabric: Fabric, link: Link) -> None:
        # Sessions begin at a second, and again after each failure.
        fabric.detect_failures(self.period_ms, [link])

    def fail(self, fabric: Fabric, link: Link) -> int:
        return max([silence(name) for name in _interfaces(link)])

    def heal(self, fabric: Fabric, link: Link) -> None:
        for name in _interfaces(link):
            end_silence(name)


@dataclass(frozen=True)
class OneWay(Silent):
    """The same in one direction; the other end hears nothing and does not know that it is heard."""

    def fail(self, fabric: Fabric, link: Link) -> int:
        return silence(_interfaces(link)[0])

    def heal(self, fabric: Fabric, link: Link) -> None:
        end_silence(_interfaces(link)[0])


@dataclass(frozen=True)
class PortDownUnderBfd(Silent):
    """A port that goes down on a link that BFD watches too."""

    def fail(self, fabric: Fabric, link: Link) -> int:
        return PortDown.fail(self, fabric, link)

    def heal(self, fabric: Fabric, link: Link) -> None:
        PortDown.heal(self, fabric, link)


DETECTED: dict[str, type[Silent]] = {
    "silent": Silent,
    "oneWay": OneWay,
    "portDown": PortDownUnderBfd,
}
"""What fails under BFD, by its name in the result."""


def _interfaces(link: Link) -> list[str]:
    return [interface_name(end.switch, end.port) for end in (link.a, link.b)]


def measure(
    fabric: Fabric,
    controller: Controller,
    count: int,
    done: Callable[[float], None],
    mode: PortDown,
) -> list[Sample]:
    """Fails `count` links, in the fabric's order and over again; each heals before the next.

    Raises FailoverError if a switch does not hold what the controller says is confirmed.
    """
    samples = []
    flows = flows_between_all(fabric)
    for number, link in zip(range(count), _forever(fabric.spec), strict=False):
        mode.prepare(fabric, link)
        wait_whole(fabric, controller)
        samples.append(_fail(fabric, controller, link, flows, mode))
        done((number + 1) / count)
    return samples


def _forever(spec: FabricSpec) -> Iterator[Link]:
    while True:
        yield from spec.links


def wait_whole(fabric: Fabric, controller: Controller) -> None:
    links = len(fabric.spec.links)
    controller.wait(
        lambda status: status["converged"] and status["links"] == links,
        f"convergence with {links} links",
        _CONVERGENCE_TIMEOUT_S,
    )


def _fail(
    fabric: Fabric, controller: Controller, link: Link, flows: Sequence[Flow], mode: PortDown
) -> Sample:
    since = controller.last_sequence()
    before = tables(fabric)
    stream = ProbeStream(fabric, flows, PROBE_RATE_PPS)
    with SwitchLog(fabric.ovs.sockets, before) as log, stream:
        time.sleep(BEFORE_S)
        at = mode.fail(fabric, link)
        time.sleep(AFTER_S + mode.detection_s)
        event = controller.wait_confirmed("link-down", link.names(), since, _EVENT_TIMEOUT_S)
        controller.wait(lambda s: s["confirmed"], "the last deletions", _EVENT_TIMEOUT_S)
        after = tables(fabric)
    confirmed = event["confirmedEpochMicros"]
    # What no rule uses any more is deleted after the confirmation.
    answer = [change for change in changes(log.messages, at) if not change.deletes]
    changed = sum(before[s].get(g) != after[s].get(g) for s in before for g in before[s])
    if not answer or not changed:
        raise FailoverError(f"{link} is said to be answered, but no switch was changed")
    require_held(fabric, controller, after)
    mode.heal(fabric, link)
    wait_whole(fabric, controller)
    return Sample(
        link=str(link),
        confirmed_ms=(confirmed - at) / 1000,
        last_change_ms=(answer[-1].at - at) / 1000,
        outage_ms=outage_ms(stream.result, at),
        lost=stream.result.lost_from(at),
        sent=stream.result.sent,
        changed=changed,
        refused=refused(log.messages, at),
        late=tuple(
            f"{m.switch} got {_what(m)} {(m.at - confirmed) / 1000:.0f} ms after the confirmation"
            for m in answer
            if m.at > confirmed + LISTENER_LATENESS_US
        ),
        stages=stages(event, log.messages, at, confirmed + LISTENER_LATENESS_US),
    )


def _what(change: Message) -> str:
    if change.kind != GROUP_MOD:
        return "a rule"
    return f"group {change.group:#x}"


def outage_ms(probes: Probes, at: int) -> float:
    """From `at` until the last probe that was lost had been sent; 0 if none was lost."""
    return max((lost - at for lost in probes.lost_at if lost >= at), default=0) / 1000


def tables(fabric: Fabric) -> Tables:
    """Every switch's groups, as read from the switch."""
    return {s.id: {g.id: g for g in fabric.groups(s.id)} for s in fabric.spec.switches}


def require_held(fabric: Fabric, controller: Controller, held: Tables) -> None:
    """Every group the controller says is installed is in its switch, weight by weight."""
    for switch, groups in held.items():
        said = {g["groupId"]: _weights(g) for g in controller.groups(switch)}
        found: dict[int, Counter[int]] = {g.id: Counter() for g in groups.values()}
        for group in groups.values():
            for bucket in group.buckets:
                found[group.id][bucket.port] += bucket.weight
        if found != said:
            raise FailoverError(f"{switch} does not hold the groups that are said to be confirmed")


def _weights(group: dict) -> Counter[int]:
    return Counter({p["port"]: p["installed"] for p in group["ports"] if p["installed"]})
