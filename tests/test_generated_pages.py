"""The reference pages that are generated are current."""

from __future__ import annotations

from pathlib import Path

import generated_pages
import pytest
import rest_pages

_STALE = "run tests/generated_pages.py"


def test_the_fields_of_configurations_are_those_of_the_schemas():
    assert generated_pages.fields_page() == generated_pages.FIELDS.read_text(), _STALE


def test_the_fields_of_answers_are_those_of_the_description_of_rest():
    assert rest_pages.answers_page() == rest_pages.ANSWERS.read_text(), _STALE


@pytest.mark.parametrize("page", rest_pages.PAGES, ids=lambda page: page.stem)
def test_the_operations_of_a_page_are_those_of_the_description_of_rest(page):
    text = page.read_text()
    assert "| `GET /" in text
    assert rest_pages.with_tables(page) == text, _STALE


def test_every_operation_is_on_one_page():
    shown = [row for page in rest_pages.PAGES for row in _requests(page)]
    paths = rest_pages.operations()
    assert sorted(shown) == sorted(f"{method} {path}" for path, method, _ in paths)


def _requests(page: Path) -> list[str]:
    made = rest_pages.table_of_operations(page)
    return [line.split("`")[1] for line in made.splitlines() if line.startswith("| `")]


def test_the_page_on_the_command_line_has_the_commands_and_no_others():
    text = generated_pages.COMMAND_LINE.read_text()
    heads = [line for line in text.splitlines() if line.startswith("## ")]
    assert heads == [f"## evenweave {name}".rstrip() for name in generated_pages.COMMANDS], _STALE


@pytest.mark.extended
@pytest.mark.parametrize("command", generated_pages.COMMANDS)
def test_the_page_on_the_command_line_has_the_help_of_each_command(command):
    assert generated_pages.section(command) in generated_pages.COMMAND_LINE.read_text(), _STALE
