"""The lab's fabric, in its namespaces: python3 -m evenweave_testbed.lab.fabric FILE COMMAND...

Prints READY when the controller has converged and knows all hosts, and ends when its standard input
does.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from evenweave_testbed.controller import ControllerError
from evenweave_testbed.fabric import Fabric, FabricNotReady
from evenweave_testbed.openvswitch import SwitchError
from evenweave_testbed.polling import Polling
from evenweave_testbed.progress import Progress
from evenweave_topos.fabric_file import load

READY = "ready"
COMMANDS = "bin"
"""The folder in the run directory that the shell finds the command `on` in."""

_HOSTS_PER_SUBNET = 2
_ON = """\
#!/bin/sh
# on HOST COMMAND...: runs a command in the network of a host.
case "$1" in
{cases}
*) echo "on: no host \\"$1\\"; there are {names}" >&2; exit 2 ;;
esac
shift
exec nsenter --net --target "$pid" "$@"
"""


def main() -> int:
    file, *command = sys.argv[1:]
    spec = load(file)
    progress = Progress(2)
    try:
        progress.step("starting switches, hosts and the controller")
        with Fabric(
            spec,
            hosts=_HOSTS_PER_SUBNET,
            controller_command=command,
            polling=Polling(progress.waiting),
        ) as fabric:
            progress.step("waiting for the controller to see the fabric")
            fabric.ready()
            progress.clear()
            _write_commands(fabric)
            print(
                f"The fabric has {len(spec.switches)} switches, {len(spec.links)} links and "
                f"{len(fabric.hosts)} hosts ({', '.join(h.name for h in fabric.hosts)}); exit ends "
                "it.",
                file=sys.stderr,
            )
            print(READY, flush=True)
            sys.stdin.read()
    except (ControllerError, FabricNotReady, OSError, SwitchError) as error:
        progress.clear()
        print(f"lab: {progress.name}: {error}", file=sys.stderr)
        return 1
    return 0


def _write_commands(fabric: Fabric) -> None:
    on = Path(fabric.directory / COMMANDS / "on")
    on.parent.mkdir()
    cases = "\n".join(f"{shlex.quote(h.name)}) pid={fabric.pid(h)} ;;" for h in fabric.hosts)
    on.write_text(_ON.format(cases=cases, names=", ".join(h.name for h in fabric.hosts)))
    on.chmod(0o755)


if __name__ == "__main__":
    sys.exit(main())
