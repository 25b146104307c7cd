"""The reference pages that are generated are current."""

from __future__ import annotations

import generated_pages
import pytest

_STALE = "run tests/generated_pages.py"


def test_the_fields_of_configurations_are_those_of_the_schemas():
    assert generated_pages.fields_page() == generated_pages.FIELDS.read_text(), _STALE


def test_the_page_on_the_command_line_has_the_commands_and_no_others():
    text = generated_pages.COMMAND_LINE.read_text()
    heads = [line for line in text.splitlines() if line.startswith("## ")]
    assert heads == [f"## evenweave {name}".rstrip() for name in generated_pages.COMMANDS], _STALE


@pytest.mark.extended
@pytest.mark.parametrize("command", generated_pages.COMMANDS)
def test_the_page_on_the_command_line_has_the_help_of_each_command(command):
    assert generated_pages.section(command) in generated_pages.COMMAND_LINE.read_text(), _STALE
