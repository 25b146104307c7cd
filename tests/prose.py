"""Checks the project's prose: phrases that make a reader stop, sentences that are too long, and
what proselint finds.

In programs it checks the comments of Java types and the docstrings of Python modules, for phrases.
Only running text is checked. Code, links' targets, HTML and what is between <!-- prose off --> and
<!-- prose on --> are blanked out first, so that positions stay those of the file.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from proselint.checks import __register__ as proselint_checks
from proselint.registry import CheckRegistry
from proselint.tools import LintFile

ROOT = Path(__file__).resolve().parents[1]
_PHRASES = Path(__file__).with_name("prose_phrases.txt")
# Words. Sentences in the field's own documents (RFCs, the ONOS and FRR guides) average 20 to 25.
LONGEST_SENTENCE = 45
# Verbs that do not say what a commit changes; CONTRIBUTING.md has better ones.
WEAK_VERBS = {
    *("Ask", "Be", "Call", "Do", "Get", "Give", "Go", "Have", "Hold", "Keep", "Know", "Leave"),
    *("Let", "Look", "Make", "Put", "Say", "See", "Take", "Tell"),
}
LONGEST_SUBJECT = 72
# Columns; argparse and Picocli wrap prose a little earlier.
_TERMINAL = 80
_FULL_LINE = 76
# Without its opinions on typography, dates and comparisons ("least possible" is exact here). Titles
# of papers keep their spelling.
_PROSELINT = {"spelling.consistency": False} | dict.fromkeys(
    [
        *("archaism", "cliches", "hedging", "malapropisms", "mixed_metaphors", "mondegreens"),
        *("needless_variants", "nonwords", "oxymorons", "redundancy", "spelling"),
    ],
    True,
)

_FENCED = re.compile(r"^( *)(```+|~~~+).*?^\1\2`*$", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"(?:(?<=\n\n)|\A)(?: {4,}.*\n|[ \t]*\n(?= {4}))+", re.MULTILINE)
_OFF = re.compile(r"<!-- prose off -->.*?<!-- prose on -->", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_TARGET = re.compile(r"(?<=\])(?:\([^()]*(?:\([^()]*\))?[^()]*\)|\[[^\]]*\])")
_TAG = re.compile(r"<[^<>\n]+>")
_RULE = re.compile(r"^[|\s:-]+$", re.MULTILINE)
_MARKS = re.compile(r"[*_#]|!?\[|\]")
# Where a sentence ends: a full stop, or the end of a cell, an item, a heading or a paragraph.
_END = re.compile(r"[.!?](?=[\s)\"]|$)|:(?=\s)|\||\n\s*\n|\n\s*(?=[-*+] |\d+\. |#)")
_WORD = re.compile(r"\w[\w'/.,-]*")
# A type in Java with its comment, with annotations and modifiers between them.
_STRING = r'"(?:[^"\\]|\\.)*"'
_ARGUMENTS = rf'\((?:[^()"]|{_STRING}|\((?:[^()"]|{_STRING})*\))*\)'
_TYPE = re.compile(
    r"/\*\*(?P<comment>(?:(?!\*/).)*)\*/\s*"
    rf"(?:@(?!interface)[\w.]+(?:{_ARGUMENTS})?\s+)*"
    r"(?:(?:public|protected|private|static|final|abstract)\s+)*(?:class|@?interface|enum)\s",
    re.DOTALL,
)
_STAR = re.compile(r"^[ \t]*\*", re.MULTILINE)
_INLINE = re.compile(r"\{@\w+[^}]*\}")
# Begins a line of prose_phrases.txt on a phrase that comments may have.
_IN_COMMENTS = "comments: "


@dataclass(frozen=True)
class Finding:
    """`line` counts from 1."""

    line: int
    message: str


def running_text(markdown: str) -> str:
    """The text with everything blanked out that is not prose; all positions stay."""
    text = markdown
    for pattern in (_OFF, _COMMENT, _FENCED, _INDENTED):
        text = pattern.sub(_blank, text)
    # A word stands for code, so that a sentence keeps its length and no word seems to be repeated.
    text = _CODE.sub(lambda found: _fill(found[0]), text)
    for pattern in (_TARGET, _TAG, _RULE, _MARKS):
        text = pattern.sub(_blank, text)
    return text


def findings(text: str) -> list[Finding]:
    """What is wrong with running text, by line."""
    return sorted([*findings_in_help(text), *_long_sentences(text)], key=lambda found: found.line)


def findings_in_help(text: str) -> list[Finding]:
    """What is wrong with a help text, which has lists without full stops."""
    return [*_phrases(text), *_proselint(text)]


def badly_wrapped(text: str) -> Iterator[str]:
    """Lines of a help text that are longer than a terminal, or that break in the middle of a
    sentence although the next word would fit."""
    before = ""
    for line in text.splitlines():
        if len(line) > _TERMINAL:
            yield line
        if line and line[0] != " ":
            if before.startswith(" ") and line[0].islower():
                yield line
            elif _ends_early(before, line):
                yield before
        before = line


def _ends_early(line: str, following: str) -> bool:
    prose = line and line[0] != " " and not line.startswith(("Usage:", "usage:"))
    fits = len(line) + 1 + len(following.split()[0]) <= _FULL_LINE
    return bool(prose) and fits and not line.endswith((".", ":"))


def help_of_launcher() -> str:
    """What `./evenweave --help` prints."""
    text = (ROOT / "evenweave").read_text()
    return text.partition("cat <<'END'\n")[2].partition("\nEND\n")[0]


def wrong_subject(subject: str) -> str | None:
    """Why a commit's subject is not plain; None if it is."""
    if len(subject) > LONGEST_SUBJECT:
        return f"has {len(subject)} characters, more than {LONGEST_SUBJECT}"
    verb = subject.partition(" ")[0]
    if verb in WEAK_VERBS:
        return f'begins with "{verb}", which does not say what changes'
    return None


def preferred() -> dict[str, str]:
    """What to write instead of each phrase, by its regular expression."""
    return {left: right for left, right in _listed() if not left.startswith(_IN_COMMENTS)}


def accepted_in_comments() -> dict[str, str]:
    """Why phrases are accepted in comments, by their regular expressions."""
    return {
        left.removeprefix(_IN_COMMENTS): right
        for left, right in _listed()
        if left.startswith(_IN_COMMENTS)
    }


def findings_in_java(source: str) -> Iterator[Finding]:
    """What is wrong in the comments before classes, interfaces and enums."""
    for found in _TYPE.finditer(source):
        text = _STAR.sub(lambda star: star[0].replace("*", " "), found["comment"])
        yield from _in_comment(_INLINE.sub(_blank, text), _line(source, found.start("comment")))


def findings_in_python(source: str) -> Iterator[Finding]:
    """What is wrong in the module's docstring."""
    text = ast.get_docstring(ast.parse(source), clean=False) or ""
    yield from _in_comment(_CODE.sub(_blank, text), _line(source, source.find(text)))


def _in_comment(text: str, line: int) -> Iterator[Finding]:
    phrases = {p: right for p, right in preferred().items() if p not in accepted_in_comments()}
    for found in _phrases(text, phrases):
        yield Finding(line + found.line - 1, found.message)


def _listed() -> Iterator[tuple[str, str]]:
    for line in _PHRASES.read_text().splitlines():
        if line and not line.startswith("#"):
            left, right = line.split(" => ")
            yield left, right


def _phrases(text: str, phrases: dict[str, str] | None = None) -> Iterator[Finding]:
    for phrase, instead in (preferred() if phrases is None else phrases).items():
        pattern = rf"\b(?:{phrase})\b".replace(" ", r"\s+")
        for found in re.finditer(pattern, text, re.IGNORECASE):
            yield Finding(_line(text, found.start()), f'"{" ".join(found[0].split())}": {instead}')


def _long_sentences(text: str) -> Iterator[Finding]:
    start = 0
    for end in [*(found.end() for found in _END.finditer(text)), len(text)]:
        words = _WORD.findall(text, start, end)
        if len(words) > LONGEST_SENTENCE:
            first = text.index(words[0], start)
            message = f"{len(words)} words in one sentence ({' '.join(words[:5])} ...): split it"
            yield Finding(_line(text, first), message)
        start = end


def _proselint(text: str) -> Iterator[Finding]:
    registry = CheckRegistry()
    if not registry.checks:
        registry.register_many(proselint_checks)
    for result in LintFile("prose", text).lint({"checks": _PROSELINT, "max_errors": 1000}):
        # It puts an empty line before the text.
        yield Finding(result.pos[0] - 1, result.check_result.message)


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])


def _fill(code: str) -> str:
    if "\n" in code or len(code) < 3:
        return re.sub(r"[^\n]", " ", code)
    return "x" + "_" * (len(code) - 1)
