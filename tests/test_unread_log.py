"""A controller whose log nobody reads: it goes on, and counts what it could not write."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from runtimes import CONTROLLER, LiveFabric, command_of
from waiting import confirm, eventually

from evenweave_testbed.controller import OPENFLOW_ADDRESS
from evenweave_testbed.fabric import Fabric
from evenweave_topos.fabric_file import IMBALANCED_3X3, load

_STRAYS = 600
# The controller refuses more than 256 connections at once of one host.
_STRAYS_OF_A_HOST = 100


def open_and_close_strays(host: str, port: int) -> None:
    """Opens connections that are not OpenFlow, one after another, from several addresses."""
    for number in range(_STRAYS):
        source = f"127.0.0.{2 + number // _STRAYS_OF_A_HOST}"
        with socket.create_connection((host, port), source_address=(source, 0)) as stray:
            stray.sendall(b"GET / HTTP/1.1\r\n\r\n")
            # The controller has closed it, and logged that, or not.
            while stray.recv(4096):
                pass


def log_counts(base: str) -> dict:
    with urllib.request.urlopen(f"{base}/log", timeout=30) as answer:
        return json.load(answer)


@pytest.fixture
def unread(live_fabric: LiveFabric, tmp_path: Path) -> Iterator[Fabric]:
    """A fabric whose controller writes its log to a pipe that is open, full, and never read."""
    live_fabric.close()
    pipe = tmp_path / "log"
    os.mkfifo(pipe)
    # Opened for both, it has a reader, who never reads.
    end = os.open(pipe, os.O_RDWR)
    os.set_blocking(end, False)
    with pytest.raises(BlockingIOError):
        while True:
            os.write(end, b"x" * 4096)
    command = ["sh", "-c", f'exec "$@" 2>{pipe}', "sh", *command_of("embedded")]
    try:
        with Fabric(load(IMBALANCED_3X3), controller_command=command) as fabric:
            fabric.ready()
            yield fabric
    finally:
        os.close(end)


@pytest.mark.fabric
def test_a_controller_whose_log_nobody_reads_handles_a_cut_link(unread: Fabric):
    host, port = OPENFLOW_ADDRESS.split(":")
    open_and_close_strays(host, int(port))
    since = unread.controller.last_sequence()
    link = unread.spec.links[8]
    unread.cut(str(link))
    try:
        unread.controller.wait_confirmed("link-down", [str(link)], since, 600)
        unread.controller.wait(lambda s: s["state"] == "degraded", "degradation", 600)
    finally:
        unread.heal(str(link))
    confirm(unread, converged=True)
    lost = [e for e in unread.controller.events(since) if e["kind"] == "switch-down"]
    assert lost == []
    # What the pipe had no room for waits, or is accounted for.
    counts = log_counts(unread.controller.base)
    assert counts["waiting"] > 0
    assert counts["waiting"] <= counts["maxWaiting"]


def test_every_line_is_written_or_counted_when_the_reader_stops_for_a_while():
    """The reader is stopped by SIGSTOP while lines are logged, and reads all of them afterwards."""
    addresses = ["--openflow", "127.0.0.1:0", "--http", "127.0.0.1:0"]
    reader = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    process = subprocess.Popen(
        [*CONTROLLER, *addresses], stdout=subprocess.PIPE, stderr=reader.stdin, text=True
    )
    reader.stdin.close()
    try:
        ready = json.loads(process.stdout.readline())
        host, port = ready["openflow"].split(":")
        os.kill(reader.pid, 19)
        open_and_close_strays(host, int(port))
        base = ready["http"] + "/evenweave"
        with urllib.request.urlopen(f"{base}/status", timeout=30) as answer:
            assert json.load(answer)["reasons"] == ["no fabric is configured"]
        os.kill(reader.pid, 18)
        eventually(lambda: log_counts(base)["waiting"] == 0, "end of what waited to be written")
    finally:
        os.kill(reader.pid, 18)
        process.terminate()
        process.wait()
    text = reader.stdout.read()
    reader.wait()
    lines = [line for line in text.splitlines() if "not OpenFlow" in line]
    # One line a host in 10 s, with the number of those that it stands for.
    assert 1 <= len(lines) < _STRAYS / 10, text
