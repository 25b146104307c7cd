"""Builds in one tree take turns, those of ./evenweave (flock) and those of the test bed alike."""

from __future__ import annotations

import subprocess

from evenweave_testbed.build_lock import build_lock


def test_the_lock_keeps_a_command_of_the_shell_out_until_it_is_let_go(tmp_path):
    take = ["flock", "--nonblock", str(tmp_path), "true"]
    with build_lock(tmp_path):
        assert subprocess.run(take, check=False).returncode == 1
    assert subprocess.run(take, check=False).returncode == 0


def test_commands_that_only_use_a_build_keep_out_one_that_builds_but_not_each_other(tmp_path):
    take = ["flock", "--nonblock", str(tmp_path), "true"]
    with build_lock(tmp_path, to_write=False):
        with build_lock(tmp_path, to_write=False):
            pass
        assert subprocess.run(take, check=False).returncode == 1
        assert subprocess.run(["flock", "--shared", *take[1:]], check=False).returncode == 0
