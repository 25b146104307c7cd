"""The shell's commands in docs/reference/onos.md print what the page shows, on the same fabric."""

from __future__ import annotations

import re
from pathlib import Path

import page_blocks
import pytest
from held_tables import groups
from onos_shell import OnosShell
from runtimes import ROOT, needs_onos
from waiting import eventually

from evenweave_testbed.controller import HTTP_ADDRESS
from evenweave_testbed.credentials import Credentials
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.openvswitch import run

pytestmark = [pytest.mark.fabric, *needs_onos]

_PAGE = ROOT / "docs/reference/onos.md"
_PROMPT = "onos> "
_REST_LEFT_OUT = "..."
# What differs from run to run.
_VARIES = re.compile(r"\b(packets|version|sequence|time|confirmedAfter)=[^,\s]+")
_SINCE = re.compile(r"(?<=^wcmp-events -s )\d+$")


@pytest.fixture(scope="session")
def runtime() -> str:
    return "onos"


@pytest.fixture
def shell(fabric: Fabric, tmp_path: Path) -> OnosShell:
    fabric.ready()
    address = HTTP_ADDRESS.partition(":")[0]
    return OnosShell(address, Credentials.of_onos(), tmp_path)


def test_commands_that_read_print_what_the_page_shows(shell):
    shown = transcripts("test_commands_that_read_print_what_the_page_shows")
    assert len(shown) > 4
    for command, lines in shown:
        assert_prints(shell, command, lines)


def test_a_repair_is_as_the_page_shows_it(fabric, shell):
    """Another program changes the weights of a group in a switch."""
    shown = transcripts("test_a_repair_is_as_the_page_shows_it")
    (repair, differences), (verify, confirmed), (events, repaired) = shown
    before, since = groups(fabric), fabric.controller.last_sequence()
    (group,) = re.findall(r"found=group 0x([0-9a-f]+)", "\n".join(differences))
    buckets = "bucket=weight:3,actions=output:1,bucket=weight:1,actions=output:2"
    changed = f"group_id={int(group, 16)},type=select,{buckets}"
    run("ovs-ofctl", "-O", "OpenFlow13", "mod-group", "s2-0", changed)
    assert_prints(shell, repair, differences)
    eventually(lambda: prints(shell, verify) == masked(confirmed), lambda: prints(shell, verify))
    assert_prints(shell, _SINCE.sub(str(since), events), repaired)
    assert groups(fabric) == before


def transcripts(test: str) -> list[tuple[str, list[str]]]:
    """The commands that a test runs, each with the lines that the page shows for it."""
    found: list[tuple[str, list[str]]] = []
    for block in page_blocks.blocks(_PAGE):
        if block.note == f"run by tests/test_onos_transcripts.py::{test}":
            for line in block.text.splitlines():
                if line.startswith(_PROMPT):
                    found.append((line.removeprefix(_PROMPT), []))
                else:
                    found[-1][1].append(line)
    return found


def assert_prints(shell: OnosShell, command: str, lines: list[str]) -> None:
    printed, expected = prints(shell, command), masked(lines)
    if _REST_LEFT_OUT in expected:
        rest = expected.index(_REST_LEFT_OUT)
        after = len(expected) - rest - 1
        printed[rest : len(printed) - after] = [_REST_LEFT_OUT]
    assert printed == expected, command


def prints(shell: OnosShell, command: str) -> list[str]:
    done = shell.run(command)
    return masked((done.stdout + done.stderr).splitlines())


def masked(lines: list[str]) -> list[str]:
    return [_VARIES.sub(r"\1=", line) for line in lines if line.strip()]
