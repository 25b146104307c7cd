"""The options that the benchmarks have in common."""

from __future__ import annotations

import pytest

from evenweave_bench import common_options


@pytest.fixture
def parser():
    made = common_options.parser("example", "Measures nothing.")
    common_options.add_failures(made, 6, "during each example")
    common_options.add_names(made, "example", ("one", "two"))
    common_options.add_bfd(made, 0, "with BFD at this period")
    return made


def test_defaults_are_all_names_and_the_given_numbers(parser):
    options = parser.parse_args([])
    assert (options.failures, options.examples, options.bfd) == (6, ("one", "two"), 0)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--failures", "0"], "--failures: must be 1 to 10000, not '0'"),
        (["--examples", "three"], "--examples: no example 'three'; there are one, two"),
        (["--bfd", "9"], "--bfd: must be 10 to 1000, not '9'"),
    ],
)
def test_a_wrong_value_is_named_with_what_would_do(parser, capsys, arguments, error):
    with pytest.raises(SystemExit) as ended:
        parser.parse_args(arguments)
    assert ended.value.code == 2
    assert error in capsys.readouterr().err
