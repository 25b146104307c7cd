"""What Debian packages promise, as far as their sources show it: units, users, configuration.

tests/test_packages.py installs the packages.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import zipfile
from configparser import RawConfigParser
from pathlib import Path

import pytest
from runtimes import ROOT

from conftest import run_command
from evenweave_topos.fabric_file import IMBALANCED_3X3

DEBIAN = ROOT / "packaging/debian"
UNITS = sorted(DEBIAN.glob("*.service"))
# Above this systemd calls a service exposed; ours have to be well below.
MOST_EXPOSURE = 3.0
CONTAINERFILE = ROOT / "packaging/Containerfile"


class Unit(RawConfigParser):
    """A unit file, in which a key may be there several times: the values are joined."""

    def __init__(self, path: Path) -> None:
        super().__init__(strict=False, interpolation=None)
        self.optionxform = str  # type: ignore[assignment, method-assign]
        self.read(path)


@pytest.fixture(params=UNITS, ids=lambda path: path.stem)
def unit(request: pytest.FixtureRequest) -> Path:
    return request.param


def test_units_run_as_users_of_their_own(unit: Path) -> None:
    user = Unit(unit)["Service"]["User"]
    package = unit.name.partition(".")[0]
    assert user != "root"
    assert re.match(f"u {user} ", (DEBIAN / f"{package}.sysusers").read_text())


def test_units_say_when_they_serve_and_are_started_again(unit: Path) -> None:
    service = Unit(unit)["Service"]
    assert service["Type"] == "notify"
    assert service["Restart"] == "on-failure"


def test_no_core_file_has_keys_or_tokens(unit: Path) -> None:
    assert Unit(unit)["Service"]["LimitCORE"] == "0"


@pytest.mark.parametrize(
    "name", ["evenweave-controller", "evenweave-edge", "evenweave-host.sdd-host"]
)
def test_a_reload_checks_the_configuration_first(name: str) -> None:
    commands = re.findall("^ExecReload=(.*)", (DEBIAN / f"{name}.service").read_text(), re.M)
    assert len(commands) == 2
    assert "--check" in commands[0]
    assert commands[1] == "/bin/kill -HUP $MAINPID"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze")
def test_units_are_sandboxed(unit: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", str(unit)],
        capture_output=True,
        text=True,
        check=True,
    )
    (level,) = re.findall(r"exposure level for \S+: ([0-9.]+)", done.stdout)
    assert float(level) < MOST_EXPOSURE, done.stdout


def test_maintainer_scripts_end_on_errors_and_pass_on_what_debhelper_adds() -> None:
    for kind in ("postinst", "prerm", "postrm"):
        for script in DEBIAN.glob(f"*.{kind}"):
            text = script.read_text()
            assert text.startswith("#!/bin/sh\nset -e\n"), script.name
            assert "\n#DEBHELPER#\n" in text, script.name
            subprocess.run(["sh", "-n", str(script)], check=True)


def test_each_package_with_a_user_removes_it_at_purge() -> None:
    for users in DEBIAN.glob("*.sysusers"):
        user = users.read_text().split()[1]
        assert f"userdel {user} " in (DEBIAN / f"{users.stem}.postrm").read_text()


def test_the_container_runs_as_a_user_of_its_own_what_the_controller_accepts(
    tmp_path: Path,
) -> None:
    """The command of the image, with the files that its first lines describe."""
    text = CONTAINERFILE.read_text()
    assert re.search(r"^USER [1-9]\d*$", text, re.M)
    command = json.loads(re.search(r"^CMD (\[.*?\])", text.replace("\\\n", ""), re.M | re.S)[1])
    (tmp_path / "fabric.json").write_bytes(IMBALANCED_3X3.read_bytes())
    here = str(tmp_path)
    for arguments in (
        ["keys", "make", f"{here}/keys", "--controller", "c=192.0.2.10", "--switch", "s1=1"],
        ["keys", "token", "alice", "--role", "configure", "--file", f"{here}/access.json"],
        [re.sub("^/(etc|var/log)/evenweave", here, word) for word in [*command, "--check"]],
    ):
        done = run_command([str(ROOT / "evenweave"), *arguments])
        assert done.returncode == 0, done.stderr


def test_the_tools_have_a_manual_page_of_each_command_and_completions() -> None:
    """As made by the commands of the package's rules."""
    rules = (DEBIAN / "rules").read_text()
    installed = (DEBIAN / "evenweave-tools.install").read_text().splitlines()
    assert "\n\tbin/evenweave-for-help man man\n" in rules
    assert (DEBIAN / "evenweave-tools.manpages").read_text() == "man/evenweave*.1\n"
    for shell, made, folder in (
        ("bash", "evenweave", "usr/share/bash-completion/completions"),
        ("zsh", "_evenweave", "usr/share/zsh/vendor-completions"),
        ("fish", "evenweave.fish", "usr/share/fish/vendor_completions.d"),
    ):
        script = f"completion/{shell}/{made}"
        assert f"\tbin/evenweave-for-help completion {shell} > {script}\n" in rules
        assert f"{script} {folder}" in installed


def test_a_part_that_is_not_there_is_named() -> None:
    done = subprocess.run(
        [str(ROOT / "evenweave"), "package", "rpm"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == (
        'evenweave: package has no part "rpm": deb, tar, oar, wheel, container\n'
    )


def test_the_runtime_of_the_archive_keeps_its_licences(tmp_path: Path) -> None:
    options = re.search(r"^  jlink (.*?) --output", (ROOT / "packaging/make").read_text(), re.M)
    assert options
    runtime = tmp_path / "runtime"
    command = ["jlink", *options[1].split(), "--output", str(runtime), "--add-modules", "java.base"]
    subprocess.run(command, check=True, capture_output=True)
    text = (runtime / "legal/java.base/LICENSE").read_text(errors="replace")
    assert "The GNU General Public License (GPL)" in text
    assert '"CLASSPATH" EXCEPTION TO THE GPL' in text


@pytest.mark.extended  # pip of Debian, which only the tools for packages bring
def test_the_wheel_has_licence_and_notice() -> None:
    done = run_command([str(ROOT / "packaging/make"), "1.0.0", "wheel"])
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(ROOT / "target/packages/evenweave-1.0.0-py3-none-any.whl") as wheel:
        for name in ("LICENSE", "NOTICE"):
            assert wheel.read(f"evenweave-1.0.0.dist-info/{name}") == (ROOT / name).read_bytes()
