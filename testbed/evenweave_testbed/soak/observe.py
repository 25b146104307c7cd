"""Performs an act and measures how long the controller takes to report it and, after its end, to
clear the report."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from evenweave_testbed.controller import ControllerError
from evenweave_testbed.soak.acts.act import Act

_POLL_S = 0.1
# Rules that nothing is lost by after so long harm nothing.
_QUIET_S = 4.0
# It goes on for so long once it has been named.
_HOLD_S = 1.5


class Watched(Protocol):
    """The part of a controller that observations use."""

    def status(self) -> dict: ...
    def events(self, since: int = ...) -> list[dict]: ...
    def audit(self) -> list[str]: ...


@dataclass
class Observed:
    """`named_s`: from its begin until it was named; None if it was not, or only because an audit
    was asked for. `cleared_s`: from its end until nothing was said of it. `wrong`: what should not
    have been."""

    named_s: float | None = None
    cleared_s: float | None = None
    wrong: list[str] = field(default_factory=list)


class Observation:
    """One act, from begin to end. `clock` in seconds; `lost`: whether the probes lose packets;
    `verify`: is called once, while the act goes on and has been named."""

    def __init__(
        self,
        act: Act,
        controller: Watched,
        lost: Callable[[], bool],
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
        verify: Callable[[], None] = lambda: None,
    ) -> None:
        self._act = act
        self._controller = controller
        self._lost = lost
        self._clock = clock
        self._pause = pause
        self._verify = verify
        self._found = Observed()
        self._audited = False

    def run(self, since: int, hasten: bool, waits: bool = True) -> Observed:
        """Does the act. `since`: the last event before it. `hasten`: audits are asked for, where
        the controller's own would be waited for. `waits`: whether it is waited for that nothing is
        said of it any more."""
        act = self._act
        try:
            act.begin()
            self._await_name(since, hasten and act.by_audit)
            self._pause(_HOLD_S)
            self._verify()
        finally:
            act.end()
        if waits:
            self._await_silence((hasten and act.by_audit) or self._audited)
        self._found.wrong += act.wrong()
        return self._found

    def _await_name(self, since: int, hasten: bool) -> None:
        act, began = self._act, self._clock()
        while True:
            at_us = self._named_us(since)
            if at_us is not None:
                if not self._audited:
                    self._found.named_s = max(0, at_us - act.began_us) / 1e6
                return
            waited = self._clock() - began
            is_quiet = waited > _QUIET_S and not act.always and not self._lost()
            if is_quiet and self._audited:
                return
            if not self._audited and (is_quiet or (hasten and waited > _QUIET_S)):
                self._audited = self._audit()
            if waited > act.detect_s:
                self._found.wrong.append(
                    f"it was not named within {act.detect_s:g} s"
                    + ("" if act.always else ", and packets are lost")
                )
                return
            self._pause(_POLL_S)

    def _named_us(self, since: int) -> int | None:
        try:
            return self._act.named_us(self._controller.events(since))
        except (ControllerError, OSError):
            return None

    def _audit(self) -> bool:
        """Returns false if a plan is in progress, and there can be none."""
        try:
            self._controller.audit()
        except ControllerError:
            return False
        return True

    def _await_silence(self, hasten: bool) -> None:
        act, began, audited = self._act, self._clock(), not hasten
        while True:
            audited = audited or self._audit()
            waited = self._clock() - began
            try:
                said = act.is_said(self._controller.status())
                if not said and act.is_over():
                    self._found.cleared_s = waited
                    return
                what = "it is still said" if said else "something is left of it"
            except ControllerError as error:
                what = str(error)
            if waited > act.clear_s:
                self._found.wrong.append(f"{act.clear_s:g} s after its end {what}")
                return
            self._pause(_POLL_S)
