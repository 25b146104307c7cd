"""The prose of README, docs/, help texts and commits stays plain."""

from __future__ import annotations

import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import prose
import pytest

ROOT = prose.ROOT
# A command and what it prints, in the page that tests/generated_pages.py writes.
_HELP = re.compile(r"^## ([^\n]*)\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Author date from which commits are checked: older ones cannot be changed any more.
COMMITS_SINCE = datetime(2026, 11, 29, tzinfo=UTC)


def pages() -> list[Path]:
    names = ["README.md", "CONTRIBUTING.md", *(ROOT / "docs").glob("**/*.md")]
    return [ROOT / name for name in names]


def report(page: Path, found: list[prose.Finding]) -> list[str]:
    return [f"{page.relative_to(ROOT)}:{each.line}: {each.message}" for each in found]


def test_pages_are_plain():
    wrong = []
    for page in pages():
        wrong += report(page, prose.findings(prose.running_text(page.read_text())))
    assert not wrong, "\n".join(wrong)


def test_the_launchers_help_is_plain():
    wrong = report(ROOT / "evenweave", prose.findings_in_help(prose.help_of_launcher()))
    assert not wrong, "\n".join(wrong)


def test_the_help_of_every_command_is_plain():
    page = ROOT / "docs/reference/command-line.md"
    wrong = []
    for command, shown in _HELP.findall(page.read_text()):
        wrong += [f"{command}: {each.message}" for each in prose.findings_in_help(shown)]
    assert not wrong, "\n".join(wrong)


def test_usage_of_the_programs_for_hosts_fits_a_terminal():
    wrong = []
    sources = [*(ROOT / "host").glob("*/src/main.c"), *(ROOT / "host").glob("*/main.c")]
    for source in sources:
        usage = source.read_text().partition("usage[] =")[2].partition(";\n\n")[0]
        lines = re.findall(r'"((?:[^"\\]|\\.)*?)(?:\\n)?"', usage)
        assert lines, source
        wrong += [f"{source.relative_to(ROOT)}: {line}" for line in lines if len(line) > 80]
    assert not wrong, "\n".join(wrong)


def test_comments_of_java_types_are_plain():
    wrong = []
    for file in _tracked("*.java"):
        wrong += report(file, list(prose.findings_in_java(file.read_text())))
    assert not wrong, "\n".join(wrong)


def test_docstrings_of_python_modules_are_plain():
    wrong = []
    for file in _tracked("*.py"):
        wrong += report(file, list(prose.findings_in_python(file.read_text())))
    assert not wrong, "\n".join(wrong)


def _tracked(pattern: str) -> list[Path]:
    done = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", pattern], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        pytest.skip("no Git history here")
    return [path for name in done.stdout.splitlines() if (path := ROOT / name).exists()]


def test_phrases_that_comments_may_have_are_phrases_with_a_reason():
    for phrase, reason in prose.accepted_in_comments().items():
        assert phrase in prose.preferred()
        assert reason


@pytest.mark.parametrize(
    ("before", "type_"),
    [
        ("", "final class A {}"),
        ('@Command(\n    name = "a)",\n    description = {"b"})\n', "public final class A {}"),
        ("@FunctionalInterface\n", "interface A {}"),
        ("", "enum A {}"),
    ],
)
def test_a_phrase_in_the_comment_of_a_type_is_found(before, type_):
    comment = "/**\n * Reads {@code anew} all\n * the same, hence.\n */"
    text = f"package a;\n\n{comment}\n{before}{type_}\n"
    (found,) = prose.findings_in_java(text)
    assert (found.line, found.message) == (4, '"all the same": anyway, still')


def test_comments_of_members_and_code_are_left_alone():
    text = "/** A class. */\nclass A {\n  /** Read anew. */\n  int a; // anew\n}\n"
    assert list(prose.findings_in_java(text)) == []


def test_a_phrase_in_the_docstring_of_a_module_is_found():
    text = '#!/usr/bin/python3\n"""Reads\n\n`anew`, or anew."""\n\n\ndef a():\n    """anew"""\n'
    (found,) = prose.findings_in_python(text)
    assert (found.line, found.message) == (4, '"anew": again')


def test_help_fits_a_terminal_and_is_wrapped():
    """Paragraphs are wrapped where the line is full, not in the middle of it."""
    page = ROOT / "docs/reference/command-line.md"
    wrong = []
    for command, shown in _HELP.findall(page.read_text()):
        wrong += [f"{command}: {line!r}" for line in prose.badly_wrapped(shown)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("word " * 15 + "word.\nMore.\n  indented\nWords follow.\n", []),
        ("word " * 16 + "long\n", ["word " * 16 + "long"]),
        ("Changes the named fields. All are\nchanged.\n", ["Changes the named fields. All are"]),
        ("  what switches can send at\nonce;\n", ["once;"]),
    ],
)
def test_help_that_is_badly_wrapped_is_found(text, wrong):
    assert list(prose.badly_wrapped(text)) == wrong


def test_subjects_of_commits_are_plain():
    log = ["git", "-C", str(ROOT), "log", "--no-merges", "--format=%at %s"]
    done = subprocess.run(log, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip("no Git history here")
    since = COMMITS_SINCE.timestamp()
    commits = (line.split(" ", 1) for line in done.stdout.splitlines())
    subjects = [subject for at, subject in commits if int(at) >= since]
    wrong = [f"{s!r} {why}" for s in subjects if (why := prose.wrong_subject(s))]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("400 for what cannot be meant.", '"cannot be meant": is invalid'),
        ("What comes\nanew is read.", '"anew": again'),
        ("It was done at this moment in time.", "Redundancy"),
        ("word " * 46 + ".", "46 words in one sentence (word word word word word ...): split it"),
    ],
)
def test_prose_that_is_not_plain_is_found(text, message):
    (found,) = prose.findings(prose.running_text(text))
    assert message in found.message


def test_the_line_of_a_finding_is_that_of_the_file():
    text = "# Heading\n\n```sh\nls anew\n```\n\n    echo anew\n\nA word.\nRead anew.\n"
    assert [found.line for found in prose.findings(prose.running_text(text))] == [10]


@pytest.mark.parametrize(
    "text",
    [
        "`anew`, ``anew ` anew``",
        "[a page](docs/anew.md)",
        '<!-- anew -->\n\n<a id="anew"></a>',
        "~~~\nanew\n~~~",
        "<!-- prose off -->\nanew\n<!-- prose on -->",
        "| " + "word | " * 60,
        "- item\n" * 60,
        "word " * 45 + ". " + "word " * 45 + ".",
    ],
)
def test_code_targets_cells_and_items_are_left_alone(text):
    assert prose.findings(prose.running_text(text)) == []


@pytest.mark.parametrize(
    ("subject", "why"),
    [
        ("Read the leader and its term in one snapshot", None),
        ("Take who leads from the look that saw it", 'begins with "Take"'),
        ("Fix " + "x" * 69, "has 73 characters"),
    ],
)
def test_a_commits_subject_begins_with_the_change(subject, why):
    found = prose.wrong_subject(subject)
    assert found is None if why is None else why in found
