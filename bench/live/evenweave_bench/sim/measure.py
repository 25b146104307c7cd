"""Runs the networks in turn and compares them."""

from __future__ import annotations

import json
import math
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any

from evenweave_bench.sim.traffics import GLOBAL, NS3, OURS, TUNED, Traffic

_PROGRAMS = {OURS: "bench_sim_tcmalloc", TUNED: "bench_sim_tcmalloc"}
_ARGUMENTS = {OURS: "evenweave", NS3: "ns3", TUNED: "ns3", GLOBAL: "ns3-global"}
_SCHEDULER = {"NS_GLOBAL_VALUE": "SchedulerType=ns3::PriorityQueueScheduler"}


class ProgramError(Exception):
    """A program failed, or networks did not carry the same."""


def compare(
    programs: Path, traffic: Traffic, seed: int, repetitions: int, *, quick: bool
) -> dict[str, Any]:
    """Each network's figures, medians over the repetitions, in each of which all take turns."""
    question = json.dumps(traffic.question(seed, quick=quick))
    rounds = [
        {network: _run(programs, network, question) for network in traffic.networks}
        for _ in range(repetitions)
    ]
    first = rounds[0]
    for done in rounds:
        for network, answer in done.items():
            if _carried(answer) != _carried(first[network]):
                raise ProgramError(f"{traffic.name}: {network} did not repeat its own result")
            if 0 in answer["completionNs"] or answer["bytes"] != first[OURS]["bytes"]:
                raise ProgramError(f"{traffic.name}: {network} did not deliver every flow")
    networks = {}
    for network, answer in first.items():
        ratios = [_cost(done[network]) / _cost(done[OURS]) for done in rounds]
        networks[network] = {
            "transmissionsPerCpuSecond": round(median(1 / _cost(done[network]) for done in rounds)),
            "timesOurs": round(median(ratios), 2),
            "timesOursRange": [round(min(ratios), 2), round(max(ratios), 2)],
            "transmissions": answer["transmissions"],
            "eventsPerTransmission": round(answer["events"] / answer["transmissions"], 2),
            "bytes": answer["bytes"],
            "drops": answer["drops"],
            "marks": answer["marks"],
            "completionMs": _times(answer["completionNs"]),
            "againstOurs": _differences(answer["completionNs"], first[OURS]["completionNs"]),
        }
    return {
        "traffic": traffic.name,
        "what": traffic.what,
        "hosts": traffic.leaves * traffic.hosts_per_leaf,
        "flows": len(first[OURS]["completionNs"]),
        "congestion": traffic.congestion,
        "networks": networks,
    }


def _run(programs: Path, network: str, question: str) -> dict[str, Any]:
    program = programs / _PROGRAMS.get(network, "bench_sim")
    done = subprocess.run(
        [str(program), _ARGUMENTS[network]],
        input=question,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **_SCHEDULER} if network == TUNED else None,
    )
    if done.returncode != 0:
        why = done.stderr.strip() or f"exit status {done.returncode}"
        raise ProgramError(f"{network}: {why}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def _carried(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name != "cpuSeconds"}


def _cost(answer: dict[str, Any]) -> float:
    """Processor seconds of a transmission."""
    return float(answer["cpuSeconds"] / answer["transmissions"])


def _times(ns: Sequence[int]) -> dict[str, float]:
    """Percentiles by nearest rank."""
    ordered = sorted(ns)
    ranks = {f"p{p}": ordered[math.ceil(len(ordered) * p / 100) - 1] for p in (50, 90, 99)}
    return {name: round(value / 1e6, 6) for name, value in {"mean": mean(ns), **ranks}.items()}


def _differences(ns: Sequence[int], ours: Sequence[int]) -> dict[str, Any]:
    """How flows' completion times differ from ours, flow by flow."""
    return {
        "sameFlows": sum(a == b for a, b in zip(ns, ours, strict=True)),
        "meanRelative": round(sum(ns) / sum(ours) - 1, 6),
        "largestNs": max(abs(a - b) for a, b in zip(ns, ours, strict=True)),
    }
