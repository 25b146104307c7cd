"""What the simulator's benchmark makes of what its programs print."""

import json
from pathlib import Path

import pytest

from evenweave_bench.sim import traffics
from evenweave_bench.sim.command import run
from evenweave_bench.sim.measure import ProgramError, compare
from evenweave_bench.sim.traffics import NS3, OURS, Traffic

TRAFFIC = Traffic("some", "any", 2, 1, 1, 2, "newreno", networks=(OURS, NS3))
ANSWER = {
    "cpuSeconds": 1.0,
    "transmissions": 100,
    "events": 140,
    "bytes": 5000,
    "drops": 0,
    "marks": 0,
    "completionNs": [1000, 3000],
}


def programs(folder: Path, **theirs: object) -> Path:
    """Two that print always the same, ns-3's with something changed."""
    for name, answer in (("bench_sim_tcmalloc", ANSWER), ("bench_sim", {**ANSWER, **theirs})):
        script = folder / name
        script.write_text(f"#!/bin/sh\ncat >/dev/null\necho '{json.dumps(answer)}'\n")
        script.chmod(0o755)
    return folder


def test_costs_are_those_of_a_transmission(tmp_path):
    changed = programs(tmp_path, cpuSeconds=4.0, transmissions=200, completionNs=[1000, 3400])
    networks = compare(changed, TRAFFIC, 1, 3, quick=True)["networks"]
    assert networks[OURS]["transmissionsPerCpuSecond"] == 100
    assert networks[OURS]["timesOurs"] == 1
    assert networks[NS3]["timesOurs"] == 2
    assert networks[NS3]["completionMs"]["mean"] == 0.0022
    assert networks[NS3]["completionMs"]["p50"] == 0.001
    against = {"sameFlows": 1, "meanRelative": 0.1, "largestNs": 400}
    assert networks[NS3]["againstOurs"] == against


@pytest.mark.parametrize("theirs", [{"bytes": 4999}, {"completionNs": [1000, 0]}])
def test_flows_that_are_not_delivered_are_an_error(tmp_path, theirs):
    with pytest.raises(ProgramError, match="some: ns3 did not deliver every flow"):
        compare(programs(tmp_path, **theirs), TRAFFIC, 1, 1, quick=True)


@pytest.mark.parametrize(("asked", "rounds"), [([], 2), (["--repetitions", "1"], 1)])
def test_a_quick_run_makes_as_many_repetitions_as_it_is_told(
    tmp_path, monkeypatch, capsys, asked, rounds
):
    monkeypatch.setattr(traffics, "ALL", (TRAFFIC,))
    options = ["--json", "--quick", "--programs", str(programs(tmp_path)), *asked]
    monkeypatch.setattr("sys.argv", ["bench sim", *options])
    assert run() == 0
    assert json.loads(capsys.readouterr().out)["repetitions"] == rounds


def test_a_program_that_fails_is_an_error(tmp_path):
    folder = programs(tmp_path)
    (folder / "bench_sim").write_text("#!/bin/sh\necho 'no room' >&2\nexit 1\n")
    with pytest.raises(ProgramError, match="ns3: no room"):
        compare(folder, TRAFFIC, 1, 1, quick=True)
