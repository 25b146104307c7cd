"""A soak's record: an interrupted run continues after the last whole fabric."""

from __future__ import annotations

import json

import pytest

from evenweave_testbed.soak.faults import Category, Fault
from evenweave_testbed.soak.ledger import Losses
from evenweave_testbed.soak.record import Record, RecordError
from evenweave_testbed.soak.report import Report, Violation

RUN = {"seed": 7, "kinds": ["link-down", "foreign-rule"], "onos": False}


def fabric(number: int) -> Report:
    report = Report(7, "embedded", fabrics=[f"fabric {number}"])
    report.add_faults([Fault("link-down", "a", "b"), Fault("controller-killed", "controller")])
    report.add_faults([Fault("foreign-rule", "s1-0", "x")])
    report.add_named("foreign-rule", number, 2.0)
    report.add_lost_of("foreign-rule", 10 * number)
    report.add_losses(Category.CUT, Losses(allowed=number, uncounted=3, bed=1))
    report.accounts[Category.RESTART].groups_changed = 2
    report.violations.append(Violation(number, 1, "link-down a b", "2 packets lost"))
    report.sent, report.connections, report.broken = 1000, 12, 1
    return report


def total(*parts: Report) -> dict:
    whole = Report(7, "embedded")
    for part in parts:
        whole.add(part)
    return whole.to_json()


def test_what_is_read_from_a_record_is_what_was_written(tmp_path):
    path = tmp_path / "record"
    record = Record(path, RUN)
    for number in (1, 2):
        record.add(fabric(number), ["link-down", f"card {number}"])
    again = Record(path, RUN)
    assert total(*again.fabrics) == total(fabric(1), fabric(2))
    assert again.deck == ["link-down", "card 2"]


def test_the_parts_of_a_run_add_up(tmp_path):
    found = json.loads(json.dumps(total(fabric(1), fabric(4))))
    assert (found["faults"], found["steps"], found["fabrics"]) == (6, 4, ["fabric 1", "fabric 4"])
    assert found["byKind"]["foreign-rule"] == {
        "n": 2,
        "packetsLost": 50,
        "named": {"n": 2, "medianS": 2.5, "maxS": 4},
        "cleared": {"n": 2, "medianS": 2.0, "maxS": 2.0},
    }
    assert found["cuts"] == {"n": 2, "packetsLost": 5}
    assert found["restarts"] == {"n": 2, "packetsLost": 0, "groupsChanged": 4}
    assert found["kinds"] == {"controller-killed": 2, "foreign-rule": 2, "link-down": 2}
    assert [v["fabric"] for v in found["violations"]] == [1, 4]
    assert found["probes"] == {"sent": 2000, "withoutPath": 6, "lostInTheBed": 2}
    assert found["tcp"] == {"connections": 24, "broken": 2}


def test_a_line_that_was_cut_off_is_left_out_and_written_anew(tmp_path):
    path = tmp_path / "record"
    record = Record(path, RUN)
    record.add(fabric(1), ["one"])
    whole = path.read_text()
    record.add(fabric(2), ["two"])
    for end in (len(whole), len(whole) + 1, len(path.read_text()) - 1):
        cut = tmp_path / f"cut {end}"
        cut.write_text(path.read_text()[:end])
        again = Record(cut, RUN)
        assert (len(again.fabrics), again.deck) == (1, ["one"])
        again.add(fabric(2), ["two"])
        assert cut.read_text() == path.read_text()


def test_a_file_of_another_run_or_none_is_refused_and_left_as_it_is(tmp_path):
    path = tmp_path / "record"
    Record(path, RUN).add(fabric(1), [])
    with pytest.raises(RecordError, match='another run.*"seed": 7.*"seed": 8'):
        Record(path, RUN | {"seed": 8})
    for text in ("no JSON\n", "[]\n1\n", '{"seed": 7}\n{"report": {}}\n'):
        path.write_text(text)
        with pytest.raises(RecordError, match=f"^{path} is not a record of a soak: "):
            Record(path, RUN)
        assert path.read_text() == text
