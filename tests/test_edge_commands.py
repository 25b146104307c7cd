"""Who may be an edge's process or give it commands, and what commands say when it is done
(docs/reference/edge.md). What is waited for, nothing here says how soon."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from waiting import eventually

from evenweave_testbed import left_edge_files
from evenweave_testbed.edge.bed import HOSTS
from evenweave_testbed.edge.namespaces import EdgeError, NoBpfError
from evenweave_testbed.edge.spines import SpineBed
from evenweave_testbed.processes import pipe

pytestmark = pytest.mark.fabric

FOLDER = left_edge_files.FOLDER
AS_NOBODY = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[SpineBed]:
    with SpineBed(tmp_path) as bed:
        yield bed


def start(bed: SpineBed, host: str = "h1", timeout_ms: int = 50) -> None:
    try:
        bed.start_edge(host, bed.discovering(host, timeoutMs=timeout_ms))
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")


def own_files(bed: SpineBed) -> set[str]:
    """Those of h1's network namespace."""
    cookie = bed.check("h1", "python3", "-c",
        "import socket; print(int.from_bytes(socket.socket(1).getsockopt(1, 71, 8), 'little'))",
    ).strip()  # fmt: skip
    return {path.name.removeprefix(cookie) for path in FOLDER.glob(f"{cookie}-*")}


@pytest.mark.extended
def test_another_user_can_neither_block_a_start_nor_be_taken_for_the_process(bed: SpineBed):
    # What the process listened at in earlier versions.
    code = r"import socket, time; s = socket.socket(1, 2); s.bind('\0evenweave-edge/e0')"
    squatter = bed.start_program(
        "h1", *AS_NOBODY, "/usr/bin/python3", "-uc", f"{code}; print('has it'); time.sleep(1e6)"
    )
    assert pipe(squatter.stdout).readline() == "has it\n"
    start(bed)
    assert bed.show("h1")["process"]
    bed.end_edge("h1", signal.SIGKILL)
    assert not bed.show("h1")["process"]
    done = bed.edge("h1", "discover")
    assert done.returncode == 1
    assert done.stderr == "evenweave-edge: no process manages the edge of e0\n"
    assert bed.edge("h1", "stop").returncode == 0


def test_other_users_come_to_no_file_of_the_process(bed: SpineBed):
    start(bed)
    assert own_files(bed) == {"-e0.lock", "-e0.socket"}
    assert FOLDER.stat().st_mode & 0o777 == 0o700
    done = bed.run("h1", *AS_NOBODY, "ls", str(FOLDER))
    assert done.returncode != 0
    assert "Permission denied" in done.stderr


@pytest.mark.extended
@pytest.mark.parametrize(
    "options", ["mode=0777", "mode=0755", "mode=0700,uid=65534"], ids=["open", "read", "theirs"]
)
def test_a_folder_that_others_have_a_part_in_is_not_used(bed: SpineBed, options: str):
    start(bed)
    bed.end_edge("h1", signal.SIGTERM)
    path = str(bed.directory / "h1.json")
    for arguments in (["--config", path], ["stop"]):
        command = " ".join(bed.edge_command(*arguments))
        mount = f"mount -t tmpfs -o {options} tmpfs {FOLDER}"
        done = bed.run("h1", "unshare", "--mount", "sh", "-c", f"{mount} && exec {command}")
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == (
            f"evenweave-edge: {FOLDER} is not root's alone: it must be owned by root, "
            "with mode 0700\n"
        )
    assert bed.show("h1")["attached"]


def test_a_second_process_is_refused_and_the_first_goes_on(bed: SpineBed):
    start(bed)
    with pytest.raises(EdgeError, match="another process manages the edge of e0"):
        bed.start_edge("h1", bed.discovering("h1"), name="second")
    assert bed.show("h1")["process"]
    bed.start_edge("h2", bed.discovering("h2"))  # its device has the same name
    bed.discover("h1")


@pytest.mark.extended
def test_files_go_with_the_process_or_with_the_next_one(bed: SpineBed):
    start(bed)
    bed.end_edge("h1", signal.SIGTERM)
    assert own_files(bed) == set()
    start(bed)
    bed.end_edge("h1", signal.SIGKILL)
    assert own_files(bed) == {"-e0.lock", "-e0.socket"}
    start(bed, "h2")
    assert own_files(bed) == set()
    start(bed)
    bed.end_edge("h1", signal.SIGKILL)
    bed.end_edge("h2", signal.SIGKILL)
    assert any(f"{FOLDER}/" in line for line in left_edge_files.remove())
    assert own_files(bed) == set()


@pytest.mark.extended
def test_discover_ends_when_discovery_has(bed: SpineBed):
    for host in HOSTS:
        start(bed, host, timeout_ms=500)
    for _ in range(3):
        asked_ns = time.monotonic_ns()
        done = bed.edge("h1", "discover")
        age_ns = bed.show("h1")["peer"]["discovery"]["ageNs"]
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert age_ns < time.monotonic_ns() - asked_ns


@pytest.mark.extended
def test_without_a_path_commands_say_to_whom_and_fail(bed: SpineBed):
    start(bed)  # its peer has no edge
    wanted = f"evenweave-edge: no path to {bed.outer('h2')} was found: none of 32 source ports was"
    done = bed.edge("h1", "discover")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(wanted)
    assert len(done.stderr.splitlines()) == 1
    for arguments in (["show"], ["show", "--json"]):
        done = bed.edge("h1", *arguments)
        assert done.returncode == 1
        assert done.stderr.startswith(wanted)
        assert bed.outer("h2") in done.stdout
    assert json.loads(done.stdout)["peers"][0]["discovery"]["arrived"] == 0
    start(bed, "h2")
    bed.discover("h1")
    assert bed.edge("h1", "show").returncode == 0


@pytest.mark.extended
def test_show_takes_pages_of_peers_or_one(bed: SpineBed):
    start(bed, "h2")
    start(bed)
    bed.discover("h1")
    peer = bed.outer("h2")
    for options, shown in (
        (["--first", "0", "--limit", "1"], [peer]),
        (["--first", "1"], []),
        (["--peer", peer], [peer]),
        (["--peer", "192.0.2.77"], []),
    ):
        all_of_it = json.loads(bed.edge("h1", "show", "--json", *options).stdout)
        assert [each["address"] for each in all_of_it["peers"]] == shown
        assert all_of_it["peerCount"] == 1
    for wrong in (["--limit", "0"], ["--first", "-1"], ["--peer", "h2"], ["--page", "1"]):
        assert bed.edge("h1", "show", *wrong).returncode == 2


@pytest.mark.extended
def test_who_waits_for_a_process_that_ends_is_told(bed: SpineBed):
    start(bed, timeout_ms=10000)  # its peer has no edge: a round takes a while
    waiting = subprocess.Popen(
        bed.inside("h1", *bed.edge_command("discover")), stderr=subprocess.PIPE, text=True
    )
    with waiting:
        connected = ["ss", "-Hxn", "state", "connected", "src", f"*{FOLDER}*"]
        eventually(lambda: bool(bed.check("h1", *connected)), "connection to the process")
        bed.end_edge("h1", signal.SIGTERM)
        (line,) = pipe(waiting.stderr).read().splitlines()
    assert waiting.returncode == 1
    assert line == "evenweave-edge: the process of e0 ended before its discovery"
