"""Runs the test suites; prints how many tests ran, what was skipped and why, and where time went.

usage: run.py [fast | all] [--help]

  (none)  what every change has to pass, some eleven minutes on two cores: every module,
          random tests with a tenth of their tries, each live feature by its core case; needs root
          and network namespaces
  fast    the same without the tests that need network namespaces
  all     everything: all tries and live cases, static analysis, sanitizers and fuzzers of C, and
          the tests on ONOS where ONOS_HOME (default ~/.local/share/evenweave/onos) holds an
          ONOS 2.7.0

With REQUIRE_ONOS=1 in the environment a test on ONOS that would be skipped fails instead, and
"all" without an ONOS ends at once.

Exit status: 0 if all passed, 1 if not, 2 for bad use.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from functools import partial

from gate import suites
from gate.schedule import Job, run_jobs
from gate.suite import Suite

from evenweave_testbed.onos.distribution import Distribution, OnosMissing

# Percentage of the tries of random tests.
_TRIES = {"": 10, "fast": 10, "all": 100}
# The tests that each run leaves out, by their markers.
_MARKERS = {
    "": "not extended and not onos",
    "fast": "not extended and not fabric",
    "all": "not network",
}
# Of a run of their own, because the live tests' namespaces have no way out.
_WITH_NETWORK = "network and not fabric"
_NOT_RUN = {
    "": "not run: extended cases, analysers, tests on ONOS (./evenweave test all runs them)",
    "fast": "not run: what needs network namespaces (./evenweave test runs it), extended cases",
}
# Live tests mostly wait for switches and hosts; two jobs compute meanwhile.
_SLOTS = 3
# Live modules that run at a time, each in namespaces of its own.
_LIVE_WORKERS = 2
_SLOWEST = 12


def main(arguments: Sequence[str]) -> int:
    if any(a in ("-h", "--help") for a in arguments):
        print(__doc__.strip())
        return 0
    if list(arguments) not in ([], ["fast"], ["all"]):
        print("run.py: takes fast, all or nothing; see --help", file=sys.stderr)
        return 2
    kind = arguments[0] if arguments else ""
    if kind == "all" and os.environ.get("REQUIRE_ONOS") == "1":
        try:
            Distribution.find()
        except OnosMissing as error:
            print(f"run.py: REQUIRE_ONOS=1, but {error}", file=sys.stderr)
            return 1
    os.environ.setdefault(suites.TRIES, str(_TRIES[kind]))
    if kind != "all":  # the same code has the same result; ./evenweave test all draws new seeds
        os.environ.setdefault(suites.SEED, "1")
        os.environ.setdefault(suites.JAVA_OPTIONS, suites.SHORT_LIVED)
    began = time.monotonic()
    installed_s = time.time() - float(os.environ.get("EVENWEAVE_BEGAN", time.time()))
    outcomes = run_jobs(
        jobs(kind), _SLOTS, lambda line: print(f"{clock(began)} {line}", flush=True)
    )
    return summarise(outcomes, kind, installed_s, time.monotonic() - began)


def jobs(kind: str) -> list[Job]:
    """In order of priority: what others wait for first, then what takes longest."""
    thorough = kind == "all"

    def python(name: str, folder: str, workers: int = 1, after: Sequence[str] = (), live=False):
        tests = partial(suites.pytest, name, suites.ROOT / folder, _MARKERS[kind], workers, live)
        return Job(name, tests, ["Python packages", *after])

    programs = ["Java build", "host build"]
    packages = partial(suites.pytest, "packages", suites.ROOT / "tests", _WITH_NETWORK, 1)
    debian, pip = ("debian-for-all", "python-for-all") if thorough else ("debian", "python")
    return [
        Job("Java tools", partial(suites.install, "java")),
        Job("Java build", suites.build_java, ["Java tools"]),
        # One apt-get at a time.
        Job("Debian packages", partial(suites.install, debian), ["Java tools"]),
        Job("Python packages", partial(suites.install, pip)),
        Job("host build", suites.build_host, ["Java build", "Debian packages"]),  # Java's: codecs
        python("end to end", "tests", _LIVE_WORKERS, programs, live=True),
        Job("simulator build", suites.build_simulator, ["Debian packages", "Python packages"]),
        Job("Java", partial(suites.java, thorough), ["Java build"]),
        Job("host", partial(suites.host, thorough), ["host build"]),
        Job("simulator", suites.simulator, ["simulator build"]),
        python("experiments", "sim", 2, ["Java build", "simulator build"]),
        python("testbed", "testbed", after=programs),
        Job("formatting", partial(suites.formatting, thorough), ["simulator build", "host build"]),
        *([Job("packages", packages, ["Python packages", *programs])] if thorough else []),
        python("live benchmarks", "bench/live", after=["Debian packages"]),
        python("mininet-topos", "mininet-topos", after=["Debian packages"]),
    ]


def clock(began: float) -> str:
    minutes, seconds = divmod(int(time.monotonic() - began), 60)
    return f"{minutes:3d}:{seconds:02d}"


def by_reason(skipped: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    """Where tests were skipped for each reason: one entry for each of them."""
    found: dict[str, list[str]] = {}
    for where, reason in skipped:
        found.setdefault(reason, []).append(where)
    return found


def summarise(
    outcomes: Sequence[Suite], kind: str = "", installed_s: float = 0.0, tests_s: float = 0.0
) -> int:
    print("\n== Summary")
    for suite in outcomes:
        print(
            f"{suite.name:<16} {suite.passed:>5} passed {suite.failed:>3} failed "
            f"{len(suite.skipped):>3} skipped {suite.seconds:>7.0f} s"
        )
        for where, message in suite.failures:
            print(f"  failed {where}: {message}")
        for reason, where in sorted(by_reason(suite.skipped).items()):
            print(f"  skipped {len(where)} of {', '.join(sorted(set(where)))}: {reason}")
    if kind in _NOT_RUN:
        print(_NOT_RUN[kind])
    print(f"time: {installed_s:.0f} s until the first job, {tests_s:.0f} s for all jobs")
    modules = {m: s for suite in outcomes for m, s in suite.modules.items()}
    slowest = sorted(modules.items(), key=lambda module: -module[1])[:_SLOWEST]
    print(f"slowest modules: {', '.join(f'{name} {seconds:.0f} s' for name, seconds in slowest)}")
    passed, failed = sum(s.passed for s in outcomes), sum(s.failed for s in outcomes)
    print(f"{passed} passed, {failed} failed, {sum(len(s.skipped) for s in outcomes)} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
