"""The controller as the test bed sees it: a process to start and stop, and its REST resources."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread
from typing import IO, Any

from evenweave import Client, ControllerError
from evenweave_testbed.credentials import Credentials
from evenweave_testbed.polling import EVENT_LIMIT_S, Polling
from evenweave_testbed.processes import pipe

OPENFLOW_ADDRESS = "127.0.0.1:6653"
HTTP_ADDRESS = "127.0.0.1:8282"

_REQUEST_TIMEOUT_S = 30.0
# The controller limits reading all switches to 60 s.
_LONG_REQUEST_TIMEOUT_S = 70.0
# The embedded runtime needs a few seconds; ONOS has needed four minutes on two busy cores. Its own
# start-up limit is shorter than this.
_START_TIMEOUT_S = 1800.0
_STOP_TIMEOUT_S = 30.0
# As the embedded controller logs: time, level, class.
_ERROR = re.compile(r"\S+ ERROR \S+ - ")


class ControllerProcess:
    """A controller process; `ready` is the object it printed when it began to listen."""

    def __init__(
        self,
        command: Sequence[str],
        fabric_file: Path,
        directory: Path,
        polling: Polling | None = None,
    ) -> None:
        """`{fabric}`, `{openflow}` and `{http}` in the command's arguments are filled in."""
        self._polling = polling or Polling()
        filled = {"fabric": fabric_file, "openflow": OPENFLOW_ADDRESS, "http": HTTP_ADDRESS}
        self.command = [_fill(argument, filled) for argument in command]
        self._output = directory / "controller.out"
        self._errors = directory / "controller.err"
        self._process: subprocess.Popen | None = None
        self._lines: list[str] = []
        self.ready: dict = {}

    def start(self) -> None:
        """Returns once the controller listens; raises ControllerError with the end of its log."""
        self.ready = {}
        try:
            with self._errors.open("wb") as stderr:
                self._process = subprocess.Popen(
                    self.command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=stderr,
                    text=True,
                    start_new_session=True,
                )
        except OSError as error:
            raise ControllerError(f"{self.command[0]}: {error.strerror}") from error
        # Read to the end, or the controller would block once the pipe is full.
        Thread(target=self._read, args=(pipe(self._process.stdout),), daemon=True).start()
        for _ in self._polling.polls(self._awaited, _START_TIMEOUT_S):
            if self.ready:
                return
            self.check_running()
        raise ControllerError(f"the controller is not ready: {self._log_tail()}")

    def check_running(self) -> None:
        """Raises ControllerError if the controller has ended."""
        if self._process is not None and self._process.poll() is not None:
            status = self._process.returncode
            raise ControllerError(f"the controller ended with status {status}: {self._log_tail()}")

    def pid(self) -> int:
        """The process that was started last."""
        assert self._process is not None, "it has not been started"
        return self._process.pid

    def kill(self) -> None:
        """Kills the controller, as a crash does: it closes no session."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def stop(self) -> None:
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(_STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.kill()

    def _read(self, lines: IO[str]) -> None:
        with self._output.open("w") as output, lines:
            for line in lines:
                output.write(line)
                output.flush()
                self._lines = [*self._lines, line.strip()][-5:]
                if not self.ready and line.startswith("{"):
                    message = json.loads(line)
                    if message.get("ready") is True:
                        self.ready = message

    def _awaited(self) -> str:
        said = self._errors.read_text(errors="replace").strip().splitlines()[-1:]
        return "the start of the controller" + "".join(f" ({line})" for line in said)

    def logged_errors(self) -> list[str]:
        """The lines of level ERROR that the controller has logged since it started."""
        lines = self._errors.read_text(errors="replace").splitlines()
        return [line for line in lines if _ERROR.match(line)]

    def _log_tail(self) -> str:
        said = self._errors.read_text(errors="replace").strip().splitlines()[-5:] or self._lines
        return " | ".join(said) or "no output"


class Controller:
    """A fabric's controller: what it answers, and waits for its states. ControllerError if it does
    not answer or converge in time."""

    def __init__(
        self,
        process: ControllerProcess | None = None,
        base: str = f"http://{HTTP_ADDRESS}/evenweave",
        credentials: Credentials | None = None,
        polling: Polling | None = None,
    ) -> None:
        """`base` is where the resources are, if the process does not say so when it is ready. With
        a process, a wait ends early with the end of its log if it ends."""
        self._base = base
        self._credentials = credentials
        self._process = process
        self._polling = polling or Polling()

    @property
    def base(self) -> str:
        return self._ready().get("rest", self._base)

    def _ready(self) -> dict:
        return self._process.ready if self._process else {}

    def client(self, timeout_s: float = _REQUEST_TIMEOUT_S) -> Client:
        """A client of it, with a limit on the time of a request."""
        user = self._ready().get("user")
        credentials = Credentials.of_onos(user) if user else self._credentials
        known = {"user": credentials.user, "password": credentials.password} if credentials else {}
        return Client(self.base, timeout_s=timeout_s, **known)

    def status(self) -> Any:
        return self.client().status()

    def topology(self) -> Any:
        """The network as discovered: {"version", "fabric", "hosts"}."""
        return self.client().topology()

    def groups(self, switch: str) -> Any:
        return self.client().groups(switch)["groups"]

    def group(self, switch: str, destination: str, source: str | None = None) -> Any:
        """The group for traffic from one switch to another; None if it has none. With a source,
        the group for packets from there alone."""
        found = [
            g
            for g in self.groups(switch)
            if g["destination"] == destination and g.get("source") == source
        ]
        return found[0] if found else None

    def paths(self, source: str, destination: str) -> Any:
        """All paths of a pair of switches: {"links", "idealShare", "realisedShare"}."""
        return self.client().paths(source, destination)["paths"]

    def events(self, since: int = 0) -> Any:
        """Events with a sequence number above `since`, oldest first."""
        return self.client().events(since)["events"]

    def last_sequence(self) -> int:
        return max((event["sequence"] for event in self.events()), default=0)

    def configuration(self) -> Any:
        return self.client().configuration()

    def set_strategy(self, strategy: str, timeout_s: float = EVENT_LIMIT_S) -> None:
        """Puts a strategy into force and waits until all switches follow."""
        self.put_strategy(strategy)
        self.wait(
            lambda status: status["confirmed"] and status["strategy"] == strategy,
            f"confirmation of {strategy}",
            timeout_s,
        )

    def strategies(self) -> list[str]:
        """The names of the strategies that there are to choose from."""
        return [s["name"] for s in self.client().strategies()["strategies"]]

    def put_strategy(self, strategy: Any) -> None:
        """Requests a strategy; does not wait for the switches."""
        self.client().put_strategy({"strategy": strategy})

    def put_configuration(self, configuration: Any) -> None:
        """Replaces the configuration; does not wait for the switches."""
        self.client().put_configuration(configuration)

    def packets(self) -> Any:
        """How many packets hosts have sent to the controller."""
        return self.client().packets()

    def interfaces(self) -> Any:
        """The addresses of switches' ports, and the links there."""
        return self.client().interfaces()["interfaces"]

    def traffic(self) -> Any:
        """The traffic matrix as measured."""
        return self.client().traffic()

    def verification(self) -> Any:
        """The result of reading all switches back now."""
        return self.client(_LONG_REQUEST_TIMEOUT_S).verify()

    def audit(self) -> list[str]:
        """Runs an audit now; returns the switches that had drifted."""
        return self.client(_LONG_REQUEST_TIMEOUT_S).audit()["drifted"]

    def links(self) -> Any:
        """How well links carry packets, and ports' settings: {"links", "ports"}."""
        return self.client().links()

    def damping(self) -> Any:
        """The links that are damped: {"link", "failures", "releaseInSeconds"}."""
        return self.client().damping()["links"]

    def release(self, end: str) -> None:
        """Releases the damped link with this end; does not wait for the switches."""
        self.client().release_damped(end)

    def wait(self, condition: Callable[[dict], bool], what: str, timeout_s: float) -> dict:
        """Polls /status until the condition holds and returns that status."""
        status: object = "no answer"
        for _ in self._polling.polls(what, timeout_s):
            self._check_running()
            try:
                status = self.status()
            except ControllerError as error:
                status = str(error)
            if isinstance(status, dict) and condition(status):
                return status
        raise ControllerError(f"no {what} within {timeout_s:g} s; the last status was {status}")

    def wait_confirmed(
        self, kind: str, subjects: Sequence[str], since: int, timeout_s: float
    ) -> dict:
        """Waits for an event of one kind about any of the subjects, until the switches confirm it.

        Returns the event; its `confirmedEpochMicros` is set.
        """
        events: Any = []
        for _ in self._polling.polls(f"the confirmation of {kind} {subjects[0]}", timeout_s):
            self._check_running()
            try:
                events = self.events(since)
            except ControllerError as error:
                # A busy controller may miss one request; retry.
                events = str(error)
                continue
            for event in events:
                about = event["kind"] == kind and event["subject"] in subjects
                if about and event.get("confirmedEpochMicros"):
                    return event
        raise ControllerError(
            f"no confirmed {kind} of {subjects[0]} within {timeout_s:g} s; events were {events}"
        )

    def _check_running(self) -> None:
        if self._process:
            self._process.check_running()


def _fill(argument: str, values: dict) -> str:
    for name, value in values.items():
        argument = argument.replace("{" + name + "}", str(value))
    return argument
