"""Runs a benchmark on a live fabric, as the command lines of several have it in common."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TypeVar

from evenweave_testbed.command_line import FAILED, run_isolated
from evenweave_testbed.progress import Progress

Result = TypeVar("Result")


def run(
    name: str,
    options: argparse.Namespace,
    steps: int,
    failures: tuple[type[BaseException], ...],
    measure: Callable[[argparse.Namespace, Progress], Result],
    show: Callable[[Result], str],
) -> int:
    """Measures in namespaces of its own, prints the result, and returns the exit status.

    `name`: as in `./evenweave bench NAME`, whose package has underscores in place of hyphens;
    `steps`: of the progress; `failures`: errors that end a measurement with one line on stderr.
    """
    isolated = run_isolated(f"bench {name}", f"evenweave_bench.{name.replace('-', '_')}")
    if isolated is not None:
        return isolated
    progress = Progress(steps)
    try:
        result = measure(options, progress)
    except failures as error:
        print(f"bench {name}: {progress.name}: {error}", file=sys.stderr)
        return FAILED
    finally:
        progress.clear()
    print(show(result), end="")
    return 0
