"""The reference pages that are generated are current."""

from __future__ import annotations

import re
from pathlib import Path

import generated_pages
import pytest
import rest_pages
import schema_fields

_STALE = "run tests/generated_pages.py"
_SCHEMAS = schema_fields.read(rest_pages.API)["components"]["schemas"]
_ARTICLES = "a an the its of this one"


def test_the_fields_of_configurations_are_those_of_the_schemas():
    assert generated_pages.fields_page() == generated_pages.FIELDS.read_text(), _STALE


def test_the_fields_of_answers_are_those_of_the_description_of_rest():
    assert rest_pages.answers_page() == rest_pages.ANSWERS.read_text(), _STALE


@pytest.mark.parametrize("name", _SCHEMAS)
def test_every_field_of_an_answer_has_a_meaning(name):
    fields = schema_fields.fields(_SCHEMAS[name], rest_pages.API, follows=False)
    assert not [field.path for field in fields if _says_nothing(field.path, field.meaning)]


@pytest.mark.parametrize("name", schema_fields.DOCUMENTS)
def test_every_field_of_a_configuration_has_a_meaning(name):
    file = rest_pages.ROOT / f"docs/schema/{name}.json"
    fields = schema_fields.fields(schema_fields.read(file), file)
    assert not [field.path for field in fields if _says_nothing(field.path, field.meaning)]


def test_every_parameter_and_body_of_a_request_has_a_meaning():
    missing = []
    for path, method, operation in rest_pages.operations():
        parts = {each["name"]: each for each in operation.get("parameters", [])}
        if "requestBody" in operation:
            parts["body"] = operation["requestBody"]
        missing += [
            f"{method} {path}: {name}"
            for name, part in parts.items()
            if _says_nothing(name, part.get("description", ""))
        ]
    assert not missing


@pytest.mark.parametrize(
    ("path", "meaning", "says_nothing"),
    [
        ("rows[].port", "", True),
        ("rows[].port", "The port", True),
        ("unusedShares", "Its unused share", True),
        ("rows[].port", "Port of the switch", False),
        ("idealShare", "0 to 1", False),
    ],
)
def test_a_meaning_that_repeats_the_name_says_nothing(path, meaning, says_nothing):
    assert _says_nothing(path, meaning) == says_nothing


def _says_nothing(path: str, meaning: str) -> bool:
    """Whether a meaning has no word besides those of the field's name."""
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", path.rpartition(".")[2])
    return _words(meaning) <= _words(f"{name} {_ARTICLES}")


def _words(text: str) -> set[str]:
    """Its words, each without a plural's ending."""
    return {word.removesuffix("s") or word for word in re.findall(r"[a-z0-9]+", text.lower())}


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
