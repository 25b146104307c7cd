import pytest

from evenweave_testbed.demo.render import painter
from evenweave_testbed.edge.demo.render import render
from evenweave_testbed.edge.demo.report import (
    TIMES,
    below_after_ms,
    completion_times,
    figures,
    shares,
    wrong_accounts,
)
from evenweave_testbed.edge.demo.run import Flow, Recording, Sample
from evenweave_testbed.edge.demo.workload import Request
from evenweave_testbed.statistics import nearest_rank


def flow(at_s, size, ms, late_ms=0.0):
    return Flow(Request(at_s, 0, size, 10_000), round(ms * 1e6), round(late_ms * 1e6))


def steady(*parts):
    """Samples every tenth of a second: (from, to, bytes of each uplink in that time)."""
    samples, sent = [Sample(0.0, (0, 0, 0, 0))], [0, 0, 0, 0]
    for begin, end, uplinks in parts:
        for tenth in range(round(10 * begin), round(10 * end)):
            sent = [had + more for had, more in zip(sent, uplinks, strict=True)]
            samples.append(Sample((tenth + 1) / 10, tuple(sent)))
    return tuple(samples)


SAMPLES = steady((0, 4, (25, 25, 25, 25)), (4, 6, (25, 25, 25, 25)), (6, 10, (10, 30, 30, 30)))


@pytest.mark.parametrize(
    ("values", "percent", "rank"),
    [([5], 99, 5), ([3, 1, 2], 50, 2), (range(1, 101), 99, 99), (range(1, 102), 99, 100)],
)
def test_a_percentile_is_the_value_of_the_nearest_rank(values, percent, rank):
    assert nearest_rank(values, percent) == rank


@pytest.mark.parametrize(("values", "percent"), [([], 50), ([1], 0), ([1], 101)])
def test_there_is_no_percentile_of_nothing_or_out_of_range(values, percent):
    with pytest.raises(ValueError, match="percentile"):
        nearest_rank(values, percent)


def test_small_and_large_flows_are_told_apart_by_the_scaled_sizes():
    flows = [flow(0, 9_999, 1), flow(0, 10_000, 10), flow(0, 1_000_000, 30), flow(0, 1_000_001, 79)]
    times = completion_times(flows, scale=0.1)
    assert times == {
        "flows": 4, "meanFctMs": 30, "p99FctMs": 79, "smallMeanFctMs": 1, "smallP99FctMs": 1,
        "largeMeanFctMs": 79, "largeP99FctMs": 79,
    }  # fmt: skip


def test_a_kind_without_flows_has_no_times():
    assert completion_times([], scale=1) == {"flows": 0, **dict.fromkeys(TIMES)}


def test_shares_are_of_the_bytes_between_two_times():
    assert shares(SAMPLES, 0, 4) == [0.25] * 4
    assert shares(SAMPLES, 6, 10) == pytest.approx([0.1, 0.3, 0.3, 0.3])
    assert shares(SAMPLES, 10, 10) == [0] * 4


def test_a_path_is_left_when_its_share_falls_for_a_second_and_stays():
    # A second with 0.19 of the bytes ends 0.4 s into the lower share, which began 2 s after.
    assert below_after_ms(SAMPLES, 0, 4, 10) == pytest.approx(2000 - 600, abs=101)
    assert below_after_ms(SAMPLES, 1, 4, 10) is None


def test_a_dip_does_not_count():
    samples = steady((0, 4, (25,) * 4), (4, 6, (10, 30, 30, 30)), (6, 20, (25,) * 4))
    assert below_after_ms(samples, 0, 4, 20) is None


def test_a_path_that_was_low_before_was_not_left():
    samples = steady((0, 4, (10, 30, 30, 30)), (4, 20, (10, 30, 30, 30)))
    assert below_after_ms(samples, 0, 4, 20) is None


def recording(**changes):
    counters = {
        "TcpInSegs": 1000, "TcpOutSegs": 1000, "TcpRetransSegs": 20, "TcpExtTCPOFOQueue": 10,
        "TcpExtTCPTimeouts": 3, "TcpExtTCPSACKReorder": 4, "IpExtOutOctets": 400,
        "TcpExtTCPDSACKRecv": 5,
    }  # fmt: skip
    fields = {
        "flows": (flow(1, 100, 2), flow(5, 100, 4, late_ms=1)),
        "samples": SAMPLES,
        "degraded_at_s": 4.0,
        "path_bytes": (100, 100, 100, 100),
        "sent_bytes": 400,
        "marks": 7,
        "servers": counters,
        "clients": counters,
        "busy": 0.5,
        "leaves": {},
        "instructions": {},
    }
    return Recording(**(fields | changes))


def test_flows_count_to_the_part_in_which_they_arrived():
    shown = figures(recording(), 10, 0.1)
    assert (shown["flows"], shown["meanFctMs"]) == (1, 2)
    assert (shown["reaction"]["flows"], shown["reaction"]["meanFctMs"]) == (1, 4)
    assert (shown["reorderedShare"], shown["retransmittedShare"]) == (0.01, 0.02)
    assert shown["duplicateShare"] == 0.005
    assert "instructions" not in shown
    told = {"failure": 3}
    assert figures(recording(instructions=told), 10, 0.1)["instructions"] == told
    assert shown["reaction"]["shareAfter"] == pytest.approx(0.15)
    assert shown["lateStartP99Ms"] == 1


@pytest.mark.parametrize(
    ("changes", "asked", "wrong"),
    [
        ({}, 300, []),
        ({"path_bytes": (100, 100, 100, 99)}, 300, ["x: the paths carried 399 bytes of 400"]),
        ({}, 500, ["x: servers sent 400 bytes, and clients got 500"]),
    ],
)
def test_accounts_that_do_not_add_up_are_named(changes, asked, wrong):
    found = wrong_accounts("x", figures(recording(**changes), 10, 0.1), asked)
    assert len(found) == len(wrong)
    assert all(line.startswith(start) for line, start in zip(found, wrong, strict=True))


LEAVES = {
    leaf: {
        "uplinks": [
            {"device": f"p{i}", "packets": 9, "bytes": 100, "flowlets": i, "moved": 2, "level": 0}
            for i in range(1, 5)
        ],
        "tags": 6,
        "refused": 0,
    }
    for leaf in ("l1", "l2")
}


@pytest.mark.parametrize(
    ("path_bytes", "good"),
    [((75, 75, 75, 75), True), ((100,) * 4, True), ((75, 75, 75, 74), False), ((101,) * 4, False)],
)
def test_leaves_may_lack_what_servers_dropped_and_nothing_that_clients_got(path_bytes, good):
    shown = figures(recording(path_bytes=path_bytes, leaves=LEAVES), 10, 0.1)
    assert shown["leaves"] == LEAVES
    assert (wrong_accounts("conga", shown, 300) == []) == good


def test_the_text_has_the_flowlets_of_leaves_that_chose():
    lines = text_of(figures(recording(leaves=LEAVES), 10, 0.1)).splitlines()
    assert ["ecmp", "l1", "1", "2", "3", "4", "8", "6"] in [line.split() for line in lines]
    without = text_of(figures(recording(), 10, 0.1))
    assert "leaves" not in without


def text_of(shown, coloured=False):
    return render(
        {
            "seed": 1, "load": 0.6, "seconds": 10,
            "fabric": {"linkBps": 50e6, "bisectionBps": 175e6, "rttUs": 5000,
                       "degraded": {"link": "s4-l2", "bps": 25e6}},
            "workload": {"flows": 2, "scale": 0.1, "smallBelowBytes": 1e4, "largeAboveBytes": 1e6},
            "degradation": {"link": "s1-l2", "bps": 25e6, "atS": 5, "shareBelow": 0.2},
            "schemes": {"ecmp": shown, "alb": shown},
            "notOffered": {"clove-int": "needs switches that stamp"},
        },
        painter(coloured),
    )  # fmt: skip


@pytest.mark.parametrize("coloured", [False, True])
def test_the_text_has_every_scheme_and_colours_where_they_are_wanted(coloured):
    text = text_of(figures(recording(), 10, 0.1), coloured)
    lines = text.splitlines()
    assert sum(line.split()[:1] == ["ecmp"] for line in lines) == 4
    assert sum(line.split()[:1] == ["alb"] for line in lines) == 4
    assert "  clove-int: needs switches that stamp" in lines
    assert ("\x1b" in text) == coloured


@pytest.mark.parametrize(("late_ms", "doubted"), [(4.9, False), (5.1, True)])
def test_the_text_doubts_figures_of_a_busy_machine(late_ms, doubted):
    shown = figures(recording(flows=(flow(1, 100, 2, late_ms),)), 10, 0.1)
    assert ("too busy" in text_of(shown)) == doubted
