"""The commands of README, tutorial and how-to pages, run as a reader pastes them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import page_blocks
import pytest
from page_blocks import ROOT, Block

# A hang guard: the longest page takes two minutes on a busy machine.
_HANG_S = 900.0
_PAGES = [page for page in page_blocks.pages() if page_blocks.script(page)]
_OWN_SWITCHES = ROOT / "docs/how-to/own-switches.md"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Looks like the source tree; pages write their files here."""
    for name in ("evenweave", "docs", "mininet-topos", "app"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def run(script: str, folder: Path) -> subprocess.CompletedProcess:
    return subprocess.run(
        [
            *(sys.executable, "-m", "evenweave_testbed.isolation", "--name", "page"),
            *(sys.executable, str(ROOT / "tests/page_shell.py"), str(folder)),
        ],
        input=script,
        capture_output=True,
        text=True,
        timeout=_HANG_S,
        check=False,
    )


@pytest.mark.fabric
@pytest.mark.core_cases(2)
@pytest.mark.parametrize("page", _PAGES, ids=lambda page: page.stem)
def test_the_commands_of_a_page_work_and_print_what_it_shows(page, folder):
    script = page_blocks.script(page)
    if page.name == "README.md":
        # It takes for granted that there are switches: these are the ones of its fabric file.
        (cables,) = [b.text for b in page_blocks.blocks(_OWN_SWITCHES) if b.note == "first"]
        script = cables + script
    done = run(script, folder)
    printed = [line.rstrip() for line in done.stdout.splitlines()]
    where = f"{done.stdout}\n{done.stderr}"
    assert done.returncode == 0, where
    assert [line for line in page_blocks.output(page) if line.rstrip() not in printed] == [], where


@pytest.mark.parametrize("page", page_blocks.pages(), ids=lambda page: page.stem)
def test_every_block_is_run_or_is_output(page):
    assert page_blocks.faults(page) == []


def test_blocks_that_nothing_runs_are_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "```sh\nls\n```\n```\nplain\n```\n<!-- soon -->\n```sh\ncd\n```\n"
        "<!-- run by tests/test_none.py -->\n```sh\npwd\n```\n<!-- first -->\n```text\nout\n```\n"
    )
    assert page_blocks.faults(page) == [
        "a block is neither sh nor text: plain",
        "commands have the comment 'soon': cd",
        "there is no tests/test_none.py: pwd",
        "output has the comment 'first': out",
    ]


def test_a_script_is_in_the_order_of_the_page_with_the_lab_at_its_end(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "<!-- in the lab -->\n```sh\nthird\n```\n```sh\nsecond\n```\n"
        "<!-- first -->\n```sh\nfirst\n```\n"
        "<!-- not run: why -->\n```sh\nnever\n```\n<!-- example -->\n```text\nany\n```\n"
        "```text\nshown\n```\n"
    )
    assert page_blocks.blocks(page)[0] == Block("sh", "in the lab", "third\n")
    assert (
        page_blocks.script(page) == "set -e\nfirst\nsecond\n./evenweave lab\nset -e\nthird\nexit\n"
    )
    assert page_blocks.output(page) == ["shown"]
