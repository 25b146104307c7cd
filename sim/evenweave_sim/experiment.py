"""Experiments: each is a JSON file with a fabric, all parameters and the paper's claims."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from evenweave_sim import conditions, plans
from evenweave_sim.claims import Claim

FOLDER = Path(__file__).resolve().parents[1]

# Limits of a campaign and of a run of the simulator.
MOST_SEEDS = 1000
MOST_TIMES = 1000
MOST_FLOWS = 100_000_000

# Metrics that are flow completion times in ms.
_TIMES = ("avgFct", "p99Fct", "avgFctSmall", "p99FctSmall", "avgFctLarge")


class BadInput(Exception):
    """An error in the command line or a file; the text is for the user."""


@dataclass(frozen=True)
class Size:
    """The extent to which an experiment runs."""

    flows: int  # or requests, messages
    points: list[float]  # points of the axis
    seeds: int
    case: dict[str, Any] = field(default_factory=dict)  # changes of all cases for this size


@dataclass(frozen=True)
class Experiment:
    name: str
    title: str
    paper: str
    fabric: dict[str, Any] | None  # input of ./evenweave plan; none: hosts with libsdd
    case: dict[str, Any]  # common part of all cases, in the simulator's form
    schemes: list[str]
    sizes: dict[str, Size]
    choices: dict[str, str]  # made where the paper is silent
    # Load, fanout, or another property of the workload or the fabric, or defined by by_point.
    axis: str = "load"
    fabrics: dict[float, dict[str, Any]] = field(
        default_factory=dict
    )  # by point, if there are several
    by_size: bool = False  # whether there are also metrics for each decade of flow sizes
    drawn: str = "lines"  # kind of chart: a metric over the axis, or the flows' distribution
    drawn_over: str | None = None  # in a chart of lines, the scheme to which values are relative
    counted: str = "flows"  # what Size.flows counts
    # Where the point enters the case: numbers that are multiplied by it.
    by_point: dict[str, Any] | None = None
    # Schemes that are defined here by name: their changes of the case.
    variants: dict[str, dict[str, Any]] = field(default_factory=dict)
    shown: list[str] = field(default_factory=lambda: list(_TIMES))  # metrics in the table
    claims: list[Claim] = field(default_factory=list)
    # The conditions under which all schemes run, if there are several. Results have "SCHEME,
    # CONDITION".
    conditions: list[str] = field(default_factory=list)
    is_emulated: bool = False  # whether ./evenweave demo edge uses the same fabric and traffic
    # If links fail in the middle of a run: the remaining fabric.
    left: dict[str, Any] | None = None

    @property
    def are_long(self) -> bool:
        """Whether flows are long-lived, so that their bandwidth is measured."""
        return "pairs" in self.case["workload"]

    @property
    def length_metric(self) -> str | None:
        """What the length of a run is, if not its number of flows: of long-lived flows the window
        of measurement (windowMs), of a single flow its size (flowMbit)."""
        if self.are_long:
            return "windowMs"
        return "flowMbit" if self.sizes["full"].flows == 1 else None

    def length_in(self, case: dict[str, Any]) -> float:
        """Returns the value of length_metric, which must not be None, for a case."""
        workload = case["workload"]
        if self.are_long:
            return float(workload["windowNs"]) / 1e6
        return float(workload["sizes"][-1][0]) * 8 / 1e6

    @property
    def full_length(self) -> float:
        """The value of length_metric, which must not be None, at full size."""
        return self.length_in(merged(self.case, self.sizes["full"].case))

    def times_as_long(self, size: Size, times: int) -> Size:
        """Returns the size with runs that are `times` as long."""
        if self.length_metric is None:
            return replace(size, flows=min(size.flows * times, MOST_FLOWS))
        workload = merged(self.case, size.case)["workload"]
        if self.are_long:
            longer: dict[str, Any] = {"windowNs": workload["windowNs"] * times}
        else:
            longer = {"sizes": [[size * times, share] for size, share in workload["sizes"]]}
        return replace(size, case=merged(size.case, {"workload": longer}))

    def chosen(self, name: str) -> list[str]:
        """Returns the schemes for a name: one for each condition, if there are several; an empty
        list if there is no such scheme."""
        return [scheme for scheme in self.schemes if conditions.base(scheme) == name]

    def fabric_at(self, point: float) -> dict[str, Any]:
        """Returns the fabric at a point of an experiment that has one."""
        found = self.fabrics.get(point, self.fabric)
        assert found is not None, f"{self.name} is of hosts with libsdd"
        return found

    def plan_question(self, scheme: str, point: float) -> dict[str, Any]:
        """Returns the input of ./evenweave plan: the fabric and the scheme's options."""
        planned = self.planned(scheme)
        fabric = _fabric(planned["fabric"]) if "fabric" in planned else self.fabric_at(point)
        return plans.question(fabric, planned)

    def planned(self, scheme: str) -> dict[str, Any]:
        """Returns the options by which the scheme's groups differ from the controller's
        defaults."""
        found: dict[str, Any] = self.variants.get(scheme, {}).get("planned", {})
        return found

    @property
    def is_ours(self) -> bool:
        """Whether claims are the project's expectations, because no paper has the experiment."""
        return self.paper.startswith("beyond the papers")

    def case_of(self, scheme: str, point: float, seed: int, flows: int) -> dict[str, Any]:
        """Returns a case in the simulator's form, without the plan."""
        workload: dict[str, Any]
        if self.by_point is not None:
            workload = {"flows": flows}
        elif self.axis == "load":
            workload = {"load": point, "flows": flows}
        elif self.axis == "fanout":
            workload = {"fanout": int(point), "requests": flows}
        elif self.axis == "startsWithinMs":
            workload = {"startsWithinNs": round(point * 1e6), "flows": flows}
        else:
            workload = {"flows": flows}
        own = {} if self.fabric is None else {"scheme": scheme}
        changed = self.variants.get(scheme, own)
        changed = {key: value for key, value in changed.items() if key != "planned"}
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
    if "conditions" in read:
        read |= conditions.product(read)
    fabrics = {float(point): _fabric(file) for point, file in read.get("fabrics", {}).items()}
    return Experiment(
        name,
        read["title"],
        read["paper"],
        _fabric(read["fabric"]) if "fabric" in read else next(iter(fabrics.values()), None),
        case,
        read["schemes"],
        {size: Size(**run) for size, run in read["runs"].items()},
        read["choices"],
        read.get("axis", "load"),
        fabrics,
        read.get("bySize", False),
        read.get("drawn", "lines"),
        read.get("drawnOver"),
        read.get("counted", "requests" if "incast" in read else "flows"),
        read.get("byPoint"),
        read.get("variants", {}),
        read.get("shown", list(_TIMES)),
        [_claim(claim) for claim in read["claims"]],
        list(read.get("conditions", {})),
        read.get("emulated", False),
        _fabric(read["left"]) if "left" in read else None,
    )


def _claim(read: dict[str, Any]) -> Claim:
    """Reads a claim, which has a "value", or "from" and "to" for a range."""
    is_range = "from" in read
    return Claim(
        read["scheme"],
        read["at"],
        read["metric"],
        read["from"] if is_range else read["value"],
        read["source"],
        over=read.get("over"),
        gain=read.get("gain", False),
        relation="range" if is_range else read.get("is", "about"),
        over_at=read.get("overAt"),
        why=read.get("why"),
        to=read["to"] if is_range else None,
    )


def _times(numbers: dict[str, Any], point: float) -> dict[str, Any]:
    """Returns the same objects with each number multiplied by the point, as an integer if the
    product is one."""
    found: dict[str, Any] = {}
    for key, value in numbers.items():
        if isinstance(value, dict):
            found[key] = _times(value, point)
        else:
            product = value * point
            found[key] = int(product) if product == int(product) else product
    return found


def merged(base: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Merges objects member by member; for other values `more` replaces `base`."""
    found = dict(base)
    for key, value in more.items():
        both = isinstance(value, dict) and isinstance(found.get(key), dict)
        found[key] = merged(found[key], value) if both else value
    return found


def distribution(name: str) -> list[list[float]]:
    """Returns the points [bytes, probability] of a distribution of flow sizes."""
    with (FOLDER / "workloads" / f"{name}.csv").open(newline="") as file:
        lines = csv.DictReader(line for line in file if not line.startswith("#"))
        return [[float(line["bytes"]), float(line["cdf"])] for line in lines]


def _fabric(name: str) -> dict[str, Any]:
    """Returns a fabric in the form of ./evenweave plan. A file may have a two-stage Clos fabric's
    striping instead: striping[l][k] links of equal rate connect s1-l and s2-k."""
    read = _read(FOLDER / "fabrics" / f"{name}.json")
    return clos(read["striping"], read["bps"], read["switch"]) if "striping" in read else read


def clos(striping: list[list[int]], bps: int, switch: dict[str, Any]) -> dict[str, Any]:
    """Returns a Clos fabric. Ports are numbered from 1, in the order of the switches at their other
    ends.

    switch: members of all switches other than their names and stages."""
    ports: dict[str, int] = {}

    def end(of: str) -> str:
        ports[of] = ports.get(of, 0) + 1
        return f"{of}/{ports[of]}"

    stages = [(1, f"s1-{s1}") for s1 in range(len(striping))]
    stages += [(2, f"s2-{s2}") for s2 in range(len(striping[0]))]
    return {
        "switches": [{"id": name, "stage": stage, **switch} for stage, name in stages],
        "links": [
            {"a": end(f"s1-{s1}"), "b": end(f"s2-{s2}"), "bps": bps}
            for s1, row in enumerate(striping)
            for s2, count in enumerate(row)
            for _ in range(count)
        ],
        "subnets": [
            {"switch": f"s1-{s1}", "prefix": f"10.{s1}.0.0/16"} for s1 in range(len(striping))
        ],
    }


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text())
    return found
