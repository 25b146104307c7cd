"""What the Java artefacts contain, and what they say of it."""

from __future__ import annotations

import fnmatch
import io
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path

from runtimes import ROOT

META = "META-INF/"
LIST = META + "THIRD-PARTY.txt"
TEXTS = META + "licenses/texts/"
# Of a licence text or a notice, as projects name them.
LEGAL = re.compile(r"(META-INF/)?[^/]*(LICENSE|NOTICE)[^/]*")
# Maven's local repository.
REPOSITORY = Path.home() / ".m2/repository"


@dataclass(frozen=True)
class Component:
    """A line of a list of third parties. `licenses` are alternatives, or those of its parts, by
    SPDX's names where it has them."""

    group: str
    artifact: str
    version: str
    licenses: tuple[str, ...]

    def jar(self) -> zipfile.ZipFile:
        folder = REPOSITORY / self.group.replace(".", "/") / self.artifact / self.version
        return zipfile.ZipFile(folder / f"{self.artifact}-{self.version}.jar")


def components(text: str) -> list[Component]:
    """The components of a list; ValueError for a line that is none."""
    found = []
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            coordinates, licenses, _name, _url = line.split(" | ")
            found.append(Component(*coordinates.split(":"), tuple(licenses.split(" / "))))
    return found


def standalone() -> zipfile.ZipFile:
    return zipfile.ZipFile(ROOT / "app/standalone/target/evenweave.jar")


def onos_bundle(module: str) -> zipfile.ZipFile:
    """The bundle inside the application for ONOS that a module makes."""
    (path,) = (ROOT / module / "target").glob("*.oar")
    with zipfile.ZipFile(path) as application:
        (bundle,) = fnmatch.filter(application.namelist(), "*.jar")
        return zipfile.ZipFile(io.BytesIO(application.read(bundle)))


def text(jar: zipfile.ZipFile, name: str) -> str:
    return jar.read(name).decode()


def legal_files(jar: zipfile.ZipFile) -> dict[str, bytes]:
    """The licence texts and notices of a component, by name."""
    return {name: jar.read(name) for name in jar.namelist() if LEGAL.fullmatch(name)}
