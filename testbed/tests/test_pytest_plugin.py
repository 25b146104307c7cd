"""What the plugin promises of two workers (pytest-xdist)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import evenweave
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


def test_core_cases_are_the_first_and_those_without_a_mark(tmp_path: Path):
    text = """
from pytest import mark

@mark.core_cases(2)
@mark.parametrize("number", range(5))
def test_many(number): pass

@mark.extended
def test_more(): pass

def test_core(): pass
"""
    chosen = run_pytest(tmp_path, {"a": text}, "-v", "-m", "not fabric and not extended")
    assert re.findall(r"::(\S+) PASSED", chosen) == ["test_many[0]", "test_many[1]", "test_core"]


def workers_of(folder: Path, texts: dict[str, str]) -> list[set[str]]:
    """The workers that ran each module's tests."""
    workers = ["-n", "2", "--dist", "loadgroup", "--no-loadscope-reorder"]
    run_pytest(folder, texts, "-m", "not fabric", *workers)
    return [{p.read_text() for p in folder.glob(f"test_{name}.[0-9]*")} for name in texts]


def run_pytest(folder: Path, texts: dict[str, str], *options: str) -> str:
    """What pytest printed of modules of these texts, which must pass."""
    (folder / "conftest.py").write_text(_CONFTEST)
    for name, text in texts.items():
        (folder / f"test_{name}.py").write_text(text)
    packages = (evenweave_testbed, evenweave_topos, evenweave)
    folders = [str(Path(p.__path__[0]).parent) for p in packages]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, str(folder)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(folders)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout
