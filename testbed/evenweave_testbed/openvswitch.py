"""A private Open vSwitch: its own database server and switch daemon, and queries to them.

Only the userspace datapath is used (`datapath_type=netdev`), so no kernel module is needed. The
clients (ovs-vsctl, ovs-ofctl, ovs-appctl, Mininet's too) find the daemons through OVS_RUNDIR, which
`start` puts into this process's environment.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from evenweave_testbed.socket_buffers import widen

SCHEMA = Path("/usr/share/openvswitch/vswitch.ovsschema")
OPENFLOW = "OpenFlow13"

_KEYS = ("private_key", "certificate", "ca_cert")
# Both daemons answer within 100 ms on an idle machine; a machine this slow is stuck.
_START_TIMEOUT_S = 120.0
# The switch daemon may close a connection that it has just accepted (seen once in 200 faults). The
# client has sent nothing by then, and may connect again.
_CLOSED_AT_ONCE = re.compile(r"failed to open socket \((Broken pipe|Connection reset by peer)\)")
_CONNECTIONS = 5
_PAUSE_S = 0.1
_STOP_TIMEOUT_S = 5.0
# Bit 16 says that a dp_hash is present, so that a hash of 0 differs from none
# (Open vSwitch, ofproto/ofproto-dpif-xlate.c, and seen in every trace).
_DP_HASH_PRESENT = 0x10000
# An Ethernet frame that means nothing: IEEE 802's ether type for local experiments, no content.
_NOTHING_FRAME = "ff" * 6 + "020000000001" + "88b5" + "00" * 46


class SwitchError(RuntimeError):
    """Open vSwitch did not start or refused a command."""


@dataclass(frozen=True)
class Bucket:
    """A bucket of a group as the switch lists it; `port` is its output port."""

    weight: int
    port: int
    watch_port: int | None


@dataclass(frozen=True)
class Group:
    """A group as the switch lists it. One that leads to a large table has no buckets with ports,
    but `slots`, each of which has a rule in another table."""

    id: int
    kind: str
    buckets: tuple[Bucket, ...]
    slots: int = 0


class OpenVSwitch:
    """The two daemons, with database and logs under `directory`, sockets under `sockets`."""

    def __init__(self, directory: Path, sockets: Path) -> None:
        self.directory = directory
        self.sockets = sockets
        self._daemons: list[subprocess.Popen] = []

    def start(self) -> None:
        self.directory.mkdir(parents=True, exist_ok=True)
        os.environ |= {
            "OVS_RUNDIR": str(self.sockets),
            "OVS_DBDIR": str(self.directory),
            "OVS_LOGDIR": str(self.directory),
            "OVS_SYSCONFDIR": str(self.directory),
        }
        database = self._database()
        database.unlink(missing_ok=True)
        run("ovsdb-tool", "create", str(database), str(SCHEMA))
        server = self._server()
        # Keys for TLS as ovs-ctl gives them: what `ovs-vsctl set-ssl` has put into the database.
        keys = [f"--{name.replace('_', '-')}=db:Open_vSwitch,SSL,{name}" for name in _KEYS]
        self._start("ovsdb-server", str(database), f"--remote=punix:{server}", *keys)
        self._until("ovsdb-server", lambda: listens(server))
        run("ovs-vsctl", f"--timeout={_START_TIMEOUT_S:.0f}", "--no-wait", "init")
        self._start_switches()

    def kill_switches(self) -> None:
        """Kills the switch daemon; all bridges stop forwarding, their ports stay up."""
        daemon = self._daemons.pop()
        daemon.kill()
        daemon.wait()

    def restart_switches(self) -> None:
        """Starts the switch daemon again: bridges as in the database, with empty tables."""
        self._start_switches()

    @property
    def switches_pid(self) -> int:
        """The switch daemon's pid."""
        return self._daemons[-1].pid

    def _database(self) -> Path:
        return self.directory / "conf.db"

    def _server(self) -> Path:
        return self.sockets / "db.sock"

    def _start_switches(self) -> None:
        self._start("ovs-vswitchd", f"unix:{self._server()}")
        # A software switch that waits for a core loses or delays packets as no switch would. At a
        # load of 9 on two cores the throughput of 192 flows over three links had a coefficient of
        # variation of 0.30..0.58 without real-time priority at any niceness, 0.23..0.26 with it.
        # Threads the daemon makes later inherit it. A container may lack the right.
        with suppress(PermissionError):
            os.sched_setscheduler(self._daemons[-1].pid, os.SCHED_RR, os.sched_param(1))
        # ovs-vsctl without --no-wait returns when ovs-vswitchd has taken the configuration over.
        run("ovs-vsctl", f"--timeout={_START_TIMEOUT_S:.0f}", "init")
        self._until("ovs-vswitchd", lambda: listens(self._control_socket()))

    def stop(self) -> None:
        for daemon in reversed(self._daemons):
            daemon.terminate()
            try:
                daemon.wait(_STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        self._daemons.clear()

    def widen_buffers(self, bridge: str, port: int) -> None:
        """Gives the daemon's packet sockets room (see `socket_buffers`), once ports are there.

        The sending socket is made when the first packet is sent, so one goes out of `port`.
        """
        packet_out = f"in_port=controller packet={_NOTHING_FRAME} actions=output:{port}"
        run("ovs-ofctl", "-O", OPENFLOW, "packet-out", bridge, packet_out)
        if widen(self._daemons[-1].pid) == 0:
            raise SwitchError("ovs-vswitchd has no packet socket to send through")

    def groups(self, bridge: str) -> list[Group]:
        return parse_groups(run("ovs-ofctl", "-O", OPENFLOW, "dump-groups", bridge))

    def transmitted(self, bridge: str) -> dict[int, int]:
        """The bytes that each port has sent since it is there."""
        return parse_transmitted(
            run("ovs-ofctl", "-O", OPENFLOW, "--no-names", "dump-ports", bridge)
        )

    def bound_packets(self, bridges: Iterable[str], per_second: int, at_once: int) -> None:
        """Bounds the packets of hosts that each bridge sends to its one controller; beyond that the
        ports take turns (Open vSwitch's lib/pinsched.c)."""
        limits = [f"controller_rate_limit={per_second}", f"controller_burst_limit={at_once}"]
        command = ["ovs-vsctl"]
        for bridge in bridges:
            command += ["--", "set", "controller", bridge, *limits]
        run(*command)

    def bound_flows(self, most: int) -> None:
        """Bounds the flows that the switches cache: after each change of a rule or a group they
        look through all of them, and answer nothing meanwhile if they have one core."""
        run("ovs-vsctl", "set", "Open_vSwitch", ".", f"other_config:flow-limit={most}")

    def set_controllers(self, bridges: Iterable[str], *targets: str) -> None:
        """Points the bridges at OpenFlow controllers such as tcp:127.0.0.1:6653."""
        command = ["ovs-vsctl"]
        for bridge in bridges:
            names = [f"@{bridge}-{n}" for n in range(len(targets))]
            for name, target in zip(names, targets, strict=True):
                # Without in-band control Open vSwitch adds no flows of its own.
                command += ["--", f"--id={name}", "create", "Controller", f'target="{target}"']
                command += ["connection_mode=out-of-band"]
            command += ["--", "set", "bridge", bridge, f"controller={','.join(names)}"]
        run(*command)

    def serve_database(self, port: int, address: str = "127.0.0.1", scheme: str = "tcp") -> str:
        """Has the database server listen on an address of this namespace too, in the clear or by
        TLS (`ssl`); returns that as controllers are given it."""
        remote = f"p{scheme}:{port}:{address}"
        run("ovs-appctl", "-t", "ovsdb-server", "ovsdb-server/add-remote", remote)
        return f"{scheme}:{address}:{port}"

    def set_keys(self, key: Path, certificate: Path, authority: Path) -> None:
        """The keys by which switches and the database server speak TLS, and whom they trust."""
        run("ovs-vsctl", "set-ssl", str(key), str(certificate), str(authority))

    def detection(self) -> list[str]:
        """The BFD settings of all interfaces that have any, as the database has them."""
        settings = run("ovs-vsctl", "--format=json", "--columns=bfd", "list", "interface")
        rows = json.loads(settings)["data"]
        return [json.dumps(bfd[1]) for (bfd,) in rows if bfd[1]]

    def detection_changes(self) -> Counter[str]:
        """How often the BFD settings of each interface (by its UUID) have changed, ever: the
        database is a journal with a line of JSON for each transaction (ovsdb(5))."""
        changes: Counter[str] = Counter()
        for line in self._database().read_text().splitlines():
            if line.startswith("{"):
                rows = json.loads(line).get("Interface", {})
                changes.update(uuid for uuid, row in rows.items() if row and "bfd" in row)
        return changes

    def detect_failures(self, interfaces: Iterable[str], period_ms: int) -> None:
        """Starts BFD on interfaces of bridges: three packets lost in a row end a session, and the
        port is live no more. 0 ms ends BFD."""
        command = ["ovs-vsctl"]
        for interface in interfaces:
            command += ["--", "set", "interface", interface]
            command += (
                ["bfd:enable=true", f"bfd:min_tx={period_ms}", f"bfd:min_rx={period_ms}"]
                if period_ms
                else ["bfd:enable=false"]
            )
        run(*command)

    def wait_for_detection(
        self, interfaces: Iterable[str], period_ms: int, timeout_s: float
    ) -> None:
        """Waits until BFD sessions are up and run at their period; they begin at one second."""
        deadline = time.monotonic() + timeout_s
        for interface in interfaces:
            while not self._is_detecting(interface, period_ms):
                if time.monotonic() > deadline:
                    raise SwitchError(f"{interface}: no BFD session at {period_ms} ms")
                time.sleep(0.02)

    def _is_detecting(self, interface: str, period_ms: int) -> bool:
        """Not before ovs-vswitchd has read the setting from its database: it has no session."""
        try:
            return is_detecting(self.appctl("bfd/show", interface), period_ms)
        except SwitchError:
            return False

    def slot_owners(self, bridge: str, in_port: int, flow: str, slots: int) -> list[int]:
        """The output port of each of the `slots` hash slots of the SELECT group that `flow` meets.

        `flow` is a match such as "tcp,nw_src=10.0.0.2,nw_dst=10.0.2.2". Each slot is found by
        tracing a packet whose dp_hash is that slot, so the result is the switch's own.
        """
        owners = []
        for slot in range(slots):
            match = f"in_port={in_port},{flow},dp_hash={_DP_HASH_PRESENT | slot:#x}"
            owners.append(parse_trace(self.appctl("ofproto/trace", bridge, match)))
        return owners

    def wait_for_datapath(self) -> None:
        """Waits until the datapath follows the flow and group tables.

        Open vSwitch caches its decision for a flow, and confirms a change of its tables (by
        barrier) before it has revalidated the cache: by a few milliseconds, more if it is busy.
        """
        self.appctl("revalidator/wait")

    def appctl(self, command: str, *arguments: str) -> str:
        """What `ovs-appctl` does, without starting a process: JSON-RPC on the control socket."""
        request = {"id": 0, "method": command, "params": list(arguments)}
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(_START_TIMEOUT_S)
            connection.connect(str(self._control_socket()))
            connection.sendall(json.dumps(request).encode())
            received = b""
            while True:
                chunk = connection.recv(1 << 16)
                if not chunk:
                    raise SwitchError(f"{command}: ovs-vswitchd closed its control socket")
                received += chunk
                try:
                    reply = json.loads(received)
                    break
                except ValueError:
                    continue
        if reply["error"] is not None:
            raise SwitchError(f"{command} {' '.join(arguments)}: {reply['error']}")
        return reply["result"]

    def _control_socket(self) -> Path:
        return self.sockets / f"ovs-vswitchd.{self._daemons[-1].pid}.ctl"

    def _start(self, *command: str) -> None:
        log = self.directory / f"{command[0]}.out"
        options = ["--no-chdir", "--pidfile", "--log-file", "-vconsole:off"]
        with log.open("wb") as output:
            self._daemons.append(
                subprocess.Popen(
                    [*command, *options],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            )

    def _until(self, name: str, ready: Callable[[], bool]) -> None:
        deadline = time.monotonic() + _START_TIMEOUT_S
        while not ready():
            if self._daemons[-1].poll() is not None or time.monotonic() > deadline:
                said = (self.directory / f"{name}.out").read_text().strip()
                raise SwitchError(f"{name} did not start: {said or 'no output'}")
            time.sleep(0.01)


def run(*command: str) -> str:
    """Runs a client command and returns its output; raises SwitchError with what it said."""
    for _ in range(_CONNECTIONS):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return done.stdout
        if not _CLOSED_AT_ONCE.search(done.stderr):
            break
        time.sleep(_PAUSE_S)
    raise SwitchError(f"{' '.join(command)}: {done.stderr.strip()}")


@contextmanager
def out_of_reach(bridge: str) -> Iterator[None]:
    """Keeps a switch from its controllers; its rules stay."""
    targets = run("ovs-vsctl", "get-controller", bridge).split()
    # Nobody listens there. A bridge without any controller would lose its rules when it has one
    # again.
    run("ovs-vsctl", "set-controller", bridge, "tcp:127.0.0.1:1")
    try:
        yield
    finally:
        run("ovs-vsctl", "set-controller", bridge, *targets)


def is_detecting(session: str, period_ms: int) -> bool:
    """Whether a BFD session, as `bfd/show` has it, is up and runs at its period both ways."""
    return all(
        line in session
        for line in (
            "Local Session State: up",
            f"TX Interval: Approx {period_ms}ms",
            f"RX Interval: Approx {period_ms}ms",
        )
    )


_GROUP = re.compile(r"^\s*group_id=(?P<id>\d+),type=(?P<kind>\w+)(?P<rest>.*)$", re.MULTILINE)
_OUTPUT = re.compile(r'\boutput:"?([^",\s]+)"?')
# With the last bit of the hash that is part of the slot.
_LEAD = re.compile(
    r",bucket=(?:weight:1,)?actions=set_field:0x[0-9a-f]+->metadata,"
    r"move:NXM_NX_DP_HASH\[0\.\.(\d+)\]->OXM_OF_METADATA\[0\.\.\1\],resubmit\(,20\)"
)


def listens(path: Path) -> bool:
    """Whether somebody listens at a socket; its file is there a moment earlier."""
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(path))
        except (FileNotFoundError, ConnectionRefusedError):
            return False
        return True


def parse_groups(text: str) -> list[Group]:
    """Parses `ovs-ofctl -O OpenFlow13 dump-groups`; buckets stay in list order."""
    groups = []
    for match in _GROUP.finditer(text):
        lead = _LEAD.fullmatch(match["rest"])
        if lead:
            groups.append(Group(int(match["id"]), match["kind"], (), 2 << int(lead[1])))
            continue
        buckets = []
        for part in match["rest"].split(",bucket=")[1:]:
            weight = re.search(r"\bweight:(\d+)", part)
            watch = re.search(r"\bwatch_port:(\d+)", part)
            output = _OUTPUT.search(part)
            if output is None or not output[1].isdigit():
                raise SwitchError(f"group {match['id']}: a bucket without a port number: {part!r}")
            buckets.append(
                Bucket(
                    weight=int(weight[1]) if weight else 1,
                    port=int(output[1]),
                    watch_port=int(watch[1]) if watch else None,
                )
            )
        groups.append(Group(int(match["id"]), match["kind"], tuple(buckets)))
    return groups


def parse_transmitted(text: str) -> dict[int, int]:
    """Parses `ovs-ofctl dump-ports`: by number the bytes that a port has sent. The port of the
    switch itself is left out."""
    ports = re.findall(r"^\s*port\s+(\d+): rx .*\n\s*tx pkts=\d+, bytes=(\d+)", text, re.MULTILINE)
    return {int(port): int(sent) for port, sent in ports}


def parse_trace(text: str) -> int:
    """The one port that `ofproto/trace` sends its packet to."""
    ports = re.findall(r"^\s*output:(\d+)\s*$", text, re.MULTILINE)
    if len(ports) != 1:
        raise SwitchError(f"a traced packet leaves through {len(ports)} ports:\n{text}")
    return int(ports[0])
