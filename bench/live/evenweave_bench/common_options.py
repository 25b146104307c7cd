"""The options that the benchmarks' command lines have in common."""

from __future__ import annotations

import argparse

from evenweave_testbed.command_line import command, whole_number


def parser(name: str, description: str, epilog: str | None = None) -> argparse.ArgumentParser:
    """The command line of `./evenweave bench NAME`, with --help as written and --json."""
    made = argparse.ArgumentParser(
        prog=f"evenweave bench {name}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
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


def add_command(to: argparse.ArgumentParser, option: str) -> None:
    """A command line that the launcher gives, which --help does not mention. A controller's has
    {fabric}, {openflow} and {http} in it, to be filled in."""
    to.add_argument(option, required=True, type=command, help=argparse.SUPPRESS)
