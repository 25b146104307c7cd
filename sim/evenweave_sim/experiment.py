"""Experiments: one JSON file each, with a fabric, all parameters and what the paper reports."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1]


class BadInput(Exception):
    """What is wrong with the command or a file; the text is for the user."""


@dataclass(frozen=True)
class Reported:
    """A figure of the paper."""

    scheme: str
    load: float
    metric: str
    value: float
    source: str


@dataclass(frozen=True)
class Size:
    """How much of an experiment runs. Loads are shares of the bisection."""

    flows: int
    loads: list[float]
    seeds: int


@dataclass(frozen=True)
class Experiment:
    name: str
    title: str
    paper: str
    fabric: dict[str, Any]  # as ./evenweave plan takes it
    case: dict[str, Any]  # what all cases have in common, as the simulator takes it
    schemes: list[str]
    sizes: dict[str, Size]
    reported: list[Reported]

    def at(self, scheme: str, load: float, metric: str) -> Reported | None:
        """What the paper reports of this point."""
        for one in self.reported:
            if (one.scheme, one.load, one.metric) == (scheme, load, metric):
                return one
        return None


def names() -> list[str]:
    return sorted(path.stem for path in (FOLDER / "experiments").glob("*.json"))


def load(name: str) -> Experiment:
    if name not in names():
        raise BadInput(f'no experiment "{name}"; there are {", ".join(names())}')
    read = json.loads((FOLDER / "experiments" / f"{name}.json").read_text())
    case = read["case"]
    case["workload"]["sizes"] = distribution(read["sizes"])
    return Experiment(
        name,
        read["title"],
        read["paper"],
        read["fabric"],
        case,
        read["schemes"],
        {size: Size(**run) for size, run in read["runs"].items()},
        [Reported(**one) for one in read["reported"]],
    )


def distribution(name: str) -> list[list[float]]:
    """The points [bytes, probability] of a distribution of flow sizes."""
    with (FOLDER / "workloads" / f"{name}.csv").open(newline="") as file:
        lines = csv.DictReader(line for line in file if not line.startswith("#"))
        return [[float(line["bytes"]), float(line["cdf"])] for line in lines]
