"""A start or a reload of sdd-host that fails leaves devices, traffic and connections."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from sdd_pair import PAIR, pair_up, queue_of, send_steadily
from waiting import eventually

from evenweave_testbed.sdd import bed as beds
from evenweave_testbed.sdd.bed import Bed
from evenweave_testbed.sdd.build import program

pytestmark = [pytest.mark.fabric, pytest.mark.real_time]

STAYS = "the previous configuration stays in use"


def tap(bed: Bed, host: str = "h1", name: str = "tap0") -> tuple:
    """What tells a TAP device with its addresses from another; nothing if there is none."""
    done = bed.run(host, "ip", "-json", "address", "show", "dev", name)
    if done.returncode != 0:
        return ()
    device = json.loads(done.stdout)[0]
    return device["ifindex"], [address["local"] for address in device["addr_info"]]


def write(bed: Bed, config: dict) -> Path:
    path = bed.directory / "sdd-host.json"
    path.write_text(json.dumps(config))
    return path


def sends(bed: Bed) -> None:
    """Packets of h1 go on leaving."""
    before = queue_of(bed, "h1")["sentPackets"]
    eventually(lambda: queue_of(bed, "h1")["sentPackets"] > before, "packet sent")


@pytest.mark.extended
def test_a_start_that_fails_leaves_the_devices_that_it_found(start_bed):
    bed, _ = start_bed()
    before = tap(bed)
    bed.kill_host_process()
    config = bed.host_config() | {"statistics": str(bed.directory / "none" / "socket")}
    config["hosts"][1] |= {"name": "h3", "tap": "tap3"}
    command = [program("sdd-host"), write(bed, config)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "statistics: cannot create" in done.stderr
    assert before and tap(bed) == before
    assert not tap(bed, "h2", "tap3")
    bed.start_host_process()
    assert tap(bed) == before


def no_device(config: dict, _: Path) -> str:
    config["hosts"][0]["port"]["device"] = "nosuch0"
    return "hosts[0].port.device: there is no nosuch0"


def no_namespace(config: dict, folder: Path) -> str:
    config["hosts"][0]["tapNamespace"] = str(folder / "none")
    return f"hosts[0].tapNamespace: {folder / 'none'}: No such file or directory"


def no_statistics(config: dict, folder: Path) -> str:
    config["statistics"] = str(folder / "none" / "socket")
    return f"statistics: cannot create {config['statistics']}: No such file or directory"


def no_application_socket(config: dict, folder: Path) -> str:
    path = folder / "file"
    path.touch()
    config["hosts"][0]["applications"] = {"socket": str(path), "access": [{"user": "root"}]}
    return f"hosts[0].applications.socket: cannot create {path}: File exists"


def no_certificate(config: dict, folder: Path) -> str:
    config["hosts"][1]["control"]["certificate"] = str(folder / "none")
    return "the control of h2: "


MISTAKES = [no_device, no_namespace, no_statistics, no_application_socket, no_certificate]


def test_a_reload_to_what_cannot_be_had_changes_nothing(start_bed, tmp_path):
    bed, controller = start_bed()
    pair_up(bed, controller)
    pid, before = bed.alive()["sdd-host"], tap(bed)

    def refuses(config: dict, error: str) -> None:
        count = bed.log("sdd-host").count(STAYS)
        write(bed, config)
        bed.signal_host_process(signal.SIGHUP)
        eventually(lambda: bed.log("sdd-host").count(STAYS) > count, f"refusal: {error}")
        line = next(text for text in reversed(bed.log("sdd-host").splitlines()) if STAYS in text)
        assert error in line

    for mistake in MISTAKES:
        config = bed.host_config()
        refuses(config, mistake(config, tmp_path))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        config = bed.host_config()
        config["hosts"][0]["control"]["datagramPort"] = taken.getsockname()[1]
        refuses(config, "hosts[0].control.datagramPort: cannot open the socket: Address already")
    assert bed.log("sdd-host").count("ready\n") == 1
    assert queue_of(bed, "h1")
    # what it holds itself is no obstacle
    bed.reload_host_process(bed.host_config())
    assert (bed.alive()["sdd-host"], tap(bed)) == (pid, before)


@pytest.fixture
def own_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The bed's sdd-host, as a file that a test may replace."""
    copy = tmp_path / "sdd-host"
    shutil.copy2(program("sdd-host"), copy)
    programs = {"sdd-host": copy}
    monkeypatch.setattr(beds, "program", lambda name: programs.get(name) or program(name))
    return copy


@pytest.mark.extended
def test_a_reload_without_a_program_that_runs_changes_nothing(start_bed, own_program):
    bed, controller = start_bed()
    one, _ = pair_up(bed, controller)
    one.ok("AddDequeueCondition", queue=0, condition="TRUE")
    send_steadily(bed, "h1", "h2")
    moved = own_program.with_suffix(".old")
    own_program.rename(moved)
    bed.signal_host_process(signal.SIGHUP)
    missing = f"cannot start {own_program}: No such file or directory: {STAYS}"
    eventually(lambda: missing in bed.log("sdd-host"), "refusal of a program that is not there")
    own_program.write_text("#!/bin/false\n")
    own_program.chmod(0o755)
    bed.signal_host_process(signal.SIGHUP)
    fails = f"{own_program} --check fails: {STAYS}"
    eventually(lambda: fails in bed.log("sdd-host"), "refusal of a program that does not run")
    assert bed.log("sdd-host").count("ready\n") == 1
    sends(bed)
    own_program.unlink()
    moved.rename(own_program)
    bed.reload_host_process(bed.host_config())


def no_room(config: dict) -> str:
    config |= {"memoryMb": 32, "packetBuffers": 1000000}
    return "packetBuffers: 1000000 do not fit"


def no_device_of_its_own(config: dict) -> str:
    config["hosts"][0]["tap"] = "other"
    return "hosts[0].tap: other exists and is not this host's"


@pytest.mark.extended
@pytest.mark.parametrize("mistake", [no_room, no_device_of_its_own])
def test_a_reload_that_fails_later_goes_back_to_what_ran(
    start_bed, own_program, mistake: Callable[[dict], str]
):
    bed, _ = start_bed()
    bed.run("h1", "ip", "tuntap", "add", "other", "mode", "tap")
    pid, config = bed.alive()["sdd-host"], bed.host_config()
    config["hosts"][0]["queues"] = [{"number": 3}]
    bed.reload_host_process(config)
    before = tap(bed)
    # the program that ran goes on, too, wherever its file is
    ran = os.stat(own_program).st_ino
    own_program.rename(own_program.with_suffix(".old"))
    shutil.copy2(program("sdd-host"), own_program)
    new = bed.host_config()
    error = mistake(new)
    bed.reload_host_process(new)
    log = bed.log("sdd-host")
    assert error in log and f"does not start: {STAYS}" in log
    assert queue_of(bed, "h1", 3)
    assert (bed.alive()["sdd-host"], tap(bed)) == (pid, before)
    assert os.stat(f"/proc/{pid}/exe").st_ino == ran
    assert Path(f"/proc/{pid}/comm").read_text() == "sdd-host\n"
    # and the next reload is as the first
    bed.reload_host_process(bed.host_config())
    assert os.stat(f"/proc/{pid}/exe").st_ino != ran
    assert tap(bed) == before


@pytest.mark.extended
def test_reloads_leave_no_descriptors(start_bed):
    bed, _ = start_bed(PAIR)
    pid = bed.alive()["sdd-host"]

    def open_after_a_reload() -> int:
        bed.reload_host_process(bed.host_config())
        return len(list(Path(f"/proc/{pid}/fd").iterdir()))

    first = open_after_a_reload()
    last = [open_after_a_reload() for _ in range(3)][-1]
    # Each had left eight. Sessions and a look at statistics may be under way, of two hosts.
    assert last - first < 8
