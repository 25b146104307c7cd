"""The suites: what each runs and how it counts. Output goes to files in target/test-reports; what
failed is printed too."""

from __future__ import annotations

import os
import re
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from pathlib import Path

from evenweave_testbed.build_lock import build_lock
from gate import processes
from gate.schedule import JobFailed
from gate.suite import Suite

ROOT = Path(__file__).resolve().parents[2]
REPORTS = ROOT / "target" / "test-reports"
# Percentage of the tries that a property of Java or a test of the simulator asks for; read by
# ScaledTries.java and sim/tests/cases.cpp.
TRIES = "EVENWEAVE_TRIES_PERCENT"
# The seed of Java's properties; read by ScaledTries.java. Each run draws another if it is not set.
SEED = "EVENWEAVE_SEED"
# Modules side by side: one's tests often have a core to spare.
_MAVEN = ["mvn", "-B", "-T1C", "-Dstyle.color=never", "-f", str(ROOT / "pom.xml")]
# Compiles all Java in folders of its own; -q would hide what it finds, which are warnings.
_ERROR_PRONE = [
    *_MAVEN,
    "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
    "-Perror-prone",
    "--fail-at-end",
    "test-compile",
]
_BIN = ROOT / ".venv/bin"
_PYTHON = str(_BIN / "python")
# The closing line of a module, and that of a class, whose name follows.
_SUREFIRE_TOTAL = (
    r"^\[(?:INFO|WARNING|ERROR)\] Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)$"
)
_SUREFIRE_CLASS = r"Tests run: .*Time elapsed: ([\d.]+) s.* -- in (?:\w+\.)*(\w+)$"
# A test that failed, in a module's closing lines: its name, the line in its source, and why.
_SUREFIRE_FAILURE = r"^\[ERROR\] {3}(\w+\.\w+(?::\d+)?)[^\w\s]* (.*)$"
# Options of the virtual machines of tests; read by jvm.py. Those that last seconds pay nothing back
# for thorough compilation, which takes a third of a controller's time.
JAVA_OPTIONS = "EVENWEAVE_JAVA_OPTIONS"
SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
# Of each parser.
_FUZZ_SECONDS = 20
_LAST_LINES = 60
# Of suites that only compute: live tests beside them have the processors first.
_NICENESS = 10


def install(kind: str) -> None:
    """Installs what the tests need: "java", what builds Java and the page; "debian", packages of
    Debian; "debian-for-all", a browser too; "python", those of .venv; "python-for-all", those of
    the notebook and of the page's tests too."""
    _must_succeed(f"install-{kind}", [str(ROOT / "evenweave"), "install-for-tests", kind])


# What ./evenweave builds when a source is newer. Maven does not write a file again that would be
# the same; without a stamp a live test would build it, and replace classes under tests of Java.
_ARTEFACTS = (
    "app/standalone/target/evenweave.jar",
    "bench/target/evenweave-bench.jar",
    "app/onos/target/evenweave-onos-*.oar",
    "app/onos-traffic/target/evenweave-onos-traffic-*.oar",
)


def build_java() -> None:
    """Compiles and packages every Maven module, tests included."""
    with build_lock():
        started = time.time()
        _must_succeed("java-build", [*_MAVEN, "-q", "-DskipTests", "package"])
        for artefact in (path for pattern in _ARTEFACTS for path in ROOT.glob(pattern)):
            stamp = artefact.with_name(f"{artefact.name}.built")
            stamp.touch()
            os.utime(stamp, (started, started))


def build_host() -> None:
    """The programs of host/ that live tests start."""
    _must_succeed("host-build", [sys.executable, "-m", "evenweave_testbed.sdd.build"])


def build_simulator() -> None:
    """Live tests wait for the other builds, which have the processors first."""
    command = [_PYTHON, str(ROOT / "sim/run-tests"), "--build"]
    _must_succeed("simulator-build", command, _NICENESS)


def formatting(thorough: bool) -> Suite:
    """One check for each formatter and checker; one that would change or finds something fails."""
    checks = {
        "Java (google-java-format)": [*_MAVEN, "-q", "spotless:check"],
        "Page (prettier, tsc)": [str(ROOT / "app/web/build"), "--check"],
        "Python format (ruff)": [str(_BIN / "ruff"), "format", "--check", "-q", str(ROOT)],
        "Python lint (ruff)": [str(_BIN / "ruff"), "check", "-q", str(ROOT)],
        "Python types (mypy)": [str(_BIN / "mypy"), "--cache-dir", str(REPORTS.parent / "mypy")],
    }
    if thorough:
        checks["Java (Error Prone)"] = _ERROR_PRONE
    suite, status = Suite("formatting"), 0
    for name, command in checks.items():
        log = REPORTS / f"formatting-{re.sub(r'[^a-z]+', '-', name.lower()).strip('-')}.log"
        if _run(command, log) == 0:
            suite.passed += 1
        else:
            status = 1
            suite.failed += 1
            suite.failures.append((name, "see above; ./evenweave format corrects formats"))
            _show(log)
    return suite.end(status)


def java(thorough: bool) -> Suite:
    """Counts what Surefire prints for each module: its two engines share report files, so those
    lack tests. The log holds the seeds of all properties. Nothing is built, so that the jars which
    live tests run meanwhile stay as they are."""
    log = REPORTS / "java.log"
    options = [f"-Dfuzz.seconds={_FUZZ_SECONDS}"] if thorough else [f"-DargLine={SHORT_LIVED}"]
    # Or Maven would leave out the modules that use one with a failed test.
    options += ["-Dmaven.test.failure.ignore=true", "--fail-at-end"]
    status = _run([*_MAVEN, *options, "-Dcodecs.made=true", "test"], log)
    text = log.read_text(errors="replace")
    # It ignores a virtual machine that ended by itself too.
    status = status or int(bool(re.search(r"^\[ERROR\]", text, re.MULTILINE)))
    suite = Suite("Java")
    for counts in re.findall(_SUREFIRE_TOTAL, text, re.MULTILINE):
        tests, failures, errors, skipped = map(int, counts)
        suite.passed += tests - failures - errors - skipped
        suite.failed += failures + errors
        suite.skipped += [("Java", f"see {log.name}")] * skipped
    for seconds, name in re.findall(_SUREFIRE_CLASS, text, re.MULTILINE):
        suite.modules[name] += float(seconds)
    suite.failures += re.findall(_SUREFIRE_FAILURE, text, re.MULTILINE)
    if status:
        _show(log, only=r"^\[ERROR\]")
    return suite.end(status)


def host(thorough: bool) -> Suite:
    """The C libraries: they build and check themselves and print one closing line. The log holds
    the seeds of all random tests."""
    log = REPORTS / "host.log"
    command = [str(ROOT / "host/run-tests"), *([] if thorough else ["--quick"])]
    status = _run(command, log)
    text = log.read_text(errors="replace")
    suite = Suite("host")
    if total := re.search(r"^(\d+) passed, (\d+) failed, \d+ skipped$", text, re.MULTILINE):
        suite.passed, suite.failed = map(int, total.groups())
    suite.skipped = [("host", why) for why in re.findall(r"^skipped: (.*)$", text, re.MULTILINE)]
    suite.modules.update(_meson_times(ROOT / "target/host"))
    if status:
        _show(log)
    return suite.end(status)


def simulator() -> Suite:
    """The simulator's C++: it checks itself and prints one closing line."""
    log = REPORTS / "simulator.log"
    status = _run([_PYTHON, str(ROOT / "sim/run-tests")], log)
    suite = Suite("simulator")
    text = log.read_text(errors="replace")
    if total := re.search(r"^(\d+) passed, (\d+) failed$", text, re.MULTILINE):
        suite.passed, suite.failed = map(int, total.groups())
    suite.modules.update(_meson_times(ROOT / "target/sim"))
    if status:
        _show(log)
    return suite.end(status)


def pytest(name: str, folder: Path, markers: str, workers: int, live: bool = False) -> Suite:
    """The tests of a folder that the expression of markers leaves in; `live` ones go before what
    only computes."""
    report = REPORTS / f"{name.replace(' ', '-')}.xml"
    report.unlink(missing_ok=True)
    command = [_PYTHON, "-m", "pytest", "-v", f"--junitxml={report}"]
    command += ["--rootdir", str(folder), "-c", str(ROOT / "pyproject.toml")]
    command += ["-p", "no:cacheprovider", *(["-m", markers] if markers else [])]
    if workers > 1:
        command += ["-n", str(workers), "--dist", "loadgroup", "--no-loadscope-reorder"]
    log = report.with_suffix(".log")
    status = _run([*command, str(folder)], log, cwd=folder, niceness=0 if live else _NICENESS)
    suite = Suite(name)
    suite.collect([report])
    if suite.failed or status not in (0, _NO_TESTS):
        _show(log)
    return suite.end(0 if markers and status == _NO_TESTS else status)


_NO_TESTS = 5  # pytest's status where markers leave no test of a folder


def _must_succeed(name: str, command: Sequence[str], niceness: int = 0) -> None:
    log = REPORTS / f"{name}.log"
    if status := _run(command, log, niceness=niceness):
        _show(log)
        raise JobFailed(f"{command[0]} ended with status {status}; see {log}")


def _run(command: Sequence[str], log: Path, cwd: Path = ROOT, niceness: int = _NICENESS) -> int:
    return processes.run(command, log, cwd, niceness)


def _show(log: Path, only: str | None = None) -> None:
    """Prints the end of a log, or of its lines that match."""
    # Maven ends by a code that resets colours, even without any.
    lines = log.read_text(errors="replace").replace("\x1b[0m", "").splitlines()
    if only is not None:
        lines = [line for line in lines if re.search(only, line)]
    print("\n".join([f"-- {log}", *lines[-_LAST_LINES:]]), flush=True)


def _meson_times(folder: Path) -> dict[str, float]:
    """The seconds of each test program, by Meson's reports under the folder."""
    times: dict[str, float] = {}
    for report in folder.glob("**/meson-logs/testlog.junit.xml"):
        for suite in ElementTree.parse(report).iter("testsuite"):
            name = suite.get("name", "").rpartition("/")[2].strip()
            times[name] = times.get(name, 0.0) + float(suite.get("time") or 0)
    return times
