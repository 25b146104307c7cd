"""Writes the files of a result: completely or not at all."""

from __future__ import annotations

import csv
import io
import json
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

from evenweave_sim.claims import Run
from evenweave_sim.experiment import BadInput, Experiment


class Failed(Exception):
    """A tool that the command needs failed; the text is the tool's output."""


def text_of(path: Path) -> str:
    """Returns the text of a file that the user has named."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: {error}") from error


def part_of(path: Path) -> Path:
    """Returns the temporary file, which replaces the file when it is complete."""
    return path.with_name(path.name + ".part")


def check_replaceable(path: Path) -> None:
    """Refuses files that must not be replaced: devices, pipes, links, folders."""
    if os.path.lexists(path) and not stat.S_ISREG(os.lstat(path).st_mode):
        raise BadInput(f"{path}: is not a regular file, which a result would replace")


def write(path: Path, text: str) -> None:
    """Replaces the file atomically."""
    write_all({path: text})


def write_all(texts: dict[Path, str]) -> None:
    """Replaces the files after all are written; replaces none if one cannot be written."""
    path = Path()
    try:
        for path, text in texts.items():
            check_replaceable(path)
            path.parent.mkdir(parents=True, exist_ok=True)
            part_of(path).write_text(text, encoding="utf-8")
        for path in texts:
            os.replace(part_of(path), path)
    except OSError as error:
        raise Failed(f"{path} cannot be written: {error.strerror}") from error
    finally:
        for path in texts:
            with suppress(OSError):
                part_of(path).unlink()


def runs_csv(experiment: Experiment, flows: dict[float, int], runs: dict[float, list[Run]]) -> str:
    """Returns a line for each run. This is the stored result of a campaign, from which everything
    else is computed. flows: of each run, by point."""
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
