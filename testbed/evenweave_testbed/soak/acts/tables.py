"""Foreign rules, groups and port settings, and a switch that changes to standalone mode."""

from __future__ import annotations

import time

from evenweave_testbed.openvswitch import OPENFLOW, run
from evenweave_testbed.soak.acts.act import Act, ActError
from evenweave_testbed.soak.faults import FOREIGN_GROUP

_COOKIE = "0xbad"
# Open vSwitch gives a controller up after three times the time of its inactivity probe, 5 s.
_STANDALONE_TIMEOUT_S = 60.0
_POLL_S = 0.1
_NOBODY = "tcp:127.0.0.1:1"
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
