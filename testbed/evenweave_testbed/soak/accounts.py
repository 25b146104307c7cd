"""The accounts of one fabric: what each step cost in packets, and all that did not hold."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.kept_logs import keep_logs
from evenweave_testbed.loss import ProbeStream
from evenweave_testbed.soak.datapath import purge_stale_drops
from evenweave_testbed.soak.ledger import Ledger, Phase
from evenweave_testbed.soak.report import Report, Violation
from evenweave_testbed.soak.schedule import Step
from evenweave_testbed.soak.truth import Truth
from evenweave_testbed.soak.world import HostPair
from evenweave_testbed.socket_buffers import dropped_by_process


@dataclass(frozen=True)
class Mark:
    """A moment: the number of the next probe, and how many packets the bed has dropped so far."""

    probe: int
    overflows: int


@dataclass(frozen=True)
class Open:
    """The step whose last probes are still under way: its `phases`, and `confirmed`, from which
    on nothing may be lost until the next step begins."""

    step: Step
    phases: tuple[Phase, ...]
    confirmed: Mark
    uncounted: AbstractSet[HostPair]


class Accounts:
    """Judges each step's losses once its probes have settled, which is when the next one begins.

    `without_path`: the pairs of hosts that have no path now.
    """

    def __init__(
        self,
        number: int,
        fabric: Fabric,
        report: Report,
        stream: ProbeStream,
        ledger: Ledger,
        truth: Truth,
        without_path: Callable[[], set[HostPair]],
        say: Callable[[str], None],
    ) -> None:
        self._number = number
        self._fabric = fabric
        self._report = report
        self._stream = stream
        self._ledger = ledger
        self._truth = truth
        self._without_path = without_path
        self._say = say
        self._stale_drops = 0
        self._open: Open | None = None
        # Step 0 is the start of the fabric.
        self._step = 0
        self._step_of_logs = -1

    def next_step(self) -> int:
        """The number of the step that begins."""
        self._step += 1
        return self._step

    def mark(self) -> Mark:
        return Mark(self._ledger.mark(), self._overflows())

    def dropped_since(self, mark: Mark) -> int:
        """How many packets the bed itself has dropped since."""
        return self._overflows() - mark.overflows

    def open(self, step: Step, confirmed: int, phases: Sequence[Phase] = ()) -> None:
        """A step that was confirmed before the probe with this number was sent, and its phases up
        to there."""
        mark = Mark(confirmed, self._overflows())
        self._open = Open(step, tuple(phases), mark, self._without_path())

    def close(self) -> None:
        """Judges the step before: all its probes have settled once those sent until now have."""
        last = self._open
        assert last is not None
        end = self.mark()
        self._ledger.settle(end.probe, self._without_path())
        dropped = self.dropped_since(last.confirmed)
        self._check_claims(last, end, dropped)
        lost = sum(self._judge(last.step, phase, "") for phase in last.phases)
        after = Phase(last.confirmed.probe, end.probe, frozenset(), last.uncounted, dropped)
        lost += self._judge(last.step, after, " after it was confirmed")
        if len(last.step.faults) == 1:
            self._report.add_lost_of(last.step.faults[0].kind, lost)
        self._open = Open(last.step, (), Mark(end.probe, self._overflows()), last.uncounted)

    def violation(self, step: Step, what: str) -> None:
        load = round(os.getloadavg()[0], 1)
        violation = Violation(self._number, self._step, str(step), what, load)
        self._report.violations.append(violation)
        self._say(f"VIOLATION {violation}")
        # Before the log begins again with the next controller; once in a step.
        if self._step_of_logs != self._step and (kept := keep_logs(self._fabric.directory)):
            self._step_of_logs = self._step
            self._say(f"the logs are in {kept}")

    def purge_stale_drops(self) -> None:
        """Removes cached flows that contradict the switches' rules."""
        packets = purge_stale_drops()
        if packets:
            self._stale_drops += packets
            self._say(f"cached flows against the rules had dropped {packets} packets; purged")

    def _judge(self, step: Step, phase: Phase, when: str) -> int:
        """Enters a phase's losses; returns how many there are."""
        losses = self._ledger.losses(phase)
        self._report.add_losses(step.category, losses)
        if losses.wrong:
            named = self._ledger.describe(losses.wrong)
            self.violation(step, f"{len(losses.wrong)} packets lost{when}: {named}")
        return losses.allowed + len(losses.wrong)

    def _check_claims(self, last: Open, end: Mark, dropped_after: int) -> None:
        """No packet that has a way may be lost while the controller says *converged* or *ok*."""
        first = last.phases[0].first if last.phases else last.confirmed.probe
        without_path = last.uncounted | self._without_path()
        lost = [
            number
            for number in self._stream.missing(first, end.probe)
            if self._ledger.pair_of(number) not in without_path | uncounted(number, last.phases)
        ]
        wrong = self._truth.lost_in_claims(lost, self._stream.sent_at)
        dropped = dropped_after + sum(phase.overflows for phase in last.phases)
        if len(wrong) > dropped:
            named = self._ledger.describe(wrong)
            began_us = self._stream.sent_at(first)
            when = [(self._stream.sent_at(n) - began_us) / 1e6 for n in (wrong[0], wrong[-1])]
            self.violation(
                last.step,
                f"converged or ok was said while {len(wrong)} packets were lost, {when[0]:.1f} to "
                f"{when[1]:.1f} s after its begin: {named}",
            )

    def _overflows(self) -> int:
        """Packets that receivers and switches of the bed have dropped because they were late, or
        by cached flows against their rules."""
        late = self._stream.overflows() + dropped_by_process(self._fabric.ovs.switches_pid)
        return late + self._stale_drops


def uncounted(number: int, phases: Sequence[Phase]) -> AbstractSet[HostPair]:
    """The pairs that had no path at the begin or the end of the phase in which a probe was sent."""
    return next((p.uncounted for p in phases if p.first <= number < p.end), frozenset())
