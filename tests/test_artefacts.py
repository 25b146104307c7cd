"""What we ship carries the licences, texts and notices of all that is in it."""

from __future__ import annotations

import fnmatch
import re
import subprocess
import xml.etree.ElementTree as ElementTree
import zipfile

import pytest
from artefacts import (
    LIST,
    META,
    TEXTS,
    archive,
    legal_files,
    onos_bundle,
    standalone,
    text,
)
from runtimes import ROOT

from evenweave_sbom.third_party import listed
from evenweave_testbed.sdd.build import program

ARTEFACTS = {
    "evenweave.jar": standalone,
    "org.evenweave.app": lambda: onos_bundle("app/onos"),
    "org.evenweave.traffic": lambda: onos_bundle("app/onos-traffic"),
}
# Their texts name the copyright holder, so that a text for all will not do.
NAMES_THE_HOLDER = {"BSD-3-Clause", "MIT"}
POM = {"m": "http://maven.apache.org/POM/4.0.0"}
DAEMONS = ["evenweave-edge", "sdd-host", "circuit-switch"]


def test_the_build_accepts_nothing_that_the_list_does_not() -> None:
    accepted = (ROOT / "sbom/accepted-licences.txt").read_text().splitlines()
    assert allowed() and allowed() <= set(accepted)


@pytest.fixture(params=ARTEFACTS)
def artefact(request: pytest.FixtureRequest) -> zipfile.ZipFile:
    return ARTEFACTS[request.param]()


def allowed() -> set[str]:
    """The licences that the build accepts."""
    pom = ElementTree.parse(ROOT / "pom.xml")
    return {e.text for e in pom.iterfind(".//m:includedLicense", POM) if e.text}


def test_artefact_carries_our_own_licence_and_notice(artefact: zipfile.ZipFile) -> None:
    for name in ("LICENSE", "NOTICE"):
        assert artefact.read(META + name) == (ROOT / name).read_bytes()


def test_each_component_has_a_licence_that_is_allowed_and_whose_text_is_there(
    artefact: zipfile.ZipFile,
) -> None:
    there = set(artefact.namelist())
    for component in listed(text(artefact, LIST)):
        chosen = [license for license in component.licenses if license in allowed()]
        assert chosen, component
        own = [n for n in there if n.startswith(f"{META}licenses/{component.artifact}")]
        alike = chosen[0] not in NAMES_THE_HOLDER and f"{TEXTS}{chosen[0]}.txt" in there
        assert alike or any("LICENSE" in name for name in own), component


def test_texts_and_notices_of_components_are_kept_byte_for_byte(artefact: zipfile.ZipFile) -> None:
    kept = {artefact.read(n) for n in artefact.namelist() if n.startswith(META + "licenses/")}
    for component in listed(text(artefact, LIST)):
        for name, content in legal_files(archive(component)).items():
            assert content in kept, f"{component.artifact}: {name}"


def test_each_class_is_ours_or_of_a_listed_component(artefact: zipfile.ZipFile) -> None:
    theirs: set[str] = set()
    for component in listed(text(artefact, LIST)):
        theirs |= set(archive(component).namelist())
    classes = {n.removeprefix("WEB-INF/classes/") for n in artefact.namelist()}
    classes = {n for n in classes if n.endswith(".class") and "org/evenweave/" not in n}
    assert classes - theirs == set()


def test_each_native_library_of_the_solver_is_listed() -> None:
    native = text(standalone(), META + "licenses/ortools-native/THIRD-PARTY.txt")
    patterns = re.findall(r"^(lib\S+) \| ", native, re.MULTILINE)
    libraries = [n.rpartition("/")[2] for n in standalone().namelist() if "ortools-linux" in n]
    libraries = [name for name in libraries if name]
    assert len(libraries) > 50
    assert [n for n in libraries if not any(fnmatch.fnmatch(n, p) for p in patterns)] == []


@pytest.mark.parametrize("daemon", DAEMONS)
def test_daemon_prints_its_licences(daemon: str) -> None:
    printed = subprocess.run(
        [program(daemon), "--licenses"], capture_output=True, text=True, check=True
    ).stdout
    assert (ROOT / "LICENSE").read_text() in printed
    assert (ROOT / "NOTICE").read_text() in printed
    for line in (
        r"DPDK \d.* \| BSD-3-Clause",
        r"Jansson \d.* \| MIT",
        r"libbpf \d.* \| BSD-2-Clause",
    ):
        assert re.search(line, printed)
