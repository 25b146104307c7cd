"""The bills of materials name what the artefacts contain, and nothing that is made up."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from artefacts import LIST, META, archive, onos_bundle, standalone, text
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component
from runtimes import ROOT

from evenweave_sbom import java
from evenweave_sbom.__main__ import bills
from evenweave_sbom.document import SbomError, check, digest, write
from evenweave_sbom.third_party import linked_into_libraries, listed
from evenweave_testbed.sdd.build import program

JARS = {
    "evenweave": standalone,
    "org.evenweave.app": lambda: onos_bundle("app/onos"),
    "org.evenweave.traffic": lambda: onos_bundle("app/onos-traffic"),
}
DAEMONS = ["evenweave-edge", "sdd-host", "circuit-switch"]
# Of the Java runtime in the archive, which has no bill: it is what the machine that builds has.
OF_THE_RUNTIME = "GPL-2.0-only WITH Classpath-exception-2.0"


@pytest.fixture(scope="module")
def boms() -> dict[str, Bom]:
    """What the command writes; checking it against the schema takes most of its time."""
    return bills([program(daemon) for daemon in DAEMONS])


def components(boms: dict[str, Bom], name: str) -> dict[str, Component]:
    """By package URL, or by name."""
    return {str(part.purl or part.name): part for part in boms[name].components}


def digests(part: Component) -> list[str]:
    return [each.content for each in part.hashes]


def accepted() -> set[str]:
    lines = (ROOT / "sbom/accepted-licences.txt").read_text().splitlines()
    return {line for line in lines if not line.startswith("#")}


def test_each_component_that_is_shipped_has_an_accepted_licence(boms: dict[str, Bom]) -> None:
    used = {OF_THE_RUNTIME}
    for name in (*JARS, "host"):
        for part in boms[name].components:
            # Shared libraries are the system's.
            if not str(part.purl).startswith("pkg:deb/"):
                names = {getattr(each, "id", None) for each in part.licenses} & accepted()
                assert names, f"{name}: {part.name} has {[str(each) for each in part.licenses]}"
                used |= names
    assert used == accepted(), "a licence is accepted that nothing has"


def test_the_page_lists_the_accepted_licences() -> None:
    page = (ROOT / "docs/reference/licences.md").read_text()
    (section,) = re.findall(r"^## Which licences are accepted\n(.*?)^## ", page, re.M | re.S)
    assert set(re.findall(r"^\| `(.+?)` \|", section, re.M)) == accepted()


@pytest.mark.parametrize("name", JARS)
def test_each_component_of_an_artefact_is_in_its_bill(boms: dict[str, Bom], name: str) -> None:
    found = components(boms, name)
    parts = listed(text(JARS[name](), LIST))
    assert parts
    for part in parts:
        purl = f"pkg:maven/{part.group}/{part.artifact}@{part.version}"
        path = archive(part).filename
        assert path
        assert digests(found[purl]) == [digest(Path(path).read_bytes())]


def test_what_the_solver_links_statically_is_in_its_bill(boms: dict[str, Bom]) -> None:
    native = text(standalone(), META + "licenses/ortools-native/THIRD-PARTY.txt")
    names = {part.name for part in linked_into_libraries(native)}
    assert names
    for name in ("evenweave", "org.evenweave.traffic"):
        assert names <= components(boms, name).keys()


def test_each_library_that_a_daemon_loads_is_of_a_package_in_the_bill(boms: dict[str, Bom]) -> None:
    packages = [p for p in components(boms, "host") if p.startswith("pkg:deb/")]
    names = {re.sub(r"pkg:deb/debian/(.*)@.*", r"\1", package) for package in packages}
    libraries = set()
    for daemon in DAEMONS:
        ldd = subprocess.run(["ldd", program(daemon)], capture_output=True, text=True, check=True)
        libraries |= {Path(found).resolve() for found in re.findall(r"=> (/\S+)", ldd.stdout)}
    assert len(libraries) > 3
    listings = ["dpkg-query", "--listfiles", *sorted(names)]
    files = subprocess.run(listings, capture_output=True, text=True, check=True).stdout.split("\n")
    # Packages name files by the path before /usr was merged, others by that after.
    owned = {path.removeprefix("/usr") for path in files}
    assert {str(path) for path in libraries if str(path).removeprefix("/usr") not in owned} == set()


def test_each_pinned_python_package_is_in_the_bill(boms: dict[str, Bom]) -> None:
    found = components(boms, "python")
    for lock in ("tests", "sim", "docs", "sbom", "app/web", "python"):
        pinned = (ROOT / lock / "requirements.txt").read_text()
        for name, version in re.findall(r"^([\w.-]+)==(\S+)", pinned, re.MULTILINE):
            purl = f"pkg:pypi/{name.lower().replace('_', '-')}@{version}"
            assert digests(found[purl]), purl


def test_what_the_page_contains_is_in_the_bills_of_what_contains_the_page(
    boms: dict[str, Bom],
) -> None:
    pinned = json.loads((ROOT / "app/web/package.json").read_text())
    for name, version in pinned["dependencies"].items():
        purl = f"pkg:npm/{name}@{version}"
        for artefact in ("evenweave", "org.evenweave.app", "page"):
            assert digests(components(boms, artefact)[purl])
    assert not any(p.startswith("pkg:npm/") for p in components(boms, "org.evenweave.traffic"))
    for name, version in pinned["devDependencies"].items():
        purl = f"pkg:npm/{name}@{version}"
        assert purl in components(boms, "page")
        assert purl not in components(boms, "evenweave")


def test_what_the_wheel_needs_is_in_its_bill_with_the_release(boms: dict[str, Bom]) -> None:
    assert set(components(boms, "wheel")) == {"pkg:pypi/jsonschema", "pkg:pypi/matplotlib"}
    product = boms["wheel"].metadata.component
    assert product and re.fullmatch(r"\d+\.\d+\.\d+", product.version or "")


def test_a_bill_follows_the_schema_and_what_does_not_is_refused(
    boms: dict[str, Bom], tmp_path: Path
) -> None:
    path = tmp_path / "app.cdx.json"
    write(boms["org.evenweave.app"], path)
    bom = json.loads(path.read_text())
    del bom["components"][0]["name"]
    with pytest.raises(SbomError, match="app does not follow CycloneDX's schema"):
        check(json.dumps(bom), "app")


def test_an_archive_with_another_hash_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lines = java.LOCK.read_text().splitlines()
    changed = next(line for line in lines if "org.agrona:agrona" in line)
    other = tmp_path / "maven.sha256"
    other.write_text(java.LOCK.read_text().replace(changed, "0" * 64 + changed[64:]))
    monkeypatch.setattr(java, "LOCK", other)
    with pytest.raises(SbomError, match=r"^org.agrona:agrona:\S+ has the SHA-256 .*, not 000"):
        java.bom(java.artefacts()["org.evenweave.app"])


@pytest.mark.extended
def test_the_command_writes_the_same_bills_of_the_same_artefacts(tmp_path: Path) -> None:
    for folder in (tmp_path / "a", tmp_path / "b"):
        programs = [f"--program={program(daemon)}" for daemon in DAEMONS]
        command = [sys.executable, "-m", "evenweave_sbom", *programs, str(folder)]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": str(ROOT / "sbom")})
    first = {bill.name: bill.read_bytes() for bill in (tmp_path / "a").iterdir()}
    assert first.keys() == {
        f"{name}.cdx.json" for name in (*JARS, "host", "page", "python", "wheel")
    }
    assert first == {bill.name: bill.read_bytes() for bill in (tmp_path / "b").iterdir()}
