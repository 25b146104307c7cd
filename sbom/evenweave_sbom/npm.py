"""The npm packages of the operator's page: what its script contains, and what builds and tests it;
by the lock files, which have the hash of each archive."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator

from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from packageurl import PackageURL

from evenweave_sbom.document import ROOT, SbomError, component, document, product_version

PAGE = "app/web"
LOCKS = (PAGE, "tests/page")
"""The folders whose package-lock.json is installed."""
_MODULES = "node_modules/"


def shipped() -> list[Component]:
    """The packages that the page's script contains."""
    return [found for found, develops in _packages(PAGE) if not develops]


def bom() -> Bom:
    """All packages that build and test the page; SbomError if one has no hash."""
    found = {str(part.purl): part for folder in LOCKS for part, _ in _packages(folder)}
    product = component(
        "evenweave-page", product_version(), ["Apache-2.0"], kind=ComponentType.APPLICATION
    )
    return document(product, found.values())


def _packages(folder: str) -> Iterator[tuple[Component, bool]]:
    """Each with whether it is for development alone."""
    path = ROOT / folder / "package-lock.json"
    for place, entry in json.loads(path.read_text())["packages"].items():
        if not place:
            continue  # the page itself
        name = place.rpartition(_MODULES)[2]
        algorithm, _, digest = entry.get("integrity", "").partition("-")
        if algorithm != "sha512":
            raise SbomError(f"{folder}/{path.name}: {name} has no SHA-512")
        scope, _, bare = name.rpartition("/")
        purl = PackageURL("npm", scope or None, bare, entry["version"])
        licenses = [entry["license"]] if "license" in entry else []
        sha512 = base64.b64decode(digest).hex()
        made = component(bare, entry["version"], licenses, group=scope, purl=purl, sha512=[sha512])
        yield made, entry.get("dev", False)
