"""What the application for ONOS has to carry, since ONOS has none of it."""

from __future__ import annotations

import json
import re
import subprocess

import pytest
from artefacts import onos_bundle, standalone
from jvm import JAVA
from runtimes import JAR

# A bundle with a web application has its classes there.
CLASSES = "WEB-INF/classes/"
PAGE = "org/evenweave/web/page/"
EXPANSION = {"kind": "group", "s1": 6, "s2": 6, "uplinks": 8, "downlinks": 8}
LIBRARIES = ("org.evenweave.striping.", "org.jgrapht.", "org.jheaps.")


def test_both_runtimes_have_the_same_page() -> None:
    ours, theirs = standalone(), onos_bundle("app/onos")
    names = {name for name in ours.namelist() if name.startswith(PAGE) and not name.endswith("/")}
    assert PAGE + "index.html" in names
    assert {name.rpartition(".")[2] for name in names} >= {"html", "js", "css"}
    for name in names:
        assert theirs.read(CLASSES + name) == ours.read(name), name


def test_the_bundle_imports_no_annotations() -> None:
    """ONOS has none of them in the versions of today, and would not start the application."""
    manifest = onos_bundle("app/onos").read("META-INF/MANIFEST.MF").decode()
    imports = re.search(r"^Import-Package: (.*)$", re.sub(r"\r?\n ", "", manifest), re.MULTILINE)
    assert imports is not None
    assert "org.onosproject.net" in imports[1]
    assert "annotation" not in imports[1]


@pytest.mark.parametrize("added", [{"addS1": 3}, {"addS2": 2}])
def test_an_expansion_needs_no_class_that_the_bundle_lacks(added: dict[str, int]) -> None:
    request = EXPANSION | added
    loaded = subprocess.run(
        [*JAVA, "-Xlog:class+load=info:stderr", "-jar", str(JAR), "stripe"],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        check=True,
    )
    assert '"steps"' in loaded.stdout
    words = {word for line in loaded.stderr.splitlines() for word in line.split()}
    needed = {
        name.replace(".", "/") + ".class"
        for name in words
        if name.startswith(LIBRARIES) and "Lambda" not in name
    }
    assert len(needed) > 40
    there = {name.removeprefix(CLASSES) for name in onos_bundle("app/onos").namelist()}
    assert needed - there == set()
