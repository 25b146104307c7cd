"""A bare Debian 12 root with systemd as its init, in which packages are installed and run."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

# Of Debian's minimal system, with an init; what the test of a fabric needs.
_INCLUDED = "systemd,systemd-sysv,dbus,ca-certificates"
_BESIDE = ["curl", "iproute2", "iputils-ping", "openvswitch-switch"]
_SOURCES = Path("/etc/apt/sources.list.d/debian.sources")
_TRUSTED = Path("/usr/local/share/ca-certificates")
_ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LC_ALL": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive",
}
# Hang guards: a package is installed in seconds on an idle machine.
_HANG_S = 900.0
_BOOT_S = 300.0


_MISSING = [t for t in ("debootstrap", "systemd-nspawn", "dpkg-deb") if shutil.which(t) is None]
needs_package_root = [
    pytest.mark.skipif(os.geteuid() != 0, reason="needs root"),
    pytest.mark.skipif(bool(_MISSING), reason=f"not installed: {', '.join(_MISSING)}"),
]


class NoContainer(Exception):
    """systemd cannot be an init here; the message says why."""


def mirror() -> str:
    """The mirror of Debian that this machine uses."""
    lists = [Path("/etc/apt/sources.list"), *sorted(_SOURCES.parent.glob("*"))]
    text = "\n".join(path.read_text() for path in lists if path.is_file())
    found = re.search(r"^URIs:\s*(\S+)", text, re.M) or re.search(
        r"^deb (?:\[.*?\] )?(\S+) bookworm main", text, re.M
    )
    if found is None:
        raise NoContainer("no mirror of Debian is configured")
    return found[1]


def dependencies(packages: list[Path]) -> list[str]:
    """What the packages need that is not ours."""
    command = ["dpkg-deb", "-f"]
    needed: set[str] = set()
    for package in packages:
        field = subprocess.run(
            [*command, str(package), "Depends"], capture_output=True, text=True, check=True
        ).stdout
        names = [entry.split("|")[0].split("(")[0].strip() for entry in field.split(",")]
        needed |= {name.partition(":")[0] for name in names if name}
    return sorted(name for name in needed if not name.startswith("evenweave"))


class PackageRoot:
    """The root file system. Made with network; what is run in it later has none but its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._init = 0

    def make(self) -> None:
        command = ["debootstrap", "--variant=minbase", f"--include={_INCLUDED}", "bookworm"]
        done = subprocess.run(
            [*command, str(self.folder), mirror()],
            capture_output=True,
            text=True,
            timeout=_HANG_S,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr
        for source in (Path("/etc/apt/sources.list"), _SOURCES):
            if source.is_file():
                shutil.copy(source, self.folder / source.relative_to("/"))
        for setting in Path("/etc/apt/apt.conf.d").glob("99*"):
            shutil.copy(setting, self.folder / "etc/apt/apt.conf.d")
        if _TRUSTED.is_dir():
            trusted = self.folder / _TRUSTED.relative_to("/")
            shutil.copytree(_TRUSTED, trusted, dirs_exist_ok=True)

    def prepare(self, packages: list[str]) -> None:
        """Installs what is not ours, with the dependencies of our packages."""
        wanted = " ".join([*_BESIDE, *packages])
        self._in_chroot(
            "update-ca-certificates >/dev/null 2>&1; apt-get update -qq &&"
            f" apt-get install -y -qq --no-install-recommends {wanted}"
        )

    def copy(self, folder: Path) -> PackageRoot:
        """Another machine with the same files; its name is that of the folder."""
        subprocess.run(["cp", "-a", str(self.folder), str(folder)], check=True)
        return PackageRoot(folder)

    @property
    def init(self) -> int:
        """The process id of its init, and so a name of its network namespace; 0 if it is off."""
        return self._init

    def _in_chroot(self, script: str) -> None:
        nspawn = ["systemd-nspawn", "-q", "-D", str(self.folder), "--register=no", "--keep-unit"]
        nspawn += ["--bind-ro=/etc/resolv.conf"]
        nspawn += [f"--setenv={name}={value}" for name, value in _ENVIRONMENT.items()]
        done = subprocess.run(
            [*nspawn, "bash", "-c", script],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_HANG_S,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    @contextlib.contextmanager
    def booted(self) -> Iterator[None]:
        """systemd runs in it, in a network namespace of its own."""
        command = ["systemd-nspawn", "--boot", "-D", str(self.folder), "--register=no"]
        # For the kernel programs of the edge, TAP devices, and DPDK, which reads /sys/module.
        command += ["--keep-unit", "--private-network", "--capability=all", "--console=pipe"]
        command += ["--system-call-filter=bpf perf_event_open", "--bind=/dev/net/tun"]
        command += ["--bind-ro=/sys/module"]
        nspawn = subprocess.Popen(
            command,
            env=os.environ | {"SYSTEMD_NSPAWN_API_VFS_WRITABLE": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            self._wait_for_init(nspawn)
            yield
        finally:
            nspawn.send_signal(signal.SIGTERM)
            try:
                nspawn.wait(timeout=60)
            except subprocess.TimeoutExpired:
                nspawn.kill()
                nspawn.wait()

    def _wait_for_init(self, nspawn: subprocess.Popen) -> None:
        end = time.monotonic() + _BOOT_S
        while time.monotonic() < end and nspawn.poll() is None:
            children = Path(f"/proc/{nspawn.pid}/task/{nspawn.pid}/children").read_text().split()
            if children:
                self._init = int(children[0])
                done = self.run("systemctl is-system-running --wait", check=False)
                if done.stdout.strip() in ("running", "degraded"):
                    return
            time.sleep(0.5)
        raise NoContainer("systemd does not become ready in systemd-nspawn")

    def run(self, script: str, check: bool = True) -> subprocess.CompletedProcess:
        """Runs a script of Bash in the booted root, in its folder /root."""
        done = subprocess.run(
            [
                *("nsenter", "-t", str(self._init), "-m", "-p", "-u", "-n", "-i", "-C", "--"),
                *("env", "-i", *(f"{k}={v}" for k, v in _ENVIRONMENT.items())),
                *("bash", "-c", f"cd /root || exit\n{script}"),
            ],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_HANG_S,
            check=False,
        )
        if check:
            assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
        return done
