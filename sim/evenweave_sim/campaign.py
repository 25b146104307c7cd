"""Runs the cases of an experiment, one after another, each in a process of its own."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evenweave_sim.experiment import BadInput, Experiment, Size
from evenweave_sim.rows import Run, metrics


class Failed(Exception):
    """A program that the campaign needs did not do its job; the text says what it wrote."""


@dataclass(frozen=True)
class Tools:
    simulator: list[str]  # a case as JSON in, an answer as JSON out
    planner: list[str]  # ./evenweave plan


def make_plan(tools: Tools, fabric: dict[str, Any]) -> dict[str, Any]:
    """Every switch's groups and flows, as the controller would install them."""
    plan: dict[str, Any] = _answer(tools.planner, fabric)
    if "error" in plan:
        raise Failed(f"plan: {plan['error']}")
    return plan


def read_plan(path: Path) -> dict[str, Any]:
    try:
        plan = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise BadInput(f"{path}: {error}") from error
    if not isinstance(plan, dict):
        raise BadInput(f"{path}: must be an answer of ./evenweave plan")
    return plan


def run(
    tools: Tools,
    experiment: Experiment,
    schemes: Sequence[str],
    size: Size,
    plan: dict[str, Any],
    say: Callable[[str], None],
) -> dict[float, list[Run]]:
    """The metrics of each scheme, by load and seed. For a seed all schemes have the same flows."""
    cases = len(size.loads) * size.seeds * len(schemes)
    done = 0
    runs: dict[float, list[Run]] = {}
    for load in size.loads:
        runs[load] = []
        for seed in range(1, size.seeds + 1):
            found: Run = {}
            for scheme in schemes:
                began = time.monotonic()
                case = {**experiment.case, "scheme": scheme, "load": load, "seed": seed}
                case["workload"] = {**case["workload"], "flows": size.flows}
                found[scheme] = metrics(_answer(tools.simulator, {**case, "plan": plan}))
                done += 1
                say(
                    f"{done} of {cases}: {scheme}, load {load:g}, seed {seed}: mean "
                    f"{found[scheme]['avgFct']:.2f} ms ({time.monotonic() - began:.0f} s)"
                )
            runs[load].append(found)
    return runs


def _answer(command: list[str], question: dict[str, Any]) -> Any:
    done = subprocess.run(
        command,
        input=json.dumps(question) + "\n",
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 2:
        raise BadInput(done.stderr.strip())
    try:
        return json.loads(done.stdout)
    except ValueError as error:
        what = done.stderr.strip() or f"status {done.returncode}"
        raise Failed(f"{Path(command[0]).name}: {what}") from error
