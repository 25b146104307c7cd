"""ONOS as the test bed's controller: starts it with the application and prints one line of JSON.

    {"ready": true, "rest": "http://127.0.0.1:8181/onos/evenweave", "user": "onos",
     "controllers": ["tcp:127.0.0.1:6653"]}

It then runs until SIGTERM or SIGINT. Works only inside `isolation.run`, as fabrics do.

Exit status: 0 after a signal, 1 if ONOS failed, 2 for bad use or a machine without ONOS.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from pathlib import Path

from evenweave_testbed.credentials import Credentials
from evenweave_testbed.onos.cluster import Onos
from evenweave_testbed.onos.distribution import Distribution, OnosMissing, atomix_server
from evenweave_testbed.onos.rest import OnosError
from evenweave_testbed.run_directory import RunDirectory, remove_tree

_FAILED, _BAD_USE = 1, 2
_WATCH_S = 0.5


class _Ended(Exception):
    """SIGTERM or SIGINT arrived."""


def main() -> int:
    options = _options()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _end)
    try:
        distribution = Distribution.find()
        if options.instances > 1:
            atomix_server()
        if not options.check:
            _serve(distribution, options)
    except OnosMissing as error:
        print(f"onos: {error}", file=sys.stderr)
        return _BAD_USE
    except (OnosError, OSError) as error:
        print(f"onos: {error}", file=sys.stderr)
        return _FAILED
    except _Ended:
        pass
    return 0


def _serve(distribution: Distribution, options: argparse.Namespace) -> None:
    run = RunDirectory.current()
    if run is None:
        raise OnosError("not in namespaces of its own: run it as a controller of the test bed")
    fabric = json.loads(options.fabric.read_text())
    directory = run.path / "onos"
    onos = Onos(distribution, directory, options.instances, options.openflow, options.http, _report)
    try:
        with onos:
            onos.deploy(options.oar, fabric)
            rest = onos.rest()
            ready = {
                "ready": True,
                "rest": f"{rest.base}/evenweave",
                "user": Credentials.of_onos().user,
                "controllers": onos.openflow_targets(),
            }
            print(json.dumps(ready), flush=True)
            while all(instance.status() is None for instance in onos.instances):
                time.sleep(_WATCH_S)
            (dead, *_) = [i for i in onos.instances if i.status() is not None]
            raise OnosError(f"ONOS ended with status {dead.status()}: {dead.log_tail()}")
    except _Ended:
        for instance in onos.instances:
            _report(f"ended by a signal; {instance.log.name}: {instance.log_tail()}")
        raise
    finally:
        # The copies are large, and the logs stay.
        for instance in onos.instances:
            remove_tree(instance.directory)


def _report(line: str) -> None:
    print(f"onos: {line}", file=sys.stderr, flush=True)


def _end(*_signal: object) -> None:
    # Once: a second signal must not interrupt the clearing up.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    raise _Ended


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python3 -m evenweave_testbed.onos",
        description="Run a copy of ONOS 2.7.0 with the application in it, until a signal ends it.",
        epilog="ONOS is looked for in ONOS_HOME, Java 11 in ONOS_JAVA_HOME and JAVA_HOME, Atomix "
        "(for several instances) in ATOMIX_HOME; each is else below ~/.local/share/evenweave.",
    )
    parser.add_argument("--fabric", type=Path, metavar="FILE", help="the fabric's description")
    parser.add_argument("--oar", type=Path, metavar="FILE", help="the application")
    parser.add_argument("--openflow", type=_port, default=6653, metavar="HOST:PORT")
    parser.add_argument("--http", type=_port, default=8181, metavar="HOST:PORT")
    parser.add_argument("--instances", type=int, choices=(1, 3), default=1)
    parser.add_argument("--check", action="store_true", help="only say whether this machine can")
    options = parser.parse_args()
    if not options.check and not (options.fabric and options.oar):
        parser.error("--fabric and --oar are needed")
    return options


def _port(address: str) -> int:
    """The port of an address; the host is ONOS's own choice."""
    return int(address.rpartition(":")[2])


if __name__ == "__main__":
    sys.exit(main())
