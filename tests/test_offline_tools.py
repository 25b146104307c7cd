"""The offline tools as a user runs them: pipes, files, status, one answer per line."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from runtimes import JAR, ROOT

from conftest import run_command
from evenweave_topos.fabric_file import IMBALANCED_3X3

GOOD = '{"weights":[2,2,3,5],"maxOversubscription":1.15}\n'
REDUCED = {
    "weights": [1, 1, 2, 3],
    "entries": 7,
    "oversubscription": 1.1428571428571428,
}
TOOLS = ["weights", "reduce", "fit", "stripe", "plan", "verify"]


def tool(
    *arguments: str, stdin: str = "", jvm: tuple[str, ...] = ()
) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["java", *jvm, "-jar", str(JAR), *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def answers(done: subprocess.CompletedProcess) -> list[dict]:
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


def one_line(path: Path) -> str:
    return json.dumps(json.loads(path.read_text())) + "\n"


def test_the_launcher_passes_lines_through():
    done = subprocess.run(
        [str(ROOT / "evenweave"), "reduce"],
        input=GOOD,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0
    assert json.loads(done.stdout) == REDUCED


def test_a_bad_line_is_answered_in_its_place_and_gives_status_1():
    done = tool("reduce", stdin=GOOD + '{"weights":[1,0],"maxOversubscription":2}\n' + GOOD)
    first, bad, last = answers(done)
    assert first == last == REDUCED
    assert bad == {
        "error": "weights[1]: must be a positive whole number below 2^63, not 0",
        "line": 2,
    }
    assert done.returncode == 1


def test_files_are_read_in_order_and_lines_counted_on(tmp_path):
    (tmp_path / "a").write_text(GOOD * 2)
    (tmp_path / "b").write_text("[]")
    done = tool("reduce", str(tmp_path / "a"), "-", str(tmp_path / "b"), stdin=GOOD)
    *good, bad = answers(done)
    assert good == [REDUCED] * 3
    assert bad["line"] == 4


def test_a_missing_file_is_status_2_and_nothing_is_answered(tmp_path):
    done = tool("reduce", str(tmp_path / "none"), stdin=GOOD)
    assert done.returncode == 2
    assert "no such file" in done.stderr.splitlines()[0]
    assert done.stdout == ""


def test_a_plan_is_an_input_of_verify():
    plan = tool("plan", stdin=one_line(IMBALANCED_3X3))
    assert plan.returncode == 0
    assert answers(tool("verify", stdin=plan.stdout)) == [{"ok": True}]
    broken = json.loads(plan.stdout)
    broken["state"]["switches"][0]["flows"] = []
    (verdict,) = answers(tool("verify", stdin=json.dumps(broken)))
    assert verdict["ok"] is False
    assert {v["kind"] for v in verdict["violations"]} == {"black-hole"}


def test_who_waits_for_each_answer_gets_it():
    with subprocess.Popen(
        ["java", "-jar", str(JAR), "reduce"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as process:
        for _ in range(3):
            process.stdin.write(GOOD)
            process.stdin.flush()
            assert json.loads(process.stdout.readline()) == REDUCED
        process.stdin.close()
        assert process.wait(timeout=60) == 0


def test_memory_does_not_grow_with_the_number_of_lines():
    """30 MB of lines through a heap of 24 MB, of which the tool itself takes about 10."""
    line = json.dumps({"weights": list(range(1, 400)), "maxOversubscription": 1.05}) + "\n"
    lines = 30_000_000 // len(line)
    done = tool("reduce", stdin=line * lines, jvm=("-Xmx24m",))
    assert done.returncode == 0, done.stderr[-500:]
    assert done.stdout.count("\n") == lines
    assert len(set(done.stdout.splitlines())) == 1


@pytest.mark.parametrize("name", TOOLS)
def test_help_shows_an_example(name):
    done = run_command(["java", "-jar", str(JAR), name, "--help"])
    assert done.returncode == 0
    assert "Example:" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize("name", TOOLS)
def test_the_reference_shows_what_is_really_answered(name):
    """Every example of docs/reference/offline-tools.md: a line of input, a line of output."""
    text = (ROOT / "docs/reference/offline-tools.md").read_text()
    section = text.split(f"\n## {name}\n")[1].split("\n## ")[0]
    blocks = [b.split("\n```")[0].splitlines() for b in section.split("```jsonl\n")[1:]]
    assert blocks
    for given, *shown in blocks:
        (answer,) = answers(tool(name, stdin=given + "\n"))
        assert [answer] == [json.loads(line) for line in shown]
