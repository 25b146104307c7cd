"""Bills of materials of the Java artefacts, by the lists of third parties in them."""

from __future__ import annotations

import fnmatch
import io
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from packageurl import PackageURL

from evenweave_sbom import npm, third_party
from evenweave_sbom.document import ROOT, SbomError, component, digest, document, product_version

_LIST = "META-INF/THIRD-PARTY.txt"
# In a bundle below WEB-INF/classes.
_PAGE = "org/evenweave/web/page/index.html"
_NATIVE_LIST = "META-INF/licenses/ortools-native/THIRD-PARTY.txt"
# The hashes that are accepted, since Maven before 3.9 checks none of its own: a line each, as
# sha256sum writes them, with Maven's coordinates in place of a file.
LOCK = ROOT / "sbom/maven.sha256"
# Maven's local repository.
_REPOSITORY = Path.home() / ".m2/repository"


@dataclass(frozen=True)
class Artefact:
    """A file that is shipped; `jar` is it, or the bundle in it."""

    name: str
    path: Path
    jar: Callable[[], zipfile.ZipFile]


def artefacts() -> dict[str, Artefact]:
    """The jar and the applications for ONOS, as they were built last, by name; SbomError if one is
    not built."""
    jar = _built("app/standalone/target/evenweave.jar")
    oars = {
        "org.evenweave.app": _built("app/onos/target/evenweave-onos-*.oar"),
        "org.evenweave.traffic": _built("app/onos-traffic/target/evenweave-onos-traffic-*.oar"),
    }
    found = [Artefact("evenweave", jar, partial(zipfile.ZipFile, jar))]
    found += [Artefact(name, oar, partial(_bundle, oar)) for name, oar in oars.items()]
    return {each.name: each for each in found}


def _built(pattern: str) -> Path:
    found = list(ROOT.glob(pattern))
    if not found:
        raise SbomError(f"{pattern} is not built")
    return max(found, key=lambda path: path.stat().st_mtime)


def _bundle(oar: Path) -> zipfile.ZipFile:
    with zipfile.ZipFile(oar) as application:
        (name,) = fnmatch.filter(application.namelist(), "*.jar")
        return zipfile.ZipFile(io.BytesIO(application.read(name)))


def bom(artefact: Artefact) -> Bom:
    """SbomError if a component in it is not in Maven's local repository, or its archive is not the
    one whose hash is accepted."""
    accepted = _accepted()
    with artefact.jar() as jar:
        listed = third_party.listed(jar.read(_LIST).decode())
        components = [_of_maven(each, accepted) for each in listed]
        if _NATIVE_LIST in jar.namelist():
            native = third_party.linked_into_libraries(jar.read(_NATIVE_LIST).decode())
            components += [component(n.name, None, [n.license], home=n.home) for n in native]
        if any(name.endswith(_PAGE) for name in jar.namelist()):
            components += npm.shipped()
    product = component(
        artefact.name,
        product_version(),
        ["Apache-2.0"],
        sha256=[digest(artefact.path.read_bytes())],
        kind=ComponentType.APPLICATION,
    )
    return document(product, components)


def lock() -> None:
    """Accepts the archives of all components as they are now in Maven's local repository."""
    found = {}
    for artefact in artefacts().values():
        with artefact.jar() as jar:
            for each in third_party.listed(jar.read(_LIST).decode()):
                found[_coordinates(each)] = digest(_archive(each).read_bytes())
    LOCK.write_text("".join(f"{found[name]}  {name}\n" for name in sorted(found)))


def _accepted() -> dict[str, str]:
    """Hashes by Maven's coordinates."""
    lines = [line.split("  ") for line in LOCK.read_text().splitlines()]
    return {coordinates: sha256 for sha256, coordinates in lines}


def _coordinates(listed: third_party.Listed) -> str:
    return f"{listed.group}:{listed.artifact}:{listed.version}"


def _archive(listed: third_party.Listed) -> Path:
    folder = _REPOSITORY / listed.group.replace(".", "/") / listed.artifact / listed.version
    archive = folder / f"{listed.artifact}-{listed.version}.jar"
    if not archive.exists():
        raise SbomError(f"{archive} is missing, though the artefact contains it: build again")
    return archive


def _of_maven(listed: third_party.Listed, accepted: dict[str, str]) -> Component:
    name = _coordinates(listed)
    sha256 = digest(_archive(listed).read_bytes())
    if accepted.get(name) != sha256:
        raise SbomError(
            f"{name} has the SHA-256 {sha256}, not {accepted.get(name, 'any')} of {LOCK.name}: if"
            " the version changed, check where it comes from, then run ./evenweave sbom --lock"
        )
    return component(
        listed.artifact,
        listed.version,
        listed.licenses,
        group=listed.group,
        purl=PackageURL("maven", listed.group, listed.artifact, listed.version),
        home=listed.home,
        sha256=[sha256],
    )
