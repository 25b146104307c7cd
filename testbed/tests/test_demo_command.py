import io
import subprocess
import sys

import pytest

from evenweave_testbed.command_line import command
from evenweave_testbed.demo.command import _seconds
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
