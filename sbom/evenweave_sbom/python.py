"""The bills of materials of the Python packages of tests, simulations and documentation, by the
files that pin their versions and hashes, and of the wheel."""

from __future__ import annotations

import re
import tomllib

from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from packageurl import PackageURL
from pip_requirements_parser import InstallRequirement, RequirementsFile

from evenweave_sbom.document import ROOT, SbomError, component, document, product_version

LOCKS = ("tests", "sim", "docs", "sbom", "app/web", "python")
"""The folders whose requirements.txt is installed."""

_WHEEL = ROOT / "packaging/files/pyproject.toml.in"


def bom() -> Bom:
    """SbomError if a package is not pinned, or has no hash."""
    packages: dict[str, Component] = {}
    for folder in LOCKS:
        lock = ROOT / folder / "requirements.txt"
        for requirement in RequirementsFile.from_file(str(lock)).requirements:
            packages[str(requirement.name)] = _package(requirement, f"{folder}/{lock.name}")
    product = component(
        "evenweave-tests", product_version(), ["Apache-2.0"], kind=ComponentType.APPLICATION
    )
    return document(product, packages.values())


def wheel() -> Bom:
    """What the wheel needs; whoever installs it chooses the versions."""
    project = tomllib.loads(_WHEEL.read_text())["project"]
    optional = project["optional-dependencies"].values()
    needed = [name for names in (project["dependencies"], *optional) for name in names]
    names = [re.split(r"[^\w.-]", name)[0] for name in needed]
    version = product_version()
    product = component(
        "evenweave", version, ["Apache-2.0"], purl=PackageURL("pypi", None, "evenweave", version)
    )
    parts = [component(name, None, [], purl=PackageURL("pypi", None, name)) for name in names]
    return document(product, parts)


def _package(requirement: InstallRequirement, lock: str) -> Component:
    version, hashes = requirement.get_pinned_version, requirement.hash_options
    if not version or not hashes:
        raise SbomError(f"{lock}: {requirement.name} has no version or no hash")
    digests = [each.removeprefix("sha256:") for each in hashes]
    purl = PackageURL("pypi", None, str(requirement.name), version)
    return component(str(requirement.name), version, [], purl=purl, sha256=digests)
