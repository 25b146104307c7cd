"""The Python client of sdd-host, and its commands, at a peer that says what a test wants."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evenweave_sdd import connect


@pytest.fixture
def peer(tmp_path: Path) -> Iterator[Callable]:
    """Starts a peer whose `talk` has one connection, as a file; the path of its socket."""
    threads = []

    def start(talk: Callable) -> Path:
        path = tmp_path / "peer.sock"
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(str(path))
        listening.listen()

        def run() -> None:
            with listening, listening.accept()[0] as connection, connection.makefile("rw") as file:
                talk(file)
                file.flush()

        threads.append(threading.Thread(target=run))
        threads[-1].start()
        return path

    yield start
    for thread in threads:
        thread.join()


def test_a_request_that_was_broken_off_does_not_give_its_answer_to_the_next(peer):
    def talk(file) -> None:
        for line in file:
            number = json.loads(line)["id"]
            if number == 3:  # that to the second, too, which comes late
                for answered in (2, 3):
                    print(json.dumps({"id": answered, "result": {"queue": answered}}), file=file)
            elif number == 1:
                print(json.dumps({"id": 1, "result": {}}), file=file)
            file.flush()

    class BreaksOffError(Exception):
        pass

    with connect(peer(talk)) as host:
        next_line = host._next_line

        def break_off(deadline: float | None) -> None:
            raise BreaksOffError

        host._next_line = break_off
        with pytest.raises(BreaksOffError):
            host.open_queue()
        host._next_line = next_line
        assert host.open_queue().number == 3


DENIED = {"id": None, "error": {"message": "no", "data": {"status": "DENIED"}}}


@pytest.mark.parametrize("says", [json.dumps(DENIED), "nonsense", ""])
def test_show_says_that_a_socket_is_not_that_of_statistics(peer, evenweave, says):
    path = peer(lambda file: print(says, file=file))
    done = evenweave("sdd", "app", "show", str(path))
    why = "this is not the socket of an sdd-host's statistics"
    assert (done.returncode, done.stderr) == (1, f"evenweave sdd app: {path}: {why}\n")


def test_show_does_not_wait_for_one_that_waits_for_requests(peer, evenweave):
    path = peer(lambda file: file.read())
    assert evenweave("sdd", "app", "show", str(path)).returncode == 1


@pytest.mark.parametrize("says", ['{"hosts":[]}', "nonsense"])
def test_watch_says_that_a_socket_is_not_that_of_applications(peer, evenweave, says):
    def talk(file) -> None:
        file.readline()
        print(says, file=file)

    path = peer(talk)
    done = evenweave("sdd", "app", "watch", str(path), "1")
    why = "this is not the socket of an sdd-host's applications"
    assert (done.returncode, done.stderr) == (1, f"evenweave sdd app: {path}: {why}\n")
