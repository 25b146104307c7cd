"""The commands of `evenweave` that pages show, against what the commands print with --help.

Whether or not a test runs a block, its commands and their options exist.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import page_blocks
import prose

ROOT = page_blocks.ROOT
# A command and what it prints, in the page that tests/generated_pages.py writes.
_HELP = re.compile(r"^## evenweave ?([^\n]*)\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# ./evenweave in the tree, evenweave and evenweave-edge where they are installed.
_CALL = re.compile(r"(?:\./|(?<![\w/-]))evenweave(?:-(edge))? ([a-z-][^|&;<>()\n]*)")
_REMARK = re.compile(r"(?:^|\s)#.*$")
# Where the remark on a line of a synopsis begins.
_COLUMN = re.compile(r"(?<=\S) {2,}")
_OPTION = re.compile(r"--?[a-zA-Z][\w-]*")


def faults(page: Path) -> list[str]:
    """What the commands of a page have and `evenweave` has not."""
    wrong = []
    for block in page_blocks.blocks(page):
        if block.kind == "sh":
            for words in calls(block):
                wrong += [f"{fault}: {' '.join(words)}" for fault in _faults(words)]
    return wrong


def calls(block: page_blocks.Block) -> Iterator[list[str]]:
    """The words behind `evenweave` of each call."""
    for line in block.text.replace("\\\n", " ").splitlines():
        line = _REMARK.sub("", line)
        if block.note == "usage":
            line = re.sub(r"[][|]", " ", _COLUMN.split(line)[0])
        for found in _CALL.finditer(line):
            yield f"{found[1] or ''} {found[2]}".replace("'", "").replace('"', "").split()


def _faults(words: list[str]) -> list[str]:
    shown = _help(words)
    if shown is None:
        return ["there is no such command"]
    options = {option[0] for word in words if (option := _OPTION.match(word))}
    return [
        f"there is no option {option}"
        for option in sorted(options - {"--help"})
        if not re.search(rf"(?<![\w-]){option}(?![\w-])", shown)
    ]


def _help(words: list[str]) -> str | None:
    """What the command prints with --help; None if there is none."""
    if words[0] == "edge":
        return _printed("edge")
    if words[0] == "bench":
        return _printed(*words[:2])
    if words[:2] == ["sdd", "app"]:
        return _printed(*words[:3])
    for count in (3, 2, 1):
        if shown := _pages_help().get(" ".join(words[:count])):
            return shown
    launcher = prose.help_of_launcher()
    return launcher if re.search(rf"^  {words[0]}\b", launcher, re.MULTILINE) else None


@cache
def _pages_help() -> dict[str, str]:
    page = ROOT / "docs/reference/command-line.md"
    return dict(_HELP.findall(page.read_text()))


@cache
def _printed(*command: str) -> str | None:
    done = subprocess.run(
        [str(ROOT / "evenweave"), *command, "--help"], capture_output=True, text=True, check=False
    )
    return done.stdout if done.returncode == 0 else None
