"""Runs a script from standard input in Bash, beside an Open vSwitch of its own:

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
    OpenVSwitch(run.path / "ovs", run.sockets).start()
    return subprocess.run(["bash"], cwd=sys.argv[1], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
