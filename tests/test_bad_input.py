"""Bad input: one clear error, a status that means something, nothing started."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest
from runtimes import CONTROLLER, ROOT

from conftest import HANG_S, run_command
from evenweave_topos.fabric_file import IMBALANCED_3X3

NOBODY = 65534


@pytest.fixture(autouse=True)
def nobody_else_listens(live_fabric):
    """The controllers here listen where the live fabric's would."""
    live_fabric.close()


@pytest.fixture
def faulty(tmp_path):
    """Writes the 3x3 fabric with one change to a file."""

    def write(change) -> Path:
        fabric = json.loads(IMBALANCED_3X3.read_text())
        change(fabric)
        path = tmp_path / "fabric.json"
        path.write_text(json.dumps(fabric))
        return path

    return write


def negative_capacity(fabric):
    fabric["links"][3]["bps"] = -1


def missing_switch(fabric):
    fabric["links"][3]["b"] = "s9-9/1"


def unknown_field(fabric):
    fabric["switches"][0]["colour"] = "red"


def groups_that_cannot_fit(fabric):
    fabric["switches"][0]["table"] = 15


def assert_one_error(done: subprocess.CompletedProcess, said: str) -> None:
    """One line that says what is wrong, at most one more that says where to read on."""
    first, *more = done.stderr.splitlines()
    assert said in first
    assert more in ([], ["Try: evenweave controller --help"])
    assert done.stdout == ""


@pytest.mark.core_cases(1)
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            negative_capacity,
            "links[3].bps: must be a positive whole number of bits per second below 2^63, not -1",
        ),
        (missing_switch, 'links[3].b: no switch "s9-9" in switches'),
        (unknown_field, "switches[0].colour: unknown field"),
        (
            groups_that_cannot_fit,
            "s1-0: its 1 group needs at least 16 multipath table entries",
        ),
    ],
)
def test_a_fabric_that_cannot_be_is_refused_with_the_fields_path(faulty, change, said):
    done = run_command([*CONTROLLER, "--fabric", str(faulty(change))])
    assert done.returncode == 2
    assert_one_error(done, said)


def test_a_file_that_is_not_there_or_not_json_is_named(tmp_path):
    missing = tmp_path / "none.json"
    assert f"{missing}: no such file" in run_command([*CONTROLLER, "--fabric", str(missing)]).stderr
    broken = tmp_path / "broken.json"
    broken.write_text('{"switches": [')
    done = run_command([*CONTROLLER, "--fabric", str(broken)])
    assert done.returncode == 2
    assert_one_error(done, f"{broken}: configuration: is not JSON")


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("option", ["--openflow", "--http"])
def test_a_port_in_use_is_named_with_the_option_that_changes_it(option):
    other = "--http" if option == "--openflow" else "--openflow"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        done = run_command([*CONTROLLER, option, address, other, "127.0.0.1:0"])
    assert done.returncode == 1
    assert_one_error(done, f"{address} is already in use")
    assert option in done.stderr


@pytest.mark.extended
def test_a_controller_that_cannot_say_that_it_is_ready_ends():
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*CONTROLLER, "--openflow", "127.0.0.1:0", "--http", "127.0.0.1:0"],
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=HANG_S, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert "the ready line cannot be written" in done.stderr


@pytest.mark.extended
def test_without_a_standard_input_a_tool_reads_no_other_file():
    done = run_command(["bash", "-c", 'exec "$0" schedule <&-', str(ROOT / "evenweave")])
    assert (done.returncode, done.stdout) == (1, "")
    # Before that it may say that it waits for a build.
    assert done.stderr.splitlines()[-1] == "evenweave schedule: Bad file descriptor"


@pytest.mark.extended
def test_without_a_standard_error_statuses_are_the_same():
    done = run_command(["bash", "-c", 'exec "$0" dmeo 2>&-', str(ROOT / "evenweave")])
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


def test_an_unknown_command_is_bad_use(evenweave):
    done = evenweave("dmeo")
    assert done.returncode == 2
    assert 'no command "dmeo"' in done.stderr


@pytest.fixture
def readable_by_all():
    """A folder with a copy of the test bed, for users who may not enter the project's folder."""
    with tempfile.TemporaryDirectory() as directory:
        copy = Path(directory)
        for folder in ("python", "mininet-topos", "testbed", "docs/schema"):
            shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns(".*"))
        copy.chmod(0o755)
        yield copy


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become somebody who is not")
def test_the_demo_without_root_says_so_and_starts_nothing(readable_by_all):
    command = [
        *("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"),
        *("/usr/bin/python3", "-m", "evenweave_testbed.demo", "--controller-command", "true"),
    ]
    packages = [str(readable_by_all / folder) for folder in ("python", "mininet-topos", "testbed")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(packages)}
    environment.pop("EVENWEAVE_RUN_DIRECTORY", None)
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        env=environment,
        cwd="/",
        timeout=HANG_S,
        check=False,
    )
    assert done.returncode == 2
    assert "root" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (readable_by_all / ".run").exists()


@pytest.mark.extended
@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become somebody who is not")
@pytest.mark.parametrize("command", [["demo"], ["demo", "edge"]])
def test_the_demos_of_another_users_tree_are_one_error_without_root(command, readable_by_all):
    shutil.copy(ROOT / "evenweave", readable_by_all)
    done = subprocess.run(
        [
            *("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"),
            *(str(readable_by_all / "evenweave"), *command),
        ],
        capture_output=True,
        text=True,
        cwd="/",
        timeout=HANG_S,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "evenweave: needs root: it makes network namespaces\n"
    assert not (readable_by_all / "target").exists()


def test_without_onos_the_demo_on_it_says_where_to_get_it(evenweave, monkeypatch, tmp_path):
    monkeypatch.setenv("ONOS_HOME", str(tmp_path))
    done = evenweave("demo", "--onos")
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"onos: {tmp_path} holds no ONOS 2.7.0: get onos-2.7.0.tar.gz from ")
    assert "set ONOS_HOME" in line
