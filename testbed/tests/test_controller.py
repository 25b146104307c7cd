import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from evenweave_testbed.controller import Controller, ControllerError, ControllerProcess
from evenweave_testbed.polling import EVENT_LIMIT_S, Polling


@pytest.fixture
def server():
    """A REST server; `answers` maps (method, path) to an object or to (status, text)."""

    class Handler(BaseHTTPRequestHandler):
        def _answer(self):
            length = int(self.headers.get("Content-Length", 0))
            self.server.bodies.append(self.rfile.read(length).decode())
            self.server.authorizations.append(self.headers.get("Authorization"))
            answer = self.server.answers[(self.command, self.path)]
            if callable(answer):
                answer = answer()
            status, text = answer if isinstance(answer, tuple) else (200, json.dumps(answer))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(text.encode())

        do_GET = do_PUT = _answer

        def log_message(self, *_arguments):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        http.answers, http.bodies, http.authorizations = {}, [], []
        thread = threading.Thread(target=http.serve_forever)
        thread.start()
        yield http
        http.shutdown()
        thread.join()


@pytest.fixture
def controller(server):
    return Controller(base=f"http://127.0.0.1:{server.server_port}/evenweave")


def test_the_group_of_a_pair_is_found_or_none(server, controller):
    group = {"switch": "s1-0", "destination": "s1-2", "groupId": 7}
    server.answers["GET", "/evenweave/groups?switch=s1-0"] = {"groups": [group]}
    assert controller.group("s1-0", "s1-2") == group
    assert controller.group("s1-0", "s1-1") is None


def test_the_address_and_the_user_are_those_of_the_ready_line(server, tmp_path, monkeypatch):
    monkeypatch.setenv("ONOS_WEB_PASS", "rocks")
    base = f"http://127.0.0.1:{server.server_port}/onos/evenweave"
    line = json.dumps({"ready": True, "rest": base, "user": "onos"})
    script = f"import time; print('{line}', flush=True); time.sleep(60)"
    process = ControllerProcess([sys.executable, "-c", script], tmp_path / "none", tmp_path)
    controller = Controller(process)
    server.answers["GET", "/onos/evenweave/status"] = {"converged": True}
    process.start()
    try:
        assert controller.status() == {"converged": True}
    finally:
        process.stop()
    # RFC 7617's form of onos:rocks.
    assert server.authorizations == ["Basic b25vczpyb2Nrcw=="]


def test_setting_a_strategy_waits_until_the_switches_follow(server, controller):
    states = iter(
        [
            {"strategy": "wcmp", "confirmed": True},
            {"strategy": "ecmp", "confirmed": False},
            {"strategy": "ecmp", "confirmed": True},
        ]
    )
    server.answers["PUT", "/evenweave/strategy"] = {}
    server.answers["GET", "/evenweave/status"] = lambda: next(states)
    controller.set_strategy("ecmp")
    assert json.loads(server.bodies[0]) == {"strategy": "ecmp"}
    assert next(states, "none left") == "none left"


def test_a_refusal_is_reported_with_its_words(server, controller):
    server.answers["PUT", "/evenweave/strategy"] = (400, "no such strategy")
    with pytest.raises(ControllerError, match=r"PUT /strategy: 400 no such strategy"):
        controller.set_strategy("best")


def test_an_answer_that_lacks_a_field_is_an_error_that_shows_it(server, controller):
    server.answers["GET", "/evenweave/events?since=0"] = {"events": [{"kind": "link-up"}]}
    with pytest.raises(ControllerError, match=r"lacks 'sequence': \{\"kind\": \"link-up\"\}"):
        controller.last_sequence()


def test_waiting_in_vain_tells_the_last_status(server, controller):
    server.answers["GET", "/evenweave/status"] = {"converged": False}
    with pytest.raises(ControllerError, match=r"no convergence within 0.1 s; .*False"):
        controller.wait(lambda status: status["converged"], "convergence", 0.1)


def test_waiting_for_a_controller_that_does_not_listen_tells_so():
    with pytest.raises(ControllerError, match=r"no anything .*GET /status: .*refused"):
        Controller(base="http://127.0.0.1:1").wait(lambda _status: True, "anything", 0.1)


def test_an_event_counts_only_once_confirmed_and_by_either_name(server, controller):
    down = {"sequence": 3, "kind": "link-down", "subject": "b/2-a/1", "detectedEpochMicros": 5}
    other = {"sequence": 2, "kind": "link-down", "subject": "c/1-d/1", "confirmedEpochMicros": 1}
    states = iter([[other], [other, down], [other, down | {"confirmedEpochMicros": 9}]])
    server.answers["GET", "/evenweave/events?since=1"] = lambda: {"events": next(states)}
    event = controller.wait_confirmed("link-down", ("a/1-b/2", "b/2-a/1"), 1, EVENT_LIMIT_S)
    assert event["confirmedEpochMicros"] == 9


def test_an_event_that_is_never_confirmed_is_an_error(server, controller):
    server.answers["GET", "/evenweave/events?since=0"] = {"events": []}
    with pytest.raises(ControllerError, match=r"no confirmed link-up of a/1-b/2 within 0\.1 s"):
        controller.wait_confirmed("link-up", ("a/1-b/2",), 0, 0.1)


def process(tmp_path, program, *arguments):
    command = [sys.executable, "-c", program, *arguments]
    return ControllerProcess(command, tmp_path / "fabric.json", tmp_path)


def test_a_controller_is_ready_when_it_says_so_and_addresses_are_filled_in(tmp_path):
    program = (
        "import json, sys, time\n"
        "print('starting')\n"
        "print(json.dumps({'ready': True, 'arguments': sys.argv[1:]}), flush=True)\n"
        "time.sleep(60)\n"
    )
    started = process(tmp_path, program, "--fabric={fabric}", "{openflow}", "{http}")
    started.start()
    assert started.ready["arguments"] == [
        f"--fabric={tmp_path / 'fabric.json'}",
        "127.0.0.1:6653",
        "127.0.0.1:8282",
    ]
    started.check_running()
    started.stop()
    with pytest.raises(ControllerError, match="the controller ended with status -15"):
        started.check_running()


def test_a_controller_that_dies_is_reported_with_its_last_words(tmp_path):
    with pytest.raises(ControllerError, match="ended with status 3: no such port"):
        process(tmp_path, "import sys; print('no such port', file=sys.stderr); sys.exit(3)").start()


def test_errors_in_the_log_are_told_from_other_lines(tmp_path):
    lines = [
        "2026-11-29T22:01:01.976Z ERROR ThreadLoop - a task failed",
        "\tat Some.method",
        "2026-11-29T22:01:02.000Z WARN Audits - s1-0: a rule with ERROR in it",
    ]
    program = f"import sys; print({chr(10).join(lines)!r}, file=sys.stderr); sys.exit(3)"
    ended = process(tmp_path, program)
    with pytest.raises(ControllerError):
        ended.start()
    assert ended.logged_errors() == lines[:1]


def test_a_controller_that_is_not_there_is_an_error(tmp_path):
    absent = ControllerProcess(["/nowhere/java"], tmp_path / "fabric.json", tmp_path)
    with pytest.raises(ControllerError, match="/nowhere/java: No such file"):
        absent.start()
    absent.stop()


def test_a_controller_may_print_more_than_a_pipe_holds(tmp_path):
    program = (
        "import time\n"
        "print('{\"ready\":true}', flush=True)\n"
        "print('x' * 200_000, flush=True)\n"
        "open('done', 'w').close()\n"
        "time.sleep(60)\n"
    )
    started = ControllerProcess(
        ["env", "-C", str(tmp_path), sys.executable, "-c", program], tmp_path / "f", tmp_path
    )
    started.start()
    polls = Polling().polls("the end of the output", EVENT_LIMIT_S)
    assert any((tmp_path / "done").exists() for _ in polls)
    started.kill()
