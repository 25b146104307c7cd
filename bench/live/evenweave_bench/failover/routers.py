"""The same fabric of Linux routers under FRR: BGP to each neighbour (RFC 7938), BFD on each link.

Every switch is a network namespace with daemons of its own; hosts and the fabric's link names,
interfaces and addresses of hosts are those of the fabric of Open vSwitch switches.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from contextlib import ExitStack, suppress
from ipaddress import IPv4Address
from pathlib import Path

from mininet.link import Link as MininetLink
from mininet.log import setLogLevel
from mininet.net import Mininet

from evenweave_testbed.interfaces import network_namespace_of
from evenweave_topos.fabric_file import End, FabricSpec, Link, Subnet
from evenweave_topos.topologies import HOSTS_PER_SUBNET, HostPlace, host_places, interface_name

_USER = "frr"
_CRASH_LOGS = Path("/var/tmp/frr")
_DAEMONS = Path("/usr/lib/frr")
_LINKS = int(IPv4Address("172.16.0.0"))
_FIRST_S1_AS, _OTHERS_AS = 65001, 65100
_BRIDGE = "hosts"
_SYSCTLS = {
    "net.ipv4.ip_forward": 1,
    "net.ipv4.conf.all.rp_filter": 0,
    "net.ipv4.conf.default.rp_filter": 0,
    # Flows by their ports, and none over a link whose other end is down.
    "net.ipv4.fib_multipath_hash_policy": 1,
    "net.ipv4.conf.all.ignore_routes_with_linkdown": 1,
    "net.ipv4.conf.default.ignore_routes_with_linkdown": 1,
}
_READY_TIMEOUT_S = 120.0
_STOP_TIMEOUT_S = 5.0
_POLL_S = 0.1
_STABLE_S = 3.0


class RoutersError(RuntimeError):
    """The routers could not be started, or do not route as they did."""


def missing() -> str | None:
    """Why there can be no such fabric on this machine."""
    absent = [name for name in ("zebra", "bfdd", "bgpd") if not (_DAEMONS / name).exists()]
    return f"no {', '.join(absent)} in {_DAEMONS}: apt-get install frr" if absent else None


class RouterFabric:
    """A fabric of routers that lives as long as the `with` around it.

    BFD has packets every `bfd_ms`, and three that are missing end a session.
    """

    def __init__(self, spec: FabricSpec, directory: Path, bfd_ms: int) -> None:
        self.spec = spec
        self.hosts = host_places(spec, HOSTS_PER_SUBNET)
        self._directory = directory
        self.bfd_ms = bfd_ms
        Mininet.inited = True
        setLogLevel("critical")
        self._net = Mininet(controller=None, build=False, link=MininetLink)
        self._undo = ExitStack()
        self._whole: dict[str, str] = {}

    def __enter__(self) -> RouterFabric:
        try:
            self._start()
        except BaseException:
            self._undo.close()
            raise
        return self

    def __exit__(self, *_exception: object) -> None:
        self._undo.close()

    def hosts_of(self, switch: str) -> list[HostPlace]:
        return [host for host in self.hosts if host.switch == switch]

    def pid(self, node: HostPlace | str) -> int:
        """A process in a host's or a router's network namespace."""
        return self._net[node if isinstance(node, str) else node.name].pid

    def wait_whole(self) -> None:
        """Waits until all routes have all next hops."""
        deadline = time.monotonic() + _READY_TIMEOUT_S
        while (found := self._routes()) != self._whole:
            if time.monotonic() > deadline:
                missing_at = [name for name in found if found[name] != self._whole[name]]
                raise RoutersError(f"next hops are still missing at {', '.join(missing_at)}")
            time.sleep(_POLL_S)

    def _start(self) -> None:
        self._undo.callback(self._net.stop)
        for switch in self.spec.switches:
            self._net.addHost(switch.id, ip=None)
        for link in self.spec.links:
            self._net.addLink(
                *(link.a.switch, link.b.switch),
                intfName1=interface_name(link.a.switch, link.a.port),
                intfName2=interface_name(link.b.switch, link.b.port),
            )
        for host in self.hosts:
            self._net.addHost(
                host.name,
                ip=f"{host.address}/{host.prefix_bits}",
                mac=host.mac,
                defaultRoute=f"via {host.gateway}",
            )
            self._net.addLink(
                host.name, host.switch, intfName2=interface_name(host.switch, host.port)
            )
        self._net.build()
        self._open_directory()
        for number, switch in enumerate(self.spec.switches):
            self._configure(switch.id)
            self._start_daemons(switch.id, number)
        self._wait_started()

    def _open_directory(self) -> None:
        """Lets FRR's daemons, which have a user of their own, through to their directories."""
        self._directory.mkdir()
        for above in self._directory.parents:
            mode = above.stat().st_mode
            if mode & 0o001:
                break
            above.chmod(mode | 0o011)
        # Kept by pid, and pids begin anew in each run's namespace; this mount ends with it.
        _CRASH_LOGS.mkdir(exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "none", str(_CRASH_LOGS)], check=True)
        self._undo.callback(subprocess.run, ["umount", "--lazy", str(_CRASH_LOGS)], check=False)

    def _configure(self, switch: str) -> None:
        commands = [f"sysctl -qw {key}={value}" for key, value in _SYSCTLS.items()]
        subnet = self._subnet(switch)
        if subnet:
            commands += [
                f"ip link add {_BRIDGE} type bridge",
                f"ip address add {subnet.gateway}/{subnet.prefix.prefixlen} dev {_BRIDGE}",
                f"ip link set {_BRIDGE} up",
            ]
        for host in self.hosts_of(switch):
            commands += [f"ip link set {interface_name(switch, host.port)} master {_BRIDGE} up"]
        for link in self.spec.links_of(switch):
            end = link.end_at(switch)
            name = interface_name(switch, end.port)
            commands += [
                f"ip address flush dev {name}",
                f"ip address add {self._address(link, end)}/31 dev {name}",
                f"ip link set {name} up",
            ]
        self._run(switch, "sh", "-ec", "; ".join(commands))

    def _start_daemons(self, switch: str, number: int) -> None:
        directory = self._directory / switch
        directory.mkdir()
        shutil.chown(directory, _USER, _USER)
        (directory / "zebra.conf").write_text(
            f"hostname {switch}\nno zebra nexthop kernel enable\n"
        )
        (directory / "bfdd.conf").write_text(f"hostname {switch}\n")
        (directory / "bgpd.conf").write_text(self._bgp(switch, number))
        for daemon in ("zebra", "bfdd", "bgpd"):
            command = [
                *("nsenter", "--net", f"--target={self.pid(switch)}", str(_DAEMONS / daemon)),
                *("--vty_port", "0", "--vty_socket", str(directory)),
                *("--socket", str(directory / "zserv.api")),
                *("--pid_file", str(directory / f"{daemon}.pid")),
                *("--config_file", str(directory / f"{daemon}.conf")),
                *("--log", f"file:{directory / daemon}.log"),
            ]
            if daemon == "bfdd":
                command += ["--bfdctl", str(directory / "bfdd.sock")]
            with (directory / f"{daemon}.out").open("wb") as output:
                process = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
                )
            self._undo.callback(_stop, process)
            # As the switches of the other fabrics; a container may lack the right.
            with suppress(PermissionError):
                os.sched_setscheduler(process.pid, os.SCHED_RR, os.sched_param(1))
            self._await_socket(process, directory / f"{daemon}.vty", daemon, switch)

    def _await_socket(
        self, process: subprocess.Popen, socket: Path, daemon: str, switch: str
    ) -> None:
        deadline = time.monotonic() + _READY_TIMEOUT_S
        while not socket.exists():
            if process.poll() is not None or time.monotonic() > deadline:
                said = (socket.parent / f"{daemon}.out").read_text().strip()
                raise RoutersError(f"{switch}: {daemon} did not start: {said or 'no output'}")
            time.sleep(_POLL_S / 10)

    def _bgp(self, switch: str, number: int) -> str:
        """Switches above the first stage share a number, so that no route goes down and up."""
        lines = [
            f"router bgp {self._as_number(switch)}",
            f" bgp router-id 192.0.2.{number + 1}",
            *(" no bgp ebgp-requires-policy", " no bgp network import-check"),
            " bgp bestpath as-path multipath-relax",
            # Sessions that a failure has ended come back at once, and changes go out at once.
            " timers bgp 1 3",
        ]
        for link in self.spec.links_of(switch):
            peer = self._address(link, link.other_end(switch))
            lines += [
                f" neighbor {peer} remote-as {self._as_number(link.other_end(switch).switch)}",
                f" neighbor {peer} bfd 3 {self.bfd_ms} {self.bfd_ms}",
                f" neighbor {peer} advertisement-interval 0",
                f" neighbor {peer} timers connect 1",
            ]
        lines += [" address-family ipv4 unicast", "  maximum-paths 64"]
        if subnet := self._subnet(switch):
            lines += [f"  network {subnet.prefix}"]
        return "\n".join([*lines, " exit-address-family", ""])

    def _as_number(self, switch: str) -> int:
        first_stage = [s.id for s in self.spec.switches if s.stage == 1]
        return _FIRST_S1_AS + first_stage.index(switch) if switch in first_stage else _OTHERS_AS

    def _subnet(self, switch: str) -> Subnet | None:
        return next((s for s in self.spec.subnets if s.switch == switch), None)

    def _address(self, link: Link, end: End) -> IPv4Address:
        return IPv4Address(_LINKS + 2 * self.spec.links.index(link) + (end == link.b))

    def _wait_started(self) -> None:
        """Waits until routes have stood still for a while with a path to each subnet, and every
        BFD session is up."""
        deadline = time.monotonic() + _READY_TIMEOUT_S
        since, seen = time.monotonic(), self._routes()
        wanted = {
            switch.id: len(self.spec.subnets) - bool(self._subnet(switch.id))
            for switch in self.spec.switches
        }
        while time.monotonic() - since < _STABLE_S:
            time.sleep(_POLL_S)
            now = self._routes()
            routed = all(now[name].count("proto bgp") == wanted[name] for name in wanted)
            if now != seen or not routed or not self._sessions_up():
                since, seen = time.monotonic(), now
            if time.monotonic() > deadline:
                raise RoutersError(f"no stable routes within {_READY_TIMEOUT_S:g} s")
        self._whole = seen

    def _sessions_up(self) -> bool:
        return all(
            shown.count("Status: up") == len(self.spec.links_of(switch.id))
            for switch in self.spec.switches
            for shown in [self._vtysh(switch.id, "show bfd peers")]
        )

    def _vtysh(self, switch: str, command: str) -> str:
        return self._run(
            switch, "vtysh", "--vty_socket", str(self._directory / switch), "-c", command
        )

    def _routes(self) -> dict[str, str]:
        """Each router's routes by BGP, next hops in order."""
        return {s.id: in_order(self._run(s.id, "ip", "route", "show")) for s in self.spec.switches}

    def _run(self, node: str, *command: str) -> str:
        with network_namespace_of(self.pid(node)):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RoutersError(f"{node}: {' '.join(command)}: {done.stderr.strip()}")
        return done.stdout


def in_order(routes: str) -> str:
    """Routes of `ip route` with their next hops in order, without those of links."""
    found = []
    for route in re.split(r"\n(?=\S)", routes.strip()):
        head, *hops = route.split("\n")
        if "proto bgp" in head:
            found.append("\n".join([head.strip(), *sorted(hop.strip() for hop in hops)]))
    return "\n".join(sorted(found))


def _stop(process: subprocess.Popen) -> None:
    process.terminate()
    try:
        process.wait(_STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
