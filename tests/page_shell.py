"""Runs a script from standard input in Bash, beside an Open vSwitch of its own if it uses one:

    python3 -m evenweave_testbed.isolation python3 tests/page_shell.py FOLDER

Files that `ip netns` makes disappear with the namespaces. Ends with the script's exit status.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from evenweave_testbed.openvswitch import OpenVSwitch
from evenweave_testbed.run_directory import RunDirectory

_NAMES = Path("/run/netns")


def main() -> int:
    run = RunDirectory.current()
    assert run is not None, "start it by evenweave_testbed.isolation"
    _NAMES.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(_NAMES)], check=True)
    script = sys.stdin.read()
    if "ovs-" in script:
        OpenVSwitch(run.path / "ovs", run.sockets).start()
    # From its input, of which a shell that it starts reads the rest, as that of the lab does.
    done = subprocess.run(["bash"], cwd=sys.argv[1], input=script, text=True, check=False)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
