"""The outcome of one suite, and how it is read from reports and logs."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Suite:
    """A suite that broke before it reported has failed once. `skipped` has the module and the
    reason for every skipped test, `failures` the test and the first line of its message where the
    runner names it, `modules` the seconds that each module took."""

    name: str
    passed: int = 0
    failed: int = 0
    failures: list[tuple[str, str]] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    modules: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    seconds: float = 0.0

    def collect(self, reports: Iterable[Path]) -> None:
        """Counts the cases of JUnit XML reports; one that is missing has none."""
        for report in reports:
            if report.exists():
                for case in ElementTree.parse(report).iter("testcase"):
                    self._count(case)

    def _count(self, case: ElementTree.Element) -> None:
        module = case.get("classname", "").rpartition(".")[2]
        self.modules[module] += float(case.get("time") or 0)
        fault = next((f for f in map(case.find, ("failure", "error")) if f is not None), None)
        if fault is not None:
            self.failed += 1
            message = (fault.get("message") or fault.text or "no message").strip()
            self.failures.append((f"{module}: {case.get('name')}", message.partition("\n")[0]))
        elif (skip := case.find("skipped")) is not None:
            self.skipped.append((module, skip.get("message") or skip.text or "no reason"))
        else:
            self.passed += 1

    def end(self, status: int) -> Suite:
        """Takes the runner's exit status: one that failed without naming a test has failed all the
        same."""
        if status != 0 and self.failed == 0:
            self.failures.append(("runner", f"ended with status {status} and named no test"))
            self.failed += 1
        return self
