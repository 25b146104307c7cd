"""What the test bed needs of a machine, checked before anything is started."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from evenweave_testbed.run_directory import ENVIRONMENT_VARIABLE

# Mounts stay shared with their peers at first, because in a chroot there is no mount at / that
# could be made private; `isolation` sees to that.
NAMESPACES = [
    *("unshare", "--net", "--pid", "--mount", "--propagation", "unchanged"),
    *("--fork", "--kill-child", "--mount-proc"),
]

_PACKAGES = {
    "ovs-vswitchd": "openvswitch-switch",
    "ovsdb-server": "openvswitch-switch",
    "ovs-vsctl": "openvswitch-switch",
    "ovs-ofctl": "openvswitch-common",
    "ovsdb-tool": "openvswitch-common",
    "mnexec": "mininet",
    "ifconfig": "net-tools",
    "ethtool": "ethtool",
    "tc": "iproute2",
    "ip": "iproute2",
    "nsenter": "util-linux",
    "setpriv": "util-linux",
    "unshare": "util-linux",
}


class RequirementError(RuntimeError):
    """This machine cannot run the test bed; one line per reason."""


def missing() -> list[str]:
    """Why this machine cannot run the test bed, one sentence each; empty if it can."""
    if os.geteuid() != 0:
        return ["not root: network namespaces and Open vSwitch need root, use sudo"]
    problems = []
    absent = [command for command in _PACKAGES if not shutil.which(command)]
    if absent:
        packages = sorted({_PACKAGES[command] for command in absent})
        problems.append(
            f"{', '.join(absent)} not found: run apt-get install --no-install-recommends "
            + " ".join(packages)
        )
    if not find_spec("mininet"):
        problems.append(
            f"{sys.executable} has no module mininet: run apt-get install mininet "
            "and use /usr/bin/python3"
        )
    if not Path("/dev/net/tun").exists():
        problems.append(
            "/dev/net/tun not found: Open vSwitch's userspace switches need the tun driver"
        )
    if "unshare" not in absent and not os.environ.get(ENVIRONMENT_VARIABLE):
        attempt = subprocess.run([*NAMESPACES, "true"], capture_output=True, text=True, check=False)
        if attempt.returncode != 0:
            problems.append(
                f"no network namespaces: {attempt.stderr.strip()}; a container needs --privileged"
            )
    return problems


def require() -> None:
    """Raises RequirementError unless the test bed can run here."""
    problems = missing()
    if problems:
        raise RequirementError("\n".join(problems))
