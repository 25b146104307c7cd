"""Finds ONOS 2.7.0 on this machine, the Java it needs, and Atomix for a cluster."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

VERSION = "2.7.0"
KARAF = "apache-karaf-4.2.9"

_SHARE = Path.home() / ".local/share/evenweave"
_JAVA = 11
_JAVA_TIMEOUT_S = 30.0


class OnosMissing(RuntimeError):
    """This machine lacks what is needed to run ONOS; the message says what to do."""


@dataclass(frozen=True)
class Distribution:
    """An unpacked ONOS 2.7.0, never run in place (ONOS writes into its own directory), and the
    home of a Java 11 runtime."""

    onos: Path
    java: Path

    @classmethod
    def find(cls, environment: Mapping[str, str] = os.environ) -> Distribution:
        """Looks where the environment says, then in ~/.local/share/evenweave.

        Raises OnosMissing if there is no ONOS 2.7.0 or no Java 11.
        """
        onos = Path(environment.get("ONOS_HOME") or _SHARE / "onos")
        found = _version_of(onos)
        if found != VERSION:
            raise OnosMissing(
                f"{onos} holds {f'ONOS {found}, not' if found else 'no ONOS'} {VERSION}: "
                f"get onos-{VERSION}.tar.gz from onosproject.org (Downloads), unpack it, "
                "and set ONOS_HOME to the directory it makes"
            )
        return cls(onos, _java(environment))


def atomix_server(environment: Mapping[str, str] = os.environ) -> Path:
    """The program that runs an Atomix node, `atomix-server DIRECTORY ID ID=ADDRESS...`.

    Raises OnosMissing if there is none.
    """
    program = Path(environment.get("ATOMIX_HOME") or _SHARE / "atomix") / "atomix-server"
    if not os.access(program, os.X_OK):
        raise OnosMissing(
            f"{program} is no program: a cluster of ONOS keeps its state in Atomix 3.1; "
            "set ATOMIX_HOME to a directory with an atomix-server"
        )
    return program


def _version_of(onos: Path) -> str | None:
    """The version of the ONOS unpacked there; None if that is no ONOS."""
    if not (onos / "bin/onos-service").exists() or not (onos / KARAF).is_dir():
        return None
    try:
        return (onos / "VERSION").read_text().strip()
    except OSError:
        return None


def _java(environment: Mapping[str, str]) -> Path:
    """ONOS_JAVA_HOME if it is set; else the first of JAVA_HOME and our own place with Java 11."""
    chosen = environment.get("ONOS_JAVA_HOME")
    others = [environment.get("JAVA_HOME"), _SHARE / "java11"]
    homes = [Path(home) for home in ([chosen] if chosen else others) if home]
    seen = []
    for home in homes:
        version = _java_version(home)
        if version == _JAVA:
            return home
        seen.append(f"{home} has {f'Java {version}' if version else 'none'}")
    raise OnosMissing(
        f"ONOS {VERSION} runs on Java {_JAVA} only, and {', '.join(seen)}: "
        f"set ONOS_JAVA_HOME to the home of a Java {_JAVA} runtime"
    )


def _java_version(home: Path) -> int | None:
    """The feature release of a Java home; None if there is no Java that runs."""
    try:
        done = subprocess.run(
            [str(home / "bin/java"), "-version"],
            capture_output=True,
            text=True,
            timeout=_JAVA_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    # `openjdk version "11.0.13" 2021-10-19`; until Java 8 the feature release was the second
    # number.
    found = re.search(r'version "(?:1\.)?(\d+)', done.stderr)
    return int(found[1]) if found else None
