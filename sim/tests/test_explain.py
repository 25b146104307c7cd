"""./evenweave sim --explain: the reason for the path of each flowlet of a run."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def sim(*words) -> subprocess.CompletedProcess[str]:
    command = [str(ROOT / "evenweave"), "sim", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def explained(folder: Path, *words) -> list[dict]:
    file = folder / "why.jsonl"
    done = sim(*words, "--quick", "--explain", file)
    assert done.returncode == 0, done.stderr
    assert list(folder.iterdir()) == [file]
    return [json.loads(line) for line in file.read_text().splitlines()]


@pytest.mark.extended
def test_each_flowlet_has_a_line_that_says_why(tmp_path):
    lines = explained(tmp_path, "clove-asymmetric", "--schemes", "clove-ecn")
    assert {line["reason"] for line in lines} == {"in-turn"}
    assert [line["atNs"] for line in lines] == sorted(line["atNs"] for line in lines)
    paths, flowlets = {}, {}
    for line in lines:
        flow = line["host"], line["flow"]
        assert line["flowlet"] == flowlets.get(flow, 0) + 1
        assert line.get("from") == paths.get(flow)
        assert 0 < line["weight"] <= 1
        if "from" in line:
            assert (
                line["idleNs"] > 43_000
            )  # the gap: the round-trip time of the idle fabric, 43.2 us
        flowlets[flow], paths[flow] = line["flowlet"], line["path"]
    assert max(flowlets.values()) > 1


@pytest.mark.extended
def test_alb_goes_by_what_it_measured(tmp_path):
    lines = explained(tmp_path, "alb-ablation", "--schemes", "alb")
    assert {line["reason"] for line in lines} == {"least-loaded"}
    assert any(line["metric"] > 0 for line in lines)


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("scheme", ["letflow", "conga", "intflow"])
def test_each_choice_of_a_leaf_has_a_line_that_says_why(tmp_path, scheme):
    lines = explained(tmp_path, "clove-asymmetric", "--schemes", scheme)
    assert {line["leaf"] for line in lines} == {"l1", "l2"}
    assert [line["atNs"] for line in lines] == sorted(line["atNs"] for line in lines)
    known = {"intflow": {"first", "idle", "congestion", "failure"}}.get(scheme, {"first", "idle"})
    assert {"first", "idle"} <= {line["cause"] for line in lines} <= known
    ports, flowlets = {}, {}
    for line in lines:
        flow = line["leaf"], line["flow"]
        assert line["to"] != line["leaf"]
        assert line["flowlet"] == flowlets.get(flow, 0) + 1
        assert line.get("from") == ports.get(flow)
        assert (line["cause"] == "first") == ("from" not in line)
        assert 0 <= line["metric"] <= 7
        if line["cause"] == "idle":
            assert line["idleNs"] > 43_000
        if scheme == "conga" and "from" in line:
            moved = line["port"] != line["from"]
            assert (line["metric"] < line["fromMetric"]) == moved
        flowlets[flow], ports[flow] = line["flowlet"], line["port"]
    assert any(line["metric"] > 0 for line in lines) == (scheme != "letflow")


@pytest.mark.extended
def test_asking_why_changes_nothing(tmp_path):
    for scheme in ("alb", "intflow"):
        words = ("clove-asymmetric", "--quick", "--json", "--schemes", scheme)
        asked = sim(*words, "--explain", tmp_path / "why")
        assert asked.returncode == 0, asked.stderr
        assert asked.stdout == sim(*words, "--output", tmp_path / "out").stdout


@pytest.mark.core_cases(1)
@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("--schemes", "ecmp"), 'scheme: libedge chooses no path for a flowlet under "ecmp": the'),
        (("--schemes", "mptcp"), 'scheme: libedge chooses no path for a flowlet under "ecmp": th'),
        (("--schemes", "clove-ecn,alb"), "--explain: needs a single run, not 2 schemes"),
        (("--schemes", "alb", "--loads", "0.5,0.7"), "--explain: needs a single run, not 2 loads"),
        (("--schemes", "alb", "--seeds", "2"), "--explain: needs a single run, not 2 seeds"),
    ],
)
def test_what_is_not_one_run_of_a_host_scheme_is_refused(tmp_path, words, error):
    done = sim("clove-asymmetric", "--quick", *words, "--explain", tmp_path / "why")
    assert (done.returncode, done.stdout) == (2, "")
    assert error in done.stderr.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.extended
@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
def test_a_full_disk_leaves_no_file(tmp_path):
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", tmp_path], check=True)
    try:
        file = tmp_path / "why"
        done = sim("clove-asymmetric", "--quick", "--schemes", "alb", "--explain", file)
        assert (done.returncode, done.stdout) == (1, "")
        error = f"evenweave sim: {file}.part: cannot be written completely"
        assert done.stderr.splitlines()[-1] == error
        assert list(tmp_path.iterdir()) == []
    finally:
        subprocess.run(["umount", tmp_path], check=True)
