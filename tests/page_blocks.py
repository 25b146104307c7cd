"""The blocks of a page of the documentation: commands that tests run, and what they print.

Every block is fenced, with what it is: `sh` for commands, `console` and `python` for what somebody
types elsewhere. A comment in the line before says how it is run:

    (none)                      sh: by tests/test_pages.py, in the page's order
    <!-- first -->              by tests/test_pages.py, before the others
    <!-- in the lab -->         by tests/test_pages.py, in the shell of ./evenweave lab
    <!-- usage -->              not at all: a synopsis, whose options tests/page_commands.py checks
    <!-- run by X.py::TEST -->  by that test, or a command like it; ::TEST may be left out
    <!-- not run: REASON -->    by nobody; tests that the reason names exist

A block fenced as `text` is output. Each of its lines has to appear in what the page's commands
print, unless the line before it is <!-- example -->. Other kinds are parts of files and programs.
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
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"(?:\A|\n\n) {4,}(\S[^\n]*)")
_LAB = re.compile(r"^(\./evenweave lab\b.*)$", re.MULTILINE)
_RUN = re.compile(r"first|in the lab|")
_NOT_RUN = re.compile(r"usage|run by (\S+\.py)(::\w+)?|not run: .+")
_TEST = re.compile(r"([\w/-]+/test_\w+\.py)(?:::(\w+))?")
_COMMANDS = ("sh", "console", "python")
_OTHERS = ("json", "jsonl", "yaml", "java", "ebnf")
# How a line of commands begins, which output has not.
_COMMAND = re.compile(r"^(?:\./evenweave|curl|echo|ip|jq|kill|meson|mvn|ninja|ovs-\w+) ", re.M)
_GENERATED = "<!-- Written by tests/generated_pages.py. -->"
# Folders with pages, beside the root.
_FOLDERS = ("docs", "bench", "host", "mininet-topos", "packaging", "sim", "testbed")


@dataclass(frozen=True)
class Block:
    """`note` is the comment before it; empty if there is none."""

    kind: str
    note: str
    text: str


def pages() -> list[Path]:
    """All pages, those first whose commands `./evenweave test` runs."""
    found = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    for folder in _FOLDERS:
        found += sorted((ROOT / folder).glob("**/*.md"))
    return [page for page in found if "target" not in page.relative_to(ROOT).parts]


def blocks(page: Path) -> list[Block]:
    return blocks_of(page.read_text())


def blocks_of(text: str) -> list[Block]:
    """The blocks of a part of a page."""
    return [
        Block(found["kind"], found["note"] or "", found["text"]) for found in _BLOCK.finditer(text)
    ]


def faults(page: Path) -> list[str]:
    """Blocks that are neither commands that something runs nor output."""
    wrong = [
        f"a block is not fenced: {found[1]}"
        for found in _INDENTED.finditer(_FENCED.sub("", page.read_text()))
    ]
    for block in blocks(page):
        start = block.text.partition("\n")[0]
        if block.kind not in _COMMANDS and (found := _COMMAND.search(block.text)):
            wrong.append(f"{found[0].strip()} stands in what is no command: {start}")
        if block.kind in _COMMANDS:
            wrong += [f"{fault}: {start}" for fault in _faults_of_commands(block)]
        elif block.kind == "text":
            if block.note not in ("", "example"):
                wrong.append(f"output has the comment {block.note!r}: {start}")
            elif not block.note and not _prints(page):
                wrong.append(f"nothing prints this output: {start}")
        elif block.kind not in _OTHERS:
            wrong.append(f"a block has the kind {block.kind!r}: {start}")
    return wrong


def _prints(page: Path) -> bool:
    """Whether a test compares the page's output: of its own commands, or as it is generated."""
    tested = any(block.note.startswith("run by ") for block in blocks(page))
    return tested or bool(script(page)) or _GENERATED in page.read_text()


def _faults_of_commands(block: Block) -> list[str]:
    runs = block.kind == "sh" and _RUN.fullmatch(block.note)
    if not runs and not _NOT_RUN.fullmatch(block.note):
        return [f"commands have the comment {block.note!r}"]
    return [
        f"there is no {found[0]}"
        for found in _TEST.finditer(block.note)
        if not _exists(ROOT / found[1], found[2])
    ]


def _exists(module: Path, test: str | None) -> bool:
    return module.is_file() and (not test or f"\ndef {test}(" in module.read_text())


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
