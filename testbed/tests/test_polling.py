"""Waiting on slow machines, in virtual time."""

from __future__ import annotations

import io
import json
import signal

import pytest

from evenweave_testbed import run_directory
from evenweave_testbed.controller import Controller, ControllerError
from evenweave_testbed.demo.command import _give_up
from evenweave_testbed.kept_logs import keep_logs, keep_logs_at_signals
from evenweave_testbed.polling import EVENT_LIMIT_S, Polling
from evenweave_testbed.progress import Progress


class Clock:
    """Moves only while somebody sleeps."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


class SlowController(Controller):
    """Does not answer at first, and has an event confirmed at a given time."""

    def __init__(self, clock: Clock, confirmed_s: float, on_wait=lambda *_: None) -> None:
        super().__init__(polling=Polling(on_wait, clock, clock.sleep))
        self._clock = clock
        self._confirmed_s = confirmed_s

    def events(self, since: int = 0) -> list[dict]:
        if self._clock.now_s < self._confirmed_s / 2:
            raise ControllerError("GET /events: timed out")
        event = {"kind": "link-up", "subject": "a", "sequence": 1, "detectedEpochMicros": 1}
        if self._clock.now_s >= self._confirmed_s:
            event["confirmedEpochMicros"] = 2
        return [event]


def test_an_event_that_a_slow_machine_confirms_late_is_waited_for():
    clock = Clock()
    event = SlowController(clock, 90).wait_confirmed("link-up", ["a"], 0, EVENT_LIMIT_S)
    assert event["confirmedEpochMicros"] == 2
    assert 90 <= clock.now_s < 91


def test_a_wait_ends_after_its_limit_and_says_what_was_seen_last():
    clock = Clock()
    with pytest.raises(ControllerError, match="no confirmed link-up of a within 180 s"):
        SlowController(clock, 1000).wait_confirmed("link-up", ["a"], 0, EVENT_LIMIT_S)
    assert clock.now_s >= EVENT_LIMIT_S


def test_a_long_wait_is_told_of_once_in_ten_seconds():
    said = io.StringIO()
    progress = Progress(7, said)
    progress.step("healing a")
    clock = Clock()
    controller = SlowController(clock, 35, progress.waiting)
    controller.wait_confirmed("link-up", ["a"], 0, EVENT_LIMIT_S)
    lines = said.getvalue().splitlines()
    assert lines[0] == "[1/7] healing a"
    assert lines[1:] == [
        f"  waiting for the confirmation of link-up a: {seconds} s, at most 180 s"
        for seconds in (10, 20, 30)
    ]


def test_the_logs_of_a_failed_run_outlive_it(tmp_path):
    run = tmp_path / "demo-7"
    for name in ("controller.err", "onos/onos-1.log", "onos/onos-1/data/log/karaf.log"):
        log = run / name
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(name)
    kept = keep_logs(run, tmp_path / "kept")
    found = {str(path.relative_to(kept)) for path in kept.rglob("*") if path.is_file()}
    assert found == {"controller.err", "onos/onos-1.log"}
    assert (kept / "onos/onos-1.log").read_text() == "onos/onos-1.log"


def test_a_demo_that_fails_says_so_in_json(capsys, monkeypatch):
    # Live tests of the same process run inside a run directory, whose logs would be kept.
    monkeypatch.delenv(run_directory.ENVIRONMENT_VARIABLE, raising=False)
    assert _give_up(ControllerError("no confirmed link-up"), "healing a", as_json=True) == 1
    said = capsys.readouterr()
    assert json.loads(said.out) == {
        "error": "no confirmed link-up",
        "step": "healing a",
        "logs": None,
    }
    assert said.err == "demo: healing a: no confirmed link-up\n"


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, None)])
def test_a_run_that_is_ended_by_a_signal_keeps_its_logs_and_shows_their_last_lines(
    tmp_path, monkeypatch, capsys, number, status
):
    run = tmp_path / "run"
    run.mkdir()
    (run / "run.json").write_text(json.dumps({"sockets": str(run), "processes": []}))
    (run / "controller.err").write_text("first\nno start of ONOS after 590 s\n")
    monkeypatch.setenv(run_directory.ENVIRONMENT_VARIABLE, str(run))
    monkeypatch.setattr("evenweave_testbed.kept_logs._KEPT", tmp_path / "kept")
    before = {n: signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)}
    try:
        keep_logs_at_signals("demo", lambda: "starting the controller")
        with pytest.raises(BaseException) as ended:
            signal.raise_signal(number)
    finally:
        for n, handler in before.items():
            signal.signal(n, handler)
    assert getattr(ended.value, "code", None) == status
    said = capsys.readouterr().err
    assert f"demo: starting the controller: ended by {number.name}" in said
    assert "controller.err: no start of ONOS after 590 s" in said
    (kept,) = (tmp_path / "kept").iterdir()
    assert (kept / "controller.err").exists()


def test_what_is_waited_for_may_change_while_it_is_waited_for():
    clock, said, reasons = Clock(), [], iter(["a", "b", "c"])
    polling = Polling(lambda what, *_: said.append(what), clock, clock.sleep)
    for _ in polling.polls(lambda: next(reasons), 0.05):
        pass
    assert said == ["a", "b", "c"]
