"""The shell's commands in docs/reference/onos.md print what the page shows, on the same fabric."""

from __future__ import annotations

import re
from pathlib import Path

import page_blocks
import pytest
from onos_shell import OnosShell
from runtimes import ROOT, needs_onos

from evenweave_testbed.controller import HTTP_ADDRESS
from evenweave_testbed.credentials import Credentials
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.openvswitch import out_of_reach, run
from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_topos.fabric_file import IMBALANCED_3X3, load

pytestmark = [pytest.mark.fabric, *needs_onos]

_PAGE = ROOT / "docs/reference/onos.md"
_PROMPT = "onos> "
_REST_LEFT_OUT = "..."
_ATTEMPTS = 10
# What differs from run to run, and what colours a line.
_VARIES = re.compile(
    r"\b(packets|version|sequence|time|confirmedAfter)=[^,\s]+"
    r"|\b0x4557[0-9a-f]{4}\b|(?<=cookie )0x[0-9a-f]+"
)
_COLOUR = re.compile(r"\x1b\[\d*m")
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
    (repair, differences), (verify, confirmed), (events, repaired) = transcripts(
        "test_a_repair_is_as_the_page_shows_it"
    )
    group = fabric.controller.group("s2-0", "s1-0")["groupId"]
    buckets = ",".join(
        f"bucket=weight:{weight},watch_port:{port},actions=output:{port}"
        for port, weight in {1: 3, 2: 1}.items()
    )
    changed = f"group_id={group},type=select,{buckets}"
    since, printed = 0, []
    # A poll of ONOS may have it repaired before the shell is connected.
    for _ in range(_ATTEMPTS):
        since = fabric.controller.last_sequence()
        run("ovs-ofctl", "-O", "OpenFlow13", "mod-group", "s2-0", changed)
        printed = prints(shell, repair)
        if not printed[0].startswith("ok=true"):
            break
    assert shortened(printed, differences) == masked(differences)
    fabric.ready()
    assert_prints(shell, verify, confirmed)
    assert_prints(shell, _SINCE.sub(str(since), events), repaired)


def test_what_is_missing_is_shown(fabric, onos, shell):
    """A switch is not connected, and a link is configured on a port that does not exist."""
    [(command, lines)] = transcripts("test_what_is_missing_is_shown")
    configured = load(IMBALANCED_3X3).to_json()
    configured["links"].append({**configured["links"][0], "a": "s1-1/9", "b": "s2-0/9"})
    with out_of_reach("s1-0"):
        onos.configure(configured)
        fabric.controller.wait(
            lambda s: s["switches"] == 5 and len(s["reasons"]) == 2 and s["confirmed"],
            "what is missing",
            EVENT_LIMIT_S,
        )
        try:
            assert_prints(shell, command, lines)
        finally:
            onos.configure(load(IMBALANCED_3X3).to_json())
    fabric.ready()


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
    assert shortened(prints(shell, command), lines) == masked(lines), command


def prints(shell: OnosShell, command: str) -> list[str]:
    done = shell.run(command)
    return masked((done.stdout + done.stderr).splitlines())


def shortened(printed: list[str], lines: list[str]) -> list[str]:
    """What is printed, without the lines that a page leaves out."""
    if _REST_LEFT_OUT not in lines:
        return printed
    rest = lines.index(_REST_LEFT_OUT)
    after = len(lines) - rest - 1
    return [*printed[:rest], _REST_LEFT_OUT, *printed[len(printed) - after :]]


def masked(lines: list[str]) -> list[str]:
    return [_VARIES.sub(r"\1", _COLOUR.sub("", line)) for line in lines if line.strip()]
