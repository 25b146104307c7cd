"""The bills of materials name what the artefacts contain, and nothing that is made up."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from artefacts import LIST, META, archive, onos_bundle, standalone, text
from runtimes import ROOT

from evenweave_sbom.document import SbomError, check, digest
from evenweave_sbom.third_party import linked_into_libraries, listed
from evenweave_testbed.sdd.build import program

JARS = {
    "evenweave": standalone,
    "org.evenweave.app": lambda: onos_bundle("app/onos"),
    "org.evenweave.traffic": lambda: onos_bundle("app/onos-traffic"),
}
DAEMONS = ["evenweave-edge", "sdd-host", "circuit-switch"]


def write(folder: Path) -> None:
    """Runs the command as ./evenweave sbom does once all is built."""
    programs = [f"--program={program(daemon)}" for daemon in DAEMONS]
    command = [sys.executable, "-m", "evenweave_sbom", *programs, str(folder)]
    subprocess.run(command, check=True, env={"PYTHONPATH": str(ROOT / "sbom"), "PATH": "/usr/bin"})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("sbom")
    write(made)
    return made


def components(folder: Path, name: str) -> dict[str, dict]:
    """By package URL, or by name."""
    bom = json.loads((folder / f"{name}.cdx.json").read_text())
    return {part.get("purl", part["name"]): part for part in bom["components"]}


@pytest.mark.parametrize("name", JARS)
def test_each_component_of_an_artefact_is_in_its_bill(folder: Path, name: str) -> None:
    found = components(folder, name)
    parts = listed(text(JARS[name](), LIST))
    assert parts
    for part in parts:
        purl = f"pkg:maven/{part.group}/{part.artifact}@{part.version}"
        path = archive(part).filename
        assert path
        hashes = [{"alg": "SHA-256", "content": digest(Path(path).read_bytes())}]
        assert found[purl]["hashes"] == hashes


def test_what_the_solver_links_statically_is_in_its_bill(folder: Path) -> None:
    native = text(standalone(), META + "licenses/ortools-native/THIRD-PARTY.txt")
    names = {part.name for part in linked_into_libraries(native)}
    assert names
    for name in ("evenweave", "org.evenweave.traffic"):
        assert names <= components(folder, name).keys()


def test_each_library_that_a_daemon_loads_is_of_a_package_in_the_bill(folder: Path) -> None:
    packages = [p for p in components(folder, "host") if p.startswith("pkg:deb/")]
    names = {re.sub(r"pkg:deb/debian/(.*)@.*", r"\1", package) for package in packages}
    for daemon in DAEMONS:
        ldd = subprocess.run(["ldd", program(daemon)], capture_output=True, text=True, check=True)
        for library in re.findall(r"=> (/\S+)", ldd.stdout):
            assert owners(library) & names, library


def owners(library: str) -> set[str]:
    """The packages that have a library, by either of its paths where /usr was merged."""
    path = Path(library).resolve()
    either = [str(path), str(path).removeprefix("/usr")]
    search = ["dpkg-query", "--search", *either]
    found = subprocess.run(search, capture_output=True, text=True, check=False).stdout
    return {line.split(":")[0] for line in found.splitlines()}


def test_each_pinned_python_package_is_in_the_bill(folder: Path) -> None:
    found = components(folder, "python")
    for lock in ("tests", "sim", "docs", "sbom"):
        pinned = (ROOT / lock / "requirements.txt").read_text()
        for name, version in re.findall(r"^([\w.-]+)==(\S+)", pinned, re.MULTILINE):
            purl = f"pkg:pypi/{name.lower().replace('_', '-')}@{version}"
            assert found[purl]["hashes"], purl


def test_the_same_artefacts_have_the_same_bills(folder: Path, tmp_path: Path) -> None:
    write(tmp_path)
    for bill in folder.iterdir():
        assert (tmp_path / bill.name).read_bytes() == bill.read_bytes()


def test_what_does_not_follow_the_schema_is_refused(folder: Path) -> None:
    bom = json.loads((folder / "host.cdx.json").read_text())
    check(json.dumps(bom), "host")
    del bom["components"][0]["name"]
    with pytest.raises(SbomError, match="host does not follow CycloneDX's schema"):
        check(json.dumps(bom), "host")
