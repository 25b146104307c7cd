"""Processors that processes may use, and processes that all others come before."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from evenweave_testbed.cores import keep_to, used_s
from evenweave_testbed.sdd.priority import start_last


@pytest.fixture
def waiting():
    with start_last(["cat"], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


def test_a_process_keeps_to_its_cores(waiting):
    core = min(os.sched_getaffinity(0))
    keep_to(waiting.pid, [core])
    assert os.sched_getaffinity(waiting.pid) == {core}


def test_a_process_that_starts_last_has_the_lowest_weight_in_a_session_of_its_own(waiting):
    assert os.getpriority(os.PRIO_PROCESS, waiting.pid) == 19
    assert os.getsid(waiting.pid) == waiting.pid
    weight = Path(f"/proc/{waiting.pid}/autogroup")
    assert not weight.exists() or weight.read_text().split()[-1] == "19"


def test_used_time_only_grows():
    before = used_s(os.getpid())
    while used_s(os.getpid()) == before:
        pass
    assert used_s(os.getpid()) > before
