"""What the command lines of the demo, the fault runner and the live benchmarks have in common."""

from __future__ import annotations

import argparse
import errno
import os
import shlex
import sys
import textwrap
from collections.abc import Callable, Collection, Sequence

from evenweave_testbed import isolation, standard_output
from evenweave_testbed.requirements import RequirementError

FAILED, BAD_USE = 1, 2
"""Exit statuses: what was run failed; a wrong command line, or a machine that cannot run it."""


class HelpFormatter(argparse.HelpFormatter):
    """Wraps paragraphs of a description or epilog; those with indented lines stay as written."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = text.strip().split("\n\n")
        return "\n\n".join(
            textwrap.indent(part, indent)
            if part.startswith(" ") or "\n " in part
            else textwrap.fill(" ".join(part.split()), width, break_on_hyphens=False)
            for part in paragraphs
        )


def run_isolated(
    program: str, package: str, arguments: Sequence[str] = (), passed: Sequence[int] = ()
) -> int | None:
    """Runs `python3 -m package` with this process's arguments in namespaces of its own, and returns
    its exit status; None if this process is in them already. `program` starts an error message;
    `arguments` are added, and the file descriptors in `passed` are open there."""
    if isolation.inside():
        return None
    try:
        return isolation.run(
            [sys.executable, "-m", package, *sys.argv[1:], *arguments],
            name=program.replace(" ", "-"),
            passed=passed,
        )
    except RequirementError as error:
        print(f"{program}: {error}", file=sys.stderr)
        return BAD_USE


def is_coloured() -> bool:
    """Whether what is printed may have colours."""
    return sys.stdout is not None and sys.stdout.isatty() and "NO_COLOR" not in os.environ


def answer(program: str, text: str) -> bool:
    """Prints what a command has found out. False, with one line of error, if nobody could read it:
    the pipe is closed, or the disk full."""
    try:
        if sys.stdout is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        print(text, flush=True)
    except OSError as error:
        standard_output.give_up(program, "the result", error)
        return False
    return True


# Types of options, for argparse.


def command(text: str) -> list[str]:
    """A command and its arguments, quoted as for a shell."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{error} in {text!r}") from error
    if not words:
        raise argparse.ArgumentTypeError("must not be empty")
    return words


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """Numbers from `least` to `most`, without a sign."""

    def number(text: str) -> int:
        if not (text.isascii() and text.isdecimal()) or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"must be {least} to {most}, not {text!r}")
        return int(text)

    return number


def names_of(what: str, known: Collection[str]) -> Callable[[str], tuple[str, ...]]:
    """Some of the `known` names, separated by commas; `what` says what they name."""

    def names(text: str) -> tuple[str, ...]:
        chosen = tuple(text.split(","))
        for name in chosen:
            if name not in known:
                raise argparse.ArgumentTypeError(
                    f"no {what} {name!r}; there are {', '.join(known)}"
                )
        return chosen

    return names
