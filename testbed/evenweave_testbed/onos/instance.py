"""One instance of ONOS: its own copy of the distribution, one Java process, a network namespace."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from evenweave_testbed.onos.distribution import KARAF, Distribution

# What the application declares it needs; "drivers" comes with every ONOS. ONOS activates them with
# it.
APPLICATIONS = ("openflow", "hostprovider", "lldpprovider")

# What would change an instance from outside, which is to be as ONOS is shipped (bin/onos-service);
# ONOS_IP makes a cluster of one, at that address.
_OF_ONOS = ("ONOS_IP", "ONOS_APPS", "JAVA_OPTS", "EXTRA_JAVA_OPTS")
# As shipped.
_OPENFLOW_PORT = 6653
_STOP_TIMEOUT_S = 20.0
_TAIL_LINES = 5
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Instance:
    """An instance that lives in `directory`; its Java process dies with this one."""

    def __init__(
        self,
        distribution: Distribution,
        directory: Path,
        openflow_port: int,
        http_port: int,
        namespace: int | None = None,
    ) -> None:
        """`namespace` is a process in the network namespace to run in; None for the present one."""
        self.directory = directory
        self.log = directory.with_name(directory.name + ".log")
        self.pid_namespace = namespace
        self._distribution = distribution
        self._openflow_port = openflow_port
        self._http_port = http_port
        self._process: subprocess.Popen | None = None

    def prepare(self, cluster: dict | None = None) -> None:
        """Makes a copy that has never run; `cluster` is the content of ONOS's cluster.json."""
        shutil.rmtree(self.directory, ignore_errors=True)
        # Not hard links: ONOS and its Karaf change some of these files in place.
        shutil.copytree(self._distribution.onos, self.directory, symlinks=True)
        http = self.directory / KARAF / "etc/org.ops4j.pax.web.cfg"
        setting = f"org.osgi.service.http.port={self._http_port}"
        http.write_text(
            re.sub(r"(?m)^org\.osgi\.service\.http\.port=.*$", setting, http.read_text())
        )
        if self._openflow_port != _OPENFLOW_PORT:
            controller = "org.onosproject.openflow.controller.impl.OpenFlowControllerImpl"
            ports = {"openflowPorts": str(self._openflow_port)}
            self._write("component-cfg.json", {controller: ports})
        if cluster is not None:
            self._write("cluster.json", cluster)

    def start(self) -> None:
        """Starts the process; it takes half a minute and more until it answers."""
        enter = ["nsenter", "--net", f"--target={self.pid_namespace}"] if self.pid_namespace else []
        with self.log.open("ab") as output:
            self._process = subprocess.Popen(
                # "daemon" makes the scripts become the Java process instead of waiting for it.
                [
                    *("setpriv", "--pdeathsig", "KILL", *enter),
                    *(str(self.directory / "bin/onos-service"), "daemon"),
                ],
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        """The Java process, which must have been started."""
        assert self._process is not None, "not started"
        return self._process.pid

    def status(self) -> int | None:
        """The process's exit status; None while it runs or was never started."""
        return self._process.poll() if self._process else None

    def kill(self) -> None:
        """Kills the instance, as a crash does."""
        if self._process:
            self._process.kill()
            self._process.wait()

    def stop(self) -> None:
        """Terminates the instance; kills it if it does not end in time."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(_STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.kill()

    def log_tail(self, lines: int = _TAIL_LINES) -> str:
        """The last lines of the instance's log."""
        text = self.log.read_text(errors="replace") if self.log.exists() else ""
        said = _COLOUR.sub("", text).strip().splitlines()
        return " | ".join(said[-lines:]) or "empty log"

    def _write(self, name: str, content: dict) -> None:
        folder = self.directory / "config"
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(content))

    def _environment(self) -> dict[str, str]:
        inherited = {name: value for name, value in os.environ.items() if name not in _OF_ONOS}
        return inherited | {
            "JAVA_HOME": str(self._distribution.java),
            "ONOS_HOME": str(self.directory),
        }
