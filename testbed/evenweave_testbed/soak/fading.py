"""Acts that a status may still give as a reason for some minutes, such as links that were lossy."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from evenweave_testbed.soak.acts.act import Act

# Two rounds of measurements of links, and one until they are judged.
_MEASURED_S = 6.0


class Fading:
    """Acts that are over, and that a status may still give as a reason.

    While a link is down, or its switch away, the controller neither measures it nor calls it lossy;
    once the link is back the verdict of before holds until it has been clean for long enough. So an
    act is dropped only where the controller could see its link at the end of two steps in a row.
    """

    def __init__(self) -> None:
        self._acts: list[Act] = []
        # Of these, those that the controller could not see when it was asked last.
        self._unseen: set[Act] = set()

    def __bool__(self) -> bool:
        return bool(self._acts)

    def add(self, act: Act) -> None:
        self._acts.append(act)

    def subjects(self) -> set[str]:
        """What these acts were about."""
        return {act.fault.subject for act in self._acts}

    def follow(self, status: Mapping) -> None:
        """Drops what a status does not give as a reason any more."""
        self._acts = [act for act in self._acts if self._may_be_said(act, status)]

    def _may_be_said(self, act: Act, status: Mapping) -> bool:
        if not act.is_in_sight():
            self._unseen.add(act)
            return True
        was_unseen = act in self._unseen
        self._unseen.discard(act)
        return was_unseen or act.is_said(status)

    def take(self, pause: Callable[[float], None] = time.sleep) -> list[Act]:
        """All acts, once the controller has judged those whose links are back."""
        if self._acts:
            pause(_MEASURED_S)
        taken, self._acts = self._acts, []
        self._unseen.clear()
        return taken
