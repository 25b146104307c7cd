"""The offline tools as a user runs them: pipes, files, status, one answer per line."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from jvm import JAVA
from runtimes import JAR, ROOT

from conftest import HANG_S, run_command
from evenweave_topos.fabric_file import IMBALANCED_3X3

GOOD = '{"weights":[2,2,3,5],"maxOversubscription":1.15}\n'
REDUCED = {
    "weights": [1, 1, 2, 3],
    "entries": 7,
    "oversubscription": 1.1428571428571428,
}
TOOLS = ["weights", "reduce", "fit", "stripe", "plan", "verify", "schedule"]


def tool(
    *arguments: str, stdin: str = "", jvm: tuple[str, ...] = ()
) -> subprocess.CompletedProcess:
    return subprocess.run(
        [*JAVA, *jvm, "-jar", str(JAR), *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=HANG_S,
        check=False,
    )


def answers(done: subprocess.CompletedProcess) -> list[dict]:
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


def one_line(path: Path) -> str:
    return json.dumps(json.loads(path.read_text())) + "\n"


# Whose digits are not those of JSON.
LOCALES = ("ar-EG", "fa-IR", "my-MM")
STRIPE = '{"kind":"group","s1":3,"s2":3,"uplinks":4,"downlinks":4}\n'


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("locale", LOCALES)
def test_answers_are_the_same_in_every_language(locale):
    language, country = locale.split("-")
    jvm = (f"-Duser.language={language}", f"-Duser.country={country}")
    wrong = '{"kind":"group","s1":3,"s2":3,"uplinks":4,"downlinks":400}\n'
    for name, line in {"stripe": STRIPE + wrong, "plan": one_line(IMBALANCED_3X3)}.items():
        here, there = tool(name, stdin=line), tool(name, stdin=line, jvm=jvm)
        assert there.stdout == here.stdout
        assert there.stdout.isascii()
    assert tool("--help", jvm=jvm).stdout == tool("--help").stdout


def test_a_path_with_an_umlaut_is_found_in_the_locale_c(tmp_path):
    path = tmp_path / "Gr\u00f6\u00dfe" / "line.json"
    path.parent.mkdir()
    path.write_text(GOOD)
    done = subprocess.run(
        [str(ROOT / "evenweave"), "reduce", str(path)],
        capture_output=True,
        text=True,
        timeout=HANG_S,
        check=False,
        env=os.environ | {"LC_ALL": "C"},
    )
    assert answers(done) == [REDUCED]


def test_commands_that_find_all_built_do_not_wait_for_each_other():
    with open_folder(ROOT) as other:
        fcntl.flock(other, fcntl.LOCK_SH)  # as a command that looks whether the jar is current
        done = run_command([str(ROOT / "evenweave"), "reduce", "--help"])
    assert done.returncode == 0
    assert done.stderr == ""


@contextlib.contextmanager
def open_folder(path: Path) -> Iterator[int]:
    folder = os.open(path, os.O_RDONLY)
    try:
        yield folder
    finally:
        os.close(folder)


@pytest.mark.parametrize("options", ["", "-Xlog:all=info:stdout"])
def test_the_launcher_passes_lines_through_and_nothing_that_the_virtual_machine_says(options):
    done = subprocess.run(
        [str(ROOT / "evenweave"), "reduce"],
        input=GOOD,
        capture_output=True,
        text=True,
        timeout=HANG_S,
        check=False,
        env=os.environ | {"JAVA_TOOL_OPTIONS": options},
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


def test_commands_start_with_the_classes_that_the_build_has_archived(tmp_path: Path) -> None:
    log = tmp_path / "classes"
    loaded = f"-Xlog:class+load=info:file={log}"
    done = run_command([*JAVA, loaded, "-jar", str(JAR), "reduce", "--help"])
    assert done.returncode == 0
    (main,) = [
        line for line in log.read_text().splitlines() if "evenweave.standalone.Main " in line
    ]
    assert "source: shared objects file" in main


def test_a_missing_file_is_status_2_and_nothing_is_answered(tmp_path):
    done = tool("reduce", str(tmp_path / "none"), stdin=GOOD)
    assert done.returncode == 2
    assert "no such file" in done.stderr.splitlines()[0]
    assert done.stdout == ""


def test_300_next_hops_are_planned_as_a_large_table_of_2_to_1():
    links = [
        {"a": f"a/{port}", "b": f"b/{port}", "bps": (1 + port % 2) * 10**9}
        for port in range(1, 301)
    ]
    fabric = {
        "switches": [{"id": name, "stage": 1} for name in ("a", "b")],
        "links": links,
        "subnets": [{"switch": "b", "prefix": "10.0.1.0/24"}],
    }
    line = json.dumps({"fabric": fabric, "maxOversubscription": 1.05})
    plan = tool("plan", stdin=line + "\n")
    (answer,) = answers(plan)
    summary, _ = answer["summary"]
    assert (summary["target"], summary["groups"]) == ("ovs-large", 1)
    assert summary["oversubscription"] <= 1.05
    (group,) = answer["state"]["switches"][0]["groups"]
    slots = Counter(group["ports"])
    assert len(group["ports"]) == summary["entries"] > 256
    # Of 450 shares the odd ports have two each, the even ones one.
    even, odd = ([slots[port] for port in range(p, 301, 2)] for p in (2, 1))
    assert max(even) * 450 <= 1.05 * summary["entries"]
    assert max(odd) * 450 <= 1.05 * 2 * summary["entries"]
    assert min(even) > 0
    assert answers(tool("verify", stdin=plan.stdout)) == [{"ok": True}]


def test_a_plan_is_an_input_of_verify():
    plan = tool("plan", stdin=one_line(IMBALANCED_3X3))
    assert plan.returncode == 0
    assert answers(tool("verify", stdin=plan.stdout)) == [{"ok": True}]
    broken = json.loads(plan.stdout)
    broken["state"]["switches"][0]["flows"] = []
    (verdict,) = answers(tool("verify", stdin=json.dumps(broken)))
    assert verdict["ok"] is False
    assert {v["kind"] for v in verdict["violations"]} == {"black-hole"}


def test_weights_by_traffic_beat_wcmp_on_their_matrix_and_the_solver_leaves_no_files(tmp_path):
    """The native solver is unpacked from the jar into the temporary folder."""
    demands = [{"from": f"s1-{i}", "to": "s1-2", "bps": 15_000_000_000} for i in (0, 1)]
    trusting = {"hedge": 0, "slack": 0, "maxSkew": 1e9}
    line = {"fabric": json.loads(IMBALANCED_3X3.read_text()), "traffic": demands, **trusting}
    done = tool("weights", stdin=json.dumps(line), jvm=(f"-Djava.io.tmpdir={tmp_path}",))
    (answer,) = answers(done)
    utilisation = {row["rule"]: row["maxUtilisation"] for row in answer["report"]}
    # 30 Gb/s over s1-2's four links of 10. WCMP gives a third to each S2 switch, and two of
    # them have but one link to s1-2.
    assert utilisation["traffic"] == pytest.approx(0.75, abs=1e-5)
    assert utilisation["wcmp"] == pytest.approx(1.0)
    assert utilisation["ecmp"] == pytest.approx(1.125)
    assert {d["to"] for d in answer["destinations"]} == {"s1-0", "s1-1", "s1-2"}
    assert list(tmp_path.iterdir()) == []


def test_an_error_names_the_field_on_one_line_and_stderr_stays_empty():
    lines = [
        ("weights", {"fabric": {"switches": [], "links": [{"a": "x/1", "b": "y/1", "bps": "1"}]}}),
        ("weights", {"fabric": {"switches": [], "links": []}, "traffic": []}),
        ("stripe", {"kind": "compare", "s1": 6, "s2": 6, "uplinks": 8, "downlinks": 7}),
        ("verify", {"fabric": {"switches": [], "links": []}, "state": {"switches": [{}]}}),
    ]
    paths = ["fabric.links[0].bps: ", "traffic: ", "downlinks: ", "state.switches[0].id: "]
    for (name, line), path in zip(lines, paths, strict=True):
        done = tool(name, stdin=json.dumps(line))
        assert done.returncode == 1
        (answer,) = answers(done)
        assert answer["error"].startswith(path)
        assert answer["line"] == 1


def rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]


@pytest.mark.extended
def test_the_page_on_traffic_shows_what_its_script_measures():
    """Of several optima another machine may find another; utilisations on its matrix are alike."""
    folder = ROOT / "docs/reproduction"
    done = run_command([sys.executable, str(folder / "traffic_aware.py")])
    assert done.returncode == 0, done.stderr
    measured = rows(done.stdout)
    shown = rows((folder / "traffic-aware.md").read_text())
    shown = shown[shown.index(measured[0]) :]  # another command measures what is above
    assert [row[:2] for row in shown] == [row[:2] for row in measured]
    heads = measured[0]
    assert shown[0] == heads
    for ours, page in zip(measured[1:13], shown[1:13], strict=True):
        for column in ("ECMP", "WCMP", "trusting", "max-flow pairs", "lost b/s"):
            i = heads.index(column)
            # Both are rounded to three digits.
            assert float(ours[i]) == pytest.approx(float(page[i]), abs=0.0011), (ours, column)
    wrong = measured[-16:]
    hedged = measured[-17].index("hedged")
    assert max(float(row[hedged].strip("*")) for row in wrong) <= 1.5005


def test_who_waits_for_each_answer_gets_it():
    with subprocess.Popen(
        [*JAVA, "-jar", str(JAR), "reduce"],
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
        assert process.wait(timeout=HANG_S) == 0


@pytest.mark.extended
def test_memory_does_not_grow_with_the_number_of_lines():
    """30 MB of lines through a heap of 24 MB, of which the tool itself takes about 10."""
    line = json.dumps({"weights": list(range(1, 400)), "maxOversubscription": 1.05}) + "\n"
    lines = 30_000_000 // len(line)
    done = tool("reduce", stdin=line * lines, jvm=("-Xmx24m",))
    assert done.returncode == 0, done.stderr[-500:]
    assert done.stdout.count("\n") == lines
    assert len(set(done.stdout.splitlines())) == 1


@pytest.mark.extended
def test_all_pairs_are_answered_in_less_memory_than_the_answer():
    """Each switch is joined to the eight nearest of a circle; all paths are taken."""
    count = 40
    links = [
        {"a": f"s{i}/{step}", "b": f"s{(i + step) % count}/{10 + step}", "bps": 10 * step}
        for i in range(count)
        for step in range(1, 5)
    ]
    fabric = {
        "switches": [{"id": f"s{i}", "stage": 1} for i in range(count)],
        "links": links,
        "subnets": [{"switch": f"s{i}", "prefix": f"10.0.{i}.0/24"} for i in range(count)],
    }
    line = {"fabric": fabric, "rule": "pair", "longerPaths": True}
    done = tool("weights", stdin=json.dumps(line) + "\n", jvm=("-Xmx32m",))
    assert done.returncode == 0, done.stderr[-500:]
    assert len(done.stdout) > 8_000_000
    (answer,) = answers(done)
    pairs = [(pair["from"], pair["to"]) for pair in answer["pairs"]]
    names = [s["id"] for s in fabric["switches"]]
    assert sorted(pairs) == sorted((a, b) for a in names for b in names if a != b)


@pytest.mark.core_cases(2)
@pytest.mark.parametrize("name", TOOLS)
def test_help_shows_an_example(name):
    done = run_command([*JAVA, "-jar", str(JAR), name, "--help"])
    assert done.returncode == 0
    assert "Example:" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.core_cases(3)
@pytest.mark.parametrize("name", TOOLS)
def test_the_reference_shows_what_is_really_answered(name):
    """Every example of docs/reference/offline-tools.md: a line of input, a line of output."""
    text = (ROOT / "docs/reference/offline-tools.md").read_text()
    section = text.split(f"\n## {name}\n")[1].split("\n## ")[0]
    blocks = [b.split("\n```")[0].splitlines() for b in section.split("```jsonl\n")[1:]]
    assert blocks
    answered = answers(tool(name, stdin="".join(f"{given}\n" for given, *_ in blocks)))
    for number, (answer, (_, shown)) in enumerate(zip(answered, blocks, strict=True), start=1):
        expected = json.loads(shown)
        if "error" in expected:
            expected["line"] = number  # each example of the page is a first line
        assert answer == expected


@pytest.mark.extended
def test_fit_answers_a_large_line_in_a_small_heap_and_then_the_next():
    # the steps between the first size and the last, with all their weights, took gigabytes
    chance = random.Random(1)
    group = [chance.randint(1, 1_000_000) for _ in range(50_000)]
    lines = [{"groups": [group], "entries": 1 << 22}, {"groups": [[1, 4]], "entries": 10}]
    stdin = "".join(json.dumps(line) + "\n" for line in lines)
    large, small = answers(tool("fit", stdin=stdin, jvm=("-Xmx96m",)))
    assert large["entries"] <= 1 << 22
    assert small["groups"] == [[1, 4]]


@pytest.mark.extended
def test_a_line_that_does_not_fit_into_the_heap_is_one_error():
    lines = [{"groups": [[1] * 3_000_000], "entries": 1 << 24}, {"groups": [[1, 4]], "entries": 10}]
    stdin = "".join(json.dumps(line) + "\n" for line in lines)
    done = tool("fit", stdin=stdin, jvm=("-Xmx96m",))
    refused, small = answers(done)
    assert "does not fit into Java's heap of 96 MB" in refused["error"]
    assert refused["line"] == 1
    assert small["groups"] == [[1, 4]]
    assert done.returncode == 1
