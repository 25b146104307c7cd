"""What ./evenweave test runs and how it reports what it did not."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import run


@pytest.mark.parametrize("arguments", [["some"], ["all", "fast"], ["-x"]])
def test_bad_use_ends_with_status_2(arguments, capsys):
    assert run.main(arguments) == 2
    assert "all, no-onos, fast" in capsys.readouterr().err


def test_every_reason_for_skipping_is_shown_once_with_its_count(capsys):
    skipped = [("test_onos", "no ONOS"), ("test_demo", "no ONOS"), ("test_onos_gui", "no browser")]
    assert run.summarise([run.Suite("end to end", passed=5, skipped=skipped)], "") == 0
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
    suite = run.collect(run.Suite("end to end"), [report], 1, 0.0)
    assert run.summarise([suite], "") == 1
    said = capsys.readouterr().out
    assert "failed test_a: two: 1 != 2\n" in said
    assert "failed test_b: three: left a bridge\n" in said
    assert "1 passed, 2 failed, 0 skipped" in said


def test_a_run_in_which_nothing_passed_has_failed():
    assert run.summarise([run.Suite("end to end")], "") == 1


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
    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.setattr(run, "REPORTS", tmp_path)
    assert run.summarise([run.host()], "") == 0
    said = capsys.readouterr().out
    assert "skipped 1 of host: formatting: clang-format is not installed" in said
    assert "skipped 1 of host: libFuzzer: clang is not installed" in said
    assert "7 passed, 0 failed, 2 skipped" in said


def test_a_run_that_requires_onos_ends_at_once_where_there_is_none(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("REQUIRE_ONOS", "1")
    monkeypatch.setenv("ONOS_HOME", str(tmp_path))
    monkeypatch.setattr(run, "formatting", lambda: pytest.fail("began"))
    assert run.main([]) == 1
    assert f"REQUIRE_ONOS=1, but {tmp_path} holds no ONOS 2.7.0" in capsys.readouterr().err


def pytest_without_onos(tmp_path: Path, **environment: str) -> subprocess.CompletedProcess:
    """Runs the tests of ONOS's operators where there is no ONOS."""
    tests = run.ROOT / "tests"
    command = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"]
    command += ["--rootdir", str(tests), "-c", str(run.ROOT / "pyproject.toml")]
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


def test_no_test_imports_another():
    here = Path(__file__).parent
    importing = re.compile(r"^\s*(?:from|import) (test_\w+)", re.MULTILINE)
    found = {test.name: importing.findall(test.read_text()) for test in here.glob("*.py")}
    assert {name: imported for name, imported in found.items() if imported} == {}
    assert importing.findall("from test_onos import groups") == ["test_onos"]
