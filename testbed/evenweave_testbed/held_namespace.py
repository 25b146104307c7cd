"""A network namespace that exists as long as one process in it."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

_START_TIMEOUT_S = 10.0


class HeldNamespace:
    """Ends with this process, or when closed. `pid`: a process in the namespace."""

    def __init__(self) -> None:
        self._holder = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "unshare", "--net", "sleep", "infinity"],
            stdin=subprocess.DEVNULL,
        )
        self.pid = self._holder.pid
        self._wait_until_apart()
        self.ip("link", "set", "lo", "up")

    def ip(self, *arguments: str) -> None:
        """Runs `ip` in it; raises CalledProcessError if that fails."""
        self.run("ip", *arguments).check_returncode()

    def run(self, *command: str) -> subprocess.CompletedProcess:
        """Runs a command in it; returns its status and stdout (text)."""
        enter = ["nsenter", "--net", f"--target={self.pid}"]
        return subprocess.run([*enter, *command], stdout=subprocess.PIPE, text=True, check=False)

    def close(self) -> None:
        self._holder.kill()
        self._holder.wait()

    def _wait_until_apart(self) -> None:
        """Waits until the process has a namespace of its own and stays the one it is."""
        own = Path("/proc/self/ns/net").readlink()
        deadline = time.monotonic() + _START_TIMEOUT_S
        while (
            Path(f"/proc/{self.pid}/ns/net").readlink() == own
            or Path(f"/proc/{self.pid}/comm").read_text().strip() != "sleep"
        ):
            if time.monotonic() > deadline:
                raise RuntimeError(f"process {self.pid} got no network namespace")
            time.sleep(0.01)
