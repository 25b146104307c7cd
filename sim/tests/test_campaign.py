"""Campaigns: any number of jobs gives the same files, an interrupted campaign continues, and errors
are one line and leave no partial files. The simulator and the planner are fakes."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

SIM = Path(__file__).resolve().parents[1]
RESULTS = ["chart.svg", "result.json", "runs.csv"]
PLANNER = 'import json; print(json.dumps({"fabric": {}, "state": {}}))\n'
# Records each run; its answer depends on the case only.
SIMULATOR = """
import json, os, sys, time
from pathlib import Path
case = json.load(sys.stdin)
if "--check" in sys.argv:
    sys.exit()
here = Path(__file__).parent
with (here / "ran").open("a") as file:
    file.write(f"{case['scheme']} {case['seed']}\\n")
while case["scheme"] == "conga" and (here / "hold").exists():
    time.sleep(0.05)
if (here / "fail").exists():
    sys.exit("3 flows did not complete")
part = {"count": 1, "meanNs": 1e6 * (len(case["scheme"]) + case["seed"])}
part |= {"p50Ns": 1e6, "p90Ns": 1e6, "p99Ns": 2e6}
link = {"frames": 1, "bytes": 100, "drops": 0, "marks": 0, "lost": 0}
print(json.dumps({
    "fct": {"all": part, "small": part, "large": part}, "links": link, "between": {"l1/1": link},
    "tcp": {"recoveries": 0, "timeouts": 0}, "flowlets": 1, "goodputBps": 1e9,
    "reroutes": {"small": 0, "medium": 0, "large": 0},
    "padding": "x" * int((here / "padding").read_text() if (here / "padding").exists() else 0)}))
"""


@pytest.fixture
def tools(tmp_path):
    (tmp_path / "simulator.py").write_text(SIMULATOR)
    (tmp_path / "planner.py").write_text(PLANNER)
    return tmp_path


def command(tools: Path, output: Path, *more: str) -> list[str]:
    python = sys.executable
    return [
        *(python, "-m", "evenweave_sim", "clove-asymmetric", "--quick", "--seeds", "2"),
        *("--schemes", "ecmp,clove-ecn,conga", "--output", str(output)),
        *("--simulator", f"{python} {tools}/simulator.py"),
        *("--planner", f"{python} {tools}/planner.py"),
        *("--snakemake", f"{python} -m snakemake", *more),
    ]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(SIM)}


def sim(tools: Path, output: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(tools, output, *more),
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
    )


def ran(tools: Path) -> list[str]:
    file = tools / "ran"
    return sorted(file.read_text().splitlines()) if file.exists() else []


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def leftovers(output: Path) -> list[Path]:
    return [
        *output.rglob("*.part"),
        *(output / name for name in RESULTS if (output / name).exists()),
    ]


@pytest.mark.extended
def test_any_number_of_jobs_gives_the_same_files(tools):
    for jobs in ("1", "3"):
        done = sim(tools, tools / jobs, "--jobs", jobs)
        assert done.returncode == 0, done.stderr
        assert len(done.stderr.splitlines()) == 6  # a line for each run
    for name in RESULTS:
        assert (tools / "1" / name).read_bytes() == (tools / "3" / name).read_bytes()


@pytest.mark.extended
def test_runs_that_are_there_are_taken_but_not_those_of_another_simulator(tools):
    output = tools / "out"
    assert sim(tools, output, "--seeds", "1").returncode == 0
    before = len(ran(tools))
    done = sim(tools, output)
    assert done.returncode == 0
    assert f"3 of 6 runs are in {output}" in done.stderr
    assert len(ran(tools)) == before + 3
    (tools / "simulator.py").write_text(SIMULATOR + "# newer\n")
    assert sim(tools, output).returncode == 0
    assert len(ran(tools)) == before + 3 + 6


@pytest.mark.extended
def test_answers_that_are_not_whole_are_run_again(tools):
    output = tools / "out"
    assert sim(tools, output).returncode == 0
    before = [(output / name).read_bytes() for name in RESULTS]
    parts = ["", '{"fct": {"all"', "[]", "[" * 5000]
    for answer, part in zip(sorted(output.glob("runs/*.json")), parts, strict=False):
        answer.write_text(part)
        (output / "cases" / answer.name).write_text(part)
    done = sim(tools, output)
    assert done.returncode == 0
    assert f"2 of 6 runs are in {output}" in done.stderr
    assert len(ran(tools)) == 6 + 4
    assert [(output / name).read_bytes() for name in RESULTS] == before


def test_an_answer_that_is_no_result_is_one_line(tools):
    (tools / "simulator.py").write_text("print('{}')\n")
    done = sim(tools, tools / "out", "--schemes", "ecmp", "--seeds", "1")
    assert done.returncode == 1
    error = "ecmp, load 0.7, seed 1: the simulator's answer is not a result"
    assert done.stderr.splitlines()[-1] == f"evenweave sim: {error}"


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_campaign_goes_on(tools, by):
    output = tools / "out"
    (tools / "hold").touch()
    with subprocess.Popen(
        command(tools, output, "--jobs", "6"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        # Background jobs of a shell and nohup ignore one of them, also for these tests.
        preexec_fn=lambda: signal.signal(by, signal.SIG_DFL),
    ) as campaign:
        wait_until(lambda: len(list(output.glob("runs/*.json"))) == 4 and len(ran(tools)) == 6)
        second = sim(tools, output)
        assert second.returncode == 1
        assert second.stderr == f"evenweave sim: another command runs in {output}\n"
        campaign.send_signal(by)
        stdout, stderr = campaign.communicate(timeout=60)
    assert campaign.returncode == 130
    assert stdout == ""
    assert stderr.splitlines()[-1] == "evenweave sim: interrupted; the same command continues"
    assert leftovers(output) == []
    (tools / "hold").unlink()
    done = sim(tools, output)
    assert done.returncode == 0, done.stderr
    assert ran(tools) == sorted(
        [f"{s} {n}" for s in ("ecmp", "clove-ecn", "conga") for n in (1, 2)]
        + ["conga 1", "conga 2"]
    )
    assert all((output / name).exists() for name in RESULTS)


@pytest.mark.extended
def test_a_killed_command_leaves_the_folder_locked_until_its_runs_end(tools):
    output = tools / "out"
    (tools / "hold").touch()
    with subprocess.Popen(
        command(tools, output, "--jobs", "6"), stderr=subprocess.DEVNULL, env=environment()
    ) as campaign:
        wait_until(lambda: len(ran(tools)) == 6)
        campaign.kill()
    assert sim(tools, output).stderr == f"evenweave sim: another command runs in {output}\n"
    (tools / "hold").unlink()
    wait_until(lambda: len(list(output.glob("runs/*.json"))) == 6)
    wait_until(lambda: sim(tools, output).returncode == 0)
    assert len(ran(tools)) == 6


@pytest.mark.extended
def test_runs_end_too_when_their_command_is_told_twice_to_end(tools):
    """Like a closing terminal, whose shell sends the signal again."""
    output = tools / "out"
    (tools / "hold").touch()
    with subprocess.Popen(
        command(tools, output, "--jobs", "6"),
        stderr=subprocess.DEVNULL,
        env=environment(),
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
    ) as campaign:
        wait_until(lambda: len(ran(tools)) == 6)
        campaign.send_signal(signal.SIGHUP)
        campaign.send_signal(signal.SIGHUP)
        assert campaign.wait(60) == 130
    assert leftovers(output) == []
    (tools / "hold").unlink()
    assert sim(tools, output).returncode == 0  # the folder is not locked: nothing runs there


def test_a_run_that_fails_is_named_in_one_line(tools):
    (tools / "fail").touch()
    done = sim(tools, tools / "out", "--schemes", "ecmp", "--seeds", "1")
    assert done.returncode == 1
    assert done.stderr == "evenweave sim: ecmp, load 0.7, seed 1: 3 flows did not complete\n"
    assert leftovers(tools / "out") == []


@pytest.mark.core_cases(1)
@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
@pytest.mark.parametrize(
    ("padding", "limit"), [("4000000", "size=1m"), ("0", "size=1m,nr_inodes=14")]
)
def test_a_full_disk_is_one_line(tools, padding, limit):
    output = tools / "disk"
    output.mkdir()
    (tools / "padding").write_text(padding)
    subprocess.run(["mount", "-t", "tmpfs", "-o", limit, "tmpfs", output], check=True)
    try:
        done = sim(tools, output)
        assert done.returncode == 1
        assert done.stderr == f"evenweave sim: no space left in {output}\n"
        assert leftovers(output) == []
    finally:
        subprocess.run(["umount", output], check=True)


def test_a_folder_that_cannot_be_made_is_one_line(tools):
    (tools / "file").touch()
    done = sim(tools, tools / "file" / "out")
    assert done.returncode == 1
    assert done.stderr == f"evenweave sim: {tools}/file/out cannot be written: Not a directory\n"


@pytest.mark.extended
def test_results_are_result_json_and_standard_output(tools):
    done = sim(tools, tools / "out", "--json")
    answer = json.loads(done.stdout)
    assert answer == json.loads((tools / "out" / "result.json").read_text())
    assert {row["scheme"] for row in answer["rows"]} == {"ecmp", "clove-ecn", "conga"}
    assert [c["verdict"] for c in answer["claims"]]


@pytest.mark.extended
def test_a_result_and_its_page_are_made_of_the_csv_and_nothing_is_run(tools):
    output = tools / "out"
    assert sim(tools, output).returncode == 0
    before = ran(tools)
    page = tools / "page.md"
    image = "![FCT](clove-asymmetric.svg)"
    page.write_text(f"{image}\n<!-- clove-asymmetric -->\n<!-- end clove-asymmetric -->\n")
    csv, again = str(output / "runs.csv"), tools / "again"
    done = sim(tools, again, "--json", "--results", csv, "--page", str(page))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads((output / "result.json").read_text())
    assert "| 0.7 | clove-ecn | " in page.read_text()
    drawn = tools / "clove-asymmetric.svg"
    assert drawn.read_text() == (output / "chart.svg").read_text()
    assert ran(tools) == before
    assert sorted(path.name for path in again.iterdir()) == RESULTS
    assert all((again / n).read_bytes() == (output / n).read_bytes() for n in RESULTS)


@pytest.mark.extended
def test_a_result_of_pieces_is_that_of_one_campaign(tools):
    whole, pieces = tools / "whole", [tools / "a", tools / "b"]
    assert sim(tools, whole).returncode == 0
    for output, schemes in zip(pieces, ("conga", "ecmp,clove-ecn"), strict=True):
        assert sim(tools, output, "--schemes", schemes).returncode == 0
    results = [word for p in pieces for word in ("--results", str(p / "runs.csv"))]
    schemes = ("--schemes", "ecmp,clove-ecn,conga")
    assert sim(tools, tools / "both", *schemes, *results).returncode == 0
    assert all((tools / "both" / n).read_bytes() == (whole / n).read_bytes() for n in RESULTS)


@pytest.mark.extended
def test_the_number_of_flows_may_be_another(tools):
    output = tools / "out"
    assert sim(tools, output, "--flows", "9", "--schemes", "ecmp").returncode == 0
    cases = [json.loads(path.read_text()) for path in (output / "cases").iterdir()]
    assert [case["workload"]["flows"] for case in cases] == [9, 9]
    assert ",9," in (output / "runs.csv").read_text().splitlines()[1]


@pytest.mark.extended
def test_a_result_may_be_made_of_some_of_the_runs(tools):
    output = tools / "out"
    assert sim(tools, output).returncode == 0
    results = ("--results", str(output / "runs.csv"))
    some = ("--schemes", "conga", "--seeds", "1")
    done = sim(tools, tools / "some", "--json", *results, *some)
    answer = json.loads(done.stdout)
    assert {row["scheme"] for row in answer["rows"]} == {"conga"}
    assert answer["seeds"] == 1
    done = sim(tools, tools / "some", *results, "--loads", "0.4")
    assert done.stderr == f"evenweave sim: {results[1]}: has no runs at 0.4\n"


@pytest.mark.extended
def test_results_of_another_experiment_leave_the_page_as_it_was(tools):
    output, page = tools / "out", tools / "page.md"
    assert sim(tools, output).returncode == 0
    page.write_text("<!-- clove-symmetric -->\nkept\n<!-- end clove-symmetric -->\n")
    csv = output / "runs.csv"
    words = command(tools, tools / "again", "--results", str(csv), "--page", str(page))
    words[words.index("clove-asymmetric")] = "clove-symmetric"
    done = subprocess.run(words, capture_output=True, text=True, env=environment(), check=False)
    assert done.returncode == 2
    error = f"{csv}: line 2: belongs to clove-asymmetric, not to clove-symmetric"
    assert done.stderr == f"evenweave sim: {error}\n"
    assert "kept" in page.read_text()


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (None, "{page}: No such file or directory"),
        (
            "<!-- end clove-asymmetric -->\n<!-- clove-asymmetric -->\n",
            "{page}: the page must have one <!-- clove-asymmetric --> and one "
            "<!-- end clove-asymmetric --> after it",
        ),
    ],
)
def test_a_page_that_cannot_take_the_result_is_refused_before_the_runs(tools, text, error):
    page = tools / "page.md"
    if text is not None:
        page.write_text(text)
    done = sim(tools, tools / "out", "--page", str(page))
    assert done.returncode == 2
    assert done.stderr == f"evenweave sim: {error.format(page=page)}\n"
    assert ran(tools) == []


@pytest.mark.extended
def test_loads_that_are_the_same_to_six_digits_run_once(tools):
    done = sim(tools, tools / "out", "--schemes", "ecmp", "--loads", "0.7,0.70000001,0.4")
    assert done.returncode == 0, done.stderr
    assert len(ran(tools)) == 4


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("[" * 5000, "has more than 32 levels of objects and lists"),
        ('{"fabric": ' + "[" * 40 + "]" * 40 + "}", "has more than 32 levels of objects and lists"),
        ("{", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("[]", "must be the output of ./evenweave plan"),
        ('{"fabric": NaN}', "NaN is not a number from -2^63 to 2^63 - 1"),
        ('{"fabric": ' + "9" * 20 + "}", "9" * 20 + " is not a number from -2^63 to 2^63 - 1"),
        ('{"summary": [{}]}', "summary: must have the entries of each switch"),
    ],
)
def test_a_plan_that_is_none_is_one_line(tools, text, error):
    plan = tools / "plan.json"
    plan.write_text(text)
    done = sim(tools, tools / "out", "--plan", str(plan))
    assert done.returncode == 2
    assert done.stderr == f"evenweave sim: {plan}: {error}\n"


@pytest.mark.parametrize(
    ("more", "error"),
    [
        (["--results", "/no/such/file"], "/no/such/file: No such file or directory"),
        (["--results", "/dev/null"], "/dev/null: has no runs"),
        (["--results", "/dev/null", "--plan", "x"], "--plan: is not allowed with --results"),
        (["--results", "/dev/null", "--flows", "9"], "--flows: is not allowed with --results"),
    ],
)
def test_results_that_are_not_there_are_one_line(tools, more, error):
    done = sim(tools, tools / "out", *more)
    assert done.returncode == 2
    assert done.stderr == f"evenweave sim: {error}\n"
