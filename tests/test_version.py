"""One version for everything that is built: the property "revision" of pom.xml."""

from __future__ import annotations

import re
import subprocess
import zipfile
from collections.abc import Sequence

import pytest
from runtimes import ROOT

from evenweave_testbed.sdd.build import program

JAR = ROOT / "app/standalone/target/evenweave.jar"


def release() -> str:
    (version,) = re.findall("<revision>(.*)</revision>", (ROOT / "pom.xml").read_text())
    return version


def printed(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("argument", ["version", "--version"])
def test_command_prints_the_version(argument: str) -> None:
    assert printed(str(ROOT / "evenweave"), argument) == f"evenweave {release()}\n"


def test_jar_prints_the_version() -> None:
    assert printed("java", "-jar", str(JAR), "--version") == f"evenweave {release()}\n"


@pytest.mark.parametrize("daemon", ["evenweave-edge", "sdd-host", "circuit-switch"])
def test_daemon_prints_the_version(daemon: str) -> None:
    assert printed(str(program(daemon)), "--version") == f"{daemon} {release()}\n"


@pytest.mark.parametrize("module", ["onos", "onos-traffic"])
def test_application_for_onos_has_the_version(module: str) -> None:
    path = ROOT / f"app/{module}/target/evenweave-{module}-{release()}.oar"
    with zipfile.ZipFile(path) as application:
        assert f'version="{release()}"' in application.read("app.xml").decode()


def test_every_module_takes_the_version_from_the_property() -> None:
    poms: Sequence[str] = printed("git", "-C", str(ROOT), "ls-files", "*pom.xml").split()
    for pom in poms:
        text = (ROOT / pom).read_text()
        ours = re.findall(r"<artifactId>evenweave</artifactId>\s*<version>(.*)</version>", text)
        assert ours == ["${revision}"], pom
