"""The demonstration's steps on a live fabric; what they find goes into a `Report`."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

from evenweave_testbed.demo.report import Failure, Report, Throughput, Uplink, UplinkTable
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import Flow, spread
from evenweave_testbed.loss import ProbeStream
from evenweave_testbed.polling import EVENT_LIMIT_S, READY_LIMIT_S, Polling
from evenweave_testbed.progress import Progress
from evenweave_testbed.shares import measure_shares
from evenweave_testbed.throughput import measure_throughput
from evenweave_topos.fabric_file import FabricError, FabricSpec, Link

# Three 20 Mb/s paths make 57 Mb/s of goodput or 15,000 packets a second through the switches, which
# take 40 % of a core for it: room for a busy machine with two.
LINK_MBPS = 20.0
# With 1200 flows a share of 1/6 has a standard error of 0.011, of 1/3 one of 0.014: an uplink that
# got ECMP's 1/4 instead is 7 or 6 standard errors off.
SHORT_FLOWS = 1200
# Enough that hashing is even: each of three paths gets 64 of 192 with a standard deviation of 6.5
# flows (10 %), against 14 % with 96. Beyond, a flow's few packets in the queue make TCP uneven:
# with 240 flows the coefficient of variation within a link was 0.24..0.40 under ECMP, with 192
# 0.15..0.18.
LONG_FLOWS = 192
PROBE_FLOWS = 512

_SHORT_PORT, _LONG_PORT, _PROBE_PORT = 5001, 5002, 5003
# Probes before the event (to show that nothing is lost without it) and after its confirmation.
_PROBE_MARGIN_S = 1.0
# A measurement takes a few seconds.
_UNDISTURBED_LIMIT_S = 600.0
# Open vSwitch's hash table of a SELECT group has at most 256 slots, and always a power of two: the
# owners of 256 hash values are its owners, each as often.
_HASH_SLOTS = 256

T = TypeVar("T")


class DemoError(RuntimeError):
    """A step of the demonstration could not be done."""


def pair_of(spec: FabricSpec) -> tuple[str, str]:
    """The two switches the demonstration looks at: those of the first and the last subnet.

    Raises FabricError unless every uplink of the first leads to a switch that may reach the last.
    """
    if len(spec.subnets) < 2:
        raise FabricError("subnets: the demonstration needs two")
    source, destination = spec.subnets[0].switch, spec.subnets[-1].switch
    middle = {link.other_end(source).switch for link in spec.links_of(source)}
    if not any(link.other_end(destination).switch in middle for link in spec.links_of(destination)):
        raise FabricError(f"links: {source} and {destination} have no neighbour in common")
    return source, destination


class Scenario:
    """Runs the steps; `seconds` is how long the long flows are measured under each strategy."""

    def __init__(self, fabric: Fabric, seconds: float, progress: Progress) -> None:
        self._fabric = fabric
        self._seconds = seconds
        self._warm_up_s = min(5.0, max(3.0, seconds / 2))
        self._progress = progress
        self._source, self._destination = pair_of(fabric.spec)
        self._links = fabric.uplinks(self._source)

    def run(self) -> Report:
        self._progress.step("waiting for the controller to see the fabric")
        self._fabric.ready(READY_LIMIT_S)
        self._fabric.controller.set_strategy("wcmp")
        self._progress.step("counting flows per uplink")
        assert self._fabric.mbps is not None, "the demo's links are shaped"
        link_bps = self._fabric.mbps * 1e6
        table = self._undisturbed(self._measure_table)
        report = Report(self._source, self._destination, link_bps, table)
        report.throughput["ecmp"] = self._throughput("ecmp")
        report.ecmp_slots = self._undisturbed(self._slots)
        report.throughput["wcmp"] = self._throughput("wcmp")
        cut = self._fabric.uplinks(self._destination)[0]
        self._progress.step(f"cutting {self._name(cut)}")
        report.failures.append(self._event("link-down", cut, self._fabric.cut))
        self._progress.step(f"healing {self._name(cut)}")
        report.failures.append(self._event("link-up", cut, self._fabric.heal))
        self._fabric.check_shaping()
        return report

    def _name(self, link: Link) -> str:
        """A link of the destination's, in the direction of the traffic."""
        return f"{link.other_end(self._destination)}-{link.end_at(self._destination)}"

    def _flows(self, count: int, port: int) -> list[Flow]:
        sources = self._fabric.hosts_of(self._source)
        return spread(sources, self._fabric.hosts_of(self._destination), count, port)

    def _throughput(self, strategy: str) -> Throughput:
        self._progress.step(f"{LONG_FLOWS} long flows with {strategy.upper()}")
        self._fabric.controller.set_strategy(strategy)
        rates = self._undisturbed(
            lambda: measure_throughput(
                self._fabric,
                self._source,
                self._flows(LONG_FLOWS, _LONG_PORT),
                self._warm_up_s,
                self._seconds,
                self._progress.fraction,
            )
        )
        return Throughput.of(rates, self._ports())

    def _undisturbed(self, measure: Callable[[], T], links_cut: int = 0) -> T:
        """What is measured while nothing happens in the fabric; measured again if something did. A
        machine that starves Open vSwitch loses the controller's probes, which then rightly takes
        links for dead until they pass again."""
        controller, what = self._fabric.controller, "measurement in a fabric where nothing happens"
        links = len(self._fabric.spec.links) - links_cut
        for _ in Polling(self._progress.waiting).polls(what, _UNDISTURBED_LIMIT_S):
            # Not convergence: while a link is cut the fabric is degraded.
            controller.wait(
                lambda status: status["confirmed"] and status["links"] == links,
                f"confirmation with {links} links",
                READY_LIMIT_S,
            )
            since = controller.last_sequence()
            measured = measure()
            events = controller.events(since)
            if not events:
                return measured
            happened = ", ".join(f"{event['kind']} {event['subject']}" for event in events)
            self._progress.note(f"measured anew, for meanwhile there was {happened}")
        raise DemoError(f"no {what} in {_UNDISTURBED_LIMIT_S:g} s: see the controller's events")

    def _event(self, kind: str, link: Link, change: Callable[[str], int]) -> Failure:
        controller = self._fabric.controller
        since = controller.last_sequence()
        stream = ProbeStream(self._fabric, self._flows(PROBE_FLOWS, _PROBE_PORT))
        with stream:
            time.sleep(_PROBE_MARGIN_S)
            at = change(str(link))
            event = controller.wait_confirmed(kind, link.names(), since, EVENT_LIMIT_S)
            self._fabric.ovs.wait_for_datapath()
            in_force_at = time.time_ns() // 1000
            time.sleep(_PROBE_MARGIN_S)
        table = self._undisturbed(self._measure_table, links_cut=int(kind == "link-down"))
        return Failure(
            event=kind,
            link=self._name(link),
            at=at,
            confirmed_at=event["confirmedEpochMicros"],
            in_force_at=in_force_at,
            groups_changed=event["groupsChanged"],
            probes=stream.result,
            table=table,
        )

    def _measure_table(self) -> UplinkTable:
        group = self._fabric.controller.group(self._source, self._destination)
        if group is None:
            raise DemoError(
                f"the controller has no group from {self._source} to {self._destination}"
            )
        said = {port["port"]: port for port in group["ports"]}
        installed = self._installed(group["groupId"])
        slots = self._slots()
        measured = measure_shares(self._fabric, self._source, self._flows(SHORT_FLOWS, _SHORT_PORT))
        uplinks = [
            Uplink(
                port=port,
                via=link.other_end(self._source).switch,
                wanted=said[port]["wanted"] if port in said else 0,
                installed=installed[port],
                ideal_share=said[port]["idealShare"] if port in said else 0.0,
                realised_share=slots[port] / _HASH_SLOTS,
                measured_share=measured.share(port),
                flows=measured.flows[port],
                total_flows=measured.attempted,
            )
            for port, link in zip(self._ports(), self._links, strict=True)
        ]
        return UplinkTable(tuple(uplinks), measured, _agree(group, installed, slots, self._ports()))

    def _ports(self) -> list[int]:
        return [link.end_at(self._source).port for link in self._links]

    def _installed(self, group_id: int) -> Counter[int]:
        """Weight per port of a group, as the switch lists it: its slots, where buckets weigh 1."""
        weights: Counter[int] = Counter()
        for group in self._fabric.groups(self._source):
            if group.id == group_id:
                for bucket in group.buckets:
                    weights[bucket.port] += bucket.weight
        return weights

    def _slots(self) -> dict[int, int]:
        """How many of the 256 hash values the switch sends to each uplink, by its own traces."""
        source = self._fabric.hosts_of(self._source)[0]
        destination = self._fabric.hosts_of(self._destination)[0]
        counts = Counter(self._fabric.slot_owners(source, destination, _HASH_SLOTS))
        return {port: counts[port] for port in self._ports()}


def _agree(
    group: dict, installed: Counter[int], slots: dict[int, int], ports: Sequence[int]
) -> bool:
    """Whether what the controller says is installed is in the group and is what the switch does."""
    said = Counter({port["port"]: port["installed"] for port in group["ports"]})
    return all(
        said[port] == installed[port]
        and Fraction(said[port], group["entries"]) == Fraction(slots[port], _HASH_SLOTS)
        for port in ports
    )
