"""docs/reference/dependencies.md lists each direct dependency as pinned, and why it is old."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from runtimes import ROOT

PAGE = ROOT / "docs/reference/dependencies.md"
NS = {"m": "http://maven.apache.org/POM/4.0.0"}
# Elements of a POM that name what is fetched.
_FETCHED = ("dependency", "plugin", "path")
_PYTHON = ("tests", "sim", "docs", "sbom", "app/web", "python")
_NPM = ("app/web", "tests/page")


def rows() -> list[tuple[str, str, str, str]]:
    """Name, version, newest version and reason of each row of the page's tables."""
    found = []
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `"):
            name, used, newest, reason = cells
            found.append((name.strip("`"), used, newest, reason))
    return found


def poms() -> list[Path]:
    """Those of the project: builds have copies, and an ONOS that runs meanwhile has its own."""
    found = (path.relative_to(ROOT) for path in ROOT.glob("**/pom.xml"))
    return [ROOT / path for path in found if not _is_made(path)]


def _is_made(path: Path) -> bool:
    return any(part == "target" or part.startswith(".") for part in path.parts)


def properties(pom: ElementTree.Element) -> dict[str, str]:
    return {
        element.tag.partition("}")[2]: element.text or ""
        for element in pom.iterfind("m:properties/*", NS)
    }


def pinned_in_poms() -> set[tuple[str, str]]:
    """Group, artifact and version of what the POMs name, Evenweave's own modules left out."""
    common = properties(ElementTree.parse(ROOT / "pom.xml").getroot())
    found = set()
    for path in poms():
        pom = ElementTree.parse(path).getroot()
        known = common | properties(pom)
        for kind in _FETCHED:
            for element in pom.iterfind(f".//m:{kind}", NS):
                group = element.findtext("m:groupId", "", NS)
                version = element.findtext("m:version", "", NS)
                if reference := re.fullmatch(r"\$\{(.*)\}", version):
                    version = known.get(reference[1], "")
                if version and group != "org.evenweave":
                    name = f"{group}:{element.findtext('m:artifactId', '', NS)}"
                    found.add((name, version))
        for element in pom.iterfind(".//m:googleJavaFormat/m:version", NS):
            found.add(("com.google.googlejavaformat:google-java-format", element.text or ""))
    return found


def pinned_in_python() -> set[tuple[str, str]]:
    """What the projects ask for themselves; what these packages need is in requirements.txt."""
    found = set()
    for folder in _PYTHON:
        for line in (ROOT / folder / "requirements.in").read_text().splitlines():
            # Below this line in sim/ is what Snakemake needs.
            if line.startswith("# What Snakemake needs"):
                break
            if pin := re.fullmatch(r"([\w.-]+)(?:\[.*\])?==(\S+)", line):
                found.add((pin[1], pin[2]))
    return found


def pinned_in_npm() -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for folder in _NPM:
        package = json.loads((ROOT / folder / "package.json").read_text())
        for kind in ("dependencies", "devDependencies"):
            found |= set(package.get(kind, {}).items())
    return found


def test_lock_files_of_npm_are_exact_and_name_no_registry() -> None:
    for folder in _NPM:
        package = json.loads((ROOT / folder / "package.json").read_text())
        lock = json.loads((ROOT / folder / "package-lock.json").read_text())
        pinned = package.get("dependencies", {}) | package.get("devDependencies", {})
        for name, version in pinned.items():
            assert lock["packages"][f"node_modules/{name}"]["version"] == version
        for name, entry in lock["packages"].items():
            assert "resolved" not in entry, f"{folder}: {name}"
            assert not name or "integrity" in entry, f"{folder}: {name}"


def test_the_page_lists_each_dependency_as_it_is_pinned() -> None:
    listed = {(name, used) for name, used, _newest, _reason in rows()}
    pinned = pinned_in_poms() | pinned_in_python() | pinned_in_npm()
    assert listed - pinned == set(), "no longer pinned so"
    assert pinned - listed == set(), "not on the page"


def test_each_dependency_that_is_not_the_newest_has_a_reason() -> None:
    for name, used, newest, reason in rows():
        assert bool(reason) == (used != newest), f"{name} {used}"
