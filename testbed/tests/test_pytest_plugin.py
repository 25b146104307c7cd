"""What the plugin promises of two workers (pytest-xdist)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import evenweave_testbed
import evenweave_topos

_CONFTEST = """
from evenweave_testbed.pytest_plugin import (  # noqa: F401
    pytest_cmdline_main, pytest_collection_modifyitems, pytest_configure
)
"""
_REAL_TIME = """
import pytest

pytestmark = pytest.mark.real_time
"""
_MODULE = """
import os
from pathlib import Path

import pytest

@pytest.mark.parametrize("number", range(8))
def test_one(number):
    Path(__file__).with_suffix(f".{number}").write_text(os.environ["PYTEST_XDIST_WORKER"])
"""


def test_the_tests_of_a_module_share_a_worker(tmp_path: Path):
    workers = workers_of(tmp_path, dict.fromkeys("abcd", _MODULE))
    assert [len(of_module) for of_module in workers] == [1, 1, 1, 1]
    assert set.union(*workers) == {"gw0", "gw1"}


def test_all_modules_with_real_time_threads_share_a_worker(tmp_path: Path):
    texts = {name: _MODULE + _REAL_TIME * (name in "bd") for name in "abcd"}
    _, b, _, d = workers_of(tmp_path, texts)
    assert b == d and len(b) == 1


def workers_of(folder: Path, texts: dict[str, str]) -> list[set[str]]:
    """The workers that ran each module's tests."""
    (folder / "conftest.py").write_text(_CONFTEST)
    for name, text in texts.items():
        (folder / f"test_{name}.py").write_text(text)
    folders = [str(Path(p.__path__[0]).parent) for p in (evenweave_testbed, evenweave_topos)]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-m", "not fabric"]
    command += ["-n", "2", "--dist", "loadgroup", "--no-loadscope-reorder", str(folder)]
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(folders)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return [{p.read_text() for p in folder.glob(f"test_{name}.[0-9]*")} for name in texts]
