"""The blocks of a page of the documentation: commands that tests run, and what they print.

A block of commands is fenced as `sh`. A comment in the line before says how it is run:

    (none)                      by tests/test_pages.py, in the page's order
    <!-- first -->              by tests/test_pages.py, before the others
    <!-- in the lab -->         by tests/test_pages.py, in the shell of ./evenweave lab
    <!-- run by tests/X.py -->  by that test, for it takes more than this one has
    <!-- not run: REASON -->    by nobody

A block fenced as `text` is output. Each of its lines has to appear in what the page's commands
print, unless the line before it is <!-- example -->.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_BLOCK = re.compile(
    r"^(?:<!-- (?P<note>[^\n]*?) -->\n)?```(?P<kind>\S*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_LAB = re.compile(r"^(\./evenweave lab\b.*)$", re.MULTILINE)
_NOTE = re.compile(r"first|in the lab|run by (?P<test>tests/\w+\.py)|not run: .+")


@dataclass(frozen=True)
class Block:
    """`note` is the comment before it; empty if there is none."""

    kind: str
    note: str
    text: str


def pages() -> list[Path]:
    """The pages whose commands are run; `./evenweave test` runs those of the first two."""
    how_to = sorted((ROOT / "docs/how-to").glob("*.md"))
    return [ROOT / "README.md", *how_to, ROOT / "docs/tutorial.md"]


def blocks(page: Path) -> list[Block]:
    return blocks_of(page.read_text())


def blocks_of(text: str) -> list[Block]:
    """The blocks of a part of a page."""
    return [
        Block(found["kind"], found["note"] or "", found["text"]) for found in _BLOCK.finditer(text)
    ]


def faults(page: Path) -> list[str]:
    """Blocks that are neither commands that something runs nor output."""
    wrong = []
    for block in blocks(page):
        note = _NOTE.fullmatch(block.note)
        start = block.text.partition("\n")[0]
        if block.kind not in ("sh", "text"):
            wrong.append(f"a block is neither sh nor text: {start}")
        elif block.kind == "text" and block.note not in ("", "example"):
            wrong.append(f"output has the comment {block.note!r}: {start}")
        elif block.kind == "sh" and block.note and not note:
            wrong.append(f"commands have the comment {block.note!r}: {start}")
        elif note and note["test"] and not (ROOT / note["test"]).is_file():
            wrong.append(f"there is no {note['test']}: {start}")
    return wrong


def script(page: Path) -> str:
    """The commands that tests/test_pages.py runs, as one would paste them into a terminal.
    The first that fails ends the script, or the shell of the lab that it is in."""
    commands = [block for block in blocks(page) if block.kind == "sh"]
    texts = [block.text for block in commands if block.note == "first"]
    texts += [block.text for block in commands if not block.note]
    if lab := [block.text for block in commands if block.note == "in the lab"]:
        texts += ["./evenweave lab\n", *lab, "exit\n"]
    return _LAB.sub(r"\1\nset -e", "set -e\n" + "".join(texts)) if texts else ""


def output(page: Path) -> list[str]:
    """The lines that these commands have to print."""
    texts = [b.text for b in blocks(page) if b.kind == "text" and not b.note]
    return [line for text in texts for line in text.splitlines() if line.strip()]
