"""What ./evenweave test runs and how it reports what it did not."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import extended_tests
import pytest
import run
from gate import suites
from gate.schedule import Job, JobFailed, run_jobs
from gate.suite import Suite

# A hang guard.
HANG_S = 180.0


@pytest.mark.parametrize("arguments", [["some"], ["all", "fast"], ["-x"]])
def test_bad_use_ends_with_status_2(arguments, capsys):
    assert run.main(arguments) == 2
    assert "takes fast, all or nothing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("kind", "installed"),
    [
        ("", ["java", "debian", "python"]),
        ("fast", ["java", "debian", "python"]),
        ("all", ["java", "debian-for-all", "python-for-all"]),
    ],
)
def test_only_all_installs_a_browser_and_the_notebooks_packages(kind, installed):
    runs = [job.run for job in run.jobs(kind) if isinstance(job.run, partial)]
    assert [each.args[0] for each in runs if each.func is suites.install] == installed


def test_every_reason_for_skipping_is_shown_once_with_its_count(capsys):
    skipped = [("test_onos", "no ONOS"), ("test_demo", "no ONOS"), ("test_onos_gui", "no browser")]
    assert run.summarise([Suite("end to end", passed=5, skipped=skipped)]) == 0
    said = capsys.readouterr().out
    assert "skipped 2 of test_demo, test_onos: no ONOS" in said
    assert "skipped 1 of test_onos_gui: no browser" in said
    assert "5 passed, 0 failed, 3 skipped" in said


def test_what_failed_is_named_in_the_summary(tmp_path, capsys):
    report = tmp_path / "report.xml"
    report.write_text(
        '<testsuite><testcase classname="tests.test_a" name="one"/>'
        '<testcase classname="tests.test_a" name="two">'
        '<failure message="1 != 2&#10;more"/></testcase>'
        '<testcase classname="tests.test_b" name="three"><error>left a bridge</error></testcase>'
        "</testsuite>"
    )
    suite = Suite("end to end")
    suite.collect([report])
    assert run.summarise([suite.end(1)]) == 1
    said = capsys.readouterr().out
    assert "failed test_a: two: 1 != 2\n" in said
    assert "failed test_b: three: left a bridge\n" in said
    assert "1 passed, 2 failed, 0 skipped" in said


def test_a_run_in_which_nothing_passed_has_failed():
    assert run.summarise([Suite("end to end")]) == 1


def test_a_runner_that_fails_without_naming_a_test_has_failed():
    assert Suite("Java", passed=7).end(1).failed == 1
    assert Suite("Java", passed=7, failed=2).end(1).failed == 2


def test_a_missing_tool_of_the_host_suite_is_a_skip_with_its_reason(tmp_path, monkeypatch, capsys):
    runner = tmp_path / "host/run-tests"
    runner.parent.mkdir()
    runner.write_text(
        "#!/bin/sh\n"
        "echo 'skipped: formatting: clang-format is not installed'\n"
        "echo 'skipped: libFuzzer: clang is not installed'\n"
        "echo '7 passed, 0 failed, 2 skipped'\n"
    )
    runner.chmod(0o755)
    monkeypatch.setattr(suites, "ROOT", tmp_path)
    monkeypatch.setattr(suites, "REPORTS", tmp_path)
    assert run.summarise([suites.host(thorough=True)]) == 0
    said = capsys.readouterr().out
    assert "skipped 1 of host: formatting: clang-format is not installed" in said
    assert "skipped 1 of host: libFuzzer: clang is not installed" in said
    assert "7 passed, 0 failed, 2 skipped" in said


def test_a_run_that_requires_onos_ends_at_once_where_there_is_none(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("REQUIRE_ONOS", "1")
    monkeypatch.setenv("ONOS_HOME", str(tmp_path))
    monkeypatch.setattr(run, "run_jobs", lambda *_: pytest.fail("began"))
    assert run.main(["all"]) == 1
    assert f"REQUIRE_ONOS=1, but {tmp_path} holds no ONOS 2.7.0" in capsys.readouterr().err


def test_a_job_starts_after_those_it_needs_and_in_the_order_of_the_list():
    order = []
    jobs = [
        Job("tests", lambda: order.append("tests"), ["build"]),
        Job("build", lambda: order.append("build")),
        Job("units", lambda: order.append("units")),
    ]
    assert run_jobs(jobs, slots=1) == []
    assert order == ["build", "tests", "units"]


def test_as_many_jobs_run_at_a_time_as_there_are_slots():
    both = threading.Barrier(2)  # either waits for the other

    def wait_for_the_other():
        both.wait(HANG_S)

    assert run_jobs([Job(name, wait_for_the_other) for name in ("a", "b")], slots=2) == []


def test_what_needs_a_failed_job_counts_as_failed_and_does_not_run():
    def break_down():
        raise JobFailed("no compiler")

    jobs = [
        Job("build", break_down),
        Job("tests", lambda: pytest.fail("ran"), ["build"]),
        Job("units", lambda: Suite("units", passed=3)),
    ]
    build, tests, units = run_jobs(jobs, slots=2)
    assert build.failures == [("build", "no compiler")]
    assert tests.failures == [("tests", "not run: build failed")]
    assert (units.passed, units.failed) == (3, 0)


def test_a_suite_whose_code_raises_has_failed():
    (suite,) = run_jobs([Job("units", lambda: 1 // 0)], slots=1)
    assert suite.failed == 1 and "ZeroDivisionError" in suite.failures[0][1]


@pytest.mark.parametrize("kind", ["", "fast", "all"])
def test_every_job_needs_jobs_of_the_run(kind):
    jobs = run.jobs(kind)
    names = {job.name for job in jobs}
    assert len(names) == len(jobs)
    assert all(names >= set(job.after) for job in jobs)


def pytest_without_onos(tmp_path: Path, **environment: str) -> subprocess.CompletedProcess:
    """Runs the tests of ONOS's operators where there is no ONOS."""
    tests = suites.ROOT / "tests"
    command = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"]
    command += ["--rootdir", str(tests), "-c", str(suites.ROOT / "pyproject.toml")]
    inherited = {name: value for name, value in os.environ.items() if name != "REQUIRE_ONOS"}
    return subprocess.run(
        [*command, str(tests / "test_onos.py")],
        env=inherited | {"ONOS_HOME": str(tmp_path)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_tests_on_onos_are_skipped_without_one(tmp_path):
    done = pytest_without_onos(tmp_path)
    assert done.returncode == 0
    assert re.search(r"^\d+ skipped in", done.stdout, re.MULTILINE)


def test_tests_on_onos_fail_without_one_if_it_is_required(tmp_path):
    done = pytest_without_onos(tmp_path, REQUIRE_ONOS="1")
    assert done.returncode == 1
    assert "REQUIRE_ONOS=1, but " in done.stdout
    assert re.search(r"^\d+ errors in", done.stdout, re.MULTILINE)


def test_the_list_of_what_only_all_runs_is_current():
    assert extended_tests.page() == extended_tests.PAGE.read_text(), "run tests/extended_tests.py"


def test_no_test_imports_another():
    here = Path(__file__).parent
    importing = re.compile(r"^\s*(?:from|import) (test_\w+)", re.MULTILINE)
    found = {test.name: importing.findall(test.read_text()) for test in here.glob("*.py")}
    assert {name: imported for name, imported in found.items() if imported} == {}
    assert importing.findall("from test_onos import groups") == ["test_onos"]
