"""The base of all acts: how they begin and end, and which events report them."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.soak.faults import Fault
from evenweave_testbed.soak.world import World


class ActError(RuntimeError):
    """An act failed in the test bed; the controller is not at fault."""


@dataclass(frozen=True)
class Site:
    """Where acts are done. `targets`: the controller as switches know it; `openflow`: the version
    that switches and the controller speak, as on the wire."""

    fabric: Fabric
    world: World
    targets: Sequence[str]
    openflow: int = 4


class Act(ABC):
    """Something that somebody else does, from `begin` to `end`.

    The controller has to name it by an event of one of the kinds `named_by` within `detect_s`: in
    any case if `always`, else if packets are lost. With `by_audit` it finds it when it reads the
    switches. `clear_s` after the end it may say nothing of it any more.
    """

    named_by: tuple[str, ...] = ()
    always = True
    by_audit = False
    detect_s = 5.0
    clear_s = 60.0

    def __init__(self, site: Site, fault: Fault) -> None:
        self.site = site
        self.fault = fault
        # When it took effect, in microseconds of the epoch.
        self.began_us = 0

    @abstractmethod
    def begin(self) -> None:
        """Returns once it has taken effect; sets `began_us` just before."""

    @abstractmethod
    def end(self) -> None:
        """Undoes it, also if it had begun in part only."""

    @abstractmethod
    def reason(self) -> str:
        """What every reason of a status has in it that is about this act."""

    def is_about(self, subject: str) -> bool:
        """Whether an event is about it, by the event's subject."""
        return self.reason() in subject

    def named_us(self, events: Iterable[Mapping]) -> int | None:
        """When it was named, in microseconds of the epoch; None if it has not been."""
        times = [
            int(event["detectedEpochMicros"])
            for event in events
            if event["kind"] in self.named_by and self.is_about(event["subject"])
        ]
        return min(times, default=None)

    def is_said(self, status: Mapping) -> bool:
        """Whether a status gives it as a reason."""
        return any(self.reason() in reason for reason in status.get("reasons", ()))

    def is_over(self) -> bool:
        """Whether nothing is left of it after its end, as far as the controller's tables show."""
        return True

    def is_in_sight(self) -> bool:
        """Whether the controller can see now that nothing is left of it."""
        return True

    def lost(self) -> int:
        """How many packets of its own traffic have been lost."""
        return 0

    def wrong(self) -> list[str]:
        """What should not have happened to those who act."""
        return []

    def starts_now(self) -> None:
        self.began_us = time.time_ns() // 1000
