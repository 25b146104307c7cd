"""The folder of evenweave-edge on a machine where isolated runs hide it."""

import subprocess
import sys
from pathlib import Path

import pytest

from evenweave_testbed import left_edge_files

pytestmark = pytest.mark.fabric

RUN = """
import sys
from pathlib import Path
from evenweave_testbed import left_edge_files
left_edge_files.hide(folder := Path(sys.argv[1]))
(folder / "7-e0.lock").touch()
print("hidden", flush=True)
sys.stdin.read()
print(*(file.name for file in folder.iterdir()))
left_edge_files.remove_folder(folder)  # as a run inside this one would
print(folder.exists())
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "evenweave-edge"


def test_a_folder_that_a_run_has_hidden_goes_with_the_last_run(folder: Path):
    private = ["unshare", "--mount", "--propagation", "private"]
    runs = [
        subprocess.Popen(
            [*private, sys.executable, "-c", RUN, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for run in runs:
        assert run.stdout.readline() == "hidden\n"
    for run in runs:
        assert list(folder.iterdir()) == []
        left_edge_files.remove_folder(folder)
        left_edge_files.remove(folder)
        assert folder.exists()
        said, _ = run.communicate()
        assert said == "7-e0.lock\nTrue\n", "another run's end takes nothing away"
    left_edge_files.remove_folder(folder)
    assert not folder.exists()


def test_a_folder_with_files_stays(folder: Path):
    folder.mkdir()
    (folder / "7-e0.lock").touch()
    left_edge_files.remove_folder(folder)
    assert folder.exists()


def test_a_folder_that_is_not_there_needs_no_removal(folder: Path):
    left_edge_files.remove_folder(folder)
