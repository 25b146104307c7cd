"""A live fabric: Open vSwitch switches, shaped links, hosts, a controller; for demos and tests.

    with Fabric(load(IMBALANCED_3X3), mbps=20, controller_command=[...]) as fabric:
        fabric.ready()
        fabric.run("h0-1", "iperf3", "-c", "10.0.2.2")
        fabric.cut("s2-0/4-s1-2/1")

Works only inside `isolation.run` (one fabric at a time), which the pytest plugin does for tests.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

from mininet.log import setLogLevel
from mininet.net import Mininet
from mininet.node import OVSSwitch

from evenweave_testbed.controller import (
    OPENFLOW_ADDRESS,
    Controller,
    ControllerError,
    ControllerProcess,
)
from evenweave_testbed.grey.wires import MiddleLink, Wire, Wires
from evenweave_testbed.interfaces import network_namespace_of, set_up
from evenweave_testbed.isolation import inside
from evenweave_testbed.openvswitch import OPENFLOW, Group, OpenVSwitch
from evenweave_testbed.polling import EVENT_LIMIT_S, READY_LIMIT_S, Polling
from evenweave_testbed.run_directory import RunDirectory
from evenweave_testbed.shaping import ShapedLink, check_shaping
from evenweave_topos.fabric_file import FabricSpec, Link
from evenweave_topos.topologies import (
    HOSTS_PER_SUBNET,
    FabricTopo,
    HostPlace,
    host_places,
    interface_name,
)

_DISCARD_PORT = 9
_ARP_RETRY_S = 0.2
# Weighs nine times as much as a process of the usual niceness 0 (Linux, sched_prio_to_weight).
_NICENESS = -10
_ARP_ENTRY_COMPLETE = 2  # ATF_COM of net/if_arp.h


class FabricNotReady(RuntimeError):
    """The fabric cannot be used here or does not carry traffic."""


class Fabric:
    """A fabric that lives as long as the `with` around it.

    `mbps` is the rate of the fastest link, others follow in proportion; None leaves links unshaped.
    Without `controller_command` the switches have no flows and no controller. `openflow` lists the
    versions that switches offer; flows of UDP spread over groups in OpenFlow15 only. With `middles`
    the links of switches have one (`grey.wires`), in which packets can be lost; unshaped ones only.
    """

    def __init__(
        self,
        spec: FabricSpec,
        hosts: int = HOSTS_PER_SUBNET,
        mbps: float | None = None,
        controller_command: Sequence[str] | None = None,
        polling: Polling | None = None,
        openflow: str = OPENFLOW,
        middles: bool = False,
    ) -> None:
        run_directory = RunDirectory.current() if inside() else None
        if run_directory is None:
            raise FabricNotReady(
                "a fabric needs namespaces of its own: "
                "start this program with python3 -m evenweave_testbed.isolation"
            )
        self.spec = spec
        self.mbps = mbps
        self.directory: Path = run_directory.path
        self.ovs = OpenVSwitch(self.directory / "ovs", run_directory.sockets)
        self.fabric_file = self.directory / "fabric.json"
        self.process = (
            ControllerProcess(controller_command, self.fabric_file, self.directory, polling)
            if controller_command
            else None
        )
        self.controller = Controller(self.process, polling=polling)
        self.hosts = host_places(spec, hosts)
        # Mininet.init would change limits and sysctls of the whole machine.
        Mininet.inited = True
        setLogLevel("critical")
        self.net = Mininet(
            FabricTopo(fabric=spec, hosts=hosts, mbps=mbps),
            switch=partial(
                OVSSwitch, datapath="user", failMode="secure", protocols=openflow, batch=True
            ),
            link=MiddleLink if middles else ShapedLink,
            controller=None,
            build=False,
        )
        self._middles = middles
        self._wires: Wires | None = None
        self._undo = ExitStack()

    def __enter__(self) -> Fabric:
        try:
            self._start()
        except Exception:
            self._undo.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *_exception: object) -> None:
        # Interrupted, Mininet is in no state to stop anything; the end of the namespaces will.
        if kind is None or issubclass(kind, Exception):
            self._undo.close()

    def _start(self) -> None:
        self._prefer_this_process()
        self._undo.callback(self.ovs.stop)
        self.ovs.start()
        self._undo.callback(self.net.stop)
        self.net.build()
        if self._middles:
            self._wires = Wires(self.spec.links, self.directory)
            self._undo.callback(self._wires.close)
        self.net.start()
        self.check_shaping()
        if self.spec.links:
            self.ovs.widen_buffers(self.spec.links[0].a.switch, self.spec.links[0].a.port)
        if self.process:
            self.fabric_file.write_text(json.dumps(self.spec.to_json()))
            # First this: Open vSwitch forgets all flows when a bridge gets its first controller.
            self.connect_switches(f"tcp:{OPENFLOW_ADDRESS}")
            self._undo.callback(self.process.stop)
            self.process.start()
            # A cluster's instances have other addresses.
            if "controllers" in self.process.ready:
                self.connect_switches(*self.process.ready["controllers"])

    def _prefer_this_process(self) -> None:
        """Raises the priority of this process and so of those it starts, until the fabric ends: the
        programs that send, receive and control. The switches have a higher one (`openvswitch`)."""
        before = os.getpriority(os.PRIO_PROCESS, 0)
        # A container may lack the right to; measurements are worse there if the machine is busy.
        with suppress(PermissionError):
            os.setpriority(os.PRIO_PROCESS, 0, min(before, _NICENESS))
            self._undo.callback(os.setpriority, os.PRIO_PROCESS, 0, before)

    # Hosts

    def hosts_of(self, switch: str) -> list[HostPlace]:
        return [host for host in self.hosts if host.switch == switch]

    def pid(self, host: HostPlace | str) -> int:
        """A process in the host's network namespace, for `interfaces.network_namespace_of`."""
        return self.net[host if isinstance(host, str) else host.name].pid

    def run(
        self, host: HostPlace | str, *command: str, timeout_s: float = EVENT_LIMIT_S
    ) -> subprocess.CompletedProcess:
        """Runs a command on a host; returns its status, stdout and stderr (text)."""
        return subprocess.run(
            # Not mnexec: it enters the mount namespace too, and leaves a chroot by that.
            ["nsenter", "--net", f"--target={self.pid(host)}", *command],
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )

    def announce_hosts(
        self, timeout_s: float = READY_LIMIT_S, hosts: Sequence[HostPlace] | None = None
    ) -> None:
        """Makes hosts (all, unless some are named) ask for their gateway's MAC address until they
        are answered, as a host does before its first packet; the controller learns where they are
        from that."""
        deadline = time.monotonic() + timeout_s
        silent = list(self.hosts if hosts is None else hosts)
        while silent:
            silent = [host for host in silent if not self._resolve_gateway(host)]
            if silent and time.monotonic() > deadline:
                names = ", ".join(host.name for host in silent)
                raise FabricNotReady(f"no answer to ARP for the gateway at {names}")
            if silent:
                time.sleep(_ARP_RETRY_S)

    def _resolve_gateway(self, host: HostPlace) -> bool:
        if self._gateway_mac(host):
            return True
        with (
            network_namespace_of(self.pid(host)),
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams,
        ):
            datagrams.sendto(b"", (str(host.gateway), _DISCARD_PORT))
        return False

    def _gateway_mac(self, host: HostPlace) -> str | None:
        """The MAC address a host has for its gateway; None if no answer came yet."""
        with network_namespace_of(self.pid(host)):
            rows = Path("/proc/thread-self/net/arp").read_text().splitlines()[1:]
        for address, _, flags, mac, *_ in map(str.split, rows):
            if address == str(host.gateway) and int(flags, 16) & _ARP_ENTRY_COMPLETE:
                return mac
        return None

    # Links

    def uplinks(self, switch: str) -> list[Link]:
        """Links from a switch to the next stage, by port."""
        stage = {s.id: s.stage for s in self.spec.switches}
        return [
            link
            for link in self.spec.links_of(switch)
            if stage[link.other_end(switch).switch] == stage[switch] + 1
        ]

    def cut(self, link: str) -> int:
        """Takes one link down, parallel ones stay; returns the epoch microseconds just before."""
        end = self.spec.link(link).a
        return set_up(interface_name(end.switch, end.port), False)

    def heal(self, link: str) -> int:
        """Takes a link up again; returns the epoch microseconds just before."""
        end = self.spec.link(link).a
        return set_up(interface_name(end.switch, end.port), True)

    def wire(self, sender: str, receiver: str) -> Wire:
        """The direction of a link from one end to the other, each as in s1-0/1."""
        assert self._wires is not None, "the fabric's links have no middle"
        return self._wires.wire(sender, receiver)

    def detect_failures(self, period_ms: int, links: Sequence[Link] | None = None) -> None:
        """Starts BFD on both ends of links (all, unless some are named), as an operator would with
        ovs-vsctl, and waits until all sessions run at this period; with 0, ends it. A session takes
        a second to start, and its link is down meanwhile."""
        interfaces = [
            interface_name(end.switch, end.port)
            for link in (self.spec.links if links is None else links)
            for end in (link.a, link.b)
        ]
        self.ovs.detect_failures(interfaces, period_ms)
        if period_ms:
            self.ovs.wait_for_detection(interfaces, period_ms, READY_LIMIT_S)

    def _shaped_bps(self, link: Link, mbps: float) -> float:
        return mbps * 1e6 * link.bps / max(other.bps for other in self.spec.links)

    def check_shaping(self) -> None:
        """Raises ShapingError unless all links have their rates (Mininet does not report it)."""
        if self.mbps is not None:
            check_shaping(
                {
                    interface_name(end.switch, end.port): self._shaped_bps(link, self.mbps)
                    for link in self.spec.links
                    for end in (link.a, link.b)
                }
            )

    # Switches

    def connect_switches(self, *targets: str) -> None:
        """Points all switches at OpenFlow controllers such as tcp:127.0.0.1:6653."""
        self.ovs.set_controllers((s.id for s in self.spec.switches), *targets)

    def groups(self, switch: str) -> list[Group]:
        """The groups a switch really has."""
        return self.ovs.groups(switch)

    def slot_owners(self, source: HostPlace, destination: HostPlace, slots: int) -> list[int]:
        """The port that the source's switch gives each of `slots` hash values of a TCP flow to the
        destination, as the switch itself traces it."""
        # The host may have lost its entry while a controller was away.
        self.announce_hosts(hosts=[source])
        match = (
            f"dl_src={source.mac},dl_dst={self._gateway_mac(source)},tcp,nw_ttl=64,"
            f"nw_src={source.address},nw_dst={destination.address}"
        )
        return self.ovs.slot_owners(source.switch, source.port, match, slots)

    def ready(self, timeout_s: float = READY_LIMIT_S) -> dict:
        """Waits until the controller has converged and knows all hosts; returns its status.

        Raises FabricNotReady, with what the controller does not know, if that takes too long.
        """
        wanted = {"switches": len(self.spec.switches), "links": len(self.spec.links)}
        try:
            self.controller.wait(lambda s: _covers(s, wanted), "complete topology", timeout_s)
            self.announce_hosts(timeout_s)
            wanted["hosts"] = len(self.hosts)
            return self.controller.wait(
                lambda s: _covers(s, wanted) and s["converged"], "convergence", timeout_s
            )
        except ControllerError as error:
            raise FabricNotReady(f"{error}; it does not know {self._unknown()}") from error

    def _unknown(self) -> str:
        """The switches, links and hosts that the controller does not know."""
        try:
            topology = self.controller.topology()
        except ControllerError:
            return "anything: it does not answer"
        found = topology["fabric"]
        switches = {switch["id"] for switch in found["switches"]}
        links = {f"{link['a']}-{link['b']}" for link in found["links"]}
        hosts = {host["address"] for host in topology["hosts"]}
        unknown = [
            *(s.id for s in self.spec.switches if s.id not in switches),
            *(str(link) for link in self.spec.links if links.isdisjoint(link.names())),
            *(host.name for host in self.hosts if str(host.address) not in hosts),
        ]
        return ", ".join(unknown) or "of anything that is missing"


def _covers(status: dict, wanted: dict[str, int]) -> bool:
    return all(status[name] == number for name, number in wanted.items())
