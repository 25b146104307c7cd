"""What the Java artefacts contain, and what they say of it."""

from __future__ import annotations

import fnmatch
import io
import re
import zipfile
from pathlib import Path

from runtimes import ROOT

from evenweave_sbom.third_party import Listed

META = "META-INF/"
LIST = META + "THIRD-PARTY.txt"
TEXTS = META + "licenses/texts/"
# Of a licence text or a notice, as projects name them.
LEGAL = re.compile(r"(META-INF/)?[^/]*(LICENSE|NOTICE)[^/]*")
# Maven's local repository.
REPOSITORY = Path.home() / ".m2/repository"


def archive(listed: Listed) -> zipfile.ZipFile:
    """A component's own archive, as the build has fetched it."""
    folder = REPOSITORY / listed.group.replace(".", "/") / listed.artifact / listed.version
    return zipfile.ZipFile(folder / f"{listed.artifact}-{listed.version}.jar")


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
