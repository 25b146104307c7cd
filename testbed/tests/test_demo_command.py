import argparse
import io
import json
import os
import subprocess
import sys

import pytest
from test_demo_report import SPEC, report

from evenweave_testbed.command_line import FAILED, command
from evenweave_testbed.demo import page
from evenweave_testbed.demo.command import _seconds, _tell
from evenweave_testbed.progress import Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def demo(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "evenweave_testbed.demo", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--controller-command"),
        (["--controller-command", "x", "--seconds", "0"], "must be 1 to 3600 seconds, not '0'"),
        (["--controller-command", "x", "--seconds", "nan"], "must be 1 to 3600 seconds"),
        (["--controller-command", ""], "must not be empty"),
        (["--controller-command", "'x"], "No closing quotation"),
        (["--controller-command", "x", "--fabric", "/nowhere"], "/nowhere: No such file"),
        (["--controller-command", "x", "--colour"], "unrecognized arguments: --colour"),
    ],
)
def test_bad_use_ends_with_status_2_one_message_and_no_output(arguments, message):
    done = demo(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stdout == ""


def test_options_are_read():
    assert _seconds("2.5") == 2.5
    assert command("java -jar 'a b.jar' --fabric {fabric}") == [
        "java",
        "-jar",
        "a b.jar",
        "--fabric",
        "{fabric}",
    ]


def test_a_kept_demo_prints_its_result_and_serves_its_page(monkeypatch, capsys):
    served = []
    monkeypatch.setattr(page, "serve", served.append)
    with page.listen() as listening:
        descriptor = os.dup(listening.fileno())
        options = argparse.Namespace(keep=True, json=True, page_socket=descriptor)
        assert _tell(report(), SPEC, options) == 0
        said = capsys.readouterr()
        assert f"its page is {page.url(listening)} (Ctrl-C ends it)\n" in said.err
    (passed,) = served
    assert passed.fileno() == descriptor
    passed.close()
    assert json.loads(said.out)["pair"] == {"from": "s1-0", "to": "s1-2"}


@pytest.mark.parametrize(("keep", "is_told"), [(False, True), (True, False)])
def test_a_demo_that_is_not_kept_or_cannot_tell_its_result_ends(keep, is_told, monkeypatch):
    served = []
    monkeypatch.setattr(page, "serve", served.append)
    monkeypatch.setattr("evenweave_testbed.demo.command.answer", lambda *_: is_told)
    options = argparse.Namespace(keep=keep, json=True, page_socket=None)
    assert _tell(report(), SPEC, options) == (0 if is_told else FAILED)
    assert served == []


def test_progress_is_one_line_per_step_where_nobody_watches():
    stream = io.StringIO()
    progress = Progress(2, stream)
    progress.step("first")
    progress.fraction(0.5)
    progress.step("second")
    progress.clear()
    assert stream.getvalue() == "[1/2] first\n[2/2] second\n"


def test_progress_moves_on_one_line_of_a_terminal_and_goes_away():
    stream = Terminal()
    progress = Progress(1, stream)
    progress.step("only")
    progress.fraction(1.0)
    progress.clear()
    assert "\n" not in stream.getvalue()
    assert "[1/1] only [########################] 100%" in stream.getvalue()
    assert stream.getvalue().endswith("\r\x1b[K")
