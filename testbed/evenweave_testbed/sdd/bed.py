"""Hosts around a circuit switch, on one machine.

    applications      applications
        h1                h2           network namespaces, with a TAP device each
      ──┴──             ──┴──
     [ sdd-host: one process for all hosts ]
        │                 │            veth pairs
     [ circuit-switch: one process         ]
            ▲
     controller, on loopback

Everything is in the namespaces of the run (see `isolation`) and ends with it.
"""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evenweave_testbed.polling import EVENT_LIMIT_S, READY_LIMIT_S
from evenweave_testbed.processes import interrupted_later
from evenweave_testbed.sdd.build import program
from evenweave_testbed.sdd.pki import Authority
from evenweave_testbed.sdd.priority import start_first

CONTROLLER = "sdd-controller"
_STOP_S = 60.0
_READY = "ready\n"


@dataclass(frozen=True)
class BedPlan:
    """What to build."""

    hosts: int = 2
    link_bps: int = 50_000_000
    packet_switch_bps: int = 5_000_000
    # veth pairs carry whatever comes, so that hosts must keep to the rate by themselves
    pace_to_link: bool = False
    driver: str = "af_packet"
    # else hosts are connected in pairs: 1 with 2, 3 with 4; an odd last one with an interface only
    circuit_switch: bool = True
    veth: bool = False  # applications send through veth pairs with AF_XDP, not TAP devices
    process: dict | None = None  # more fields of the sdd-host process's configuration
    host: dict | None = None  # and of each host's
    access: list | None = None  # of applications at each host; none: there is no socket for them
    clock_source: str = "system"

    def names(self) -> list[str]:
        return [f"h{i + 1}" for i in range(self.hosts)]


class BedError(RuntimeError):
    """A process of the test bed did not start, or failed; the message has its log."""


class Bed:
    """A running test bed; a context manager."""

    def __init__(self, plan: BedPlan, directory: Path, port: int, authority: Authority) -> None:
        self.plan, self.directory = plan, directory
        self._port, self._authority = port, authority
        self._processes: dict[str, subprocess.Popen] = {}
        self._namespaces: dict[str, subprocess.Popen] = {}
        self._jobs: list[subprocess.Popen] = []

    def __enter__(self) -> Bed:
        try:
            self._wire()
            self._make_namespaces()
            if self.plan.circuit_switch:
                self._start("circuit-switch", self._switch_config())
            self._start("sdd-host", self.host_config())
            self._make_hosts()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def address(self, name: str) -> str:
        return f"10.9.0.{self.plan.names().index(name) + 1}"

    def run(
        self, host: str, *command: str, timeout_s: float = EVENT_LIMIT_S
    ) -> subprocess.CompletedProcess:
        """Runs a command of an application on a host."""
        return subprocess.run(
            self._inside(host, command),
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )

    def start(self, host: str, *command: str) -> subprocess.Popen:
        """Starts one; it ends with the bed at the latest."""
        with interrupted_later():
            job = subprocess.Popen(
                self._inside(host, command),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            self._jobs.append(job)
        return job

    def statistics(self) -> dict:
        """What sdd-host says of itself, with its hosts by name."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(self._statistics))
            text = b"".join(iter(lambda: connection.recv(65536), b""))
        statistics = json.loads(text)
        statistics["hosts"] = {host["name"]: host for host in statistics["hosts"]}
        return statistics

    def applications(self, name: str) -> Path:
        """The socket of a host for applications."""
        return self.directory / f"{name}.sock"

    def log(self, process: str) -> str:
        return (self.directory / f"{process}.log").read_text(errors="replace")

    def alive(self) -> dict[str, int]:
        """The pids of sdd-host and circuit-switch, as far as they run."""
        return {name: p.pid for name, p in self._processes.items() if p.poll() is None}

    def signal_host_process(self, number: int) -> None:
        self._processes["sdd-host"].send_signal(number)

    def kill_host_process(self) -> None:
        """As kill -9 does."""
        process = self._processes.pop("sdd-host")
        process.kill()
        process.wait()

    def start_host_process(self, config: dict | None = None) -> None:
        """After it was killed; with another configuration, if there is one."""
        self._start("sdd-host", config or self.host_config())

    def reload_host_process(self, config: dict) -> None:
        """Has it go on with another configuration."""
        (self.directory / "sdd-host.json").write_text(json.dumps(config, indent=1))
        before = self.log("sdd-host").count(_READY)
        self.signal_host_process(signal.SIGHUP)
        self._wait_until_ready("sdd-host", before)

    def close(self) -> None:
        """Ends everything; BedError if a process did not end by itself with status 0."""
        faults = []
        for job in self._jobs:
            if job.poll() is None:
                job.kill()
            job.communicate()
        for name, process in self._processes.items():
            process.send_signal(signal.SIGTERM)
            try:
                status = process.wait(_STOP_S)
            except subprocess.TimeoutExpired:
                faults.append(f"{name} did not end in {_STOP_S:g} s: {_threads(process.pid)}")
                process.kill()
                status = process.wait()
            if status != 0:
                faults.append(f"{name} ended with status {status}:\n{self.log(name)[-2000:]}")
        for namespace in self._namespaces.values():
            namespace.kill()
            namespace.wait()
        if self.plan.veth:
            for i in range(self.plan.hosts):
                _ip("link", "del", f"a{i}", check=False)
        names = [f"p{i}" for i in range(self.plan.hosts)]
        for name in names if self.plan.circuit_switch else names[::2]:
            _ip("link", "del", name, check=False)
        self._jobs, self._processes, self._namespaces = [], {}, {}
        if faults:
            raise BedError("\n".join(faults))

    @property
    def _statistics(self) -> Path:
        return self.directory / "statistics.sock"

    def _wire(self) -> None:
        for i in range(self.plan.hosts):
            if self.plan.circuit_switch:
                _ip("link", "add", f"p{i}", "type", "veth", "peer", "name", f"s{i}")
                _no_ipv6(f"s{i}")
                _ip("link", "set", f"s{i}", "up")
            elif i % 2 == 0:
                _ip("link", "add", f"p{i}", "type", "veth", "peer", "name", f"p{i + 1}")
        alone = 0 if self.plan.circuit_switch else self.plan.hosts % 2
        for i in range(self.plan.hosts + alone):
            _no_ipv6(f"p{i}")
            _ip("link", "set", f"p{i}", "up")
        for i in range(self.plan.hosts if self.plan.veth else 0):
            _application_pair(i)

    def _control(self, name: str) -> dict:
        identity = self._authority.issue(name)
        return {
            "address": "127.0.0.1",
            "port": self._port,
            "serverName": CONTROLLER,
            "certificate": str(identity.certificate),
            "key": str(identity.key),
            "authority": str(self._authority.certificate),
        }

    def _switch_config(self) -> dict:
        return {
            "name": "switch",
            "linkBps": self.plan.link_bps,
            "packetSwitchBps": self.plan.packet_switch_bps,
            "ports": [
                {"device": f"s{i}", "host": name} for i, name in enumerate(self.plan.names())
            ],
            "control": self._control("switch"),
        }

    def host_config(self) -> dict:
        """The configuration of sdd-host."""
        config = {
            "memoryMb": 512,
            "packetBuffers": 65535,
            "statistics": str(self._statistics),
            "clockSource": self.plan.clock_source,
            "ptp4lSocket": str(self.directory / "ptp4l.sock"),
            "hosts": [
                {
                    "name": name,
                    "tap": f"tap{i}",
                    "tapNamespace": f"/proc/{self._namespaces[name].pid}/ns/net",
                    "linkBps": self.plan.link_bps,
                    "paceToLink": self.plan.pace_to_link,
                    "addresses": [self.address(name)],
                    "port": {"driver": self.plan.driver, "device": f"p{i}"},
                    "control": self._control(name),
                }
                | self._access(name)
                | (self.plan.host or {})
                for i, name in enumerate(self.plan.names())
            ],
        } | (self.plan.process or {})
        for i, host in enumerate(config["hosts"] if self.plan.veth else []):
            del host["tap"], host["tapNamespace"]
            host["applicationPort"] = {"driver": "af_xdp", "device": f"a{i}"}
        return config

    def _access(self, name: str) -> dict:
        if not self.plan.access:
            return {}
        socket_path = str(self.applications(name))
        return {"applications": {"socket": socket_path, "access": self.plan.access}}

    def _start(self, name: str, config: dict) -> None:
        path, log = self.directory / f"{name}.json", self.directory / f"{name}.log"
        path.write_text(json.dumps(config, indent=1))
        log.touch()
        before = self.log(name).count(_READY)
        with log.open("a") as output:
            process = start_first(
                [str(program(name)), str(path)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        self._processes[name] = process
        self._wait_until_ready(name, before)

    def _wait_until_ready(self, name: str, before: int) -> None:
        deadline = time.monotonic() + READY_LIMIT_S
        while self.log(name).count(_READY) == before:
            if self._processes[name].poll() is not None or time.monotonic() > deadline:
                raise BedError(f"{name} does not start:\n{self.log(name)}")
            time.sleep(0.02)

    def _make_namespaces(self) -> None:
        names = self.plan.names()
        for name in names:
            self._namespaces[name] = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        own = Path("/proc/self/ns/net").readlink()
        for name in names:
            link = Path(f"/proc/{self._namespaces[name].pid}/ns/net")
            while link.readlink() == own:
                time.sleep(0.01)

    def _make_hosts(self) -> None:
        names = self.plan.names()
        hardware = {
            name: Path(f"/sys/class/net/p{i}/address").read_text().strip()
            for i, name in enumerate(names)
        }
        for i, name in enumerate(names):
            if self.plan.veth:
                _ip("link", "set", f"tap{i}", "netns", str(self._namespaces[name].pid))
            commands = [
                "echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6",
                "ip link set lo up",
                f"ip link set tap{i} up",
                f"ip address add {self.address(name)}/24 dev tap{i}",
            ]
            # resolving addresses would need a network that is always there
            commands += [
                f"ip neighbour replace {self.address(other)} lladdr {hardware[other]} dev tap{i}"
                for other in names
                if other != name
            ]
            done = self.run(name, "sh", "-ec", "\n".join(commands))
            if done.returncode != 0:
                raise BedError(f"{name}: {done.stderr}")

    def _inside(self, host: str, command: Sequence[str]) -> list[str]:
        return ["nsenter", "-t", str(self._namespaces[host].pid), "--net", *command]


def _ip(*arguments: str, check: bool = True) -> None:
    done = subprocess.run(["ip", *arguments], capture_output=True, text=True, check=False)
    if check and done.returncode != 0:
        raise BedError(f"ip {' '.join(arguments)}: {done.stderr.strip()}")


def _threads(pid: int) -> str:
    """What each thread of a process does: its state, scheduling, core, and CPU time in seconds;
    and then all real-time threads there are, which may keep it from running."""
    command = ["ps", "-L", "-o", "comm,tid,stat,class,rtprio,psr,cputimes,wchan:24"]
    own = subprocess.run([*command, "-p", str(pid)], capture_output=True, text=True, check=False)
    every = subprocess.run([*command, "-e"], capture_output=True, text=True, check=False)
    real_time = [line for line in every.stdout.splitlines() if " RR " in line or " FF " in line]
    return "\n".join([own.stdout, "real-time threads:", *real_time])


def _application_pair(i: int) -> None:
    """The host's end tap{i}, with the NIC's address, and a{i}: docs/reference/sdd-host.md."""
    address = Path(f"/sys/class/net/p{i}/address").read_text().strip()
    _ip("link", "add", f"tap{i}", "address", address, "type", "veth", "peer", "name", f"a{i}")
    _no_ipv6(f"a{i}")
    _ip("link", "set", f"a{i}", "up")
    # the port gets frames as they are: without this, without their checksums
    subprocess.run(["ethtool", "-K", f"tap{i}", "tx", "off"], capture_output=True, check=True)


def _no_ipv6(interface: str) -> None:
    Path(f"/proc/sys/net/ipv6/conf/{interface}/disable_ipv6").write_text("1")
