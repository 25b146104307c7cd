"""Runs the test suites and says, at the end, how many tests ran and what was skipped and why.

usage: run.py [all | no-onos | fast] [--help]

  (none), all  everything; needs root and network namespaces. The tests on ONOS run where ONOS_HOME
               (default ~/.local/share/evenweave/onos) holds an ONOS 2.7.0 and then take a
               quarter of an hour or more, and are else skipped
  no-onos      everything but the tests on ONOS
  fast         what needs no network namespaces: formatting, unit and property tests of Java, C and
               Python

With REQUIRE_ONOS=1 in the environment a test on ONOS that would be skipped fails instead, and a run
of all tests without an ONOS ends at once.

Exit status: 0 if all passed, 1 if not, 2 for bad use.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evenweave_testbed.build_lock import build_lock
from evenweave_testbed.onos.distribution import Distribution, OnosMissing

ROOT = Path(__file__).resolve().parents[1]
REPORTS = ROOT / "target" / "test-reports"
# Modules side by side: one's tests often have a core to spare.
MAVEN = ["mvn", "-B", "-q", "-T1C", "-Dstyle.color=never", "-f", str(ROOT / "pom.xml")]
# Compiles all Java in folders of its own; -q would hide what it finds, which are warnings.
ERROR_PRONE = [
    *(word for word in MAVEN if word != "-q"),
    "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
    "-Perror-prone",
    "--fail-at-end",
    "test-compile",
]
RUFF = str(Path(sys.executable).with_name("ruff"))
MYPY = str(Path(sys.executable).with_name("mypy"))
# The closing line of a module; those of single classes go on after the last number.
_SUREFIRE_TOTAL = (
    r"^\[(?:INFO|WARNING|ERROR)\] Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)$"
)
# Live tests mostly wait: two modules at a time, each in namespaces of its own. Simulations have a
# core each.
_SIDE_BY_SIDE = {
    "experiments": ["-n", "2"],
    "end to end": ["-n", "2", "--dist", "loadgroup", "--no-loadscope-reorder"],
}
# The marker of the tests that an argument leaves out.
_LEFT_OUT = {"all": "", "no-onos": "onos", "fast": "fabric"}
_NOT_RUN = {
    "fabric": "not run: tests that need network namespaces (./evenweave test runs them)",
    "onos": "not run: tests on ONOS (./evenweave test runs them where ONOS_HOME holds one)",
}


@dataclass
class Suite:
    """The outcome of one suite; a suite that broke before reporting has failed once. `skipped` has
    the module and the reason for every test that was skipped, `failures` the test and the first
    line of its message where the runner tells."""

    name: str
    passed: int = 0
    failed: int = 0
    failures: list[tuple[str, str]] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    seconds: float = 0.0


def main(arguments: Sequence[str]) -> int:
    if any(a in ("-h", "--help") for a in arguments):
        print(__doc__.strip())
        return 0
    if list(arguments) not in ([], *([name] for name in _LEFT_OUT)):
        print(f"run.py: takes one of {', '.join(_LEFT_OUT)}; see --help", file=sys.stderr)
        return 2
    left_out = _LEFT_OUT[arguments[0] if arguments else "all"]
    if not left_out and os.environ.get("REQUIRE_ONOS") == "1":
        try:
            Distribution.find()
        except OnosMissing as error:
            print(f"run.py: REQUIRE_ONOS=1, but {error}", file=sys.stderr)
            return 1
    suites = [formatting(), java(), host(), simulator(), *python(left_out)]
    return summarise(suites, left_out)


def formatting() -> Suite:
    """One check for each formatter and checker; one that would change or finds something fails."""
    checks = {
        "Java (google-java-format)": [*MAVEN, "spotless:check"],
        "Java (Error Prone)": ERROR_PRONE,
        "Python format (ruff)": [RUFF, "format", "--check", "-q", str(ROOT)],
        "Python lint (ruff)": [RUFF, "check", "-q", str(ROOT)],
        "Python types (mypy)": [MYPY, "--cache-dir", str(REPORTS.parent / "mypy")],
    }
    suite, began = Suite("formatting"), begin("formatting, types and static analysis of Java")
    for name, command in checks.items():
        done = subprocess.run(
            command,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode == 0:
            suite.passed += 1
        else:
            suite.failed += 1
            # Maven ends by a code that resets colours, even without any.
            print(done.stdout.replace("\x1b[0m", "").strip())
            print(f"{name}: not as it should be; ./evenweave format cures formats")
    suite.seconds = time.monotonic() - began
    return suite


def java() -> Suite:
    """Counts what Surefire says of each module: its two engines share report files, so that those
    hold too little. The whole output, with the seeds of all properties, goes to a file."""
    began = begin("Java: unit and property tests")
    log = REPORTS / "java.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w") as output, build_lock():
        status = subprocess.run(
            [*(word for word in MAVEN if word != "-q"), "verify", "--fail-at-end"],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
        ).returncode
    text = log.read_text(errors="replace")
    suite = Suite("Java")
    for counts in re.findall(_SUREFIRE_TOTAL, text, re.MULTILINE):
        tests, failures, errors, skipped = map(int, counts)
        suite.passed += tests - failures - errors - skipped
        suite.failed += failures + errors
        suite.skipped += [("Java", f"see {log.name}")] * skipped
    print(text if status else f"the seeds of all properties are in {log.relative_to(ROOT)}")
    return ended(suite, status, began)


def host() -> Suite:
    """The C libraries: they build and check themselves several ways and print one closing line."""
    began = begin("host: C libraries")
    log = REPORTS / "host.log"
    with log.open("w") as output:
        status = subprocess.run(
            [str(ROOT / "host/run-tests")],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
        ).returncode
    text = log.read_text(errors="replace")
    suite = Suite("host")
    if total := re.search(r"^(\d+) passed, (\d+) failed, \d+ skipped$", text, re.MULTILINE):
        suite.passed, suite.failed = map(int, total.groups())
    suite.skipped = [("host", why) for why in re.findall(r"^skipped: (.*)$", text, re.MULTILINE)]
    print(text if status else f"the seeds of all random tests are in {log.relative_to(ROOT)}")
    return ended(suite, status, began)


def simulator() -> Suite:
    """The simulator's C++: it builds and checks itself, and prints one closing line."""
    began = begin("simulator: C++")
    with build_lock():
        done = subprocess.run(
            [sys.executable, str(ROOT / "sim/run-tests")],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
    suite = Suite("simulator")
    if total := re.search(r"^(\d+) passed, (\d+) failed$", done.stdout, re.MULTILINE):
        suite.passed, suite.failed = map(int, total.groups())
    print(done.stdout if done.returncode else "its log is in target/sim/meson-logs")
    return ended(suite, done.returncode, began)


def python(left_out: str) -> Iterator[Suite]:
    """The tests of each package, then the end-to-end tests, but for those with a marker."""
    suites = {
        "mininet-topos": ROOT / "mininet-topos",
        "testbed": ROOT / "testbed",
        "live benchmarks": ROOT / "bench/live",
        "experiments": ROOT / "sim",
        "end to end": ROOT / "tests",
    }
    for name, folder in suites.items():
        if not any(folder.glob("**/test_*.py")):
            continue
        began = begin(f"{name} (pytest)")
        report = REPORTS / f"{name.replace(' ', '-')}.xml"
        report.parent.mkdir(parents=True, exist_ok=True)
        report.unlink(missing_ok=True)
        command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}"]
        command += ["--rootdir", str(folder), "-c", str(ROOT / "pyproject.toml")]
        command += [
            "-p",
            "no:cacheprovider",
            *(["-m", f"not {left_out}"] if left_out else []),
            *_SIDE_BY_SIDE.get(name, []),
            str(folder),
        ]
        status = run(command, cwd=folder)
        no_tests_left = 5  # pytest's status when the marker leaves none of the folder's tests
        yield collect(
            Suite(name),
            [report],
            0 if left_out and status == no_tests_left else status,
            began,
        )


def begin(title: str) -> float:
    print(f"\n== {title}", flush=True)
    return time.monotonic()


def run(command: Sequence[str], cwd: Path = ROOT) -> int:
    return subprocess.run(command, cwd=cwd, check=False, stdin=subprocess.DEVNULL).returncode


def collect(suite: Suite, reports: Iterator[Path], status: int, began: float) -> Suite:
    """Counts the cases of JUnit XML reports into the suite."""
    for report in reports:
        if not report.exists():
            continue
        for case in ElementTree.parse(report).iter("testcase"):
            module = case.get("classname", "").rpartition(".")[2]
            fault = next((f for f in map(case.find, ("failure", "error")) if f is not None), None)
            if fault is not None:
                suite.failed += 1
                message = (fault.get("message") or fault.text or "no message").strip()
                suite.failures.append((f"{module}: {case.get('name')}", message.partition("\n")[0]))
            elif (skip := case.find("skipped")) is not None:
                suite.skipped.append((module, skip.get("message") or skip.text or "no reason"))
            else:
                suite.passed += 1
    return ended(suite, status, began)


def ended(suite: Suite, status: int, began: float) -> Suite:
    """A runner that failed without naming a test has failed all the same."""
    if status != 0 and suite.failed == 0:
        print(f"{suite.name}: the runner ended with status {status} and reported no failure")
        suite.failed += 1
    suite.seconds = time.monotonic() - began
    return suite


def by_reason(skipped: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    """Where tests were skipped for each reason: one entry for each of them."""
    found: dict[str, list[str]] = {}
    for where, reason in skipped:
        found.setdefault(reason, []).append(where)
    return found


def summarise(suites: Sequence[Suite], left_out: str) -> int:
    print("\n== Summary")
    for suite in suites:
        print(
            f"{suite.name:<16} {suite.passed:>5} passed {suite.failed:>3} failed "
            f"{len(suite.skipped):>3} skipped {suite.seconds:>7.0f} s"
        )
        for where, message in suite.failures:
            print(f"  failed {where}: {message}")
        for reason, where in sorted(by_reason(suite.skipped).items()):
            print(f"  skipped {len(where)} of {', '.join(sorted(set(where)))}: {reason}")
    if left_out:
        print(_NOT_RUN[left_out])
    passed, failed = sum(s.passed for s in suites), sum(s.failed for s in suites)
    print(f"{passed} passed, {failed} failed, {sum(len(s.skipped) for s in suites)} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
