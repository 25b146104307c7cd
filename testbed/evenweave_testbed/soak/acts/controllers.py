"""Another controller, a second switch with the same datapath id, and a log that nobody reads."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping

from evenweave_testbed.openvswitch import run
from evenweave_testbed.other_controller import OtherController
from evenweave_testbed.soak.acts.act import Act, ActError, Site
from evenweave_testbed.soak.faults import Fault
from evenweave_testbed.soak.read_log import reader_of

_OTHER_PORT = 6699
_MASTER_TIMEOUT_S = 60.0
_TWIN = "twin"
_LINE = b"x" * 79 + b"\n"


class OtherMaster(Act):
    """Another controller claims the role of master of a switch, then disconnects."""

    named_by = ("other-master",)
    # Roles are looked at now and then where switches do not report them (OpenFlow 1.3).
    detect_s = 30.0

    def __init__(self, site: Site, fault: Fault) -> None:
        super().__init__(site, fault)
        self._other: OtherController | None = None

    def begin(self) -> None:
        switch = self.fault.subject
        self._other = OtherController(_OTHER_PORT, self.site.openflow)
        self.starts_now()
        self.site.fabric.ovs.set_controllers([switch], *self.site.targets, self._other.target)
        if not self._other.is_master.wait(_MASTER_TIMEOUT_S):
            raise ActError(f"{switch} does not make the other controller its master")

    def end(self) -> None:
        if self._other is not None:
            self._other.leave()
        self.site.fabric.ovs.set_controllers([self.fault.subject], *self.site.targets)

    def reason(self) -> str:
        return self.fault.subject

    def is_said(self, status: Mapping) -> bool:
        return any(f"is master of {self.fault.subject}" in r for r in status.get("reasons", ()))


class Twin(Act):
    """A second switch connects with the datapath id of a connected one."""

    named_by = ("duplicate-datapath",)
    # The first one has to answer an echo request meanwhile.
    detect_s = 15.0

    def begin(self) -> None:
        datapath = run("ovs-vsctl", "get", "bridge", self.fault.subject, "datapath_id")
        self.starts_now()
        run(
            *("ovs-vsctl", "add-br", _TWIN),
            *("--", "set", "bridge", _TWIN, "datapath_type=netdev", "fail_mode=secure"),
            "protocols=OpenFlow13",
            "other_config:datapath-id=" + datapath.strip().strip('"'),
            *("--", "set-controller", _TWIN, *self.site.targets),
        )

    def end(self) -> None:
        run("ovs-vsctl", "--if-exists", "del-br", _TWIN)

    def reason(self) -> str:
        return f"datapath id of {self.fault.subject}"

    def is_about(self, subject: str) -> bool:
        return self.fault.subject in subject


class UnreadLog(Act):
    """The program that reads the controller's log stops, and the pipe to it is full. Meanwhile a
    link goes down, which has to be named as at any other time, and comes up."""

    named_by = ("link-down",)

    def __init__(self, site: Site, fault: Fault) -> None:
        super().__init__(site, fault)
        self._reader: int | None = None

    def begin(self) -> None:
        process = self.site.fabric.process
        assert process is not None
        self._reader = reader_of(process.pid())
        if self._reader is None:
            raise ActError("no process reads the controller's log")
        os.kill(self._reader, signal.SIGSTOP)
        _fill(self._reader)
        self.starts_now()
        self.site.fabric.cut(self.fault.detail)

    def end(self) -> None:
        if self._reader is not None:
            os.kill(self._reader, signal.SIGCONT)
        self.site.fabric.heal(self.fault.detail)

    def reason(self) -> str:
        return f"link {self.fault.detail} is down"

    def is_about(self, subject: str) -> bool:
        return subject == self.fault.detail


def _fill(reader: int) -> None:
    """Writes into the pipe that a process has as its standard input until it is full."""
    end = os.open(f"/proc/{reader}/fd/0", os.O_WRONLY | os.O_NONBLOCK)
    try:
        while True:
            os.write(end, _LINE)
    except BlockingIOError:
        return
    finally:
        os.close(end)
