import dataclasses
import os
import signal
import subprocess
import time

import pytest

from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_testbed.processes import ProcessId, children, interrupted_later


@pytest.fixture
def sleeper():
    process = subprocess.Popen(["sleep", "60"])
    yield process
    process.kill()
    process.wait()


def test_a_process_is_alive_until_it_ends(sleeper):
    found = ProcessId.of(sleeper.pid)
    assert found.alive()
    sleeper.kill()
    sleeper.wait()
    assert not found.alive()
    assert ProcessId.of(sleeper.pid) is None


def test_a_zombie_is_not_alive(sleeper):
    found = ProcessId.of(sleeper.pid)
    sleeper.kill()
    deadline = time.monotonic() + EVENT_LIMIT_S
    while found.alive() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert sleeper.returncode is None, "not yet waited for, so it is a zombie now"
    assert not found.alive()


@pytest.mark.parametrize("change", [{"start_ticks": 1}, {"boot": "another"}])
def test_a_process_that_took_over_the_pid_is_never_signalled(sleeper, change):
    earlier = dataclasses.replace(ProcessId.of(sleeper.pid), **change)
    assert not earlier.alive()
    assert earlier.end(((signal.SIGKILL, 1.0),)), "the one that was meant is gone"
    assert sleeper.poll() is None


def test_ending_goes_on_to_the_next_signal_if_one_does_not_do():
    stubborn = subprocess.Popen(
        ["sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1; done"], stdout=subprocess.PIPE
    )
    stubborn.stdout.readline()
    found = ProcessId.of(stubborn.pid)
    assert not found.end(((signal.SIGTERM, 0.2),))
    assert found.end(((signal.SIGTERM, 0.2), (signal.SIGKILL, EVENT_LIMIT_S)))
    assert stubborn.wait() == -signal.SIGKILL
    stubborn.stdout.close()


def test_a_process_survives_a_round_trip_through_json(sleeper):
    found = ProcessId.of(sleeper.pid)
    assert ProcessId.from_json(found.to_json()) == found


def test_children_are_found(sleeper):
    assert sleeper.pid in children(os.getpid())
    assert children(sleeper.pid) == []


@pytest.fixture
def interruptible():
    """Also where the tests were started in the background of a shell, which has them ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interruption_in_a_block_that_may_not_be_interrupted_comes_after_it():
    done = []
    with pytest.raises(KeyboardInterrupt):
        with interrupted_later():
            signal.raise_signal(signal.SIGINT)
            done.append("block")
        done.append("after")
    assert done == ["block"]
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_an_error_in_such_a_block_is_not_hidden_by_an_interruption():
    with pytest.raises(OSError), interrupted_later():
        signal.raise_signal(signal.SIGINT)
        raise OSError
