"""The client of running controllers, as an operator types it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from runtimes import CONTROLLER, ROOT

from evenweave_testbed.credentials import Credentials
from evenweave_testbed.polling import EVENT_LIMIT_S

NOBODY = "http://127.0.0.1:1"


def client(*arguments: str, server: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [str(ROOT / "evenweave"), *arguments, "--server", server],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=os.environ | environment,
    )


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    command = [*CONTROLLER, "--openflow", "127.0.0.1:0", "--http", "127.0.0.1:0"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout
        yield json.loads(process.stdout.readline())["http"]
    finally:
        process.terminate()
        process.wait()


def test_exit_codes_tell_a_degraded_fabric_from_a_controller_that_is_not_there(server):
    status = client("status", server=server)
    assert status.returncode == 4
    assert status.stdout.startswith("state     degraded")
    assert "no fabric is configured" in status.stdout
    gone = client("status", server=NOBODY)
    assert (gone.returncode, gone.stdout) == (3, "")
    assert gone.stderr == (
        f"evenweave status: the controller at {NOBODY}/evenweave cannot be reached: "
        "choose another with --server or --profile\n"
    )


def test_a_configuration_is_checked_compared_and_applied(server, tmp_path):
    fabric = str(ROOT / "mininet-topos/fabrics/imbalanced_3x3.json")
    dry = client("config", "apply", "--dry-run", fabric, server=server)
    assert (dry.returncode, dry.stderr) == (0, "")
    assert "+ switches[s1-0]: " in dry.stdout
    assert client("config", "get", server=server).stdout.count('"id"') == 0
    assert client("config", "apply", fabric, server=server).returncode == 0
    same = client("config", "diff", fabric, server=server)
    assert (same.returncode, same.stdout) == (0, "Nothing differs.\n")


@pytest.mark.extended
def test_manual_pages_are_well_formed(tmp_path: Path):
    made = subprocess.run([str(ROOT / "evenweave"), "man", str(tmp_path)], capture_output=True)
    assert made.returncode == 0
    pages = sorted(tmp_path.glob("*.1"))
    assert len(pages) > 20
    done = subprocess.run(
        ["groff", "-man", "-ww", "-z", *map(str, pages)], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.extended
@pytest.mark.fabric
def test_a_switch_of_a_live_fabric_is_drained_and_put_back(fabric, tmp_path: Path):
    """With the profile that ONOS's operators need; the embedded controller ignores its log-in."""
    controller = fabric.controller
    onos = Credentials.of_onos()
    profile = {"server": controller.base, "user": onos.user, "password": onos.password}
    file = tmp_path / "evenweave/profiles.json"
    file.parent.mkdir()
    file.touch(0o600)
    file.write_text(json.dumps({"profiles": {"live": profile}}))

    def ask(*arguments: str) -> subprocess.CompletedProcess:
        words = [*arguments, "--profile", "live"]
        return client(*words, server=controller.base, XDG_CONFIG_HOME=str(tmp_path))

    assert ask("status").stdout.startswith("state     converged")
    drained = ask("drain", "s2-1")
    assert (drained.returncode, drained.stdout) == (0, "EXCLUDED\ns2-1\n")
    assert "s2-1" not in ask("paths", "s1-0", "s1-2").stdout
    back = ask("undrain", "s2-1")
    assert (back.returncode, back.stdout) == (0, "Nothing is excluded.\n")
    controller.wait(lambda s: s["converged"], "convergence", EVENT_LIMIT_S)
    assert ask("verify-fabric").returncode == 0
