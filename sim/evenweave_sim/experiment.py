"""Experiments: a JSON file each, with a fabric, all parameters and what the paper claims."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evenweave_sim.claims import Claim

FOLDER = Path(__file__).resolve().parents[1]


# Flow completion times in ms.
_TIMES = ("avgFct", "p99Fct", "avgFctSmall", "p99FctSmall", "avgFctLarge")


class BadInput(Exception):
    """What is wrong with the command or a file; the text is for the user."""


@dataclass(frozen=True)
class Size:
    """How much of an experiment runs."""

    flows: int  # or requests
    points: list[float]  # of the axis
    seeds: int


@dataclass(frozen=True)
class Experiment:
    name: str
    title: str
    paper: str
    fabric: dict[str, Any] | None  # as ./evenweave plan takes it; none: hosts with libsdd
    case: dict[str, Any]  # what all cases have in common, as the simulator takes it
    schemes: list[str]
    sizes: dict[str, Size]
    choices: dict[str, str]  # where the paper is silent
    axis: str = "load"  # or fanout, or what by_point says
    counted: str = "flows"  # what a size's flows are
    # Where the point goes in the case: numbers that are multiplied by it.
    by_point: dict[str, Any] | None = None
    # Schemes that have a name of their own here: what they change of the case.
    variants: dict[str, dict[str, Any]] = field(default_factory=dict)
    shown: list[str] = field(default_factory=lambda: list(_TIMES))  # metrics of the table
    claims: list[Claim] = field(default_factory=list)

    def case_of(self, scheme: str, point: float, seed: int, flows: int) -> dict[str, Any]:
        """A case as the simulator takes it, but for the plan."""
        if self.by_point is not None:
            workload: dict[str, Any] = {"flows": flows}
        elif self.axis == "load":
            workload = {"load": point, "flows": flows}
        else:
            workload = {self.axis: int(point), "requests": flows}
        changed = self.variants.get(scheme, {"scheme": scheme})
        case = merged(merged(self.case, changed), _times(self.by_point or {}, point))
        return merged(case, {"seed": seed, "workload": workload})


def names() -> list[str]:
    return sorted(path.stem for path in (FOLDER / "experiments").glob("*.json"))


def load(name: str) -> Experiment:
    if name not in names():
        raise BadInput(f'no experiment "{name}"; there are {", ".join(names())}')
    read = _read(FOLDER / "experiments" / f"{name}.json")
    read = merged(_read(FOLDER / "experiments" / "bases" / f"{read['base']}.json"), read)
    case = read["case"]
    if "incast" in read:
        case = {**case, "workload": read["incast"]}
    elif "sizes" in read:
        case["workload"]["sizes"] = distribution(read["sizes"])
    return Experiment(
        name,
        read["title"],
        read["paper"],
        _read(FOLDER / "fabrics" / f"{read['fabric']}.json") if "fabric" in read else None,
        case,
        read["schemes"],
        {size: Size(**run) for size, run in read["runs"].items()},
        read["choices"],
        read.get("axis", "load"),
        read.get("counted", "requests" if "incast" in read else "flows"),
        read.get("byPoint"),
        read.get("variants", {}),
        read.get("shown", list(_TIMES)),
        [
            Claim(
                c["scheme"],
                c["at"],
                c["metric"],
                c["value"],
                c["source"],
                over=c.get("over"),
                gain=c.get("gain", False),
                relation=c.get("is", "about"),
                over_at=c.get("overAt"),
            )
            for c in read["claims"]
        ],
    )


def _times(numbers: dict[str, Any], point: float) -> dict[str, Any]:
    """The same objects with each number times the point: whole where the product is."""
    found: dict[str, Any] = {}
    for key, value in numbers.items():
        if isinstance(value, dict):
            found[key] = _times(value, point)
        else:
            product = value * point
            found[key] = int(product) if product == int(product) else product
    return found


def merged(base: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Objects member by member; of all else, what `more` has."""
    found = dict(base)
    for key, value in more.items():
        both = isinstance(value, dict) and isinstance(found.get(key), dict)
        found[key] = merged(found[key], value) if both else value
    return found


def distribution(name: str) -> list[list[float]]:
    """The points [bytes, probability] of a distribution of flow sizes."""
    with (FOLDER / "workloads" / f"{name}.csv").open(newline="") as file:
        lines = csv.DictReader(line for line in file if not line.startswith("#"))
        return [[float(line["bytes"]), float(line["cdf"])] for line in lines]


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text())
    return found
