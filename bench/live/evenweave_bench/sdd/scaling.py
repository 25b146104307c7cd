"""Figure 5.4: many queues on one core, and where there are two, with transmission on the second."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence

from evenweave_testbed.sdd.build import program
from evenweave_testbed.sdd.priority import start_first

QUEUES = (1, 10, 100, 500, 1000, 2600, 5000, 10000)
"""Figure 5.4(a)'s go to 2600, as its text says."""

QUEUES_WITH_RATES = 500
"""Figure 5.4(b)'s."""

RATES_BPS = (1_000_000, 2_000_000, 5_000_000, 10_000_000, 15_000_000, 19_000_000)
"""Of each queue; with the last they take 9.5 Gb/s of a line of 10 Gb/s. The paper's are in its plot
only, which is not in our copy."""


def scaling(queues: Sequence[int], seconds: float) -> list[dict]:
    """Figure 5.4(a)'s rows: slots in turn. Fields are in host/sdd-host/bench/scaling.c."""
    return _run([str(number) for number in queues], seconds)


def scaling_by_rate(rates_bps: Sequence[int], seconds: float) -> list[dict]:
    """Figure 5.4(b)'s: a drain rate each."""
    return _run([f"{QUEUES_WITH_RATES}@{bps}" for bps in rates_bps], seconds)


def _run(cases: Sequence[str], seconds: float) -> list[dict]:
    cores = sorted(os.sched_getaffinity(0))
    rows = []
    for second in (-1, cores[1]) if len(cores) > 1 else (-1,):
        command = [str(program("scaling")), str(cores[0]), str(second), str(seconds), *cases]
        process = start_first(command, stdout=subprocess.PIPE, text=True)
        printed, _ = process.communicate()
        if process.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: ended with status {process.returncode}")
        rows += json.loads(printed)
    return rows
