"""The files of a result: whole, or not there."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path
from typing import Any

from evenweave_sim.claims import Run
from evenweave_sim.experiment import BadInput, Experiment


class Failed(Exception):
    """What the command needs did not do its job; the text says what it wrote."""


def text_of(path: Path) -> str:
    """What a file says that the user has named."""
    try:
        return path.read_text()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: {error}") from error


def write(path: Path, text: str) -> None:
    """Replaces the file at once."""
    part = path.with_name(path.name + ".part")
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text)
        os.replace(part, path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise Failed(f"{path} cannot be written: {error.strerror}") from error


def runs_csv(experiment: Experiment, flows: dict[float, int], runs: dict[float, list[Run]]) -> str:
    """A line for each run. What is kept of a campaign: all else is made from it. flows: of each
    run, by point."""
    measured = [r for seeds in runs.values() for run in seeds for r in run.values()]
    columns = list(dict.fromkeys(name for one in measured for name in one))
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(["experiment", "scheme", experiment.axis, "seed", "flows", *columns])
    for point, seeds in runs.items():
        for seed, run in enumerate(seeds, 1):
            for scheme, values in run.items():
                cells = (f"{values[name]:g}" if name in values else "" for name in columns)
                lines.writerow([experiment.name, scheme, f"{point:g}", seed, flows[point], *cells])
    return out.getvalue()


def as_json(result: dict[str, Any]) -> str:
    return json.dumps(result) + "\n"
