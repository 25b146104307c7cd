"""ONOS with the application in it: one instance here, or several that share an Atomix node.

A single instance runs in the present network namespace, on loopback. Those of a cluster need a
machine each (they listen on fixed ports at every address), so each gets a namespace and an address
in 10.99.0.0/24, as has the Atomix node, which keeps their state.
"""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from evenweave_testbed.controller import Controller
from evenweave_testbed.credentials import Credentials
from evenweave_testbed.onos.distribution import Distribution, atomix_server
from evenweave_testbed.onos.instance import APPLICATIONS, Instance
from evenweave_testbed.onos.namespace import Machines
from evenweave_testbed.onos.rest import APPLICATION, OnosError, OnosRest

NETWORK = "10.99.0"
_ATOMIX = 101
_ATOMIX_PORT = 5679
_CLUSTER_PORT = 9876
# Three instances took 136 s at a load of 21 on two cores; one takes about 20 s on an idle machine.
# An instance that ends is noticed at once, so only one that is stuck is waited for so long.
_START_TIMEOUT_S = 900.0
# Interval of lines about what is waited for.
_REPORT_S = 5.0
_DEPLOY_TIMEOUT_S = 900.0
_STOP_TIMEOUT_S = 10.0
_POLL_S = 0.2


class Onos:
    """ONOS that lives as long as the `with` around it; `directory` gets copies and logs."""

    def __init__(
        self,
        distribution: Distribution,
        directory: Path,
        instances: int = 1,
        openflow_port: int = 6653,
        http_port: int = 8181,
        report: Callable[[str], None] = lambda line: None,
    ) -> None:
        """`report` gets a line every few seconds while something is waited for."""
        self.directory = directory
        self.instances: list[Instance] = []
        self.machines: Machines | None = None
        self._distribution = distribution
        self._count = instances
        self._openflow_port = openflow_port
        self._http_port = http_port
        self._report = report
        self._undo = ExitStack()

    def __enter__(self) -> Onos:
        try:
            self._start()
        except BaseException:
            self._undo.close()
            raise
        return self

    def __exit__(self, *_exception: object) -> None:
        self._undo.close()

    # Where it is

    def address(self, index: int = 0) -> str:
        """Where instance `index` (from 0) listens."""
        return self.machines.address(index + 1) if self.machines else "127.0.0.1"

    def openflow_targets(self) -> list[str]:
        """What switches have to connect to."""
        return [f"tcp:{self.address(i)}:{self._openflow_port}" for i in range(self._count)]

    def rest(self, index: int = 0) -> OnosRest:
        return OnosRest(f"{self.address(index)}:{self._http_port}", Credentials.of_onos())

    def controller(self, index: int = 0) -> Controller:
        """The application's resources as instance `index` serves them."""
        rest = self.rest(index)
        return Controller(base=f"{rest.base}/evenweave", credentials=rest.credentials)

    # What it does

    def deploy(self, oar: Path, fabric: dict) -> None:
        """Installs the application, gives it its fabric and returns when every instance's answers.

        Raises OnosError if ONOS refuses or takes too long.
        """
        self.rest().install(oar)
        self.wait_until_everywhere(
            lambda rest: rest.is_active(APPLICATION), "active application", _DEPLOY_TIMEOUT_S
        )
        self.wait_until_everywhere(self._takes_switches, "OpenFlow controller", _DEPLOY_TIMEOUT_S)
        self.rest().configure(fabric)
        self.wait_until_everywhere(
            OnosRest.evenweave_answers, "answer from the application", _DEPLOY_TIMEOUT_S
        )

    def wait_until_up(self, timeout_s: float = _START_TIMEOUT_S) -> None:
        """Waits until every instance answers, the cluster is complete and ONOS has read its
        applications, without which it refuses the one that requires them.

        Not until ONOS calls its instances ready: one of its components can lose a race at the start
        and stay away for good, which need not concern the application.
        """
        self.wait_until_everywhere(self._is_up, "start of ONOS", timeout_s)

    def wait_until_everywhere(
        self, condition: Callable[[OnosRest], bool], what: str, timeout_s: float
    ) -> None:
        """Waits until the condition holds for every instance's REST."""
        started = time.monotonic()
        deadline = started + timeout_s
        reported = started
        for index, instance in enumerate(self.instances):
            while not condition(self.rest(index)):
                if instance.status() is not None:
                    raise OnosError(
                        f"ONOS ended with status {instance.status()}: {instance.log_tail()}"
                    )
                if time.monotonic() > deadline:
                    raise OnosError(
                        f"no {what} at {self.address(index)} within {timeout_s:g} s: "
                        f"{instance.log_tail()}"
                    )
                if time.monotonic() - reported > _REPORT_S:
                    reported = time.monotonic()
                    self._report(
                        f"no {what} at {self.address(index)} after "
                        f"{reported - started:.0f} s of at most {timeout_s:.0f} s; "
                        f"its log: {instance.log_tail(1)}"
                    )
                time.sleep(_POLL_S)

    # How it starts and ends

    def _start(self) -> None:
        self.directory.mkdir(parents=True, exist_ok=True)
        if self._count > 1:
            self.machines = Machines(NETWORK)
            self._undo.callback(self.machines.close)
            self._start_atomix()
        for number in range(1, self._count + 1):
            instance = Instance(
                self._distribution,
                self.directory / f"onos-{number}",
                self._openflow_port,
                self._http_port,
                self.machines.add(number) if self.machines else None,
            )
            self._undo.callback(instance.stop)
            instance.prepare(self._membership(number) if self.machines else None)
            self.instances.append(instance)
        for instance in self.instances:
            instance.start()
        self.wait_until_up()

    def _start_atomix(self) -> None:
        """Starts the node that the instances wait for; it must outlive them, or their end hangs."""
        machines = self._own_machines()
        holder = machines.add(_ATOMIX)
        name = "atomix-1"
        with (self.directory / f"{name}.log").open("wb") as log:
            atomix = subprocess.Popen(
                [
                    *("setpriv", "--pdeathsig", "KILL", "nsenter", "--net", f"--target={holder}"),
                    *(str(atomix_server()), str(self.directory / name), name),
                    f"{name}={machines.address(_ATOMIX)}",
                ],
                env={"JAVA_HOME": str(self._distribution.java), "PATH": "/usr/bin:/bin"},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._undo.callback(_stop, atomix)

    def _own_machines(self) -> Machines:
        """Of a cluster of several instances, each in a network namespace."""
        assert self.machines is not None, "one instance has none"
        return self.machines

    def _membership(self, number: int) -> dict:
        """The content of cluster.json: this instance, and where the state is kept."""
        machines = self._own_machines()
        own, atomix = machines.address(number), machines.address(_ATOMIX)
        return {
            "name": "onos",
            "node": {"id": own, "ip": own, "port": _CLUSTER_PORT},
            "storage": [{"id": "atomix-1", "ip": atomix, "port": _ATOMIX_PORT}],
        }

    def _is_up(self, rest: OnosRest) -> bool:
        return rest.active_nodes() == self._count and all(
            rest.is_installed(f"org.onosproject.{name}") for name in APPLICATIONS
        )

    def _takes_switches(self, rest: OnosRest) -> bool:
        host = rest.base.split("/")[2].partition(":")[0]
        return all(rest.is_active(f"org.onosproject.{name}") for name in APPLICATIONS) and _listens(
            host, self._openflow_port
        )


def _listens(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1.0)
        return probe.connect_ex((host, port)) == 0


def _stop(process: subprocess.Popen) -> None:
    process.terminate()
    try:
        process.wait(_STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
