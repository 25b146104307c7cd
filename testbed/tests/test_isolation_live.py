"""A run in namespaces of its own, and what remains of it after each kind of end."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evenweave_testbed import isolation
from evenweave_testbed.clean import clean
from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_testbed.processes import ProcessId
from evenweave_testbed.run_directory import RunDirectory, all_runs

pytestmark = pytest.mark.fabric

# A veth pair, a process in another network namespace and a daemon: what a test bed makes.
WORKLOAD = (
    "ip link add left type veth peer name right; "
    "setsid sleep {marker} & unshare --net sleep {marker} & "
    "touch $EVENWEAVE_RUN_DIRECTORY/sockets/db.sock; echo up; sleep {marker}"
)
# Long enough to outlive any test; the fraction finds this test's processes among all others.
MARKER = f"3600.{os.getpid()}"
_SLEEPERS = 3


def supervise(runs, *command, **popen):
    """Starts a supervisor in a process of its own, as a user's shell would."""
    program = (
        "import sys; from pathlib import Path; from evenweave_testbed import isolation\n"
        "sys.exit(isolation.run(sys.argv[2:], 'test', Path(sys.argv[1])))\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", program, str(runs), *command],
        stdout=subprocess.PIPE,
        text=True,
        **popen,
    )


@pytest.fixture
def runs(tmp_path):
    return tmp_path / "runs"


@pytest.fixture
def workload(runs):
    """A supervisor whose workload is up."""
    supervisor = supervise(runs, "sh", "-c", WORKLOAD.format(marker=MARKER))
    assert supervisor.stdout.readline() == "up\n"
    deadline = time.monotonic() + EVENT_LIMIT_S
    # Once is enough: a process has no command line for a moment while it becomes another program.
    while len(found := workload_processes()) < _SLEEPERS and time.monotonic() < deadline:
        time.sleep(0.02)
    assert len(found) >= _SLEEPERS
    yield supervisor
    supervisor.kill()
    supervisor.wait()
    supervisor.stdout.close()
    clean(runs)


def workload_processes():
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except (FileNotFoundError, ProcessLookupError):
                continue
            if MARKER.encode() in words:
                found.append(int(entry.name))
    return found


def gone():
    """Whether they end, which takes the kernel seconds if all cores are busy."""
    deadline = time.monotonic() + EVENT_LIMIT_S
    while workload_processes() and time.monotonic() < deadline:
        time.sleep(0.02)
    return not workload_processes()


def test_a_command_sees_only_its_own_processes_and_interfaces(runs):
    with supervise(runs, "sh", "-c", "ls /sys/class/net; ls -d /proc/[0-9]* | wc -l") as run:
        output = run.stdout.read().split()
    assert output[0] == "lo"
    # Init, the shell, ls and wc.
    assert int(output[1]) <= 4


def test_loopback_is_up(runs):
    program = "import socket; s = socket.create_server(('127.0.0.1', 8282)); print(s.getsockname())"
    with supervise(runs, sys.executable, "-c", program) as run:
        assert run.stdout.read() == "('127.0.0.1', 8282)\n"


@pytest.mark.parametrize(
    ("script", "status"), [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 137), ("kill $$", 143)]
)
def test_the_commands_exit_status_is_passed_on_and_nothing_stays(runs, script, status):
    with supervise(runs, "sh", "-c", script) as run:
        assert run.wait() == status
    assert not runs.exists()


def test_a_command_that_is_not_there_is_reported(runs):
    with supervise(runs, "/nowhere/command", stderr=subprocess.PIPE) as run:
        assert "/nowhere/command: No such file" in run.stderr.read()
        assert run.wait() == 127


@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)],
    ids=["TERM", "INT", "HUP"],
)
def test_a_signal_ends_everything_and_removes_the_run(runs, workload, number, status):
    workload.send_signal(number)
    assert workload.wait() == status
    assert workload_processes() == []
    assert not runs.exists()


def test_a_run_that_is_to_outlive_its_terminal_does(runs):
    def outlive():
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    script = "echo up; read line; echo $line"
    with supervise(runs, "sh", "-c", script, stdin=subprocess.PIPE, preexec_fn=outlive) as run:
        assert run.stdout.readline() == "up\n"
        run.send_signal(signal.SIGHUP)
        said, _ = run.communicate("there\n")
        assert (run.returncode, said) == (0, "there\n")


def test_a_command_that_ignores_a_signal_is_ended_by_a_second_one(runs):
    script = "trap '' INT TERM; echo up; while :; do sleep 0.1; done"
    with supervise(runs, "sh", "-c", script) as run:
        assert run.stdout.readline() == "up\n"
        run.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        assert run.poll() is None
        run.send_signal(signal.SIGTERM)
        assert run.wait() == 137
    assert not runs.exists()


@pytest.mark.parametrize("victim", ["supervisor", "unshare", "init"])
def test_after_sigkill_the_kernel_ends_the_rest_and_clean_removes_the_directory(
    runs, workload, victim
):
    interfaces = socket.if_nameindex()
    (path,) = all_runs(runs)
    record = RunDirectory.read(path)
    assert record.processes[0].pid == workload.pid
    killed = record.processes[["supervisor", "unshare", "init"].index(victim)]
    os.kill(killed.pid, signal.SIGKILL)
    workload.wait()
    deadline = time.monotonic() + EVENT_LIMIT_S
    while any(process.alive() for process in record.processes) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(process.alive() for process in record.processes)
    assert gone(), "processes of the run outlived it"
    if victim == "supervisor":
        assert all_runs(runs) == [path], "nobody was left to remove it"
        assert clean(runs) == [f"removed {path.name}, left by a dead run"]
    assert not runs.exists()
    assert socket.if_nameindex() == interfaces


# From before the namespaces are made to after the workload is up; each leaves another state.
@pytest.mark.parametrize("delay_s", [0.02, 0.1, 0.2, 0.3, 0.5, 0.8])
def test_sigkill_at_any_moment_leaves_at_most_a_directory(runs, delay_s):
    run = supervise(runs, "sh", "-c", WORKLOAD.format(marker=MARKER))
    time.sleep(delay_s)
    run.kill()
    run.wait()
    run.stdout.close()
    clean(runs)
    assert gone()
    assert not runs.exists()


def test_clean_ends_a_live_run(runs, workload):
    (path,) = all_runs(runs)
    assert clean(runs) == [f"ended {path.name}"]
    assert workload.wait() == 143
    assert workload_processes() == []
    assert not runs.exists()


def test_runs_do_not_see_each_other(runs, workload):
    with supervise(runs, "sh", "-c", "ip -o link | wc -l; pgrep -c sleep") as other:
        assert other.stdout.read().split() == ["1", "0"]
    assert len(all_runs(runs)) == 1


def test_signal_handlers_are_as_before_afterwards(runs):
    before = signal.getsignal(signal.SIGTERM)
    assert isolation.run(["true"], "test", runs) == 0
    assert signal.getsignal(signal.SIGTERM) is before
    assert ProcessId.of(os.getpid()).alive()
