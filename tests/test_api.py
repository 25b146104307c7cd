"""The running controller against the description that it serves, as Schemathesis tries it: with
all of its checks. It prints the seed; what it draws may depend on answers before."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from runtimes import ROOT
from sdd_controller import configure, running_controller

from evenweave_testbed.sdd.pki import Authority
from evenweave_topos.fabric_file import IMBALANCED_3X3

SCHEMATHESIS = Path(sys.executable).with_name("schemathesis")
CONFIG = ROOT / "tests/schemathesis.toml"


@pytest.fixture
def server(authority: Authority, tmp_path: Path) -> Iterator[str]:
    """A controller with a fabric and an SDD controller."""
    config = configure(authority, tmp_path, listen="127.0.0.1:0")
    with running_controller(config, tmp_path, fabric=IMBALANCED_3X3) as controller:
        yield controller.rest.removesuffix("/evenweave")


def try_all(server: str, folder: Path, seed: int, examples: int, *options: str) -> None:
    # Below /evenweave, it would leave the operation out that it read the description by.
    command = [SCHEMATHESIS, "--config-file", CONFIG, "run", f"{server}/openapi.json"]
    command += ["--seed", str(seed), "--max-examples", str(examples), *options]
    command += ["--request-timeout", "60"]  # Of a busy machine, and the default is 10.
    # Nothing is kept: what one run found must not change what another tries.
    command += ["--generation-database", "none", "--no-color"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    print(done.stdout, done.stderr)
    print((folder / "controller.log").read_text()[-2000:])
    assert done.returncode == 0
    # All of them, and no phase was left out without a word.
    assert re.search(r"Selected: (\d+)/\1\n +Tested: \1\n", done.stdout)


def test_every_operation_answers_as_described(server, tmp_path):
    # The only phase that tries the same, whatever was answered before.
    try_all(server, tmp_path, 1, 10, "--phases", "coverage")


@pytest.mark.extended
@pytest.mark.parametrize("seed", [2, 3])
def test_every_operation_answers_as_described_to_many_requests(server, tmp_path, seed):
    try_all(server, tmp_path, seed, examples=100)


@pytest.mark.extended
def test_every_operation_of_an_sdd_controller_alone_answers_as_described(authority, tmp_path):
    config = configure(authority, tmp_path, listen="127.0.0.1:0")
    with running_controller(config, tmp_path) as controller:
        try_all(controller.rest.removesuffix("/evenweave"), tmp_path, seed=4, examples=50)
