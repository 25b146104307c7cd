"""The tables of docs/reproduction are those that the command generates from the stored runs."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from evenweave_sim import emulation, experiment, files, page, pages, results
from evenweave_sim.verdict import Verdict

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "reproduction"
MADE = pages.texts(FOLDER)
STORED = [name for name in experiment.names() if (FOLDER / f"{name}.csv").exists()]
EMULATED = [name for name in STORED if list(FOLDER.glob(f"{name}-emulation-*.json"))]
NAME = "clove-mice"


@pytest.mark.parametrize("path", MADE, ids=lambda path: path.name)
def test_a_page_has_the_results_of_the_runs_beside_it(path):
    assert path.read_text() == MADE[path]


def test_each_stored_result_is_on_a_page():
    text = "".join(text for path, text in MADE.items() if path.suffix == ".md")
    assert [name for name in STORED if f"<!-- {name} -->\n" not in text] == []
    assert [name for name in EMULATED if f"<!-- {name} emulation -->\n" not in text] == []


def test_each_page_with_claims_has_the_rule_and_the_counts():
    for path, text in MADE.items():
        if "| what the paper claims |" in text or "| what we expected |" in text:
            assert "<!-- verdicts -->\n" in text, path


@pytest.mark.parametrize("name", EMULATED)
def test_a_page_has_the_emulation_beside_it(name):
    chosen = experiment.load(name)
    [text] = [t for t in MADE.values() if f"<!-- {name} -->" in t]
    _, runs = results.read_runs([FOLDER / f"{name}.csv"], chosen)
    found = emulation.beside(sorted(FOLDER.glob(f"{name}-emulation-*.json")), chosen, runs)
    assert page.replaced(text, emulation.block(chosen), emulation.part(found)) == text


def test_counts_are_those_of_the_tables():
    """Counts of all pages, by the words of the verdicts in the tables of claims."""
    words = ["holds", "holds in direction", "not resolved", "differs"]
    counted = dict.fromkeys(words, 0)
    for path in MADE:
        if path.suffix == ".md":
            # Rows of claims end with the verdict, those of changed verdicts with a figure and it.
            for line in MADE[path].splitlines():
                cells = line.strip("| ").split(" | ")
                said = re.split("[:;]", cells[-1])[0]
                if line.startswith("| ") and len(cells) == 5 and said in counted:
                    counted[said] += 1
    [text] = [t for t in MADE.values() if "<!-- all verdicts -->" in t]
    [line] = [line for line in text.splitlines() if line.startswith("| all |")]
    numbers = [int(cell) for cell in line.strip("| ").split(" | ") if cell.strip().isdigit()]
    assert numbers == [*counted.values(), sum(counted.values())]


def test_one_verdict_turns_into_its_opposite_at_another_length():
    """As verdicts.md says."""
    changes = [change for path in MADE if path.suffix == ".md" for change in changed(MADE[path])]
    opposite = [claim for claim, said in changes if {"holds", "differs"} <= set(said)]
    assert opposite == ["intflow-reassembled over conga-gap-1 in reroutesLarge at 0.8"]


def changed(text: str) -> list[tuple[str, list[str]]]:
    """Returns the claims that lengths judge differently, with the verdict at each length in
    ascending order; "-" where there is none."""
    found = []
    for table in re.findall(r"\n\| claim \| paper \|.*\n.*\n((?:\|.*\n)+)", text):
        for line in table.splitlines():
            claim, _, *cells = line.strip("| ").split(" | ")
            found.append((claim, [cell.split(": ")[-1] for cell in cells]))
    said = {word for _, words in found for word in words}
    assert said <= {"-", *(v.words for v in Verdict)}
    return found


@pytest.fixture
def folder(tmp_path):
    """A page with one result, and its runs."""
    shutil.copy(FOLDER / f"{NAME}.csv", tmp_path)
    of = [f"<!-- {name} -->\n<!-- end {name} -->\n" for name in ("verdicts", NAME, "all verdicts")]
    (tmp_path / "page.md").write_text("\n".join(of))
    return tmp_path


def store(
    folder: Path,
    flows: int,
    scale: float = 1,
    seeds: int = 3,
    kind: str = "longer",
    lacks: str | None = None,
) -> None:
    """Stores runs with this number of flows, and the claimed metric of Clove-ECN multiplied by
    scale. lacks: a scheme without runs."""
    chosen = experiment.load(NAME)
    _, runs = results.read_runs([folder / f"{NAME}.csv"], chosen)
    for run in runs[0.7]:
        run["clove-ecn"]["p99FctSmall"] *= scale
        run.pop(lacks or "", None)
    text = files.runs_csv(chosen, {0.7: flows}, {0.7: runs[0.7][:seeds]})
    (folder / f"{NAME}-{kind}.csv").write_text(text)


def made(folder: Path) -> str:
    return pages.texts(folder)[folder / "page.md"]


def test_a_page_says_where_runs_of_another_length_were_not_made(folder):
    text = made(folder)
    assert "\nNo runs of another length were made: it is unknown whether verdicts change.\n" in text
    assert "| clove-mice | 3,000 | 1 | 1 | 1 | 0 | 3 | not run | - |" in text
    assert "| all |  |  | 1 | 1 | 1 | 0 | 3 | 0 of 0 in the last step | 0 of 1 |" in text


def test_a_page_says_that_longer_runs_have_the_same_verdicts(folder):
    store(folder, 6000)
    text = made(folder)
    assert "\n- From 3,000 to 6,000 flows a run: 0 of 3 verdicts change.\n" in text
    assert "\nFrom 3,000 flows a run on no repeated verdict changes.\n" in text
    assert "| 3 | 0 of 3 up to 6,000 | 3,000 |" in text
    assert "\nOther runs: 6,000 flows a run, 3 seeds; times in ms" in text


# How a claim of "> 1", which the page's own runs do not resolve, is judged if Clove-ECN's metric is
# multiplied by these. They leave the other verdicts as they are.
HOLDS, DIFFERS, NOT_RESOLVED = 0.85, 1.08, 1


def test_a_page_lists_the_claims_that_longer_runs_resolve(folder):
    store(folder, 6000, HOLDS)
    text = made(folder)
    once = "0 of 3 verdicts change (resolved at one length only: 1)"
    assert f"\n- From 3,000 to 6,000 flows a run: {once}.\n" in text
    only = "some claims are resolved at one length only"
    assert f"\nFrom 3,000 flows a run on no repeated verdict changes; {only}.\n" in text
    assert "| 3 | 0 of 3 up to 6,000 (1 resolved at one only) | 3,000 |" in text
    claim = "edge-flowlet over clove-ecn in p99FctSmall at 0.7 | > 1"
    assert f"| {claim} | 0.96 ±0.07: not resolved | 1.13 ±0.08: holds |" in text


def test_a_page_lists_the_verdicts_that_change(folder):
    store(folder, 1500, HOLDS, kind="shorter")
    store(folder, 6000, DIFFERS)
    text = made(folder)
    assert "\n- From 3,000 to 6,000 flows a run: 1 of 3 verdicts change.\n" in text
    assert "\nVerdicts still change from 3,000 to 6,000 flows a run.\n" in text
    assert "| 3 | 0 of 3 up to 3,000 (1 resolved at one only); 1 of 3 up to 6,000 | - |" in text
    claim = "edge-flowlet over clove-ecn in p99FctSmall at 0.7 | > 1"
    said = "1.13 ±0.08: holds | 0.96 ±0.07: not resolved | 0.89 ±0.06: differs"
    assert f"| {claim} | {said} |" in text


@pytest.mark.parametrize(
    ("scales", "enough"),
    [
        ((NOT_RESOLVED, NOT_RESOLVED, NOT_RESOLVED), "1,500"),
        ((HOLDS, HOLDS, HOLDS), "1,500"),
        ((HOLDS, NOT_RESOLVED, HOLDS), "1,500"),
        ((NOT_RESOLVED, HOLDS, NOT_RESOLVED), "1,500"),
        ((HOLDS, DIFFERS, DIFFERS), "6,000"),
        ((HOLDS, DIFFERS, NOT_RESOLVED), "6,000"),
        ((HOLDS, NOT_RESOLVED, DIFFERS), None),
        ((HOLDS, DIFFERS, HOLDS), None),
    ],
)
def test_a_length_is_enough_if_no_verdict_changes_from_it_on(folder, scales, enough):
    """Four lengths, of which the page's own is the second, and resolves nothing."""
    for kind, flows, scale in zip(
        ("shorter", "longer", "longer-2"), (1500, 6000, 12000), scales, strict=True
    ):
        store(folder, flows, scale, kind=kind)
    text = made(folder)
    said = (
        f"From {enough} flows a run on no repeated verdict" if enough else "Verdicts still change"
    )
    assert f"\n{said}" in text
    above = "The verdicts above are those of 3,000."
    assert (above in text) == (enough == "6,000")
    assert re.search(rf" up to 12,000[^|]*\| {enough or '-'} \|\n", text)


def test_a_length_is_not_enough_if_what_changed_before_is_not_repeated(folder):
    store(folder, 1500, HOLDS, kind="shorter")
    store(folder, 6000, DIFFERS)
    store(folder, 12000, kind="longer-2", lacks="edge-flowlet")
    text = made(folder)
    assert "\n- From 6,000 to 12,000 flows a run: 0 of 1 verdicts change" in text
    assert "\nVerdicts still change from 3,000 to 6,000 flows a run.\n" in text
    assert "| - |\n" in text


def test_lengths_are_compared_by_the_claims_that_both_have(folder):
    """A scheme that one length lacks takes a claim out of the steps before and after it."""
    store(folder, 1500, kind="shorter")
    store(folder, 6000, lacks="conga")
    text = made(folder)
    assert "\n- From 1,500 to 3,000 flows a run: 0 of 3 verdicts change.\n" in text
    two = "0 of 2 verdicts change (not repeated: 1)"
    assert f"\n- From 3,000 to 6,000 flows a run: {two}.\n" in text


def test_runs_of_one_seed_have_no_verdicts(folder):
    store(folder, 6000, seeds=1)
    with pytest.raises(
        experiment.BadInput, match="longer.csv: has one seed, which gives no verdict"
    ):
        pages.texts(folder)


@pytest.mark.parametrize(
    ("kind", "flows", "said"),
    [
        ("longer", 5999, "5,999 flows a run at 0.7 is not 2 times 3,000"),
        ("shorter", 1501, "3,000 flows a run at 0.7 is not 2 times 1,501"),
        ("longer-2", 5999, "5,999 flows a run at 0.7 is not 2 times 3,000"),
    ],
)
def test_a_length_is_at_least_twice_the_previous_one(folder, kind, flows, said):
    store(folder, flows, kind=kind)
    with pytest.raises(
        experiment.BadInput, match=f"-{kind}.csv: is too near to the next length: {said}"
    ):
        pages.texts(folder)


def test_the_length_of_long_lived_flows_is_their_window(tmp_path):
    name = "wcmp-one-to-one"
    chosen = experiment.load(name)
    assert chosen.length_metric == "windowMs"
    shutil.copy(FOLDER / f"{name}.csv", tmp_path)
    flows, runs = results.read_runs([tmp_path / f"{name}.csv"], chosen)
    of = [f"<!-- {part} -->\n<!-- end {part} -->\n" for part in ("verdicts", name, "all verdicts")]
    (tmp_path / "page.md").write_text("\n".join(of))
    for window in (80, 79):
        for run in (run for seeds in runs.values() for seed in seeds for run in seed.values()):
            run["windowMs"] = window
        (tmp_path / f"{name}-longer.csv").write_text(files.runs_csv(chosen, flows, runs))
        if window == 79:
            with pytest.raises(
                experiment.BadInput, match="79 ms of measurement at 7 is not 2 times"
            ):
                pages.texts(tmp_path)
            continue
        text = made(tmp_path)
        assert "\n- From 40 ms to 80 ms of measurement: 0 of 10 verdicts change.\n" in text
        assert "\nFrom 40 ms of measurement on no repeated verdict changes.\n" in text
        assert "| 10 | 0 of 10 up to 80 ms | 40 ms |" in text
        assert "\nOther runs, 80 ms of measurement: 36 flows a run, 5 seeds; bandwidth" in text


def sim(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "evenweave_sim", *map(str, words)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "sim")},
        check=False,
    )


def test_the_command_writes_all_pages_of_a_folder(folder):
    done = sim("--pages", folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{folder}/page.md\n"
    assert "| 0.7 | ecmp | " in (folder / "page.md").read_text()
    # The page of a single result is the same.
    assert sim(NAME, "--results", folder / f"{NAME}.csv", "--page", folder / "page.md")
    assert (folder / "page.md").read_text() == made(folder)


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--pages", "/no/such"], "/no/such: has no pages"),
        (
            [NAME, "--pages", "/no/such"],
            "--pages: takes no experiment, because it writes all pages",
        ),
    ],
)
def test_a_folder_without_pages_is_refused(words, error):
    done = sim(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"evenweave sim: {error}\n"


def test_a_page_without_its_runs_is_refused_and_nothing_is_written(folder):
    before = (folder / "page.md").read_text()
    (folder / f"{NAME}.csv").unlink()
    done = sim("--pages", folder)
    assert done.returncode == 2
    missing = f"{folder}/{NAME}.csv: No such file or directory"
    assert done.stderr == f"evenweave sim: {folder}/page.md: {missing}\n"
    assert (folder / "page.md").read_text() == before
