"""The bill of materials of the programs for hosts: what is compiled into them, and the Debian
packages whose shared libraries they load."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from packageurl import PackageURL

from evenweave_sbom import third_party
from evenweave_sbom.document import SbomError, component, digest, document, product_version

_FIELDS = "${Package}\t${Version}\t${Architecture}\t${Homepage}\n"


def bom(programs: Sequence[Path]) -> Bom:
    """SbomError if a program is not built, or loads a library that no package has."""
    compiled: dict[str, Component] = {}
    loaded: set[Path] = set()
    for path in programs:
        for each in third_party.compiled_into_programs(_run(str(path), "--licenses")):
            compiled[each.name] = _compiled(each)
        loaded |= _loaded(path)
    product = component(
        "evenweave-host", product_version(), ["Apache-2.0"], kind=ComponentType.APPLICATION
    )
    executables = [_executable(path) for path in programs]
    return document(product, [*executables, *compiled.values(), *_packages(loaded)])


def _executable(path: Path) -> Component:
    return component(
        path.name,
        product_version(),
        ["Apache-2.0"],
        sha256=[digest(path.read_bytes())],
        kind=ComponentType.APPLICATION,
    )


def _compiled(part: third_party.Linked) -> Component:
    purl = PackageURL("generic", None, part.name.lower().replace(" ", "-"), part.version)
    return component(part.name, part.version, [part.license], purl=purl, home=part.home)


def _loaded(path: Path) -> set[Path]:
    """The shared libraries that the dynamic linker loads for a program."""
    return {Path(found).resolve() for found in re.findall(r"(/\S+) \(0x", _run("ldd", str(path)))}


def _packages(libraries: set[Path]) -> list[Component]:
    """The Debian packages that have the libraries."""
    if not libraries:
        return []
    owners = _owners(libraries)
    found = _run("dpkg-query", "--show", f"-f={_FIELDS}", *sorted(owners))
    return [_package(*line.split("\t")) for line in found.splitlines()]


def _owners(libraries: set[Path]) -> set[str]:
    """The packages, with their architectures, that have the libraries."""
    # Packages name files by the path before /usr was merged, others by that after; dpkg-query
    # fails if it does not know one of them.
    either = [
        f"{usr}{str(library).removeprefix('/usr')}" for library in libraries for usr in ("", "/usr")
    ]
    search = ["dpkg-query", "--search", *either]
    found = subprocess.run(search, capture_output=True, text=True, check=False).stdout
    owners: dict[str, str] = {}
    for line in found.splitlines():
        packages, _, path = line.rpartition(": ")
        owners[path.removeprefix("/usr")] = packages.split(",")[0]
    for library in libraries:
        if str(library).removeprefix("/usr") not in owners:
            raise SbomError(f"no Debian package has {library}")
    return set(owners.values())


def _package(name: str, version: str, architecture: str, home: str) -> Component:
    return component(
        name,
        version,
        _licenses(name),
        purl=PackageURL("deb", "debian", name, version, {"arch": architecture}),
        home=home or None,
    )


def _licenses(package: str) -> list[str]:
    """Of a package's files in general, by its machine-readable copyright file; none without one."""
    text = Path(f"/usr/share/doc/{package}/copyright").read_text(errors="replace")
    stanza = re.search(r"^Files:\s*\*\n(?:.+\n)*?License:[ \t]*(\S.*)$", text, re.MULTILINE)
    return [stanza.group(1).strip()] if stanza else []


def _run(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except subprocess.CalledProcessError as error:
        raise SbomError(f"{' '.join(command)}: {error.stderr.strip()}") from error
