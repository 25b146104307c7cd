"""Waits until a controller has noticed faults that do not change the network."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from evenweave_testbed.soak.bed import Bed
from evenweave_testbed.soak.faults import Category
from evenweave_testbed.soak.schedule import Step
from evenweave_testbed.soak.tables import Tables, changed_rules, read_tables
from evenweave_testbed.soak.watch import Watch
from evenweave_testbed.soak.world import World

# Every so often a drift is left to the controller's own audit, which comes every 30 s.
_OWN_AUDIT_EVERY = 5
_FLAPS = frozenset({"port-flap", "link-flaps"})
_LEAVES_NO_TRACE = frozenset({"session-reset", "all-switches-crash"}) | _FLAPS


class Notice:
    """Where the network is to be as before, it does not show whether the controller has noticed
    anything yet. An audit reads all switches, after their messages so far; and is what finds
    changes that were made behind its back."""

    def __init__(self, bed: Bed, watch: Watch) -> None:
        self._bed = bed
        self._watch = watch
        self._drifts = 0

    def wait(
        self,
        step: Step,
        since: int,
        sessions: set[int],
        before: Mapping[str, Tables],
        world: World,
    ) -> Collection[str]:
        """Waits until the faults of a step have been noticed; returns switches whose tables were
        others than before though nobody had changed them. `since`: the last event, `sessions`: the
        switches' sessions, `before`: their tables, before the step."""
        touched = {f.subject for f in step.faults if f.category is Category.DRIFT}
        renewed = step.renewed()
        connected = world.connected()
        reset = {f.subject for f in step.faults if f.kind == "session-reset"} & connected
        crashed = any(f.kind == "all-switches-crash" for f in step.faults)
        if (renewed or reset or crashed) and not step.restarts:
            self._bed.wait_for_new_sessions(sessions, len(connected))
        if touched and len(step.faults) == 1:
            self._drifts += 1
            if self._drifts % _OWN_AUDIT_EVERY == 0 and _was_changed(touched, before):
                self._watch.repaired(touched, since)
                return ()
        if touched or renewed or any(f.kind in _LEAVES_NO_TRACE for f in step.faults):
            drifted = set(self._watch.audit())
            self._watch.repaired(drifted, since)
            if {f.kind for f in step.faults} <= _FLAPS:
                return drifted
        return ()


def _was_changed(switches: Iterable[str], before: Mapping[str, Tables]) -> bool:
    return changed_rules(before, read_tables(switches)) > 0
