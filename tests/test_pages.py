"""The commands of all pages, run as a reader pastes them where they need no other machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import page_blocks
import page_commands
import pytest
from page_blocks import ROOT, Block

# A hang guard: the longest page takes two minutes on a busy machine.
_HANG_S = 900.0
_PAGES = [page for page in page_blocks.pages() if page_blocks.script(page)]
# Whose commands compute, in a second or two; the others have switches and controllers.
_COMPUTING = [
    ROOT / "docs" / name
    for name in (
        *("how-to/edge-hosts.md", "how-to/striping.md", "how-to/table-size.md"),
        *("reference/offline-tools.md", "reference/sim.md"),
    )
]
_TUTORIAL = ROOT / "docs/tutorial.md"
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
@pytest.mark.core_cases(len(_COMPUTING) + 2)
@pytest.mark.parametrize(
    "page", sorted(_PAGES, key=lambda page: page not in _COMPUTING), ids=lambda page: page.stem
)
def test_the_commands_of_a_page_work_and_print_what_it_shows(page, folder):
    script = page_blocks.script(page)
    if page == ROOT / "README.md":
        # It takes for granted that there are switches: these are the ones of its fabric file.
        (cables,) = [b.text for b in page_blocks.blocks(_OWN_SWITCHES) if b.note == "first"]
        script = cables + script
    done = run(script, folder)
    printed = [line.rstrip() for line in done.stdout.splitlines()]
    where = f"{done.stdout}\n{done.stderr}"
    assert done.returncode == 0, where
    assert [line for line in page_blocks.output(page) if line.rstrip() not in printed] == [], where


def test_every_block_is_run_or_says_why_not_or_is_output():
    wrong = {page: faults for page in page_blocks.pages() if (faults := page_blocks.faults(page))}
    assert wrong == {}


def test_every_command_and_option_of_a_page_exists():
    wrong = {page: faults for page in page_blocks.pages() if (faults := page_commands.faults(page))}
    assert wrong == {}


def test_the_lab_installs_the_programs_that_the_tutorial_uses():
    packages = {"curl": "curl", "jq": "jq", "ping": "iputils-ping"}
    commands = "\n".join(
        block.text for block in page_blocks.blocks(_TUTORIAL) if block.kind == "sh"
    )
    used = {package for program, package in packages.items() if f"{program} -" in commands}
    assert len(used) == len(packages)
    lab = (ROOT / "evenweave").read_text().partition("\nlab() {")[2].partition("\n}")[0]
    (installed,) = [line.split()[1:] for line in lab.splitlines() if "need_packages curl" in line]
    assert used <= set(installed)


@pytest.mark.extended
def test_the_page_on_wcmp_has_the_table_that_its_script_prints():
    folder = ROOT / "docs/reproduction"
    done = subprocess.run(
        [sys.executable, str(folder / "wcmp_shares.py")], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("| figure |")
    assert done.stdout in (folder / "wcmp.md").read_text()


def test_blocks_that_nothing_runs_are_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "```sh\nls\n```\n```\nplain\n```\n<!-- soon -->\n```sh\ncd\n```\n"
        "<!-- run by tests/test_none.py -->\n```sh\npwd\n```\n<!-- first -->\n```text\nout\n```\n"
        "<!-- not run: tests/test_pages.py::test_none does -->\n```sh\npwd\n```\n"
        "<!-- in the lab -->\n```console\nonos> links\n```\nText:\n\n    id\n"
    )
    assert page_blocks.faults(page) == [
        "a block is not fenced: id",
        "a block has the kind '': plain",
        "commands have the comment 'soon': cd",
        "there is no tests/test_none.py: pwd",
        "output has the comment 'first': out",
        "there is no tests/test_pages.py::test_none: pwd",
        "commands have the comment 'in the lab': onos> links",
    ]


def test_output_of_commands_that_nothing_runs_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("<!-- not run: why -->\n```sh\nls\n```\n```text\nout\n```\n")
    assert page_blocks.faults(page) == ["nothing prints this output: out"]


@pytest.mark.parametrize(
    ("block", "faults"),
    [
        ("```sh\n./evenweave reduce groups.jsonl | ./evenweave fit --help  # --no\n```", []),
        ("```sh\n./evenweave wish\n```", ["there is no such command: wish"]),
        (
            "```sh\nssh host evenweave sdd show \\\n  queues --hots h0 --json\n```",
            ["there is no option --hots: sdd show queues --hots h0 --json"],
        ),
        (
            "<!-- usage -->\n```sh\n./evenweave demo [--onos | --seed N]    as --none\n```",
            ["there is no option --seed: demo --onos --seed N"],
        ),
    ],
)
def test_commands_and_options_that_do_not_exist_are_found(tmp_path, block, faults):
    page = tmp_path / "page.md"
    page.write_text(f"{block}\n")
    assert page_commands.faults(page) == faults


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
