"""What all bills of materials have in common: product, schema, and the same bytes each time."""

from __future__ import annotations

import hashlib
import uuid
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from datetime import datetime
from functools import cache
from pathlib import Path

from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from cyclonedx.spdx import is_supported_id
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

ROOT = Path(__file__).resolve().parents[2]
_SCHEMA = SchemaVersion.V1_6
_POM = "{http://maven.apache.org/POM/4.0.0}"
# Of the serial numbers, which are made from what a document describes.
_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "https://evenweave.org/sbom")


class SbomError(RuntimeError):
    """No bill of materials can be made; the message says of what, and why."""


def document(product: Component, components: Iterable[Component]) -> Bom:
    """The bill of materials of a product that contains the components, or depends on them."""
    parts = sorted(components, key=lambda part: part.bom_ref.value or "")
    bom = Bom(components=parts)
    bom.metadata.component = product
    # The same product has the same bill of materials, also tomorrow.
    bom.metadata.timestamp = datetime.fromisoformat(
        _of_pom("properties/{}project.build.outputTimestamp")
    )
    bom.serial_number = uuid.uuid5(_NAMESPACE, " ".join(map(_identity, [product, *parts])))
    bom.register_dependency(product, parts)
    return bom


def _identity(part: Component) -> str:
    return f"{part.bom_ref.value} {' '.join(sorted(h.content for h in part.hashes))}"


def component(
    name: str,
    version: str | None,
    licenses: Iterable[str],
    *,
    group: str | None = None,
    purl: PackageURL | None = None,
    home: str | None = None,
    sha256: Iterable[str] = (),
    sha512: Iterable[str] = (),
    kind: ComponentType = ComponentType.LIBRARY,
) -> Component:
    """
    licenses: of which one may be chosen, or of its parts; SPDX's names are recognised.
    home: where its sources are found.
    sha256, sha512: of its archives, in hexadecimal digits.
    """
    references = (
        [ExternalReference(type=ExternalReferenceType.WEBSITE, url=XsUri(home))] if home else []
    )
    return Component(
        name=name,
        group=group,
        version=version,
        type=kind,
        purl=purl,
        bom_ref=str(purl) if purl else f"{name}@{version}" if version else name,
        licenses=[_license(each) for each in licenses],
        external_references=references,
        hashes=[
            HashType(alg=algorithm, content=digest)
            for algorithm, digests in (
                (HashAlgorithm.SHA_256, sha256),
                (HashAlgorithm.SHA_512, sha512),
            )
            for digest in digests
        ],
    )


def _license(name: str) -> DisjunctiveLicense:
    return DisjunctiveLicense(id=name) if is_supported_id(name) else DisjunctiveLicense(name=name)


def write(bom: Bom, path: Path) -> None:
    """Writes a bill of materials if it is one by CycloneDX's schema; SbomError if it is not."""
    text = make_outputter(bom, OutputFormat.JSON, _SCHEMA).output_as_string(indent=1)
    check(text, path.name)
    path.write_text(text + "\n")


def check(text: str, name: str) -> None:
    """Raises SbomError unless the text is a bill of materials by CycloneDX's schema."""
    if error := JsonStrictValidator(_SCHEMA).validate_str(text):
        raise SbomError(f"{name} does not follow CycloneDX's schema: {error}")


def digest(content: bytes) -> str:
    """SHA-256 in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


@cache
def product_version() -> str:
    """Evenweave's."""
    return _of_pom("properties/{}revision")


@cache
def _of_pom(path: str) -> str:
    found = ElementTree.parse(ROOT / "pom.xml").findtext(_POM + path.replace("{}", _POM))
    assert found, f"pom.xml has {path}"
    return found
