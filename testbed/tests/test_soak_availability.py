"""The soak's model of failures: the same for a seed, possible, and as available as the tables."""

from __future__ import annotations

import random

import pytest

from evenweave_testbed.soak.availability import (
    LINKS,
    REPAIR_HOURS,
    SWITCHES,
    AvailabilitySchedule,
    failures_per_hour,
)
from evenweave_testbed.soak.fabrics import random_fabric
from evenweave_testbed.soak.faults import MOST_DEFECTS
from evenweave_testbed.soak.render import render
from evenweave_testbed.soak.report import Report
from evenweave_testbed.soak.world import World
from evenweave_topos.topologies import host_places

FAULTS = 4000


def drawn(seed: int, faults: int = FAULTS):
    """A schedule after so many faults, its steps, and how many things were wrong after each."""
    made = random_fabric(random.Random(seed))
    world = World(made.spec, host_places(made.spec, made.hosts))
    schedule = AvailabilitySchedule(random.Random(seed))
    steps, defects = [], []
    while faults > 0:
        step = schedule.step(world, faults)
        step.apply(world)
        steps.append(str(step))
        defects.append(world.defects())
        faults -= len(step.faults)
    return schedule, steps, defects


def test_an_average_repair_takes_four_hours_as_the_paper_has_it():
    assert pytest.approx(4.1, abs=0.05) == REPAIR_HOURS
    assert 0.9995 < LINKS < SWITCHES < 0.99995
    month = 365.25 * 2
    assert 3072 * month * failures_per_hour(0.99945) == pytest.approx(300, rel=0.01)


def test_the_same_seed_draws_the_same_steps():
    assert drawn(5, 100)[1] == drawn(5, 100)[1] != drawn(6, 100)[1]


def test_links_and_switches_are_as_available_as_the_tables_say():
    figures = drawn(1)[0].figures()
    # A thousand failures of links: their number is off by 3 % or so, and their length by 3 %.
    for part, table, off in (("links", LINKS, 0.15), ("switches", SWITCHES, 0.35)):
        assert 1 - figures[part]["drawn"] == pytest.approx(1 - table, rel=off)
    assert figures["failures"] - figures["repairs"] <= MOST_DEFECTS
    assert figures["months"] > 100


def test_more_than_one_thing_is_wrong_at_times_and_nothing_beyond_the_limit():
    _, steps, defects = drawn(2)
    assert max(defects) in range(2, MOST_DEFECTS + 1)
    assert defects.count(0) > len(defects) / 4
    assert any(" after " in step for step in steps)


def test_the_report_tells_the_months_of_the_model():
    report = Report(1, "embedded")
    assert "model" not in report.to_json()
    report.model = drawn(1, 50)[0].figures()
    assert report.to_json()["model"]["name"] == "availability"
    assert f"{report.model['months']} months of the model" in render(report)
