"""Two hosts with evenweave-edge on a fabric of routers that hash outer UDP ports.

        10.77.1.1                                              10.77.2.1
    h1 ── 192.168.1.0/24 ── l1 ══ 4 links, by hash ══ l2 ── 192.168.2.0/24 ── h2

Each is a network namespace, all of them in those of the run (see `isolation`), and go with it. The
four links stand for four spines.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

from evenweave_testbed.polling import READY_LIMIT_S
from evenweave_testbed.processes import pipe
from evenweave_testbed.sdd.build import program

HOSTS = ("h1", "h2")
LINKS = 4
SOURCE_PORTS = tuple(range(50000, 50008))
# What the kernel says where it has no BPF, or this process may not load it.
_NO_BPF = ("Operation not permitted", "Function not implemented", "Operation not supported")
_APPLICATIONS = "evenweave_testbed.edge.applications"


class EdgeError(RuntimeError):
    """A part of the bed did not start."""


class NoBpfError(EdgeError):
    """This kernel loads no BPF programs here."""


class EdgeBed:
    """A running test bed; a context manager. Edges are started by `start_edge`."""

    routers: tuple[str, ...] = ("l1", "l2")

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._namespaces: dict[str, subprocess.Popen] = {}
        self._jobs: list[subprocess.Popen] = []
        self._edges: dict[str, subprocess.Popen] = {}

    def __enter__(self) -> EdgeBed:
        try:
            self._make_namespaces()
            self._wire()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for job in [*self._jobs, *self._edges.values(), *self._namespaces.values()]:
            if job.poll() is None:
                job.kill()
            job.communicate()

    @staticmethod
    def inner(host: str) -> str:
        return f"10.77.{host[1]}.1"

    @staticmethod
    def outer(host: str) -> str:
        return f"192.168.{host[1]}.1"

    def config(self, host: str, scheme: str = "clove-ecn", **changes: object) -> dict:
        """Of a host's edge; `changes` replace fields of the document."""
        other = HOSTS[host == HOSTS[0]]
        return {
            "device": "e0",
            "address": self.outer(host),
            "source": self.inner(host),
            "vni": 7,
            "rttUs": 1000,
            "peers": [
                {
                    "address": self.outer(other),
                    "prefixes": [f"10.77.{other[1]}.0/24"],
                    "scheme": scheme,
                    "paths": [{"sourcePort": port} for port in SOURCE_PORTS],
                }
            ],
            **changes,
        }

    def start_edge(self, host: str, config: dict) -> None:
        """Starts a process that puts the edge on the host or takes it over; waits until it has."""
        path, log = self.directory / f"{host}.json", self.directory / f"{host}.log"
        path.write_text(json.dumps(config))
        with log.open("w") as output:
            process = subprocess.Popen(
                self.inside(host, *self.edge_command("--config", str(path))),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        self._edges[host] = process
        deadline = time.monotonic() + READY_LIMIT_S
        while "ready\n" not in (said := log.read_text()):
            if process.poll() is not None or time.monotonic() > deadline:
                no_bpf = "the programs cannot be" in said and any(why in said for why in _NO_BPF)
                raise (NoBpfError if no_bpf else EdgeError)(said)
            time.sleep(0.02)

    def start_edges(self, scheme: str = "clove-ecn", **changes: object) -> None:
        for host in HOSTS:
            self.start_edge(host, self.config(host, scheme, **changes))

    def end_edge(self, host: str, number: int) -> int:
        """Sends a signal to a host's process; its exit status (-n if signal n ended it)."""
        process = self._edges.pop(host)
        process.send_signal(number)
        return process.wait()

    @staticmethod
    def edge_command(*arguments: str) -> list[str]:
        return [str(program("evenweave-edge")), *arguments]

    def edge(self, host: str, *arguments: str) -> subprocess.CompletedProcess:
        return self.run(host, *self.edge_command(*arguments))

    def show(self, host: str) -> dict:
        """What `show --json` says; the only peer's part as "peer"."""
        done = self.edge(host, "show", "--json")
        if done.returncode != 0:
            raise EdgeError(done.stderr)
        shown = json.loads(done.stdout)
        (shown["peer"],) = shown["peers"]
        return shown

    def inside(self, name: str, *command: str) -> list[str]:
        return ["nsenter", "-t", str(self._namespaces[name].pid), "--net", *command]

    def run(self, name: str, *command: str, timeout_s: float = 120) -> subprocess.CompletedProcess:
        return subprocess.run(
            self.inside(name, *command),
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )

    def check(self, name: str, *command: str) -> str:
        done = self.run(name, *command)
        if done.returncode != 0:
            raise EdgeError(f"{name}: {' '.join(command)}: {done.stderr}{done.stdout}")
        return done.stdout

    def application(self, host: str, *arguments: object) -> subprocess.Popen:
        """Starts an application (see `applications`); it ends with the bed at the latest."""
        command = [sys.executable, "-m", _APPLICATIONS, *map(str, arguments)]
        job = subprocess.Popen(
            self.inside(host, *command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._jobs.append(job)
        return job

    def server(self, host: str, *arguments: object) -> subprocess.Popen:
        job = self.application(host, *arguments)
        if pipe(job.stdout).readline() != "ready\n":
            raise EdgeError(f"{arguments} does not start")
        return job

    def requests(self, count: int, size: int) -> None:
        """Connections from h1 to a server of h2, one after the other."""
        command = [sys.executable, "-m", _APPLICATIONS, "requests", self.inner("h2")]
        self.check("h1", *command, str(count), str(size))

    def congest(self, link: int) -> None:
        """From now on packets to h2 over this link are marked."""
        self.check("l1", "tc", "qdisc", "add", "dev", f"p{link}", "clsact")
        self.check(
            "l1", *f"tc filter add dev p{link} egress bpf da obj".split(),
            str(program("mark.bpf.o")), "sec", "tc",
        )  # fmt: skip

    def link_bytes(self) -> list[int]:
        """Bytes towards h2 over each link."""
        links = json.loads(self.check("l1", "ip", "-j", "-s", "link"))
        by_name = {link["ifname"]: link["stats64"]["tx"]["bytes"] for link in links}
        return [by_name[f"p{link}"] for link in range(LINKS)]

    def set(self, router: str, **switches: int) -> None:
        """Sets switches of net.ipv4 in its kernel."""
        assignments = [f"net.ipv4.{name}={value}" for name, value in switches.items()]
        self.check(router, "sysctl", "-qw", *assignments)

    def _make_namespaces(self) -> None:
        for name in (*HOSTS, *self.routers):
            self._namespaces[name] = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        own = Path("/proc/self/ns/net").readlink()
        for namespace in self._namespaces.values():
            while Path(f"/proc/{namespace.pid}/ns/net").readlink() == own:
                time.sleep(0.01)

    def _wire(self) -> None:
        pid = {name: str(process.pid) for name, process in self._namespaces.items()}
        for name in pid:
            self.check(name, "ip", "link", "set", "dev", "lo", "up")
        for i in (1, 2):
            self._join(pid, f"h{i}", "e0", f"192.168.{i}.1", f"l{i}", "d", f"192.168.{i}.254")
            self.check(f"h{i}", *f"ip address add {self.inner(f'h{i}')}/32 dev lo".split())
            self.check(f"h{i}", *f"ip route add default via 192.168.{i}.254".split())
        for router in self.routers:
            self.set(router, ip_forward=1, fib_multipath_hash_policy=1)
        self._wire_fabric(pid)

    def _wire_fabric(self, pid: dict[str, str]) -> None:
        for link in range(LINKS):
            self._join(pid, "l1", f"p{link}", f"10.0.{link}.1", "l2", f"p{link}", f"10.0.{link}.2")
        for i, other in ((1, 2), (2, 1)):
            hops = [f"nexthop via 10.0.{link}.{other}" for link in range(LINKS)]
            route = f"ip route add 192.168.{other}.0/24 {' '.join(hops)}"
            self.check(f"l{i}", *route.split())

    def _join(self, pid: dict, a: str, device: str, address: str, b: str, peer: str, end: str):
        """A veth pair between two namespaces, with an address at either end."""
        self.check(a, *f"ip link add {device} type veth peer name {peer} netns {pid[b]}".split())
        for name, interface, own in ((a, device, address), (b, peer, end)):
            self.check(name, "ip", "address", "add", f"{own}/24", "dev", interface)
            self.check(name, "ip", "link", "set", "dev", interface, "up")
