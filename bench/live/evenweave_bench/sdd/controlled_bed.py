"""Eight hosts around a circuit switch, with the controller, ours in Java: it observes demand, plans
with Solstice, starts and stops queues and reconfigures the circuit switch, every period.

The period is scaled to what two shared cores carry: 200 ms instead of 1.5 ms, 10 Mb/s instead of
10 Gb/s, a night and a guard of 2 ms. sdd-host waits for deadlines awake: at twice the rate its
thread never sleeps, and the kernel then takes its core away for longer than the guard.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evenweave_testbed.sdd.bed import CONTROLLER, Bed, BedPlan
from evenweave_testbed.sdd.pki import Authority
from evenweave_testbed.sdd.priority import before_others, start_first

HOSTS = 8
PERIOD_NS = 200_000_000
NIGHT_NS = 2_000_000
GUARD_NS = 2_000_000
LINK_BPS = 10_000_000
PACKET_BPS = 5_000_000
FIRST_PORT = 5201
"""UDP from this port and the HOSTS - 1 after it takes the packet switch, and so does TCP."""
_SESSIONS, _REST = 6650, 8282  # in the run's own network namespace
_START_S = 30.0


class Controller:
    """The Java controller as a process, and its REST at a port of its own."""

    def __init__(self, jar: Path, folder: Path, config: dict, rest: int = _REST) -> None:
        path = folder / "sdd.json"
        path.write_text(json.dumps(config))
        self._rest = rest
        self._log = folder / "controller.log"
        with self._log.open("w") as log:
            # a START that comes late costs its day: before the programs that it is for, and with
            # room for all garbage, whose collection takes milliseconds
            self.process = start_first(
                [
                    "java",
                    "-Xms256m",
                    "-Xmx256m",
                    "-Xmn160m",
                    "-jar",
                    str(jar),
                    "sdd",
                    "--config",
                    str(path),
                    "--http",
                    f"127.0.0.1:{rest}",
                ],
                realtime_priority=1,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        deadline = time.monotonic() + _START_S
        while True:
            with contextlib.suppress(urllib.error.URLError, ConnectionError):
                self.get("status")
                return
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.close()
                raise RuntimeError(f"the controller does not start:\n{self.log()}")
            time.sleep(0.1)

    def get(self, what: str) -> dict:
        url = f"http://127.0.0.1:{self._rest}/evenweave/sdd/{what}"
        with urllib.request.urlopen(url, timeout=10) as answer:
            return json.load(answer)

    def log(self) -> str:
        return self._log.read_text(errors="replace")

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()


@contextmanager
def controlled_bed(jar: Path, folder: Path) -> Iterator[tuple[Bed, Controller]]:
    """With all hosts and the circuit switch connected."""
    plan = BedPlan(
        hosts=HOSTS,
        link_bps=LINK_BPS,
        packet_switch_bps=PACKET_BPS,
        pace_to_link=True,
        process={"realtimePriority": 2},
    )
    authority = Authority(folder)
    ports = range(FIRST_PORT, FIRST_PORT + HOSTS)
    config = {
        "hosts": plan.names(),
        "circuitSwitch": "switch",
        "listen": f"127.0.0.1:{_SESSIONS}",
        "keys": str(authority.controller_keys(folder, CONTROLLER)),
        "periodNs": PERIOD_NS,
        "nightNs": NIGHT_NS,
        "guardNs": GUARD_NS,
        "circuitBps": LINK_BPS,
        # What is left to the packet switch stays queued (docs/reference/sdd.md), and iperf3 waits
        # for the answer to its first, tiny datagram: so all demand goes to circuits.
        "packetBps": 0,
        "safePolicy": "closed",
        # iperf3's control connections, and its servers' answers
        "packetFlows": [{"protocol": 6}] + [{"protocol": 17, "sourcePort": p} for p in ports],
    }
    controller = Controller(jar, folder, config)
    try:
        with Bed(plan, folder, _SESSIONS, authority) as bed:
            _await_sessions(bed, controller)
            # who looks must not wait for those who are looked at
            with before_others():
                yield bed, controller
    finally:
        controller.close()


def _await_sessions(bed: Bed, controller: Controller) -> None:
    deadline = time.monotonic() + _START_S
    while True:
        status = controller.get("status")
        if status["connected"] == HOSTS and status["circuitSwitch"]:
            return
        if time.monotonic() > deadline:
            raise RuntimeError(f"hosts do not connect: {status}\n{bed.log('sdd-host')}")
        time.sleep(0.1)
