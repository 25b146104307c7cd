"""Injects faults into the switches, hosts and controller of a live fabric."""

from __future__ import annotations

import itertools
import json
import re
import time
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from evenweave_testbed.controller import OPENFLOW_ADDRESS, ControllerError
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.interfaces import set_up
from evenweave_testbed.openvswitch import OPENFLOW, Group, SwitchError, run
from evenweave_testbed.silence import SilenceError, end_silence, silence
from evenweave_testbed.soak.faults import Fault, late_sessions
from evenweave_testbed.soak.tables import Port
from evenweave_testbed.soak.world import FLUSHED, POWERED_OFF, World
from evenweave_topos.fabric_file import End
from evenweave_topos.topologies import interface_name

# Nobody listens there.
_NOBODY = "tcp:127.0.0.1:1"
# Among the ids that are Evenweave's: groups with others are left alone.
_STRAY_GROUP = 0x4557FFF0
_PORT_STATE = re.compile(r"^ (\d+)\(.*?^     state: +(\S+)", re.MULTILINE | re.DOTALL)
# More than twice as many as get a link damped, within a second or two.
_FLAPS, _FLAP_PERIOD_S = 8, 0.25
_NOTICE_TIMEOUT_S = 20.0
_POLL_S = 0.005
# Several times Open vSwitch's longest back-off, 8 s.
_SESSIONS_TIMEOUT_S = 60.0
_ESTABLISHED = "01"  # TCP_ESTABLISHED of net/tcp_states.h
# Reading tables ends long before; a configuration that is refused for this long is a fault found.
_REQUEST_TIMEOUT_S = 60.0
_REQUEST_POLL_S = 0.1


class BedError(RuntimeError):
    """A fault could not be injected; the controller is not at fault."""


class Bed:
    """A live fabric into which faults are injected."""

    def __init__(self, fabric: Fabric) -> None:
        self.fabric = fabric
        assert fabric.process is not None, "the controller is one that faults can end"
        self._controller = fabric.process
        self._errors: set[str] = set()
        self._held: list[tuple[float, str]] = []
        self.targets = self._controller.ready.get("controllers", [f"tcp:{OPENFLOW_ADDRESS}"])
        self._do = {
            "link-down": self._link_down,
            "link-up": self._link_up,
            "port-flap": self._flap,
            "link-flaps": self._flap_often,
            "silent-link": self._silence,
            "silence-ends": self._end_silence,
            "switch-removed": lambda _world, fault: self._remove(fault.subject),
            "switch-powered-off": self._power_off,
            "switch-flushed": lambda _world, fault: run(
                "ovs-vsctl", "del-controller", fault.subject
            ),
            "switch-back": self._bring_back,
            "all-switches-crash": lambda _world, _fault: self._crash_switches(),
            "host-port-down": lambda _world, fault: self._set_host_port(fault.subject, False),
            "host-port-up": lambda _world, fault: self._set_host_port(fault.subject, True),
            "rules-deleted": lambda _world, fault: self._delete_rules(fault),
            "group-changed": lambda _world, fault: self._change_group(fault),
            "controller-killed": lambda _world, _fault: self._controller.kill(),
            "controller-stopped": lambda _world, _fault: self._controller.stop(),
            "late-sessions": self._kill_and_hold,
            "session-reset": lambda _world, fault: self.fabric.ovs.appctl(
                "bridge/reconnect", fault.subject
            ),
            "disconnected": lambda _world, fault: self._connect(fault.subject, _NOBODY),
            "connected": lambda _world, fault: self._connect(fault.subject, *self.targets),
            "strategy": self._configure,
            "excluded": self._configure,
            "included": self._configure,
        }

    def use_default_back_off(self) -> None:
        """Gives the switches' controller connections what Open vSwitch has by itself."""
        for connection in run(
            "ovs-vsctl", "--bare", "--columns=_uuid", "list", "controller"
        ).split():
            run("ovs-vsctl", "clear", "controller", connection, "max_backoff")

    def inject(self, fault: Fault, world: World) -> None:
        """Injects a fault into the fabric, and applies it to the world."""
        self._do[fault.kind](world, fault)
        fault.apply(world)

    def new_errors(self) -> list[str]:
        """The errors that the embedded controller has logged since the last call."""
        new = [line for line in self._controller.logged_errors() if line not in self._errors]
        self._errors.update(new)
        return new

    def start_controller(self, world: World) -> None:
        """Starts the controller, and lets the switches connect that were held back until then."""
        self._controller.start()
        began = time.monotonic()
        for late_s, switch in self._held:
            time.sleep(max(0.0, began + late_s - time.monotonic()))
            if switch in world.connected():
                self._connect(switch, *self.targets)
        self._held.clear()

    # Links

    def _link_down(self, _world: World, fault: Fault) -> None:
        set_up(_interface(fault.detail), False)

    def _link_up(self, world: World, fault: Fault) -> None:
        end = world.down[fault.subject]
        if world.gone.get(end.rpartition("/")[0]) != POWERED_OFF:
            set_up(_interface(end), True)

    def _flap(self, _world: World, fault: Fault) -> None:
        set_up(_interface(fault.detail), False)
        set_up(_interface(fault.detail), True)

    def _flap_often(self, _world: World, fault: Fault) -> None:
        for up in (False, True) * _FLAPS:
            set_up(_interface(fault.detail), up)
            time.sleep(_FLAP_PERIOD_S / 2)

    def _silence(self, _world: World, fault: Fault) -> None:
        """Drops what an end sends."""
        try:
            silence(_interface(fault.detail))
        except SilenceError as error:
            raise BedError(str(error)) from error

    def _end_silence(self, world: World, fault: Fault) -> None:
        try:
            end_silence(_interface(world.silent[fault.subject]))
        except SilenceError as error:
            raise BedError(str(error)) from error

    def _set_host_port(self, name: str, up: bool) -> None:
        (host,) = [host for host in self.fabric.hosts if host.name == name]
        set_up(interface_name(host.switch, host.port), up)

    # Switches

    def _remove(self, switch: str) -> None:
        run("ovs-vsctl", "del-br", switch)

    def _power_off(self, world: World, fault: Fault) -> None:
        for end in _ends_of(world, fault.subject):
            set_up(_interface(str(end)), False)
        self._remove(fault.subject)

    def _bring_back(self, world: World, fault: Fault) -> None:
        """A switch without rules, with its controllers; as after a reboot."""
        switch, how = fault.subject, world.gone[fault.subject]
        if how != FLUSHED:
            (dpid,) = [s.dpid for s in world.spec.switches if s.id == switch]
            command = ["ovs-vsctl", "add-br", switch, "--", "set", "bridge", switch]
            command += ["datapath_type=netdev", f"protocols={OPENFLOW}", "fail_mode=secure"]
            command += [f"other_config:datapath-id={dpid}", "other_config:disable-in-band=true"]
            ports = [end.port for end in _ends_of(world, switch)]
            ports += [host.port for host in self.fabric.hosts if host.switch == switch]
            for port in ports:
                interface = interface_name(switch, port)
                command += ["--", "add-port", switch, interface]
                command += ["--", "set", "interface", interface, f"ofport_request={port}"]
            run(*command)
            self._widen_buffers()
        if how == POWERED_OFF:
            for end in _ends_of(world, switch):
                if str(end) not in world.down.values():
                    set_up(_interface(str(end)), True)
        self._connect(switch, *self.targets)

    def _crash_switches(self) -> None:
        self.fabric.ovs.kill_switches()
        self.fabric.ovs.restart_switches()
        self._widen_buffers()

    def _widen_buffers(self) -> None:
        deadline = time.monotonic() + _NOTICE_TIMEOUT_S
        while time.monotonic() < deadline:
            for link in self.fabric.spec.links:
                try:
                    self.fabric.ovs.widen_buffers(link.a.switch, link.a.port)
                    return
                except SwitchError:
                    continue  # a switch that is not there, or has not opened its ports yet
            time.sleep(_POLL_S)
        raise BedError("no switch has a packet socket to send through")

    def _connect(self, switch: str, *targets: str) -> None:
        """With the back-off that Open vSwitch has by itself."""
        names = [f"@c{number}" for number in range(len(targets))]
        command = ["ovs-vsctl"]
        for name, target in zip(names, targets, strict=True):
            command += ["--", f"--id={name}", "create", "Controller", f'target="{target}"']
            command += ["connection_mode=out-of-band"]
        run(*command, "--", "set", "bridge", switch, f"controller={','.join(names)}")

    def notices(self, ports: Iterable[Port]) -> None:
        """Waits until the switches themselves have seen that these ports have no carrier, and
        treat packets accordingly; read from the switches, not from the controller."""
        waiting: dict[str, set[int]] = {}
        for switch, port in ports:
            waiting.setdefault(switch, set()).add(port)
        deadline = time.monotonic() + _NOTICE_TIMEOUT_S
        while waiting:
            for switch in list(waiting):
                if waiting[switch] <= ports_without_carrier(switch):
                    del waiting[switch]
            if waiting and time.monotonic() > deadline:
                raise BedError(f"switches do not see that ports are down: {waiting}")
            time.sleep(_POLL_S)
        self.fabric.ovs.wait_for_datapath()

    def sessions(self) -> set[int]:
        """The local TCP ports of the switches' established sessions with controllers."""
        ports = {int(target.rpartition(":")[2]) for target in self.targets}
        return established(Path("/proc/net/tcp").read_text(), ports)

    def wait_for_new_sessions(self, before: set[int], switches: int) -> None:
        """Waits until so many switches have sessions, and not only those they had before."""
        deadline = time.monotonic() + _SESSIONS_TIMEOUT_S
        while len(now := self.sessions()) < switches * len(self.targets) or now <= before:
            if time.monotonic() > deadline:
                raise BedError(f"{len(now)} sessions of {switches} switches with controllers")
            time.sleep(_POLL_S)

    def _kill_and_hold(self, world: World, fault: Fault) -> None:
        """Kills the controller, and points its switches elsewhere."""
        self._controller.kill()
        self._held = late_sessions(fault.detail, world.connected())
        for _, switch in self._held:
            self._connect(switch, _NOBODY)

    # Tables

    def _delete_rules(self, fault: Fault) -> None:
        match = () if fault.detail == "all" else (fault.detail,)
        run("ovs-ofctl", "-O", OPENFLOW, "del-flows", fault.subject, *match)

    def _change_group(self, fault: Fault) -> None:
        groups = self.fabric.groups(fault.subject)
        command = change_of_group(groups, fault.detail, _STRAY_GROUP)
        if command:
            run("ovs-ofctl", "-O", OPENFLOW, command[0], fault.subject, command[1])

    # The controller

    def _configure(self, world: World, fault: Fault) -> None:
        """Changes the configuration in force, and the file that a restart begins with."""
        after = world.copy()
        fault.apply(after)
        self.configure(after, fault.subject if fault.kind == "strategy" else None)

    def configure(self, world: World, strategy: str | None = None) -> None:
        """Gives the controller the configuration of a world; only the strategy if one is named."""
        configuration = world.configuration()
        self.fabric.fabric_file.write_text(json.dumps(configuration))
        deadline = time.monotonic() + _REQUEST_TIMEOUT_S
        while True:
            try:
                if strategy is not None:
                    self.fabric.controller.put_strategy(strategy)
                else:
                    self.fabric.controller.put_configuration(configuration)
                return
            except ControllerError as error:
                if " 503 " not in str(error) or time.monotonic() > deadline:
                    raise
            time.sleep(_REQUEST_POLL_S)


def change_of_group(groups: Iterable[Group], how: str, stray: int) -> tuple[str, str] | None:
    """The ovs-ofctl command and its argument that change the first of some groups, or add one with
    the first free id from `stray` on; None if there is none to change."""
    groups = list(groups)
    first = min(groups, key=lambda group: group.id, default=None)
    if how == "one more":
        ids = {group.id for group in groups}
        free = next(number for number in itertools.count(stray) if number not in ids)
        return "add-group", f"group_id={free},type=select,bucket=output:1"
    if first is None:
        return None
    if how == "deleted":
        return "del-groups", f"group_id={first.id}"
    port = first.buckets[0].port
    return "mod-group", f"group_id={first.id},type=select,bucket=output:{port}"


def established(table: str, remote_ports: Collection[int]) -> set[int]:
    """The local ports of connections to some remote ports, by the text of /proc/net/tcp."""
    found = set()
    for row in table.splitlines()[1:]:
        _, local, remote, state, *_ = row.split()
        if state == _ESTABLISHED and int(remote.rpartition(":")[2], 16) in remote_ports:
            found.add(int(local.rpartition(":")[2], 16))
    return found


def ports_without_carrier(switch: str) -> set[int]:
    return parse_port_states(run("ovs-ofctl", "-O", OPENFLOW, "show", switch))


def parse_port_states(text: str) -> set[int]:
    """The ports that `ovs-ofctl show` lists as LINK_DOWN."""
    states: Mapping[str, str] = dict(_PORT_STATE.findall(text))
    return {int(port) for port, state in states.items() if state == "LINK_DOWN"}


def _ends_of(world: World, switch: str) -> list[End]:
    return [link.end_at(switch) for link in world.spec.links_of(switch)]


def _interface(end: str) -> str:
    switch, _, port = end.rpartition("/")
    return interface_name(switch, int(port))
