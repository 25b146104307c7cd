"""The lab's command line; tests/test_pages.py runs the lab itself."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--controller-command"),
        (["--controller-command", "x", "--fabric", "/nowhere"], "/nowhere: No such file"),
        (["--controller-command", "x", "--colour"], "unrecognized arguments: --colour"),
    ],
)
def test_bad_use_ends_with_status_2_one_message_and_no_output(arguments, message):
    done = subprocess.run(
        [sys.executable, "-m", "evenweave_testbed.lab", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stdout == ""
