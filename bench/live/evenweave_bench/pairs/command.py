"""Times what a user waits for: from the start of the tool to the end of its answer."""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from typing import IO

from evenweave_bench import common_options
from evenweave_testbed.command_line import FAILED

_SWITCHES, _QUICK_SWITCHES = 100, 8
_RINGS = 5
"""Rings through all switches, each in a random order: two links of each switch a ring."""

_GBPS = (10, 20, 30, 40)
_HEAP_MB = 256
_PAIR_MARK = b'"maxFlowBps"'
"""In the answer once for each pair."""

_EPILOG = """\
The heap is 256 MB. Only the number of pairs in the answer is checked.

example:
  ./evenweave bench pairs --json | jq '.cases[] | {paths, seconds}'
"""


class ToolError(Exception):
    """The tool did not answer on every pair."""


@dataclass(frozen=True)
class Case:
    """One answer."""

    paths: str
    pairs: int
    seconds: float
    answerBytes: int


def fabric(switches: int, seed: int) -> dict:
    """Switches on rings in random orders, with links of different speeds."""
    chance = random.Random(seed)
    names = [f"s{i}" for i in range(switches)]
    links = []
    for ring in range(_RINGS):
        order = chance.sample(names, switches)
        for one, other in zip(order, order[1:] + order[:1], strict=True):
            bps = chance.choice(_GBPS) * 10**9
            ends = {"a": f"{one}/{2 * ring + 1}", "b": f"{other}/{2 * ring + 2}"}
            links.append({**ends, "bps": bps})
    return {
        "switches": [{"id": name, "stage": 1} for name in names],
        "links": links,
        "subnets": [{"switch": s, "prefix": f"10.0.{i}.0/24"} for i, s in enumerate(names)],
    }


def heap() -> list[str]:
    """Java's options."""
    return [f"-Xmx{_HEAP_MB}m"]


def measure(tool: list[str], wanted: dict, longer: bool) -> Case:
    """Asks the tool once; nothing of the answer is kept."""
    line = {"fabric": wanted, "rule": "pair", "longerPaths": longer}
    java, *rest = tool
    with tempfile.TemporaryFile() as given:
        given.write(json.dumps(line).encode() + b"\n")
        given.seek(0)
        start = time.monotonic()
        with subprocess.Popen(
            [java, *heap(), *rest], stdin=given, stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            size, pairs = _read(process.stdout)
        seconds = time.monotonic() - start
    expected = len(wanted["switches"]) * (len(wanted["switches"]) - 1)
    if process.returncode != 0 or pairs != expected:
        raise ToolError(f"exit status {process.returncode}, {pairs} of {expected} pairs")
    return Case("all" if longer else "shortest", pairs, round(seconds, 3), size)


def _read(stream: IO[bytes]) -> tuple[int, int]:
    """How long a text is, and how many pairs it has."""
    size = pairs = 0
    end = b""
    while text := stream.read(1 << 20):
        size += len(text)
        pairs += (end + text).count(_PAIR_MARK)
        end = text[-len(_PAIR_MARK) + 1 :]
    return size, pairs


def run() -> int:
    """Runs the benchmark as the command line says; returns the exit status."""
    options = _parser().parse_args()
    switches = _QUICK_SWITCHES if options.quick else _SWITCHES
    wanted = fabric(switches, options.seed)
    try:
        cases = [measure(options.tool, wanted, longer) for longer in (False, True)]
    except (OSError, ToolError) as error:
        print(f"bench pairs: {error}", file=sys.stderr)
        return FAILED
    result = {"seed": options.seed, "switches": switches, "links": len(wanted["links"])}
    if options.json:
        print(json.dumps({**result, "heapMb": _HEAP_MB, "cases": [asdict(c) for c in cases]}))
        return 0
    print(f"seed {options.seed}: {switches} switches, {result['links']} links")
    for case in cases:
        print(f"{case.paths:>9} paths: {case.pairs:,} pairs in {case.seconds:.1f} s", end="")
        print(f", {case.answerBytes / 1e6:.0f} MB")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = common_options.parser(
        "pairs",
        "Weights of all pairs of 100 switches by maximum flow, timed as a user waits.",
        _EPILOG,
    )
    common_options.add_command(parser, "--tool")
    common_options.add_quick(parser, "8 switches")
    common_options.add_seed(parser)
    return parser
