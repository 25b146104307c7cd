"""The lab's command line. The fabric runs in a child process, in namespaces of its own (`fabric`);
this process runs the user's shell in the same namespaces and ends the fabric when the shell ends.

The shell is no child of the isolated processes because those have no terminal: a shell there would
have no job control, and Ctrl-C would end the fabric.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from pathlib import Path

from evenweave_testbed import requirements
from evenweave_testbed.command_line import BAD_USE, FAILED, command
from evenweave_testbed.lab.fabric import COMMANDS, READY
from evenweave_testbed.processes import pipe
from evenweave_testbed.run_directory import RUNS, RunDirectory
from evenweave_topos.fabric_file import IMBALANCED_3X3, FabricError, load

_NAME = "lab"
_EPILOG = """\
in the shell:
  on h0-1 ping -c 3 10.0.2.2                   run a command on a host
  ip link set s2-0-eth4 down                   cut the link at port 4 of s2-0
  curl http://127.0.0.1:8282/evenweave/status  query the controller
  ovs-ofctl -O OpenFlow13 dump-groups s1-0     read a switch
  exit                                         end the fabric; nothing remains

Hosts are h0-1, h0-2 (first subnet) and so on; their addresses follow the
gateway's.
"""


def run() -> int:
    """Runs the fabric and the shell as the command line says; returns the exit status."""
    options = _parser().parse_args()
    try:
        load(options.fabric)
        requirements.require()
    except (FabricError, requirements.RequirementError) as error:
        print(f"lab: {error}", file=sys.stderr)
        return BAD_USE
    fabric = subprocess.Popen(
        [
            *(sys.executable, "-m", "evenweave_testbed.isolation", "--name", _NAME, sys.executable),
            *("-m", "evenweave_testbed.lab.fabric", str(options.fabric)),
            *options.controller_command,
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        if pipe(fabric.stdout).readline().strip() != READY:
            return FAILED  # it has written why to stderr
        directory = RunDirectory.read(RUNS / f"{_NAME}-{fabric.pid}")
        assert directory is not None, "a run that is ready has a record"
        return _shell(directory)
    finally:
        pipe(fabric.stdin).close()  # ends it
        fabric.wait()


def _shell(directory: RunDirectory) -> int:
    """Runs a shell in the namespaces of the run; a terminal's signals are the shell's."""
    init = directory.processes[-1].pid
    environment = os.environ | {
        "OVS_RUNDIR": str(directory.sockets),
        "PATH": f"{directory.path / COMMANDS}:{os.environ.get('PATH', os.defpath)}",
        "PS1": "lab# ",
    }
    options = ["--norc"] if sys.stdin.isatty() else []
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return subprocess.call(
            [
                *("nsenter", f"--target={init}", "--net", "--pid", "--mount", "--root"),
                *(f"--wd={Path.cwd()}", "bash", *options),
            ],
            env=environment,
            # Else the shell would ignore it too.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
    finally:
        signal.signal(signal.SIGINT, before)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="evenweave lab",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Starts a fabric of Open vSwitch switches with hosts and a controller, and a\n"
        "shell beside it. Everything is in namespaces of its own and ends with the shell.",
        epilog=_EPILOG,
    )
    # Given by the launcher; {fabric}, {openflow} and {http} in it are filled in.
    parser.add_argument("--controller-command", required=True, type=command, help=argparse.SUPPRESS)
    parser.add_argument(
        "--fabric",
        default=str(IMBALANCED_3X3),
        metavar="FILE",
        help="the fabric file (default: the dissertation's Figure 3.2)",
    )
    return parser
