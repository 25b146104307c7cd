"""Two builds of the same sources are equal byte by byte, in whatever folder, time zone and locale.

Two builds of the Java artefacts take minutes, so this is extended.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
from runtimes import ROOT

MODULES = "app/standalone,app/onos,app/onos-traffic"
ARTEFACTS = [
    "app/standalone/target/evenweave.jar",
    "app/onos/target/*.oar",
    "app/onos-traffic/target/*.oar",
]


def copy_sources(to: Path) -> None:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).exists():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)


def build(tree: Path, **environment: str) -> list[Path]:
    """The artefacts that a build of a copy of the sources makes."""
    copy_sources(tree)
    maven = ["mvn", "-B", "-q", "-f", str(tree / "pom.xml"), "-DskipTests", "-pl", MODULES, "-am"]
    subprocess.run([*maven, "package"], check=True, env={**os.environ, **environment})
    return [path for pattern in ARTEFACTS for path in sorted(tree.glob(pattern))]


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def parts(archive: Path) -> dict[str, str]:
    """The digests of what is in an archive, to tell what differs."""
    with zipfile.ZipFile(archive) as opened:
        return {name: digest(opened.read(name)) for name in opened.namelist()}


@pytest.mark.extended
def test_builds_do_not_depend_on_folder_zone_or_locale(tmp_path: Path) -> None:
    first = build(tmp_path / "a", TZ="UTC", LC_ALL="C.UTF-8")
    second = build(tmp_path / "another folder", TZ="Asia/Kathmandu", LC_ALL="C")
    assert len(first) == len(ARTEFACTS)
    for one, other in zip(first, second, strict=True):
        assert parts(one) == parts(other), one.name
        assert digest(one.read_bytes()) == digest(other.read_bytes()), one.name
