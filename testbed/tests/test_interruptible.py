"""A program whose result finds no place ends with one line, status 1, and no traceback."""

import os
import subprocess
import sys

import pytest

START = "from evenweave_testbed import interruptible; interruptible.run('bench x', 'program')"


def run(tmp_path, program: str, stdout) -> subprocess.CompletedProcess[str]:
    (tmp_path / "program.py").write_text(program)
    path = os.pathsep.join([str(tmp_path), *sys.path])
    return subprocess.run(
        [sys.executable, "-c", START],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )


@pytest.mark.parametrize("length", [1, 1_000_000])  # held back until the end, and not
def test_a_full_disk_is_one_line_and_status_1(tmp_path, length):
    with open("/dev/full", "w") as full:
        done = run(tmp_path, f"def run():\n    print('x' * {length})\n    return 0\n", full)
    assert done.returncode == 1
    assert done.stderr == "bench x: the result cannot be written: No space left on device\n"


def test_a_file_that_finds_no_place_is_named(tmp_path):
    program = "def run():\n    raise OSError(28, 'No space left on device', 'a/b')\n"
    done = run(tmp_path, program, subprocess.PIPE)
    assert done.returncode == 1
    assert done.stderr == "bench x: a/b cannot be written: No space left on device\n"


def test_other_errors_keep_their_traceback_and_a_status_is_passed_on(tmp_path):
    done = run(tmp_path, "def run():\n    open('/no/such/file')\n", subprocess.PIPE)
    assert done.returncode == 1
    assert "Traceback" in done.stderr
    assert run(tmp_path, "def run():\n    return 3\n", subprocess.PIPE).returncode == 3
