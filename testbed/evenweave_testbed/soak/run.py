"""A soak: fabrics, steps of faults on each, and the checks after each step."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import permutations
from typing import NoReturn

from evenweave_testbed.controller import ControllerError
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.grey.wires import WireError
from evenweave_testbed.loss import ProbeStream
from evenweave_testbed.openvswitch import SwitchError
from evenweave_testbed.soak.accounts import Accounts
from evenweave_testbed.soak.acts.act import ActError, Site
from evenweave_testbed.soak.acts.registry import act_of
from evenweave_testbed.soak.availability import AvailabilitySchedule
from evenweave_testbed.soak.bed import Bed, BedError
from evenweave_testbed.soak.fading import Fading
from evenweave_testbed.soak.faults import ACTS, Category
from evenweave_testbed.soak.judgement import may_lose_at_first, may_lose_later
from evenweave_testbed.soak.ledger import RATE_PPS, Ledger, Phase, flows_between_all
from evenweave_testbed.soak.naming import named_us
from evenweave_testbed.soak.notice import Notice
from evenweave_testbed.soak.observe import Observation
from evenweave_testbed.soak.oracle import Oracle
from evenweave_testbed.soak.report import Report
from evenweave_testbed.soak.schedule import Schedule, Step, healing
from evenweave_testbed.soak.tables import Tables, changed_groups, changed_rules, read_tables
from evenweave_testbed.soak.transfers import Transfers, connections_between_all
from evenweave_testbed.soak.truth import Truth
from evenweave_testbed.soak.verification import missed, unverified
from evenweave_testbed.soak.watch import Confirmed, NotConfirmed, Watch
from evenweave_testbed.soak.world import HostPair, World

_READY_TIMEOUT_S = 120.0
_TICK_S = 0.004
# Of the flows; no number of pairs of hosts is a multiple, so that all pairs have large ones.
_LARGE_EVERY = 11
# Every so often what others do is left to the controller's own audit, which comes every 30 s.
_OWN_AUDIT_EVERY = 3
_LOOKS = 5


# Until when a fault is noticed: a port that goes down at once, a silent link by its probes, another
# table by the next audit.
_NOTICED_S = dict.fromkeys(Category, 0.0) | {Category.CUT: 5.0, Category.DRIFT: 40.0}
# Once nothing is wrong any more.
_CONVERGE_S = 60.0


class Stuck(RuntimeError):
    """The run on this fabric cannot continue; the violation is recorded."""


class FabricRun:
    """One fabric from its first confirmation to its end."""

    def __init__(
        self,
        number: int,
        fabric: Fabric,
        oracle: Oracle,
        report: Report,
        embedded: bool,
        say: Callable[[str], None],
        middles: bool = False,
    ) -> None:
        self._number = number
        self._fabric = fabric
        self._oracle = oracle
        self._report = report
        self._embedded = embedded
        self._say = say
        self._bed = Bed(fabric)
        self._watch = Watch(fabric.controller)
        self._world = World(fabric.spec, fabric.hosts, middles)
        self._pairs = {(a.name, b.name) for a, b in permutations(fabric.hosts, 2)}
        self._tables: dict[str, Tables] = {}
        self._trusted: frozenset[str] = frozenset()
        self._notice = Notice(self._bed, self._watch)
        self._acts = 0
        self._fading = Fading()

    def run(self, schedule: Schedule | AvailabilitySchedule, faults: int) -> None:
        """Does so many faults, then makes everything good again."""
        self._fabric.ready(_READY_TIMEOUT_S)
        self._bed.use_default_back_off()
        # Its strategy too: by itself the controller chooses one.
        self._bed.configure(self._world)
        flows = flows_between_all(self._fabric.hosts)
        stream = ProbeStream(self._fabric, flows, RATE_PPS, _TICK_S, _LARGE_EVERY)
        self._ledger = Ledger(stream, flows)
        connections = connections_between_all(self._fabric.hosts)
        self._truth = Truth(self._fabric.controller, self._ledger.mark)
        self._accounts = Accounts(
            *(self._number, self._fabric, self._report, stream, self._ledger, self._truth),
            *(self._without_path, self._say),
        )
        with Transfers(self._fabric, connections) as transfers, stream, self._truth:
            self._report.connections += transfers.count()
            try:
                self._begin()
                while faults > 0 and (step := schedule.step(self._world, faults)):
                    faults -= len(step.faults)
                    self._report.add_faults(step.faults)
                    self._do(step)
                if end := healing(self._world):
                    self._do(end)
                self._release_damped()
                self._await_fading()
                self._accounts.close()
                self._check_transfers(transfers)
            except Stuck:
                pass
            finally:
                self._report.broken += len(transfers.broken())
                self._report.sent += stream.sent()

    def _begin(self) -> None:
        nothing = Step(())
        self._check(nothing, self._confirmed(nothing))
        self._accounts.open(nothing, self._ledger.mark())

    # One step

    def _do(self, step: Step) -> None:
        self._release_damped()
        self._accounts.close()
        self._say(f"step {self._accounts.next_step()}: {step}")
        if any(fault.kind in ACTS for fault in step.faults):
            self._do_act(step)
        else:
            self._do_faults(step)
        self._must_converge(step)

    def _do_act(self, step: Step) -> None:
        """What somebody else does, from begin to end."""
        (fault,) = step.faults
        without_path = self._without_path()
        since, began_us = self._watch.last_event(), _now_us()
        first = self._accounts.mark()
        self._acts += 1
        try:
            act = act_of(fault, Site(self._fabric, self._world, self._bed.targets))
            observation = Observation(
                act,
                self._fabric.controller,
                lambda: self._ledger.loses(first.probe, without_path),
                verify=self._truth.verify,
            )
            hasten = self._acts % _OWN_AUDIT_EVERY != 0
            found = observation.run(since, hasten, waits=act.clear_s <= _CONVERGE_S)
        except (ActError, ControllerError, OSError, SwitchError, WireError) as error:
            self._stop(step, str(error))
        self._truth.excuse(began_us, act.began_us, act.detect_s)
        if act.clear_s > _CONVERGE_S:
            self._fading.add(act)
        self._report.add_named(fault.kind, found.named_s, found.cleared_s)
        self._report.add_lost_of(fault.kind, act.lost())
        for what in found.wrong:
            self._accounts.violation(step, what)
        end = self._settle(step, self._confirmed(step), without_path)
        uncounted = without_path | self._without_path()
        dropped = self._accounts.dropped_since(first)
        phase = Phase(first.probe, end, self._pairs, uncounted, dropped)
        self._accounts.open(step, end, [phase])

    def _do_faults(self, step: Step) -> None:
        before, tables = self._world.copy(), self._tables
        without_path = self._without_path()
        since = self._watch.last_event()
        sessions = self._bed.sessions()
        first = self._accounts.mark()
        began_us = _now_us()
        self._inject(step)
        self._truth.excuse(began_us, _now_us(), _NOTICED_S[step.category])
        noticed = self._noticed(step, before)
        since = 0 if step.restarts else since
        try:
            drifted = self._notice.wait(step, since, sessions, tables, self._world)
        except (BedError, ControllerError, NotConfirmed) as error:
            self._stop(step, str(error))
        if drifted:
            self._accounts.violation(step, f"tables drifted by themselves: {sorted(drifted)}")
        confirmed = self._confirmed(step)
        if len(step.faults) == 1:
            at_us = named_us(step.faults[0], self._watch.events(since))
            named_s = None if at_us is None else max(0, at_us - began_us) / 1e6
            self._report.add_named(step.faults[0].kind, named_s)
        end = self._settle(step, confirmed, without_path)
        uncounted = without_path | self._without_path()
        spec, pairs = self._fabric.spec, self._pairs
        at_first = may_lose_at_first(step, spec, self._fabric.hosts, pairs, tables)
        later = may_lose_later(step, spec, self._fabric.hosts, pairs, tables, self._world)
        dropped = self._accounts.dropped_since(first)
        if noticed is None:
            phases = [Phase(first.probe, end, at_first, uncounted, dropped)]
        else:
            phases = [
                Phase(first.probe, noticed, at_first, uncounted, dropped),
                Phase(noticed, end, later, uncounted, dropped),
            ]
        self._accounts.open(step, end, phases)
        if step.keeps_tables():
            self._check_kept(step, tables)

    def _settle(self, step: Step, confirmed: Confirmed, without_path: set[HostPair]) -> int:
        """Lets switches and hosts settle after a confirmation, and checks the switches; returns the
        first probe that may not be lost any more."""
        self._trusted = confirmed.trusted
        self._fabric.ovs.wait_for_datapath()
        self._accounts.purge_stale_drops()
        self._announce_again(without_path, step)
        first_after = self._ledger.mark()
        self._check(step, confirmed)
        return first_after

    def _inject(self, step: Step) -> None:
        self._world.begin_step()
        try:
            for fault in step.faults:
                time.sleep(fault.delay_ms / 1000)
                self._bed.inject(fault, self._world)
            if step.restarts:
                time.sleep(step.downtime_ms / 1000)
                self._bed.start_controller(self._world)
        except (BedError, ControllerError, SwitchError) as error:
            self._stop(step, str(error))

    def _noticed(self, step: Step, before: World) -> int | None:
        """The first probe that is sent when the switches themselves have seen a single fault that
        they can see; None where they cannot, or there are more faults."""
        ports = self._world.dead_ports() - before.dead_ports()
        there = {port for port in ports if port[0] not in self._world.gone}
        if len(step.faults) > 1 or not there:
            return None
        try:
            self._bed.notices(there)
        except (BedError, SwitchError) as error:
            self._stop(step, str(error))
        return self._ledger.mark()

    def _confirmed(self, step: Step) -> Confirmed:
        try:
            self._world.damped = self._world.unseen = frozenset()
            confirmed = self._watch.confirmed(self._world)
            self._world.damped, self._world.unseen = confirmed.damped, confirmed.unseen
            return confirmed
        except (ControllerError, NotConfirmed) as error:
            self._stop(step, str(error))

    def _release_damped(self) -> None:
        """Releases links by hand, so that none is released by itself amid the next step. It is to
        lose nothing, as all that comes after the step before was confirmed."""
        if self._world.damped:
            damped = [self._world.spec.link(name) for name in self._world.damped]
            self._watch.release(str(link.a) for link in damped)
            end = Step(())
            self._check(end, self._confirmed(end))

    def _announce_again(self, without_path: set[HostPair], step: Step) -> None:
        """Hosts that nobody answered forget their gateway's address; the packets that they hold
        back meanwhile are theirs to lose."""
        harmless = all(f.category in (Category.RESTART, Category.RECONNECT) for f in step.faults)
        if harmless and not without_path:
            return
        now = self._world.reachable(self._trusted)
        speaking = [h for h in self._fabric.hosts if any(h.name == one for one, _ in now)]
        self._fabric.announce_hosts(_READY_TIMEOUT_S, speaking)

    def _await_fading(self) -> None:
        """Waits until nothing is said any more of links that were lossy."""
        for act in self._fading.take():
            said = self._watch.silent(act.is_said, act.clear_s)
            if said:
                self._accounts.violation(
                    Step((act.fault,)), f"{act.clear_s:g} s after its end {said}"
                )
        self._must_converge(Step(()))

    def _must_converge(self, step: Step) -> None:
        """Once nothing is wrong any more, the controller says so within a minute."""
        status = self._fabric.controller.status()
        self._fading.follow(status)
        if self._world.defects() or self._world.damped or self._fading:
            return
        said = self._watch.converges(_CONVERGE_S)
        if said:
            self._accounts.violation(
                step, f"nothing is wrong, and after {_CONVERGE_S:g} s it says {said}"
            )

    # What has to hold

    def _check(self, step: Step, confirmed: Confirmed) -> None:
        """Checks the switches, and verifies through the controller, while nothing happens."""
        wrong: list[str] = []
        for _ in range(_LOOKS):
            self._trusted = confirmed.trusted
            present = {s.id for s in self._fabric.spec.switches} - self._removed()
            try:
                self._tables = read_tables(present)
                wrong = self._oracle.differences(
                    self._world, self._trusted, self._tables, self._embedded
                )
                answer = self._fabric.controller.verification()
                wrong += unverified(
                    answer, confirmed, self._world, self._tables, self._fading.subjects()
                )
                # A machine without a free processor may not read a switch in time.
                if self._watch.is_still(confirmed) and not missed(answer, self._world):
                    break
            except (ControllerError, SwitchError) as error:
                self._stop(step, str(error))
            confirmed = self._confirmed(step)
        for what in wrong:
            self._accounts.violation(step, f"confirmed, but {what}")
        for line in self._bed.new_errors():
            self._accounts.violation(step, f"the controller logged: {line}")

    def _removed(self) -> set[str]:
        return {s for s, how in self._world.gone.items() if how != "flushed"}

    def _check_kept(self, step: Step, before: dict[str, Tables]) -> None:
        groups = changed_groups(before, self._tables)
        rules = changed_rules(before, self._tables)
        self._report.accounts[step.category].groups_changed += groups
        if groups or rules:
            self._accounts.violation(step, f"{groups} groups and {rules} rules are not as before")

    def _check_transfers(self, transfers: Transfers) -> None:
        stalled = transfers.stalled(self._world.reachable(self._trusted))
        end = Step(())
        self._accounts.next_step()
        for pair, why in sorted(transfers.broken().items()):
            self._accounts.violation(end, f"the TCP connection {'->'.join(pair)} ended: {why}")
        for pair in sorted(stalled):
            self._accounts.violation(
                end, f"the TCP connection {'->'.join(pair)} carries nothing any more"
            )

    def _without_path(self) -> set[HostPair]:
        return self._pairs - self._world.reachable(self._trusted)

    def _stop(self, step: Step, why: str) -> NoReturn:
        self._accounts.violation(step, why)
        raise Stuck(why)


def _now_us() -> int:
    return time.time_ns() // 1000
