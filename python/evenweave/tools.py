"""The offline tools as functions: each runs the command `evenweave` and needs no network.

A call starts a Java program, which takes about half a second. The methods whose names end in
`_all` answer any number of questions in one call.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from evenweave_topos.fabric_file import FabricSpec

# The environment variable with the command, if it is not to be found by PATH.
COMMAND_VARIABLE = "EVENWEAVE"


class ToolError(RuntimeError):
    """The command is missing, or refused a question; the message says which field is wrong."""


@dataclass(frozen=True)
class Reduced:
    """A reduced group: integer weights in the order given, their sum, and the maximum
    oversubscription against the weights given (1 is none)."""

    weights: tuple[int, ...]
    entries: int
    oversubscription: float


@dataclass(frozen=True)
class Fitted:
    """Groups that share a table: weights and oversubscription of each, and of the worst."""

    groups: tuple[tuple[int, ...], ...]
    entries: int
    oversubscription: float
    per_group: tuple[float, ...]


@dataclass(frozen=True)
class Striping:
    """How many links each S1 switch (row) has to each S2 switch (column), and the least, mean and
    greatest throughput of pairs of S1 switches, in links. `answer` has everything that the tool
    answered, such as the steps of an expansion."""

    matrix: tuple[tuple[int, ...], ...]
    min_throughput: int
    mean_throughput: float
    max_throughput: int
    answer: dict[str, Any]


@dataclass(frozen=True)
class NextHop:
    """A port of a switch, the neighbour behind it, and its weight."""

    port: int
    via: str
    weight: int


@dataclass(frozen=True)
class PairWeights:
    """In which ratio the switch `source` splits traffic for hosts behind `destination`; without a
    path there are no ports."""

    source: str
    destination: str
    ports: tuple[NextHop, ...]

    @property
    def weights(self) -> tuple[int, ...]:
        return tuple(hop.weight for hop in self.ports)


# Written by tests/tables.py.
Rule = Literal["auto", "wcmp", "maxflow", "pair", "ecmp"]


class Tools:
    """Runs the tools. Without a command it is the environment variable EVENWEAVE, or `evenweave`
    found by PATH."""

    def __init__(self, command: Sequence[str] | None = None) -> None:
        self._command = list(command or [os.environ.get(COMMAND_VARIABLE, "evenweave")])

    def reduce(
        self, weights: Sequence[int], max_oversubscription: float, **options: Any
    ) -> Reduced:
        """The smallest group whose maximum oversubscription is within a limit of at least 1.

        Options: `leaveOut="auto"` allows ports without entries, `minNextHops`; `target="native"`
        for a switch that has weights as numbers, and its `limits`.
        """
        return self.reduce_all([weights], max_oversubscription, **options)[0]

    def reduce_all(
        self, groups: Iterable[Sequence[int]], max_oversubscription: float, **options: Any
    ) -> list[Reduced]:
        """`reduce` of each group."""
        limit = {"maxOversubscription": max_oversubscription} | options
        answers = self.ask("reduce", [{"weights": list(group)} | limit for group in groups])
        return [Reduced(tuple(a["weights"]), a["entries"], a["oversubscription"]) for a in answers]

    def fit(self, groups: Sequence[Sequence[int]], entries: int, **options: Any) -> Fitted:
        """The groups in a table of so many entries, with the least common oversubscription.

        Options: `demands`, `objective`, `sharing`, `leaveOut`, `minNextHops`, `ports`,
        `capacities`, `target`, `limits` (docs/reference/offline-tools.md).
        """
        (a,) = self.ask(
            "fit", [{"groups": [list(g) for g in groups], "entries": entries} | options]
        )
        return Fitted(
            tuple(tuple(group) for group in a["groups"]),
            a["entries"],
            a["oversubscription"],
            tuple(a["perGroup"]),
        )

    def stripe(
        self,
        kind: Literal["rotation", "group"],
        *,
        s1: int,
        s2: int,
        uplinks: int,
        downlinks: int,
        **options: Any,
    ) -> Striping:
        """A striping plan of `s1` S1 switches with `uplinks` each and `s2` S2 switches with
        `downlinks` each; s1 x uplinks = s2 x downlinks.

        Options: `addS1`, `addS2` for an expansion, `picture=True` for a drawing.
        """
        sizes = {"s1": s1, "s2": s2, "uplinks": uplinks, "downlinks": downlinks}
        (a,) = self.ask("stripe", [{"kind": kind} | sizes | options])
        through = a["throughput"]
        matrix = tuple(tuple(row) for row in a["matrix"])
        return Striping(matrix, through["min"], through["mean"], through["max"], a)

    def weights(
        self, fabric: FabricSpec, rule: Rule = "auto", *, pair: tuple[str, str] | None = None
    ) -> list[PairWeights]:
        """The weights of all pairs of switches with subnets, or of one pair (from, to)."""
        question: dict[str, Any] = {"fabric": fabric.to_json(), "rule": rule}
        if pair is not None:
            question |= {"from": pair[0], "to": pair[1]}
        (answer,) = self.ask("weights", [question])
        return [
            PairWeights(
                row["from"],
                row["to"],
                tuple(NextHop(p["port"], p["via"], p["weight"]) for p in row["ports"]),
            )
            for row in (answer["pairs"] if pair is None else [answer])
        ]

    def plan(self, fabric: FabricSpec, **options: Any) -> dict[str, Any]:
        """The groups and flows of every switch, and a summary with table use.

        Options: `strategy`, `maxOversubscription`.
        """
        return self.ask("plan", [{"fabric": fabric.to_json()} | options])[0]

    def verify(self, state: dict[str, Any], **options: Any) -> list[dict[str, Any]]:
        """The violations in an answer of `plan`; none if it forwards as it should.

        Options: `strategy`, `maxOversubscription`.
        """
        violations: list[dict[str, Any]] = self.ask("verify", [state | options])[0].get(
            "violations", []
        )
        return violations

    def ask(self, tool: str, questions: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """A tool's answers, one for each question; ToolError for the first that it refuses."""
        lines = "".join(json.dumps(question) + "\n" for question in questions)
        try:
            done = subprocess.run(
                [*self._command, tool], input=lines, capture_output=True, text=True, check=False
            )
        except OSError as error:
            raise ToolError(
                f"{self._command[0]}: {error.strerror}: install evenweave-tools, or set"
                f" {COMMAND_VARIABLE} to the command"
            ) from error
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        for answer in answers:
            if "error" in answer:
                raise ToolError(f"{tool}: {answer['error']} (question {answer['line']})")
        if done.returncode:
            raise ToolError(f"{tool}: {done.stderr.strip()}")
        return answers
