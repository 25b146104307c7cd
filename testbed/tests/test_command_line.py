import argparse
import os
import subprocess
import sys

from evenweave_testbed.command_line import HelpFormatter

ANSWER = """
from evenweave_testbed.command_line import answer
import sys
sys.exit(not answer("demo", "x" * 100_000))
"""
_BEGIN = "demo: the result cannot be written: "


def told(**streams):
    done = subprocess.run(
        [sys.executable, "-c", ANSWER], stderr=subprocess.PIPE, text=True, check=False, **streams
    )
    return done.returncode, done.stderr


def test_a_result_is_printed():
    done = subprocess.run([sys.executable, "-c", ANSWER], capture_output=True, check=True)
    assert done.stdout == b"x" * 100_000 + b"\n"
    assert done.stderr == b""


def test_a_result_that_nobody_reads_is_one_line_of_error():
    reading, writing = os.pipe()
    os.close(reading)
    assert told(stdout=writing) == (1, _BEGIN + "Broken pipe\n")
    os.close(writing)


def test_a_result_for_which_the_disk_has_no_room_is_one_line_of_error():
    with open("/dev/full", "w") as full:
        assert told(stdout=full) == (1, _BEGIN + "No space left on device\n")


def test_a_result_without_a_standard_output_is_one_line_of_error():
    status, said = told(preexec_fn=lambda: os.close(1))
    assert (status, said) == (1, _BEGIN + "Bad file descriptor\n")


def test_help_wraps_paragraphs_and_keeps_indented_lines():
    parser = argparse.ArgumentParser(
        prog="a", formatter_class=HelpFormatter, epilog="word " * 30 + "\n\nexample:\n  ./a  b\n"
    )
    shown = parser.format_help()
    assert "\n\nexample:\n  ./a  b\n" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert shown.count("word") == 30
