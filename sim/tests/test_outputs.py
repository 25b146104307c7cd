"""Output replaces only regular files, completely, and all of them or none."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evenweave_sim import experiment, files, page

ROOT = Path(__file__).resolve().parents[2]
STORED = ROOT / "docs" / "reproduction"
RESULTS = ["chart.svg", "result.json", "runs.csv"]


def results(name: str, *more: str | Path) -> subprocess.CompletedProcess[str]:
    """Computes the result from stored runs."""
    words = [name, "--results", STORED / f"{name}.csv", *more]
    return subprocess.run(
        [sys.executable, "-m", "evenweave_sim", *map(str, words)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "sim")},
        check=False,
    )


def refused(done: subprocess.CompletedProcess[str], status: int, error: str) -> None:
    assert done.returncode == status
    assert done.stdout == ""
    assert done.stderr == f"evenweave sim: {error}\n"


def test_files_are_replaced_all_or_none(tmp_path):
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_text("old")
    (tmp_path / "b.part").mkdir()  # the second file's temporary name
    with pytest.raises(files.Failed, match=f"{second} cannot be written: Is a directory"):
        files.write_all({first: "new", second: "new"})
    assert first.read_text() == "old"
    assert not (tmp_path / "a.part").exists()


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: os.symlink("/dev/null", path)])
def test_what_is_no_regular_file_is_not_replaced(tmp_path, make):
    path = tmp_path / "pipe"
    make(path)
    before = os.lstat(path)
    with pytest.raises(experiment.BadInput, match=f"{path}: is not a regular file"):
        files.write(path, "text")
    assert os.lstat(path) == before
    assert list(tmp_path.iterdir()) == [path]


def test_results_that_cannot_be_written_are_one_line(tmp_path):
    file = tmp_path / "file"
    file.touch()
    done = results("intflow-mismatch", "--output", file)
    refused(done, 1, f"{file}/runs.csv cannot be written: File exists")


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
def test_a_full_disk_leaves_the_results_as_they_were(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", disk], check=True)
    try:
        for name in RESULTS:
            (disk / name).write_text("old")
        done = results("clove-symmetric", "--output", disk)  # only runs.csv would fit
        refused(done, 1, f"{disk}/result.json cannot be written: No space left on device")
        assert {path.name: path.read_text() for path in disk.iterdir()} == dict.fromkeys(
            RESULTS, "old"
        )
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_folder_with_results_of_another_experiment_is_refused(tmp_path):
    assert results("intflow-mismatch", "--output", tmp_path).returncode == 0
    before = (tmp_path / "runs.csv").read_bytes()
    done = results("clove-mice", "--output", tmp_path)
    refused(
        done,
        2,
        f"{tmp_path}: has the results of intflow-mismatch; --output must be another folder",
    )
    assert (tmp_path / "runs.csv").read_bytes() == before


def test_a_page_that_cannot_take_all_leaves_no_results_either(tmp_path):
    text, output = tmp_path / "page.md", tmp_path / "out"
    text.write_text("<!-- edge-demo -->\nkept\n<!-- end edge-demo -->\n")
    emulated = STORED / "edge-demo-emulation-1.json"
    done = results("edge-demo", "--emulation", emulated, "--page", text, "--output", output)
    comments = "<!-- edge-demo emulation --> and one <!-- end edge-demo emulation --> after it"
    refused(done, 2, f"{text}: the page must have one {comments}")
    assert "kept" in text.read_text()
    assert not output.exists()


@pytest.mark.parametrize(
    ("more", "error"),
    [
        (
            ["--explain", "/dev/null"],
            "/dev/null: is not a regular file, which a result would replace",
        ),
        (["--explain", "/no/such/file"], "--explain: there is no folder /no/such"),
        (["--explain", "x", "--output", "y"], "--output: is not allowed with --explain"),
        (["--page", "/dev/null"], "/dev/null: is not a regular file, which a result would replace"),
    ],
)
def test_a_place_that_takes_no_file_is_refused_before_the_run(more, error):
    one_run = ("--schemes", "intflow", "--loads", "1", "--seeds", "1")
    refused(results("intflow-mismatch", *one_run, *more), 2, error)


def test_a_row_has_the_papers_own_figure_where_there_is_one():
    done = results("sdd-circuits", "--json")
    assert done.returncode == 0, done.stderr
    of_paper = {
        (row["metric"], row["gbps"]): row["paperValue"]
        for row in json.loads(done.stdout)["rows"]
        if row["paperValue"] is not None
    }
    assert of_paper == {("optimalShare", 7): 1}


def test_a_chart_of_runs_without_a_small_flow_is_empty():
    chosen = experiment.load("clove-mice")
    rows = [{"load": 0.7, "scheme": "ecmp", "metric": "avgFct", "value": 1.0}]
    assert page.picture(chosen, {"rows": rows}, {}).endswith("</svg>\n")
