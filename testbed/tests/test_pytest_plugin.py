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
_MODULE = """
import os
from pathlib import Path

import pytest

@pytest.mark.parametrize("number", range(8))
def test_one(number):
    Path(__file__).with_suffix(f".{number}").write_text(os.environ["PYTEST_XDIST_WORKER"])
"""


def test_the_tests_of_a_module_share_a_worker(tmp_path: Path):
    (tmp_path / "conftest.py").write_text(_CONFTEST)
    modules = [tmp_path / f"test_{name}.py" for name in "abcd"]
    for module in modules:
        module.write_text(_MODULE)
    folders = [str(Path(p.__path__[0]).parent) for p in (evenweave_testbed, evenweave_topos)]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-m", "not fabric"]
    command += ["-n", "2", "--dist", "loadgroup", "--no-loadscope-reorder", str(tmp_path)]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(folders)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    workers = [{p.read_text() for p in tmp_path.glob(f"{m.stem}.[0-9]")} for m in modules]
    assert [len(of_module) for of_module in workers] == [1] * len(modules)
    assert set.union(*workers) == {"gw0", "gw1"}
