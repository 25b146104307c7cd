"""Measures the tools' whole way, from the standard input to the standard output."""

from __future__ import annotations

import argparse
import itertools
import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from evenweave_bench import common_options
from evenweave_bench.cli import inputs
from evenweave_bench.cli.process import ToolError, measured, output
from evenweave_testbed.command_line import FAILED

_GROUPS, _QUICK_GROUPS = 3_000_000, 2_000
_PART = 10
"""Baselines, being slower, get the first tenth of all groups."""

_SAMPLE = 1_000
_CLOS, _QUICK_CLOS = (400, 36), (10, 4)
_HEAP_MB = 64
_PYTHON = """
import json, sys
for line in sys.stdin:
    sys.stdout.write(json.dumps(json.loads(line)) + "\\n")
"""

_EPILOG = """\
`reduce` on groups of 8 or 16 ports as next hops of fabrics have them, its answers dropped; beside
it the same tool where a line is written in another way, so that it takes the general way through a
tree and the schema, and as yardsticks Python's json and jq, which read and write the same lines and
do no more. `weights` on all pairs of a large fabric, in a heap of 64 MB.

example:
  ./evenweave bench cli --json | jq '.reduce'
"""


def rates(program: list[str], one: Path, many: Path, groups: int) -> dict[str, float]:
    """What a program takes for one line, which is its start, and for many."""
    start, whole = measured(program, one), measured(program, many)
    return {
        "groups": groups,
        "startSeconds": start.seconds,
        "startCpuSeconds": start.cpuSeconds,
        "seconds": whole.seconds,
        "cpuSeconds": whole.cpuSeconds,
        "groupsPerSecond": round(groups / whole.seconds),
        "groupsPerCpuSecond": round(groups / whole.cpuSeconds),
        # Without the start; what a few groups take may be less than the start's own variation.
        "cpuUsPerGroup": round(max(0.0, whole.cpuSeconds - start.cpuSeconds) / groups * 1e6, 4),
    }


def measure_reduce(tools: list[str], groups: int, seed: int, folder: Path) -> dict:
    """`reduce`, and the same groups in other ways."""
    part = groups // _PART
    files: dict[str, Path] = {}
    for name, count in (("one", 1), ("sample", min(groups, _SAMPLE)), ("part", part)):
        for kind, written in (("", str), ("Other", inputs.otherwise_written)):
            files[name + kind] = folder / (name + kind)
            _write(files[name + kind], count, seed, written)
    files["all"] = folder / "all"
    _write(files["all"], groups, seed, str)
    reduce = [*tools, "reduce"]
    if output(reduce, files["sample"]) != output(reduce, files["sampleOther"]):
        raise ToolError("reduce answers a group differently where it is written differently")
    ours = rates(reduce, files["one"], files["all"], groups)
    baselines: dict[str, dict] = {
        "general": rates(reduce, files["oneOther"], files["partOther"], part),
        "python": rates([sys.executable, "-c", _PYTHON], files["one"], files["part"], part),
        "jq": rates(["jq", "-c", "."], files["one"], files["part"], part)
        if shutil.which("jq")
        else {"skipped": "jq is not installed"},
    }
    for baseline in baselines.values():
        if "skipped" not in baseline and ours["cpuUsPerGroup"]:
            baseline["timesOurs"] = round(baseline["cpuUsPerGroup"] / ours["cpuUsPerGroup"], 2)
    return {"reduce": {**ours, "inputMb": _megabytes(files["all"])}, "baselines": baselines}


def _write(file: Path, count: int, seed: int, written: Callable[[str], str]) -> None:
    with file.open("w", encoding="ascii") as out:
        lines = inputs.groups(count, seed)
        while some := list(itertools.islice(lines, 10_000)):
            out.write("".join(map(written, some)))


def _megabytes(file: Path) -> float:
    return round(file.stat().st_size / 1e6, 1)


def measure_weights(tools: list[str], size: tuple[int, int], seed: int, folder: Path) -> dict:
    """`weights` of all pairs of a fabric, in a small heap."""
    leaves, spines = size
    fabric = folder / "fabric"
    fabric.write_text(inputs.clos(leaves, spines, seed), encoding="ascii")
    java, *rest = tools
    took = measured([java, f"-Xmx{_HEAP_MB}m", *rest, "weights"], fabric, counted=True)
    return {
        "switches": leaves + spines,
        "pairs": leaves * (leaves - 1),
        "heapMb": _HEAP_MB,
        "answerBytes": took.outputBytes,
        "peakMb": took.peakMb,
        "seconds": took.seconds,
        "cpuSeconds": took.cpuSeconds,
    }


def run() -> int:
    """Runs the benchmark as the command line says; returns the exit status."""
    options = _parser().parse_args()
    groups = _QUICK_GROUPS if options.quick else _GROUPS
    size = _QUICK_CLOS if options.quick else _CLOS
    try:
        with tempfile.TemporaryDirectory() as folder:
            print("bench: reduce, writing its input first", file=sys.stderr)
            reduced = measure_reduce(options.tools, groups, options.seed, Path(folder))
            print("bench: weights", file=sys.stderr)
            weights = measure_weights(options.tools, size, options.seed, Path(folder))
    except (OSError, ToolError) as error:
        print(f"bench cli: {error}", file=sys.stderr)
        return FAILED
    result = {"seed": options.seed, **reduced, "weights": weights}
    print(json.dumps(result) if options.json else _text(result))
    return 0


def _text(result: dict) -> str:
    lines = [f"seed {result['seed']}"]
    for name, rate in {"reduce": result["reduce"], **result["baselines"]}.items():
        lines.append(f"{name:>8}: " + _rate(rate))
    weights = result["weights"]
    lines.append(
        f" weights: {weights['pairs']:,} pairs in {weights['seconds']:.1f} s,"
        f" {weights['answerBytes'] / 1e6:.0f} MB, with {weights['peakMb']:.0f} MB of memory"
    )
    return "\n".join(lines)


def _rate(rate: dict) -> str:
    if "skipped" in rate:
        return f"skipped: {rate['skipped']}"
    return (
        f"{rate['groups']:,} groups in {rate['seconds']:.2f} s ({rate['startSeconds']:.2f} s of it"
        f" the start): {rate['groupsPerSecond']:,} groups/s,"
        f" {rate['groupsPerCpuSecond']:,} by processor time"
    )


def _parser() -> argparse.ArgumentParser:
    parser = common_options.parser(
        "cli",
        "The tools' whole way, from the standard input to the standard output.",
        _EPILOG,
    )
    common_options.add_command(parser, "--tools")
    common_options.add_quick(parser, "2,000 groups")
    common_options.add_seed(parser)
    return parser
