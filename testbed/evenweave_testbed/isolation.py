"""Runs a command in namespaces (network, pid, mount) of its own: the kernel does the cleaning.

    supervisor (this module) --> unshare --> init (this module, pid 1) --> command

Everything a test bed makes (switch daemons, hosts' shells, a controller, veth pairs, sysctls)
exists only inside these namespaces. When init ends, for whatever reason, the kernel ends every
process in its pid namespace, and with the last of them the network namespace and its interfaces go.
`setpriv --pdeathsig` ties unshare to the supervisor and `--kill-child` ties init to unshare, so
this also holds if the supervisor gets SIGKILL. What remains then is the run directory, which
`clean.py` removes.

The command line: python3 -m evenweave_testbed.isolation [--name NAME] COMMAND [ARGUMENT...]
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from evenweave_testbed import left_edge_files, requirements
from evenweave_testbed.processes import ProcessId, children
from evenweave_testbed.run_directory import ENVIRONMENT_VARIABLE, RUNS, RunDirectory

# Time a command gets to end by itself after a signal before its namespace is torn down under it.
GRACE_S = 10.0
# Init needs a tenth of a second to start; a machine that takes longer than this is stuck.
_START_TIMEOUT_S = 60.0
_POLL_S = 0.1
_READY, _GO = b"r", b"g"
# Of a user, of another program, and of a terminal that is closed.
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_SECOND_ROOT = "/mnt"
_DPDK_FOLDERS = Path("/run/dpdk")
# A shell's exit status for a command that is not found.
_NO_COMMAND = 127


def inside() -> bool:
    """Whether this process is already part of an isolated run."""
    return ENVIRONMENT_VARIABLE in os.environ


def run(
    command: Sequence[str], name: str = "run", runs: Path = RUNS, passed: Sequence[int] = ()
) -> int:
    """Runs a command isolated and returns its exit status (128 + n if signal n ended it).

    SIGINT, SIGTERM and SIGHUP go to the command, which gets GRACE_S to end; a second one ends it at
    once. The command has the file descriptors in `passed`. The run directory is gone on
    return. Raises RequirementError where namespaces cannot be
    made.
    """
    requirements.require()
    received: list[int] = []
    handlers = {
        number: signal.signal(number, lambda number, _frame: received.append(number))
        for number in _ENDING
        # Whoever runs it by nohup wants it to outlive the terminal.
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN
    }
    try:
        directory = RunDirectory.create(name, _own_id(), runs)
        try:
            return _supervise(command, directory, received, passed)
        finally:
            directory.remove()
            left_edge_files.remove_folder()
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _supervise(
    command: Sequence[str], directory: RunDirectory, received: list[int], passed: Sequence[int]
) -> int:
    environment = os.environ | {
        ENVIRONMENT_VARIABLE: str(directory.path),
        "PYTHONPATH": os.pathsep.join(_python_path()),
    }
    # Init reports when it handles signals and then waits for one byte, sent once its pid is on
    # record. If the supervisor dies before that, init reads the end of file and ends: no run is
    # ever without both a record and an owner.
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            in_namespaces = ["setpriv", "--pdeathsig", "KILL", *requirements.NAMESPACES]
            this_module = [sys.executable, "-m", "evenweave_testbed.isolation"]
            init_options = ["--init", str(theirs.fileno())]
            for descriptor in passed:
                init_options += ["--pass", str(descriptor)]
            wrapper = subprocess.Popen(
                [*in_namespaces, *this_module, *init_options, *command],
                env=environment,
                pass_fds=[theirs.fileno(), *passed],
                start_new_session=True,
            )
        init, started = None, False
        ours.settimeout(_START_TIMEOUT_S)
        with suppress(TimeoutError):
            if ours.recv(1):
                init = ProcessId.of(children(wrapper.pid)[0])
        outer = ProcessId.of(wrapper.pid)
        if init and outer and not received:
            directory.with_processes(outer, init)
            ours.send(_GO)
            started = True
    status = _wait(wrapper, init, received)
    return 128 + received[0] if received and not started else status


def _wait(wrapper: subprocess.Popen, init: ProcessId | None, received: list[int]) -> int:
    """Passes signals on until the command has ended; returns its exit status."""
    forwarded = 0
    deadline = float("inf")
    while True:
        try:
            status = wrapper.wait(timeout=_POLL_S)
            return 128 - status if status < 0 else status
        except subprocess.TimeoutExpired:
            pass
        if init is None or forwarded > 1 or time.monotonic() > deadline:
            # Not init first: unshare would complain that its child was killed.
            wrapper.kill()
            if init:
                init.end(((signal.SIGKILL, GRACE_S),))
        elif forwarded < len(received):
            init.end(((received[forwarded], 0),))
            forwarded += 1
            deadline = time.monotonic() + GRACE_S


def _own_id() -> ProcessId:
    own = ProcessId.of(os.getpid())
    assert own is not None
    return own


def _python_path() -> list[str]:
    """So that isolated programs import the same packages, wherever they are started."""
    specs = [find_spec(name) for name in ("evenweave_testbed", "evenweave_topos", "evenweave")]
    ours = [str(Path(str(spec.origin)).resolve().parents[1]) for spec in specs if spec]
    given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return [*ours, *(path for path in given if path and path not in ours)]


def _init(supervisor: int, command: Sequence[str], passed: Sequence[int]) -> int:
    """Pid 1 of the namespaces: runs the command in them, reaps orphans, passes signals on."""
    child: subprocess.Popen | None = None

    def pass_on(number: int, _frame: object) -> None:
        if child is None:
            sys.exit(128 + number)
        # To its whole process group, as a terminal does: a shell waits for the child it runs.
        with suppress(ProcessLookupError):
            os.killpg(child.pid, number)

    for number in _ENDING:
        signal.signal(number, pass_on)
    with socket.socket(fileno=supervisor) as channel:
        channel.send(_READY)
        if channel.recv(1) != _GO:
            return 1
    _make_mounts_private()
    # /sys shows the network namespace it was mounted in; Mininet and ethtool look there.
    subprocess.run(["mount", "-t", "sysfs", "sysfs", "/sys"], check=True)
    # That hides a BPF file system that the machine may have there, on which tc insists, since it
    # is still listed. A kernel without BPF has none.
    subprocess.run(["mount", "-t", "bpf", "bpf", "/sys/fs/bpf"], capture_output=True, check=False)
    # DPDK's folders are named by pid, which is another run's as well.
    _hide(_DPDK_FOLDERS)
    # Locks of edges that are killed with the run.
    left_edge_files.hide()
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    try:
        child = subprocess.Popen(command, process_group=0, pass_fds=passed)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        return _NO_COMMAND
    while True:
        pid, status = os.wait()
        if pid == child.pid:
            code = os.waitstatus_to_exitcode(status)
            return 128 - code if code < 0 else code


def _hide(folder: Path) -> None:
    """Puts an empty folder of this namespace's in its place."""
    folder.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", str(folder)], check=True)


def _make_mounts_private() -> None:
    """Keeps mounts made from now on, here and by Mininet's hosts, out of other namespaces.

    In a chroot / is no mount, and neither this nor Mininet's mnexec could make it private. There
    the whole tree is mounted once more, at /mnt of this namespace alone, and becomes the new /.
    """
    private = ["mount", "--make-rprivate"]
    if subprocess.run([*private, "/"], capture_output=True, check=False).returncode == 0:
        return
    here = os.getcwd()
    subprocess.run(["mount", "--rbind", "/", _SECOND_ROOT], check=True)
    subprocess.run([*private, _SECOND_ROOT], check=True)
    os.chroot(_SECOND_ROOT)
    os.chdir(here)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python3 -m evenweave_testbed.isolation",
        description="Run a command in network, pid and mount namespaces of its own.",
    )
    parser.add_argument("--name", default="run", help="first part of the run directory's name")
    parser.add_argument("--init", type=int, help=argparse.SUPPRESS)
    parser.add_argument(
        "--pass", dest="passed", type=int, action="append", default=[], help=argparse.SUPPRESS
    )
    parser.add_argument("command", nargs=argparse.REMAINDER, help="command and its arguments")
    options = parser.parse_args()
    if not options.command:
        parser.error("no command given")
    if options.init is not None:
        return _init(options.init, options.command, options.passed)
    try:
        return run(options.command, options.name)
    except requirements.RequirementError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
