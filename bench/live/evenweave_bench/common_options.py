"""The options that the benchmarks' command lines have in common."""

from __future__ import annotations

import argparse
from collections.abc import Collection

from evenweave_testbed.command_line import HelpFormatter, command, names_of, whole_number

_MOST_FAILURES = 10_000
_LEAST_BFD_MS, _MOST_BFD_MS = 10, 1000


def parser(name: str, description: str, epilog: str | None = None) -> argparse.ArgumentParser:
    """The command line of `./evenweave bench NAME`, with --help wrapped and --json."""
    made = argparse.ArgumentParser(
        prog=f"evenweave bench {name}",
        formatter_class=HelpFormatter,
        description=description,
        epilog=epilog,
    )
    made.add_argument("--json", action="store_true", help="print one JSON object, nothing else")
    return made


def add_seed(to: argparse.ArgumentParser) -> None:
    """--seed, 1 by default."""
    to.add_argument(
        "--seed", type=whole_number(0, 2**32 - 1), default=1, help="default: %(default)s"
    )


def add_quick(to: argparse.ArgumentParser, how_little: str) -> None:
    """--quick, which shows the output's form."""
    to.add_argument("--quick", action="store_true", help=f"{how_little}: the form, no figures")


def add_failures(to: argparse.ArgumentParser, default: int, when: str) -> None:
    """--failures, how many links fail one after another; `when` or where."""
    to.add_argument(
        "--failures",
        type=whole_number(1, _MOST_FAILURES),
        default=default,
        metavar="N",
        help=f"links to fail {when}, one after another (default: %(default)s)",
    )


def add_names(to: argparse.ArgumentParser, what: str, known: Collection[str]) -> None:
    """An option in the plural of `what`: some of the known names, all by default."""
    to.add_argument(
        f"--{what}s",
        type=names_of(what, known),
        default=tuple(known),
        metavar="NAME,...",
        help=f"some of {','.join(known)} (default: all)",
    )


def add_bfd(to: argparse.ArgumentParser, default: int, purpose: str) -> None:
    """--bfd, the period of BFD's packets in milliseconds, of which three missing end a session."""
    to.add_argument(
        "--bfd",
        type=whole_number(_LEAST_BFD_MS, _MOST_BFD_MS),
        default=default,
        metavar="MS",
        help=purpose,
    )


def add_command(to: argparse.ArgumentParser, option: str) -> None:
    """A command line that the launcher gives, which --help does not mention. A controller's has
    {fabric}, {openflow} and {http} in it, to be filled in."""
    to.add_argument(option, required=True, type=command, help=argparse.SUPPRESS)
