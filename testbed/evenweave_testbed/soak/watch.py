"""Determines when a controller has handled a fault: by its status and the order of its events."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from evenweave_testbed.controller import Controller, ControllerError
from evenweave_testbed.soak.world import World

# Without any progress for so long, a controller has stopped; a busy machine has not.
_STILL_TIMEOUT_S = 90.0
_TIMEOUT_S = 300.0
_POLL_S = 0.05
_AUDIT_TIMEOUT_S = 120.0


class NotConfirmed(RuntimeError):
    """The controller did not report in time that the network is as configured."""


@dataclass(frozen=True)
class Confirmed:
    """A confirmation: the status, the latest event then, the switches without a controller that
    are used anyway, the links that are damped, and those of the unproved ones that the controller
    does not see."""

    status: Mapping
    event: int
    trusted: frozenset[str]
    damped: frozenset[str]
    unseen: frozenset[str]


def is_confirmed(status: Mapping) -> bool:
    """Whether the controller says that all connected switches hold what they are to hold: its
    `confirmed`; before there was one, `converged`."""
    return status["confirmed"] if "confirmed" in status else status["converged"]


def mismatch(topology: Mapping, world: World) -> str | None:
    """How the network that a controller sees differs from the real one; None if it does not. What
    is excluded, or has lost the controller, may be there or not."""
    fabric = topology["fabric"]
    switches = {switch["id"] for switch in fabric["switches"]}
    needed = world.connected() - world.excluded_switches
    if missing := needed - switches:
        return f"it does not see {', '.join(sorted(missing))}"
    if gone := (switches & world.gone.keys()) - world.excluded_switches:
        return f"it still sees {', '.join(sorted(gone))}"
    links = {f"{link['a']}-{link['b']}" for link in fabric["links"]}
    working = {str(link) for link in world.working_links()}
    for link in world.spec.links:
        seen = not links.isdisjoint(link.names())
        ignored = {link.a.switch, link.b.switch} & world.gone.keys() & world.excluded_switches
        if seen and str(link) not in working and not ignored:
            return f"it still sees {link}"
        must = str(link) in {str(routed) for routed in world.routed_links()}
        if must and not seen:
            return f"it does not see {link}"
    # After a small MTU, or what looked like one, until large probes pass again.
    if avoided := topology.get("avoidedLinks"):
        return f"it avoids {', '.join(avoided)}"
    return None


def disconnected(status: Mapping, world: World) -> str | None:
    """Why a controller has not all switches that point at it yet; None if it has. It may trust a
    switch that it has not read again, so its topology does not tell."""
    there = len(world.connected())
    if status["switches"] < there:
        return f"it is connected to {status['switches']} switches of {there}"
    return None


class Watch:
    """Waits for a controller."""

    def __init__(self, controller: Controller) -> None:
        self._controller = controller

    def last_event(self) -> int:
        return self._controller.last_sequence()

    def events(self, since: int) -> list[dict]:
        """Events after one; none if the controller does not answer."""
        try:
            return self._controller.events(since)
        except ControllerError:
            return []

    def converges(self, timeout_s: float) -> str | None:
        """Waits until the controller says that all is well; returns what it says instead if it
        does not within some time. What says nothing of a state need not."""
        deadline = time.monotonic() + timeout_s
        while True:
            try:
                status = self._controller.status()
                if status.get("state", "converged") == "converged":
                    return None
                said = f"{status['state']}: {'; '.join(status.get('reasons', ()))}"
            except ControllerError as error:
                said = str(error)
            if time.monotonic() > deadline:
                return said
            time.sleep(_POLL_S)

    def confirmed(self, world: World) -> Confirmed:
        """Waits until the controller sees the world as it is and says that the switches follow.

        Raises NotConfirmed if it makes no progress towards that.
        """
        began = moved = time.monotonic()
        last = ""
        while True:
            confirmed, why = self._look(world)
            if confirmed:
                return confirmed
            now = time.monotonic()
            if why != last:
                last, moved = why, now
            if now - moved > _STILL_TIMEOUT_S or now - began > _TIMEOUT_S:
                raise NotConfirmed(f"not confirmed after {now - began:.0f} s: {why}")
            time.sleep(_POLL_S)

    def _look(self, world: World) -> tuple[Confirmed | None, str]:
        """A confirmation, or what is missing for one."""
        try:
            event = self._controller.last_sequence()
            topology = self._controller.topology()
            wrong = mismatch(topology, world)
            status = self._controller.status()
            wrong = wrong or disconnected(status, world)
        except ControllerError as error:
            return None, str(error)
        if wrong:
            return None, f"{wrong}; {json.dumps(status)}"
        if not is_confirmed(status) or status["version"] != topology["version"]:
            return None, json.dumps(status)
        seen = {switch["id"] for switch in topology["fabric"]["switches"]}
        named = set(topology.get("dampedLinks", ()))
        damped = {str(link) for link in world.spec.links if not named.isdisjoint(link.names())}
        trusted = frozenset(world.disconnected & seen)
        links = {f"{link['a']}-{link['b']}" for link in topology["fabric"]["links"]}
        unseen = {
            name for name in world.unproved() if links.isdisjoint(world.spec.link(name).names())
        }
        return Confirmed(status, event, trusted, frozenset(damped), frozenset(unseen)), ""

    def silent(self, said: Callable[[Mapping], bool], timeout_s: float) -> str | None:
        """Waits until the controller does not say something any more; returns what it says if it
        still does after some time."""
        deadline = time.monotonic() + timeout_s
        while True:
            try:
                status = self._controller.status()
                if not said(status):
                    return None
                found = "; ".join(status.get("reasons", ()))
            except ControllerError as error:
                found = str(error)
            if time.monotonic() > deadline:
                return found
            time.sleep(_POLL_S)

    def is_still(self, confirmed: Confirmed) -> bool:
        """Whether nothing has happened since a confirmation."""
        return (
            self._controller.last_sequence() == confirmed.event
            and self._controller.status() == confirmed.status
        )

    def release(self, ends: Iterable[str]) -> None:
        """Releases the damped links with these ends."""
        for end in ends:
            # It may have been released by its own time meanwhile.
            with suppress(ControllerError):
                self._controller.release(end)

    def audit(self) -> list[str]:
        """Makes the controller read all switches, after their messages so far; returns
        those whose tables were not as installed. Waits for plans that are under way."""
        deadline = time.monotonic() + _AUDIT_TIMEOUT_S
        while True:
            try:
                return self._controller.audit()
            except ControllerError as error:
                if time.monotonic() > deadline:
                    raise NotConfirmed(f"no audit: {error}") from error
            time.sleep(_POLL_S)

    def repaired(self, switches: set[str], since: int) -> None:
        """Waits until every drift of these switches that was noticed after event `since` has been
        repaired, and there is one."""
        deadline = time.monotonic() + _AUDIT_TIMEOUT_S
        while True:
            try:
                drifts = [e for e in self._controller.events(since) if e["kind"] == "drift"]
            except ControllerError:
                drifts = []
            noticed = {e["subject"] for e in drifts}
            if switches <= noticed and all(e.get("confirmedEpochMicros") for e in drifts):
                return
            if time.monotonic() > deadline:
                left = ", ".join(sorted(switches - noticed)) or "a drift that was noticed"
                raise NotConfirmed(f"{left} was not repaired")
            time.sleep(_POLL_S)
