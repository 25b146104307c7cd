"""Network namespaces with wires between them, some of them hosts with evenweave-edge.

All of them are in the namespaces of the run (see `isolation`) and go with it.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from evenweave_testbed import left_edge_files
from evenweave_testbed.polling import READY_LIMIT_S
from evenweave_testbed.processes import interrupted_later, pipe
from evenweave_testbed.sdd.build import program

# Geneve's (RFC 8926, section 3.3).
OVERLAY_PORT = 6081

# What the kernel says where it has no BPF, or this process may not load it.
_NO_BPF = ("Operation not permitted", "Function not implemented", "Operation not supported")


class EdgeError(RuntimeError):
    """A part of the bed did not start."""


class NoBpfError(EdgeError):
    """This kernel loads no BPF programs here."""


def says_no_bpf(text: str) -> bool:
    """Whether a loader of BPF programs failed for lack of BPF or of the right to it."""
    return any(why in text for why in _NO_BPF)


class EdgeNamespaces(ABC):
    """A context manager. A subclass connects the namespaces in `_wire`; edges are started by
    `start_edge`."""

    def __init__(self, directory: Path, names: Sequence[str]) -> None:
        self.directory = directory
        self._names = tuple(names)
        self._namespaces: dict[str, subprocess.Popen] = {}
        self._jobs: list[subprocess.Popen] = []
        self._edges: dict[str, subprocess.Popen] = {}

    def __enter__(self):
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
        processes = [*self._jobs, *self._edges.values(), *self._namespaces.values()]
        # All at once: one that outlives its peer would complain about it.
        for process in processes:
            if process.poll() is None:
                process.kill()
        for process in processes:
            process.communicate()
        left_edge_files.remove()

    @abstractmethod
    def _wire(self) -> None:
        """Makes the wires between the namespaces."""

    def start_edge(self, host: str, config: dict, name: str | None = None) -> None:
        """Starts a process that puts the edge on the host or takes it over; waits until it has.
        `name` is of one beside the host's first, on another device."""
        name = name or host
        path, log = self.directory / f"{name}.json", self.directory / f"{name}.log"
        path.write_text(json.dumps(config))
        with log.open("w") as output, interrupted_later():
            process = self._edges[name] = subprocess.Popen(
                self.inside(host, *self.edge_command("--config", str(path))),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        deadline = time.monotonic() + READY_LIMIT_S
        while "ready\n" not in (said := log.read_text()):
            if process.poll() is not None or time.monotonic() > deadline:
                no_bpf = "the programs cannot be" in said and says_no_bpf(said)
                raise (NoBpfError if no_bpf else EdgeError)(said)
            time.sleep(0.02)

    def read_again(self, host: str) -> None:
        """Has a host's process read its file again."""
        self.signal_edge(host, signal.SIGHUP)

    def signal_edge(self, host: str, number: int) -> None:
        """Sends a signal to a host's process, which does not end by it."""
        self._edges[host].send_signal(number)

    def change(self, host: str, **changes: object) -> None:
        """Has a host's process read a file that differs from the one before in these fields."""
        path = self.directory / f"{host}.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))
        self.read_again(host)

    def end_edge(self, host: str, number: int) -> int:
        """Sends a signal to a host's process; its exit status (-n if signal n ended it)."""
        process = self._edges.pop(host)
        process.send_signal(number)
        return process.wait()

    def take_off(self, host: str) -> None:
        """Ends a host's process, if it has one, and takes its edge off, if it has one."""
        if host in self._edges:
            self.end_edge(host, signal.SIGTERM)
        if self.edge(host, "show").stdout:
            self.check(host, *self.edge_command("stop"))

    @staticmethod
    def edge_command(*arguments: str) -> list[str]:
        return [str(program("evenweave-edge")), *arguments]

    def edge(self, host: str, *arguments: str) -> subprocess.CompletedProcess:
        return self.run(host, *self.edge_command(*arguments))

    def show(self, host: str) -> dict:
        """What `show --json` says; the only peer's part as "peer"."""
        done = self.edge(host, "show", "--json")
        if not done.stdout:  # without any path to a peer the status is 1 all the same
            raise EdgeError(done.stderr)
        shown = json.loads(done.stdout)
        (shown["peer"],) = shown["peers"]
        return shown

    def pid(self, name: str) -> int:
        """A process that has the namespace, for files of /proc."""
        return self._namespaces[name].pid

    def inside(self, name: str, *command: str) -> list[str]:
        return ["nsenter", "-t", str(self.pid(name)), "--net", *command]

    def run(
        self, name: str, *command: str, timeout_s: float = 120, text: str | None = None
    ) -> subprocess.CompletedProcess:
        """Runs a command to its end; `text` is its input."""
        return subprocess.run(
            self.inside(name, *command),
            capture_output=True,
            input=text,
            text=True,
            timeout=timeout_s,
            check=False,
        )

    def check(self, name: str, *command: str, text: str | None = None) -> str:
        done = self.run(name, *command, text=text)
        if done.returncode != 0:
            raise EdgeError(f"{name}: {' '.join(command)}: {done.stderr}{done.stdout}")
        return done.stdout

    def start(self, name: str, module: str, *arguments: object) -> subprocess.Popen:
        """Starts a Python module in a namespace; it ends with the bed at the latest."""
        return self.start_program(name, sys.executable, "-m", module, *map(str, arguments))

    def start_program(
        self, name: str, *command: str, environment: Mapping[str, str] | None = None
    ) -> subprocess.Popen:
        """The same for any program, with this added to its environment."""
        with interrupted_later():
            job = subprocess.Popen(
                self.inside(name, *command),
                env=os.environ | (environment or {}),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                process_group=0,  # whoever presses Ctrl-C means this process, which ends the others
            )
            self._jobs.append(job)
        return job

    def start_server(self, name: str, module: str, *arguments: object) -> subprocess.Popen:
        """The same for one that says "ready"; waits for that."""
        job = self.start(name, module, *arguments)
        if pipe(job.stdout).readline() != "ready\n":
            raise EdgeError(f"{module} {arguments} does not start")
        return job

    def add_port_program(self, name: str, device: str, object_name: str) -> int:
        """Puts a program of host/edge/switch on what a switch port sends; the number of its map
        `port`, for `set_port`. NoBpfError where programs cannot be loaded."""
        return self.add_port_maps(name, device, object_name)["port"]

    def add_port_maps(self, name: str, device: str, object_name: str) -> dict[str, int]:
        """The same; the numbers of all its maps."""
        self._make_room(name, device)
        before = self._programs_at(name, device)
        code = f"filter add dev {device} egress bpf da obj {program(object_name)} sec tc"
        self._load_by(name, "tc", *code.split())
        (number,) = self._programs_at(name, device) - before
        return self.maps_of(name, "id", str(number))

    def load(self, name: str, code: Path, pins: Path) -> None:
        """Loads all programs of a file, so that they have their maps in common, for
        `attach_pinned`. NoBpfError where programs cannot be loaded."""
        self._load_by(name, "bpftool", "prog", "loadall", str(code), str(pins))

    def attach_pinned(self, name: str, device: str, pin: Path) -> None:
        """Puts a program that is loaded on what a switch port receives."""
        self._make_room(name, device)
        code = f"filter add dev {device} ingress bpf da object-pinned {pin}"
        self.check(name, "tc", *code.split())

    def maps_of(self, name: str, *which: str) -> dict[str, int]:
        """The numbers of a program's maps by their names."""
        shown = self.check(name, "bpftool", "-j", "prog", "show", *which)
        maps = {}
        for number in json.loads(shown)["map_ids"]:
            known = self.check(name, "bpftool", "-j", "map", "show", "id", str(number))
            maps[json.loads(known)["name"]] = number
        return maps

    def set_port(self, name: str, map_id: int, *numbers: int) -> None:
        """What a program of a switch port goes by: the members of its struct port."""
        value = b"".join(number.to_bytes(8, "little") for number in numbers)
        self.put(name, map_id, bytes(4), value)

    def entry(self, name: str, map_id: int) -> dict[str, int]:
        """The only entry of a map, by the members of its structure."""
        dump = self.check(name, "bpftool", "-j", "map", "dump", "id", str(map_id))
        (only,) = json.loads(dump)
        return only["formatted"]["value"]

    def put(self, name: str, map_id: int, key: bytes, value: bytes) -> None:
        """Sets an entry of a map."""
        parts = ("key", "hex", *_words(key), "value", "hex", *_words(value))
        self.check(name, "bpftool", "map", "update", "id", str(map_id), *parts)

    def device_numbers(self, name: str) -> dict[str, int]:
        """The kernel's numbers of a namespace's devices."""
        links = json.loads(self.check(name, "ip", "-j", "link"))
        return {link["ifname"]: link["ifindex"] for link in links}

    def _make_room(self, name: str, device: str) -> None:
        if "clsact" not in self.check(name, "tc", "qdisc", "show", "dev", device):
            self.check(name, "tc", "qdisc", "add", "dev", device, "clsact")

    def _load_by(self, name: str, *command: str) -> None:
        done = self.run(name, *command)
        if done.returncode != 0:
            error = NoBpfError if says_no_bpf(done.stderr) else EdgeError
            raise error(f"{name}: {' '.join(command)}: {done.stderr}")

    def _programs_at(self, name: str, device: str) -> set[int]:
        shown = self.check(name, "tc", "-j", "filter", "show", "dev", device, "egress")
        return {f["options"]["prog"]["id"] for f in json.loads(shown) if "options" in f}

    def ports_by_link(
        self,
        router: str,
        entered_by: str,
        source: str,
        destination: str,
        ports: Iterable[int],
        transport: str = "udp",
    ) -> dict[int, list[int]]:
        """Which of these outer source ports a router's hash sends over which of its links `p0`,
        `p1`, ...: asked of its own routing, since the hash differs from boot to boot."""
        asked = list(ports)
        questions = [
            f"route get {destination} from {source} iif {entered_by} "
            f"ipproto {transport} sport {port} dport {OVERLAY_PORT}"
            for port in asked
        ]
        answers = self.check(router, "ip", "-o", "-batch", "-", text="\n".join(questions))
        by_link: dict[int, list[int]] = {}
        for port, link in zip(asked, re.findall(r" dev p(\d+) ", answers), strict=True):
            by_link.setdefault(int(link), []).append(port)
        return by_link

    def _make_namespaces(self) -> None:
        for name in self._names:
            with interrupted_later():
                command = ["unshare", "--net", "sleep", "infinity"]
                self._namespaces[name] = subprocess.Popen(command)
        own = Path("/proc/self/ns/net").readlink()
        for name, namespace in self._namespaces.items():
            while Path(f"/proc/{namespace.pid}/ns/net").readlink() == own:
                time.sleep(0.01)
            self.check(name, "ip", "link", "set", "dev", "lo", "up")

    def _join(self, a: str, device: str, address: str, b: str, peer: str, end: str) -> None:
        """A veth pair between two namespaces, with an address at either end."""
        there = str(self.pid(b))
        self.check(a, *f"ip link add {device} type veth peer name {peer} netns {there}".split())
        for name, interface, own in ((a, device, address), (b, peer, end)):
            self.check(name, "ip", "address", "add", f"{own}/24", "dev", interface)
            self.check(name, "ip", "link", "set", "dev", interface, "up")


def _words(data: bytes) -> list[str]:
    return [f"{byte:02x}" for byte in data]
