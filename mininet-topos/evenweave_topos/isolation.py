"""Runs a command in namespaces (network, pid, mount) of its own: the kernel does the cleaning.

    supervisor (this module) --> unshare --> init (this module, pid 1) --> command

Everything a test bed makes (switch daemons, hosts' shells, a controller, veth pairs, sysctls)
exists only inside these namespaces. When init ends, for whatever reason, the kernel ends every
process in its pid namespace, and with the last of them the network namespace and its interfaces go.
`setpriv --pdeathsig` ties unshare to the supervisor and `--kill-child` ties init to unshare, so
this also holds if the supervisor gets SIGKILL. What remains then is the run directory, which
`clean.py` removes.

The command line: python3 -m evenweave_topos.isolation [--name NAME] COMMAND [ARGUMENT...]
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from evenweave_topos import requirements
from evenweave_topos.processes import ProcessId, children
from evenweave_topos.run_directory import ENVIRONMENT_VARIABLE, RUNS, RunDirectory

# Time a command gets to end by itself after a signal before its namespace is torn down under it.
GRACE_S = 10.0
# unshare needs milliseconds to fork; a machine so loaded that it takes longer than this is stuck.
_START_TIMEOUT_S = 10.0


def inside() -> bool:
    """Whether this process is already part of an isolated run."""
    return ENVIRONMENT_VARIABLE in os.environ


def run(command: Sequence[str], name: str = "run", runs: Path = RUNS) -> int:
    """Runs a command isolated and returns its exit status (128 + n if signal n ended it).

    SIGINT and SIGTERM go to the command, which gets GRACE_S to end; a second one ends it at once.
    The run directory is gone on return. Raises RequirementError where namespaces cannot be made.
    """
    requirements.require()
    directory = RunDirectory.create(name, _own_id(), runs)
    received: list[int] = []
    handlers = {
        number: signal.signal(number, lambda number, _frame: received.append(number))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        return _supervise(command, directory, received)
    finally:
        directory.remove()
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _supervise(command: Sequence[str], directory: RunDirectory, received: list[int]) -> int:
    environment = os.environ | {
        ENVIRONMENT_VARIABLE: str(directory.path),
        "PYTHONPATH": os.pathsep.join(_python_path()),
    }
    # Init waits for one byte on this pipe, sent once its pid is on record. If the supervisor dies
    # before that, init reads the end of file and ends: no run is ever without both a record and an
    # owner.
    go_read, go_write = os.pipe()
    init_command = [sys.executable, "-m", "evenweave_topos.isolation", "--init", str(go_read)]
    wrapper = subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", *requirements.NAMESPACES, *init_command, *command],
        env=environment,
        pass_fds=[go_read],
        start_new_session=True,
    )
    os.close(go_read)
    try:
        init = _init_of(wrapper)
        if init is not None:
            directory.with_processes(ProcessId.of(wrapper.pid), init)
            os.write(go_write, b"!")
    finally:
        os.close(go_write)
    return _wait(wrapper, init, received)


def _init_of(wrapper: subprocess.Popen) -> ProcessId | None:
    """The pid-1 process under unshare; None if unshare ended without making one."""
    deadline = time.monotonic() + _START_TIMEOUT_S
    while wrapper.poll() is None and time.monotonic() < deadline:
        for child in children(wrapper.pid):
            if (found := ProcessId.of(child)) and ProcessId.of(wrapper.pid):
                return found
        time.sleep(0.005)
    return None


def _wait(wrapper: subprocess.Popen, init: ProcessId | None, received: list[int]) -> int:
    forwarded = 0
    deadline = float("inf")
    while True:
        try:
            status = wrapper.wait(timeout=0.1)
            return 128 - status if status < 0 else status
        except subprocess.TimeoutExpired:
            pass
        if init is None or forwarded > 1 or time.monotonic() > deadline:
            (init or ProcessId.of(wrapper.pid)).end(((signal.SIGKILL, GRACE_S),))
        elif forwarded < len(received):
            os.kill(init.pid, received[forwarded])
            forwarded += 1
            deadline = time.monotonic() + GRACE_S


def _own_id() -> ProcessId:
    own = ProcessId.of(os.getpid())
    assert own is not None
    return own


def _python_path() -> list[str]:
    here = str(Path(__file__).resolve().parents[1])
    return [
        here,
        *(p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p and p != here),
    ]


def _init(go: int, command: Sequence[str]) -> int:
    """Pid 1 of the namespaces: runs the command in them, reaps orphans, passes signals on."""
    if os.read(go, 1) != b"!":
        return 1
    os.close(go)
    # /sys shows the network namespace it was mounted in; Mininet and ethtool look there.
    subprocess.run(["mount", "-t", "sysfs", "sysfs", "/sys"], check=True)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    try:
        child = subprocess.Popen(command)
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        return 127
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _frame: child.send_signal(number))
    while True:
        pid, status = os.wait()
        if pid == child.pid:
            code = os.waitstatus_to_exitcode(status)
            return 128 - code if code < 0 else code


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python3 -m evenweave_topos.isolation",
        description="Run a command in network, pid and mount namespaces of its own.",
    )
    parser.add_argument("--name", default="run", help="first part of the run directory's name")
    parser.add_argument("--init", type=int, help=argparse.SUPPRESS)
    parser.add_argument("command", nargs=argparse.REMAINDER, help="command and its arguments")
    options = parser.parse_args()
    if not options.command:
        parser.error("no command given")
    if options.init is not None:
        return _init(options.init, options.command)
    try:
        return run(options.command, options.name)
    except requirements.RequirementError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
