import dataclasses
import json
import re
from pathlib import Path

import pytest

from evenweave_testbed.demo.render import painter, picture, render
from evenweave_testbed.demo.report import (
    Failure,
    Report,
    Throughput,
    Uplink,
    UplinkTable,
)
from evenweave_testbed.demo.scenario import _agree, pair_of
from evenweave_testbed.flows import spread
from evenweave_testbed.loss import Probes
from evenweave_testbed.shares import MeasuredShares
from evenweave_testbed.text_table import table
from evenweave_testbed.throughput import FlowRate
from evenweave_topos.fabric_file import IMBALANCED_3X3, FabricError, clos, fat_tree, load
from evenweave_topos.topologies import host_places

SPEC = load(IMBALANCED_3X3)
CUT_AT = 5_000_000
UNEVEN = {1: 63, 2: 65, 3: 64, 4: 64}


def uplink_table(wanted=(1, 1, 2, 2), slots=(43, 43, 85, 85), flows=(200, 200, 400, 400)):
    measured = MeasuredShares(dict(enumerate(flows, 1)), sum(flows), 0, 0)
    uplinks = [
        Uplink(
            port=port,
            via="s2-0",
            wanted=wanted[port - 1],
            installed=slots[port - 1],
            ideal_share=wanted[port - 1] / sum(wanted),
            realised_share=slots[port - 1] / 256,
            measured_share=measured.share(port),
            flows=flows[port - 1],
            total_flows=sum(flows),
        )
        for port in range(1, 5)
    ]
    return UplinkTable(tuple(uplinks), measured, controller_agrees=True)


def throughput(bps_by_port):
    hosts = host_places(SPEC, 1)
    flows = spread(hosts[:1], hosts[2:], 4, 5002)
    rates = [
        FlowRate(flow, port, bps_by_port[port - 1]) for port, flow in enumerate(flows, start=1)
    ]
    return Throughput.of(rates, [1, 2, 3, 4])


def failure(event="link-down", lost_at=(), **changes):
    values = {
        "event": event,
        "link": "s2-0/4-s1-2/1",
        "at": CUT_AT,
        "confirmed_at": CUT_AT + 12_500,
        "in_force_at": CUT_AT + 20_000,
        "groups_changed": 3,
        "probes": Probes(8000, 0, tuple(lost_at)),
        "table": uplink_table((0, 0, 1, 1), (0, 0, 128, 128), (0, 0, 600, 600)),
    }
    return Failure(**(values | changes))


def report(**changes):
    values = {
        "source": "s1-0",
        "destination": "s1-2",
        "link_bps": 20e6,
        "table": uplink_table(),
        "throughput": {
            "ecmp": throughput((1e5, 1e5, 2e5, 2e5)),
            "wcmp": throughput((1.5e5, 1.5e5, 1.5e5, 1.4e5)),
        },
        "ecmp_slots": {1: 64, 2: 64, 3: 64, 4: 64},
        "failures": [failure(), failure("link-up", table=uplink_table())],
    }
    return Report(**(values | changes))


def broken(found):
    return [check.promise for check in found.checks() if not check.held]


def test_all_promises_hold_for_a_good_report():
    assert broken(report()) == []


def test_the_json_has_the_agreed_shape():
    data = json.loads(json.dumps(report().to_json()))
    assert data["pair"] == {"from": "s1-0", "to": "s1-2"}
    agreed = {"port", "via", "wanted", "installed", "realisedShare", "measuredShare", "flows"}
    assert agreed <= data["uplinks"][0].keys()
    for strategy in ("ecmp", "wcmp"):
        assert {"cov", "jain", "minBps", "p5Bps", "meanBps"} <= data["throughput"][strategy].keys()
    assert data["throughput"]["ecmp"]["jain"] == pytest.approx(0.9)
    down, up = data["failures"]
    assert (down["event"], up["event"]) == ("link-down", "link-up")
    assert down["link"] == "s2-0/4-s1-2/1"
    assert down["confirmMs"] == 12.5
    assert down["packetsLost"] == 0
    assert agreed <= down["uplinks"][0].keys()


def test_oversubscription_is_the_worst_ratio_of_realised_to_ideal_share():
    assert uplink_table().oversubscription == pytest.approx((43 / 256) / (1 / 6))


@pytest.mark.parametrize(
    ("changes", "promise"),
    [
        # 1/4 of 1200 flows where 43/256 was expected: 7 standard errors.
        (
            {"table": uplink_table(flows=(300, 300, 300, 300))},
            "at first: measured shares are within 3 standard errors",
        ),
        (
            {"table": dataclasses.replace(uplink_table(), controller_agrees=False)},
            "at first: the switch has what the controller says",
        ),
        (
            {
                "table": dataclasses.replace(
                    uplink_table(),
                    measured=MeasuredShares({1: 200, 2: 200, 3: 400, 4: 400}, 1200, 0, 1),
                )
            },
            "at first: all connections came up, each on one uplink",
        ),
        (
            {
                "table": dataclasses.replace(
                    uplink_table(),
                    measured=MeasuredShares({1: 200, 2: 200, 3: 400, 4: 399}, 1200, 0, 0),
                )
            },
            "at first: all connections came up, each on one uplink",
        ),
        (
            {
                "throughput": {
                    "ecmp": throughput((1e5, 1e5, 2e5, 2e5)),
                    "wcmp": throughput((1.1e5, 1.1e5, 5e5, 5e5)),
                }
            },
            "flow throughput varies less under WCMP than under ECMP",
        ),
        (
            {
                "throughput": {
                    "ecmp": throughput((1e5, 1e5, 2e5, 2e5)),
                    "wcmp": throughput((1e5, 1.4e5, 1.4e5, 1.4e5)),
                }
            },
            "the slowest flow is faster under WCMP than under ECMP",
        ),
        ({"ecmp_slots": UNEVEN}, "under ECMP the switch gives all uplinks the same share"),
        (
            {"failures": [failure(lost_at=[CUT_AT - 600_000])]},
            "after link-down of s2-0/4-s1-2/1: no packet was lost before it",
        ),
        (
            {"failures": [failure(lost_at=[CUT_AT + 20_000])]},
            "after link-down of s2-0/4-s1-2/1: no packet was lost once the change was in force",
        ),
        (
            {"failures": [failure(probes=Probes(8000, 1, ()))]},
            "after link-down of s2-0/4-s1-2/1: no packet arrived twice",
        ),
        (
            {"failures": [failure("link-up", lost_at=[CUT_AT])]},
            "after link-up of s2-0/4-s1-2/1: no packet was lost at all",
        ),
    ],
)
def test_a_promise_that_did_not_hold_is_told(changes, promise):
    assert broken(report(**changes)) == [promise]


def test_a_cut_may_lose_packets_on_their_way_and_until_it_is_in_force():
    lost = [CUT_AT - 1000, CUT_AT, CUT_AT + 13_000]
    found = failure(lost_at=lost)
    assert broken(report(failures=[found])) == []
    assert found.last_loss_ms == 13.0
    assert found.to_json()["packetsLostAfterConfirm"] == 1


def test_where_all_weights_are_equal_wcmp_promises_nothing_over_ecmp():
    even = uplink_table((1, 1, 1, 1), (64, 64, 64, 64), (300, 300, 300, 300))
    worse = {"ecmp": throughput((1, 1, 1, 1)), "wcmp": throughput((1, 1, 1, 2))}
    assert broken(report(table=even, throughput=worse)) == []


def test_an_uplink_without_a_path_must_carry_nothing():
    one_stray = uplink_table((0, 0, 1, 1), (0, 0, 128, 128), (1, 0, 600, 599))
    found = report(failures=[failure(table=one_stray)])
    assert broken(found) == [
        "after link-down of s2-0/4-s1-2/1: measured shares are within 3 standard errors"
    ]


def test_the_controller_agrees_only_if_group_and_hash_slots_are_what_it_says():
    said = {
        "entries": 16,
        "ports": [{"port": 1, "installed": 4}, {"port": 2, "installed": 12}],
    }
    assert _agree(said, {1: 4, 2: 12, 3: 0}, {1: 64, 2: 192, 3: 0}, [1, 2, 3])
    assert not _agree(said, {1: 5, 2: 11, 3: 0}, {1: 64, 2: 192, 3: 0}, [1, 2, 3])
    assert not _agree(said, {1: 4, 2: 12, 3: 0}, {1: 65, 2: 191, 3: 0}, [1, 2, 3])
    assert not _agree(said, {1: 4, 2: 12, 3: 1}, {1: 64, 2: 192, 3: 0}, [1, 2, 3])


def test_the_pair_is_that_of_the_first_and_the_last_subnet():
    assert pair_of(SPEC) == ("s1-0", "s1-2")
    with pytest.raises(FabricError, match="subnets: the demonstration needs two"):
        pair_of(clos([[1]]))
    with pytest.raises(FabricError, match="have no neighbour in common"):
        pair_of(fat_tree(4))


def test_the_picture_shows_every_link_of_the_pair_once():
    assert picture(SPEC, "s1-0", "s1-2") == [
        "  s1-0                s1-2",
        "     1 --+-- s2-0 ------ 1",
        "     2 --+",
        "     3 ----- s2-1 ------ 2",
        "     4 ----- s2-2 --+--- 3",
        "                    +--- 4",
    ]


def test_a_cut_link_is_crossed_out():
    lines = picture(SPEC, "s1-0", "s1-2", SPEC.link("s2-0/4-s1-2/1"))
    assert lines[1] == "     1 --+-- s2-0 ---x-- 1"


def test_columns_are_aligned_to_the_right():
    assert table(["a", "long"], [["wide", "1"], ["2", "3"]], indent="") == [
        "   a  long",
        "wide     1",
        "   2     3",
    ]


def test_text_is_coloured_only_when_asked_for():
    assert "\x1b" not in render(report(), SPEC, painter(False))
    assert "\x1b[32mheld" in render(report(), SPEC, painter(True))


def test_the_text_names_what_did_not_hold():
    text = render(report(ecmp_slots=UNEVEN), SPEC, painter(False))
    assert "BROKEN under ECMP the switch gives all uplinks the same share" in text
    assert "port 1: 63 slots, port 2: 65 slots" in text
    assert "16 of 17 promises held." not in text
    total = len(report().checks())
    assert f"{total - 1} of {total} promises held." in text


def test_the_text_explains_its_terms_and_ends_with_a_next_step():
    text = render(report(), SPEC, painter(False))
    for term in ("wanted:", "ideal:", "installed:", "switch gives:", "standard errors (s.e.)"):
        assert text.count(term) == 1
    assert "Each promise is a check of this run." in text
    root = Path(__file__).resolve().parents[2]
    _, _, next_steps = text.rpartition("Next: ")
    pages = re.findall(r"docs/\S+\.md", next_steps)
    assert pages
    assert [page for page in pages if not (root / page).is_file()] == []
