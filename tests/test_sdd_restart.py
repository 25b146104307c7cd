"""Whatever of the Software Defined Dataplane is killed, no application loses its connection."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from fake_ptp4l import FakePtp4l
from sdd_controller import PORT, configure, real_controller
from sdd_pair import pair_up, queue_of
from waiting import eventually

from evenweave_testbed import left_taps
from evenweave_testbed.sdd.bed import Bed, BedPlan
from evenweave_testbed.sdd.build import program

pytestmark = [pytest.mark.fabric, pytest.mark.real_time]

TCP_PORT = 5001
# What has to arrive after each kill: more than what all buffers on the way hold.
PROGRESS_BYTES = 300_000
TIMES_EACH = 2

# Sends numbers until the file is there, then waits for how many have come.
SENDER = """
import array, os, socket, sys
connection = socket.create_connection((sys.argv[1], int(sys.argv[2])))
sent = 0
while not os.path.exists(sys.argv[3]):
    connection.sendall(array.array("Q", range(sent, sent + 1024)).tobytes())
    sent += 1024
connection.shutdown(socket.SHUT_WR)
print(sent, int(connection.makefile().readline()))
"""
# Counts numbers, which must come in order, and says how many bytes there were so far.
RECEIVER = """
import array, socket, sys
listening = socket.create_server(("", int(sys.argv[1])))
print("listening", flush=True)
connection, _ = listening.accept()
stream, received = connection.makefile("rb"), 0
while block := stream.read(8192):
    assert array.array("Q", block).tolist() == list(range(received, received + len(block) // 8))
    received += len(block) // 8
    with open(sys.argv[2], "w") as progress:
        progress.write(str(8 * received))
connection.sendall(b"%d\\n" % received)
"""
# Has the connection's packets go through a queue of its own.
APPLICATION = """
import sys
from evenweave_sdd import connect
queue = connect(sys.argv[1], "doomed").open_queue()
# more than the address, by which the controller maps flows to its own queues
queue.map({"protocol": 6, "destination": sys.argv[2], "destinationPort": int(sys.argv[3])})
print("mapped", flush=True)
sys.stdin.read()
"""


class Connection:
    """A TCP connection from h1 to h2 that is used all the time."""

    def __init__(self, bed: Bed, folder: Path) -> None:
        self._stop, self._progress = folder / "stop", folder / "progress"
        self._progress.write_text("0")
        receiver = bed.start("h2", "python3", "-c", RECEIVER, str(TCP_PORT), str(self._progress))
        assert receiver.stdout.readline() == "listening\n"
        self._sender = bed.start(
            "h1", "python3", "-c", SENDER, bed.address("h2"), str(TCP_PORT), str(self._stop)
        )

    def bytes(self) -> int:
        return int(self._progress.read_text() or "0")  # empty while it is written

    def goes_on(self, after: str) -> None:
        before = max(self.bytes(), self.bytes())
        eventually(lambda: self.bytes() > before + PROGRESS_BYTES, f"progress after {after}")

    def end(self) -> None:
        """Ends it; as much must have come as was sent."""
        self._stop.touch()
        sent, received = self._sender.stdout.readline().split()
        assert sent == received


class Parts:
    """All that can be killed around a connection, and how it comes back."""

    def __init__(self, bed: Bed, controller: Callable, folder: Path) -> None:
        self._bed, self._controller = bed, controller
        self._stack = contextlib.ExitStack()
        self._ptp4l = FakePtp4l(folder / "ptp4l.sock")
        self._path = folder / "ptp4l.sock"
        self._controlled = 0
        self._start_controller()

    def close(self) -> None:
        self._stack.close()

    def controller(self) -> None:
        self._stack.close()
        self._start_controller()

    def host_process(self) -> None:
        self._bed.kill_host_process()
        self._bed.start_host_process()

    def reloaded_host_process(self) -> None:
        self._bed.reload_host_process(self._bed.host_config())

    def clock_source(self) -> None:
        self._ptp4l.close()
        eventually(lambda: self._said("the clock is off"), "loss of the clock")
        self._path.unlink()
        self._ptp4l = FakePtp4l(self._path)

    def application(self) -> None:
        command = ["python3", "-c", APPLICATION, self._bed.applications("h1")]
        command += [self._bed.address("h2"), str(TCP_PORT)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        with subprocess.Popen(command, text=True, **pipes) as process:
            assert process.stdout.readline() == "mapped\n"
            eventually(self._through_its_queue, "packets through the application's queue")
            process.kill()

    def _through_its_queue(self) -> bool:
        queues = self._bed.statistics()["hosts"]["h1"]["queues"]
        return any(queue["sentPackets"] > 0 for queue in queues if "owner" in queue)

    def _said(self, text: str) -> bool:
        count = self._bed.log("sdd-host").count(text)
        said, self._controlled = count > self._controlled, count
        return said

    def _start_controller(self) -> None:
        self._stack.enter_context(self._controller())


@pytest.mark.extended
def test_a_connection_outlives_whatever_is_killed(authority, tmp_path):
    seed = int(os.environ.get("SDD_SEED", "1"))
    print(f"SDD_SEED={seed}")
    chance = random.Random(seed)
    rule = {"user": "root", "matches": [{"protocol": 6}]}
    plan = BedPlan(hosts=2, clock_source="ptp4l", access=[rule])
    config = configure(authority, tmp_path, circuitSwitch="switch", circuitBps=plan.link_bps)
    with contextlib.ExitStack() as stack:
        bed = stack.enter_context(Bed(plan, tmp_path, PORT, authority))
        parts = Parts(bed, lambda: real_controller(config, tmp_path, signal.SIGKILL), tmp_path)
        stack.callback(parts.close)
        connection = Connection(bed, tmp_path)
        connection.goes_on("its start")
        victims = TIMES_EACH * [
            parts.controller,
            parts.host_process,
            parts.reloaded_host_process,
            parts.clock_source,
            parts.application,
        ]
        chance.shuffle(victims)
        for kill in victims:
            at = connection.bytes() + chance.randrange(PROGRESS_BYTES)
            eventually(lambda at=at: connection.bytes() >= at, "progress", poll_s=0.001)
            kill()
            connection.goes_on(f"the end of the {kill.__name__}")
        connection.end()


def tap(bed: Bed) -> dict:
    """The TAP device of h1; nothing if it has none."""
    done = bed.run("h1", "ip", "-json", "address", "show", "dev", "tap0")
    return json.loads(done.stdout)[0] if done.returncode == 0 else {}


@pytest.mark.extended
def test_the_tap_device_outlives_a_kill_and_ends_with_the_process(start_bed):
    bed, _ = start_bed()
    before = tap(bed)
    assert "alias sdd-host h1" in bed.run("h1", "ip", "link", "show", "tap0").stdout
    bed.kill_host_process()
    assert tap(bed)["ifindex"] == before["ifindex"]
    bed.start_host_process()
    after = tap(bed)
    assert after["ifindex"] == before["ifindex"] and after["addr_info"] == before["addr_info"]
    bed.signal_host_process(signal.SIGTERM)
    eventually(lambda: not tap(bed), "end of the device")


def test_a_reload_takes_the_configuration_as_it_is_then(start_bed):
    bed, controller = start_bed()
    pair_up(bed, controller)
    pid, index = bed.alive()["sdd-host"], tap(bed)["ifindex"]
    config = bed.host_config()
    for host in config["hosts"]:
        host["queues"] = [{"number": 3, "priority": 1}]
    (bed.directory / "sdd-host.json").write_text("{")
    bed.signal_host_process(signal.SIGHUP)
    eventually(lambda: "the previous configuration stays in use" in bed.log("sdd-host"), "refusal")
    (bed.directory / "sdd-host.json").write_text(json.dumps(config | {"cores": {"ingest": 1023}}))
    bed.signal_host_process(signal.SIGHUP)
    reason = "cores.ingest: this process may not run on core 1023"
    refusal = f"{reason}: the previous configuration stays in use"
    eventually(lambda: refusal in bed.log("sdd-host"), "refusal of a core that is not there")
    assert queue_of(bed, "h1")
    bed.reload_host_process(config)
    assert queue_of(bed, "h1", 3)["sentPackets"] == 0
    assert (bed.alive()["sdd-host"], tap(bed)["ifindex"]) == (pid, index)
    del config["hosts"][0]
    bed.reload_host_process(config)
    assert not tap(bed)


@pytest.mark.extended
def test_another_device_of_the_name_is_left_alone(authority, tmp_path):
    subprocess.run(["ip", "tuntap", "add", "tap9", "mode", "tap"], check=True)
    try:
        host = {"name": "a", "tap": "tap9", "port": {"driver": "af_packet", "device": "lo"}}
        path = tmp_path / "config.json"
        path.write_text(json.dumps({"memoryMb": 64, "packetBuffers": 1024, "hosts": [host]}))
        done = subprocess.run(
            [program("sdd-host"), path], capture_output=True, text=True, check=False
        )
        assert done.returncode == 1
        assert "tap9 exists and is not this host's: remove it" in done.stderr
        subprocess.run(["ip", "link", "show", "tap9"], check=True, capture_output=True)
    finally:
        subprocess.run(["ip", "link", "delete", "tap9"], check=True)


def test_what_is_no_left_socket_stays(tmp_path):
    """Neither a file nor a socket that somebody listens at is removed for one of sdd-host's own."""
    pair = ["ip", "link", "add", "c6", "type", "veth", "peer", "name", "c7"]
    host = {"name": "a", "tap": "tap7", "port": {"driver": "af_packet", "device": "c6"}}
    file, served, left = (tmp_path / name for name in ("file", "served", "left"))
    file.write_text("precious")
    config = {"memoryMb": 64, "packetBuffers": 1024}

    def start(statistics: Path, applications: Path) -> subprocess.Popen:
        access = {"socket": str(applications), "access": [{"user": "root"}]}
        hosts = [host | {"applications": access}]
        path = tmp_path / "config.json"
        path.write_text(json.dumps(config | {"statistics": str(statistics), "hosts": hosts}))
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen([program("sdd-host"), path], text=True, **pipes)

    with socket.socket(socket.AF_UNIX) as listening, socket.socket(socket.AF_UNIX) as dead:
        listening.bind(str(served))
        listening.listen()
        dead.bind(str(left))
        subprocess.run(pair, check=True)
        try:
            for statistics, applications, error in (
                (file, left, f"statistics: cannot create {file}: File exists"),
                (left, file, f"a: applications.socket: cannot create {file}: File exists"),
                (served, left, f"statistics: cannot create {served}: Address already in use"),
                (left, served, f"cannot create {served}: Address already in use"),
            ):
                process = start(statistics, applications)
                assert error in process.communicate()[1]
                assert process.returncode == 1
            with start(left, tmp_path / "new") as process:
                assert process.stdout.readline() == "ready\n"
                process.terminate()
        finally:
            subprocess.run(["ip", "link", "delete", "c6"], check=True)
        assert served.is_socket()
    assert file.read_text() == "precious"
    assert not left.exists()


@pytest.mark.extended
def test_clean_removes_the_device_of_a_killed_process_and_no_other(tmp_path):
    pair = ["ip", "link", "add", "c8", "type", "veth", "peer", "name", "c9"]
    host = {"name": "a", "tap": "tap8", "port": {"driver": "af_packet", "device": "c8"}}
    path, device = tmp_path / "config.json", Path("/sys/class/net/tap8")
    path.write_text(json.dumps({"memoryMb": 64, "packetBuffers": 1024, "hosts": [host]}))
    subprocess.run(pair, check=True)
    try:
        command = [program("sdd-host"), path]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout.readline() == "ready\n"
            assert left_taps.remove() == []
            assert device.exists()
            process.kill()
        assert device.exists()
        assert left_taps.remove() == ["removed tap8, left by a dead sdd-host"]
        assert not device.exists()
    finally:
        subprocess.run(["ip", "link", "delete", "c8"], check=True)
