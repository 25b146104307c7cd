"""Foreign and contested rules, groups and port settings, and a switch that changes to standalone
mode."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping

from evenweave_testbed.openvswitch import OPENFLOW, run
from evenweave_testbed.soak.acts.act import Act, ActError
from evenweave_testbed.soak.faults import FOREIGN_GROUP

_COOKIE = "0xbad"
# Open vSwitch gives a controller up after three times the time of its inactivity probe, 5 s.
_STANDALONE_TIMEOUT_S = 60.0
_POLL_S = 0.1
_NOBODY = "tcp:127.0.0.1:1"
# A rule is contested from its third change within a minute on.
_CHANGES = 3
# An audit each 30 s finds a change at the latest.
_REPAIR_TIMEOUT_S = 40.0
_UNDO = {"no-forward": "forward", "no-receive": "receive"}


def _ofctl(command: str, *arguments: str) -> str:
    return run("ovs-ofctl", "-O", OPENFLOW, command, *arguments)


class ForeignRule(Act):
    """A rule as `ovs-ofctl add-flow` takes it, on a switch. With `group:` in its actions the group
    drops all."""

    named_by = ("foreign-rule",)
    always = False
    by_audit = True
    # An audit each 30 s, and the time that one takes.
    detect_s = 40.0

    def begin(self) -> None:
        switch = self.fault.subject
        if "group:" in self.fault.detail:
            _ofctl("add-group", switch, f"group_id={FOREIGN_GROUP},type=select,bucket=actions=drop")
        self.starts_now()
        _ofctl("add-flow", switch, f"cookie={_COOKIE},{self.fault.detail}")

    def end(self) -> None:
        _ofctl("del-flows", self.fault.subject, f"cookie={_COOKIE}/-1")
        _ofctl("del-groups", self.fault.subject, f"group_id={FOREIGN_GROUP}")

    def reason(self) -> str:
        return f"{self.fault.subject}: foreign rule "


class HarmlessRules(ForeignRule):
    """Rules that no packet of the fabric meets, and a group."""

    def begin(self) -> None:
        switch = self.fault.subject
        _ofctl("add-group", switch, f"group_id={FOREIGN_GROUP},type=all,bucket=output:1")
        self.starts_now()
        for rule in (
            f"priority=65000,ip,nw_dst=192.168.7.0/24,actions=group:{FOREIGN_GROUP}",
            "priority=5,ip,actions=drop",
        ):
            _ofctl("add-flow", switch, f"cookie={_COOKIE},{rule}")


class ContestedRule(Act):
    """Somebody else's rule in the place of one of the controller's, to a prefix. It drops all, and
    is put back after each repair: three times within a minute."""

    named_by = ("rule-contested",)
    # Two repairs, on ONOS each after a poll of 5 s, and the third change.
    detect_s = 60.0
    # A minute without a change, a comparison each 5 s, and an audit.
    clear_s = 100.0

    def begin(self) -> None:
        place = self._place()
        self.starts_now()
        for change in range(_CHANGES):
            if change == 0 or self._is_repaired():
                _ofctl("add-flow", self.fault.subject, f"cookie={_COOKIE},{place},actions=drop")

    def _place(self) -> str:
        """Priority and match of the controller's rule."""
        to = re.escape(f"nw_dst={self.fault.detail}")
        for line in _ofctl("--no-stats", "dump-flows", self.fault.subject).splitlines():
            found = re.search(rf"(priority=\d+,\S*{to}) actions=", line)
            if found and not re.search(r"\btable=[1-9]", line):
                return found[1]
        raise ActError(f"{self.fault.subject} has no rule to {self.fault.detail}")

    def _is_repaired(self) -> bool:
        """Waits until the controller's rule is in its place again; false if that takes too long."""
        deadline = time.monotonic() + _REPAIR_TIMEOUT_S
        while "actions=" in _ofctl("dump-flows", self.fault.subject, f"cookie={_COOKIE}/-1"):
            if time.monotonic() > deadline:
                return False
            time.sleep(_POLL_S)
        return True

    def end(self) -> None:
        if not self._is_repaired():
            _ofctl("del-flows", self.fault.subject, f"cookie={_COOKIE}/-1")

    def is_about(self, subject: str) -> bool:
        return subject.startswith(self.reason()) and " is contested: " in subject

    def reason(self) -> str:
        return f"{self.fault.subject}: rule "

    def is_said(self, status: Mapping) -> bool:
        return any(self.is_about(reason) for reason in status.get("reasons", ()))


class PortSetting(Act):
    """A port that may not forward or receive (OFPPC_NO_FWD, OFPPC_NO_RECV)."""

    named_by = ("port-settings",)

    def _set(self, setting: str) -> None:
        switch, _, port = self.fault.subject.rpartition("/")
        _ofctl("mod-port", switch, port, setting)

    def begin(self) -> None:
        self.starts_now()
        self._set(self.fault.detail)

    def end(self) -> None:
        self._set(_UNDO[self.fault.detail])

    def reason(self) -> str:
        return f"{self.fault.subject} may not "


class Standalone(Act):
    """A switch with `fail_mode=standalone`, as ovs-vsctl makes it by default, loses the controller
    for long enough to drop all rules and to become a bridge; then it finds the controller again."""

    named_by = ("tables-emptied", "foreign-rule")
    # With a back-off of up to 8 s.
    detect_s = 15.0

    def begin(self) -> None:
        switch = self.fault.subject
        run("ovs-vsctl", "set-fail-mode", switch, "standalone")
        self.site.fabric.ovs.set_controllers([switch], _NOBODY)
        deadline = time.monotonic() + _STANDALONE_TIMEOUT_S
        while "actions=" in _ofctl("dump-flows", switch):
            if time.monotonic() > deadline:
                raise ActError(f"{switch} does not fall into standalone")
            time.sleep(_POLL_S)
        self.starts_now()
        self.site.fabric.ovs.set_controllers([switch], *self.site.targets)

    def end(self) -> None:
        switch = self.fault.subject
        run("ovs-vsctl", "set-fail-mode", switch, "secure")

    def reason(self) -> str:
        return self.fault.subject

    def is_said(self, status) -> bool:
        return any(r.startswith(f"{self.fault.subject}: ") for r in status.get("reasons", ()))
