"""Every experiment runs through the command, and invalid input gives one clear error."""

import json
import subprocess
from pathlib import Path

import pytest

from evenweave_sim import experiment

ROOT = Path(__file__).resolve().parents[2]
EXPERIMENT = "clove-asymmetric"


def sim(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(ROOT / "evenweave"), "sim", *arguments],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )


def complaints(done: subprocess.CompletedProcess[str]) -> list[str]:
    """Returns standard error without the launcher's messages about builds."""
    return [line for line in done.stderr.splitlines() if not line.startswith("evenweave: ")]


# Experiments that take only seconds.
SHORT = ("clove-incast",)


@pytest.mark.core_cases(len(SHORT))
@pytest.mark.parametrize("name", sorted(experiment.names(), key=lambda name: name not in SHORT))
def test_an_experiment_runs_and_judges_what_the_paper_claims(name, tmp_path):
    done = sim(name, "--quick", "--json", "--output", str(tmp_path))
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    chosen = experiment.load(name)
    assert answer["experiment"] == name
    rows = answer["rows"]
    assert {row["scheme"] for row in rows} == set(chosen.schemes)
    assert all(
        row["value"] > 0 for row in rows if row["metric"] in ("avgFct", "goodputGbps", "minRate")
    )
    run = {*chosen.sizes["quick"].points, None}
    claimed = [c for c in chosen.claims if c.at in run and c.over_at in run]
    assert claimed
    answered = [(c["claim"], c["paperValue"], c["paperRange"]) for c in answer["claims"]]
    assert answered == [
        (c.what(), *((c.value, None) if c.to is None else (None, [c.value, c.to]))) for c in claimed
    ]
    # One seed has no interval.
    assert answer["seeds"] > 1 or {c["verdict"] for c in answer["claims"]} == {"notResolved"}


@pytest.mark.extended
def test_each_flow_may_open_a_connection_of_its_own(tmp_path):
    means = []
    for connections in ("3", "0"):
        done = sim(
            *(EXPERIMENT, "--quick", "--json", "--schemes", "ecmp"),
            *("--connections", connections, "--output", str(tmp_path)),
        )
        assert done.returncode == 0, done.stderr
        rows = json.loads(done.stdout)["rows"]
        means.append(next(row["value"] for row in rows if row["metric"] == "avgFct"))
    assert means[0] != means[1]


@pytest.mark.parametrize(
    ("name", "metric"),
    [(EXPERIMENT, None), ("wcmp-mptcp", "windowMs"), ("intflow-mismatch", "flowMbit")],
)
def test_a_run_may_be_several_times_as_long(name, metric):
    """It has more flows, or long-lived flows are measured for longer, or its one flow is larger."""
    chosen = experiment.load(name)
    assert chosen.length_metric == metric
    size = chosen.sizes["full"]
    longer = chosen.times_as_long(size, 3)
    assert longer.flows == size.flows * (3 if metric is None else 1)
    if metric is None:
        assert longer.case == size.case
    else:
        scheme, point = chosen.schemes[0], size.points[0]
        case = experiment.merged(chosen.case_of(scheme, point, 1, longer.flows), longer.case)
        assert chosen.length_in(case) == 3 * chosen.full_length


def test_a_longer_run_of_one_flow_has_a_larger_one(tmp_path):
    done = sim(
        *("intflow-mismatch", "--quick", "--times", "2", "--schemes", "drb"),
        *("--json", "--output", str(tmp_path)),
    )
    assert done.returncode == 0, done.stderr
    [took] = [row["value"] for row in json.loads(done.stdout)["rows"] if row["metric"] == "avgFct"]
    # 2 Gbit at 2 to 4 Gb/s: the slow path of 2 Gb/s takes half.
    assert 500 < took < 1000
    assert (tmp_path / "runs.csv").read_text().splitlines()[1].endswith(",2000")


def test_experiments_are_listed():
    done = sim("--list")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == experiment.names()
    begins = {line.index(experiment.load(line.split()[0]).title) for line in lines}
    assert len(begins) == 1  # titles are aligned
    listed = json.loads(sim("--list", "--json").stdout)["experiments"]
    assert [one["name"] for one in listed] == experiment.names()
    assert all(one["title"] and one["paper"] and one["schemes"] for one in listed)


@pytest.mark.core_cases(2)
@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ([], "name an experiment; --list lists them"),
        (["clove"], 'no experiment "clove"; there are alb-ablation, alb-data-mining, alb-web'),
        ([EXPERIMENT, "--schemes", "ecmp, hula"], '--schemes: no scheme "hula"; there are ecmp,'),
        ([EXPERIMENT, "--loads", "0.5,1.2"], "--loads: must be from 0.01 to 1, not 1.2"),
        ([EXPERIMENT, "--loads", "high"], '--loads: "high" is not a number'),
        (
            ["clove-incast", "--loads", "0.5"],
            "--loads: the axis of clove-incast is fanout, not load",
        ),
        (
            ["clove-incast", "--connections", "0"],
            "--connections: the axis of clove-incast is fanout, not load",
        ),
        ([EXPERIMENT, "--connections", "-1"], "--connections: must be from 0 to 100, not -1"),
        ([EXPERIMENT, "--jobs", "0"], "--jobs: must be 1 or more, not 0"),
        ([EXPERIMENT, "--seeds", "0"], "--seeds: must be from 1 to 1000, not 0"),
        ([EXPERIMENT, "--seeds", "1001"], "--seeds: must be from 1 to 1000, not 1001"),
        ([EXPERIMENT, "--seeds", "two"], "argument --seeds: invalid int value: 'two'; --help"),
        ([EXPERIMENT, "--flows", "0"], "--flows: must be from 1 to 100000000, not 0"),
        ([EXPERIMENT, "--flows", "1" * 25], "--flows: must be from 1 to 100000000, not 1111"),
        ([EXPERIMENT, "--quick", "--full"], "argument --full: not allowed with argument --quick"),
        ([EXPERIMENT, "--output", ""], "argument --output: must not be empty"),
        (["edge-demo", "--emulation", "x"], "--emulation: needs --results"),
        ([EXPERIMENT, "--plan", "/no/such/file"], "/no/such/file: "),
        (["sdd-tdma", "--plan", "/no/such/file"], "/no/such/file: "),
        (["sdd-tdma", "--plan", "/dev/null"], "/dev/null: must be output of ./evenweave schedule"),
        (["sdd-tdma", "--loads", "0.5"], "--loads: the axis of sdd-tdma is slotUs, not load"),
        (["sdd-fct", "--connections", "1"], "--connections: sdd-fct has messages without"),
    ],
)
def test_bad_use_is_one_line_and_status_2(arguments, error):
    done = sim(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    [line] = complaints(done)
    assert line.startswith(f"evenweave sim: {error}")


def test_a_full_disk_is_one_line_and_status_1():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [str(ROOT / "evenweave"), "sim", "--list"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == ("evenweave sim: the result cannot be written: No space left on device\n")


def test_a_plan_that_names_a_missing_switch_is_refused(tmp_path):
    fabric = experiment.load(EXPERIMENT).fabric
    state = {"switches": [{"id": "s9", "groups": [], "flows": []}]}
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps({"fabric": fabric, "state": state}))
    done = sim(EXPERIMENT, "--quick", "--plan", str(plan))
    assert done.returncode == 2
    assert complaints(done) == [
        'evenweave sim: plan.state.switches[0].id: the fabric has no switch "s9"'
    ]


@pytest.mark.extended
def test_a_plan_without_ways_is_refused_where_hosts_choose_too(tmp_path):
    fabric = experiment.load(EXPERIMENT).fabric
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps({"fabric": fabric, "state": {"switches": []}}))
    for scheme in ("clove-ecn", "wcmp"):
        done = sim(EXPERIMENT, "--quick", "--schemes", scheme, "--plan", str(plan))
        assert done.returncode == 2
        [line] = complaints(done)
        assert line.startswith('evenweave sim: plan: switch "l2" has no way to ')


def week(*days: tuple[int, str, str]) -> str:
    """Returns output of ./evenweave schedule: days of 100 us with one circuit each."""
    rows = [
        {"startNs": start, "durationNs": 100_000, "circuits": [{"from": source, "to": to}]}
        for start, source, to in days
    ]
    return json.dumps({"weekNs": 1_500_000, "nightNs": 24_000, "guardNs": 2_000, "days": rows})


@pytest.mark.parametrize(
    ("days", "error"),
    [
        ([(24_000, "h0", "h9")], 'sdd.weeks[1].days[0].circuits[0].to: no host "h9"'),
        (
            [(24_000, "h0", "h1"), (124_000, "h0", "h2")],
            "sdd.weeks[1].days[1].startNs: the day overlaps the one before, guards included",
        ),
    ],
)
def test_a_schedule_that_cannot_be_followed_is_refused(tmp_path, days, error):
    schedule = tmp_path / "schedule.jsonl"
    schedule.write_text(week((24_000, "h0", "h1")) + "\n" + week(*days) + "\n")
    done = sim("sdd-circuits", "--quick", "--plan", str(schedule))
    assert done.returncode == 2
    assert complaints(done) == [f"evenweave sim: {error}"]


@pytest.mark.core_cases(1)
@pytest.mark.parametrize(
    ("name", "days", "error"),
    [
        ("sdd-circuits", [], "must have a day with a circuit"),
        (
            "sdd-fct",
            [(24_000, "h0", "h1")],
            'no day has a circuit from "h0" to "h2", and messages go from each host to each',
        ),
    ],
)
def test_a_schedule_that_serves_nobody_is_refused(tmp_path, name, days, error):
    schedule = tmp_path / "schedule.jsonl"
    schedule.write_text(week(*days) + "\n")
    done = sim(name, "--quick", "--schemes", "solstice", "--plan", str(schedule))
    assert done.returncode == 2
    assert complaints(done) == [f"evenweave sim: sdd.weeks: {error}"]


@pytest.mark.extended
def test_a_schedule_may_be_given_instead_of_planned(tmp_path):
    schedule = tmp_path / "schedule.jsonl"
    schedule.write_text(
        week((24_000, "h3", "h4"), (148_000, "h3", "h5"), (272_000, "h3", "h6")) + "\n"
    )
    done = sim(
        *("sdd-circuits", "--quick", "--json", "--schemes", "solstice", "--plan", str(schedule)),
        *("--output", str(tmp_path / "output")),
    )
    assert done.returncode == 0, done.stderr
    found = {row["metric"]: row["value"] for row in json.loads(done.stdout)["rows"]}
    assert found["daysBefore"] == 3
    assert found["daysAfter"] == 0  # the week never has circuits to the new destinations
    assert found["darkShare"] == 0
