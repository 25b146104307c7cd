"""How long a soak draws fabrics."""

from __future__ import annotations

import argparse
from contextlib import nullcontext
from itertools import count

import pytest

from evenweave_testbed.soak import command
from evenweave_testbed.soak.faults import Fault
from evenweave_testbed.soak.report import Report


@pytest.fixture
def soak(monkeypatch):
    """Runs a soak of three faults: soak(taken) has fabrics with so many faults, none afterwards."""

    def run(taken: list[int]) -> Report:
        numbers = count()

        def one_fabric(*arguments) -> None:
            number = next(numbers)
            for _ in range(taken[number] if number < len(taken) else 0):
                arguments[-1].add_faults([Fault("guests-swap", "s1-0", "h0-1 h0-2")])

        monkeypatch.setattr(command, "Oracle", lambda _: nullcontext())
        monkeypatch.setattr(command, "_one_fabric", one_fabric)
        options = argparse.Namespace(
            seed=7,
            faults=3,
            kinds=("guests-swap",),
            onos=False,
            tools=(),
            model="kinds",
            record=None,
        )
        report = Report(7, "embedded")
        command.soak(options, report)
        return report

    return run


def test_a_fabric_that_takes_no_fault_is_followed_by_others(soak):
    report = soak([0, 0, 1, 0, 0, 0, 0, 0, 2])
    assert (report.faults, len(report.fabrics), report.violations) == (3, 9, [])


def test_a_soak_whose_kinds_no_fabric_takes_does_not_pass(soak):
    report = soak([1])
    (violation,) = report.violations
    assert (report.faults, violation.fabric) == (1, 7)
    assert "6 fabrics in a row take no fault of guests-swap" in str(violation)
