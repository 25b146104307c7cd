import json
import struct
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenweave_bench.failover.command import RUNTIMES, Bench, _parser
from evenweave_bench.failover.memory import NoFigure, added, parse
from evenweave_bench.failover.render import render
from evenweave_bench.failover.routers import in_order
from evenweave_bench.failover.samples import (
    Outage,
    Sample,
    compare,
    compare_outages,
    figures,
    outages,
    percentile,
    stage_figures,
)
from evenweave_bench.failover.stages import STAGES, stages
from evenweave_bench.failover.startup import twelve_switches
from evenweave_bench.failover.switch_log import (
    BARRIER_REPLY,
    ERROR,
    FLOW_MOD,
    GROUP_MOD,
    PORT_STATUS,
    Message,
    changes,
    confirmed_at,
    refused,
    take,
)

values = st.lists(st.floats(min_value=0, max_value=1e6), min_size=1, max_size=200)


@given(values, st.integers(min_value=1, max_value=100))
def test_a_percentile_is_the_least_value_that_so_many_do_not_exceed(values, percent):
    found = percentile(values, percent)
    enough = [
        v for v in values if sum(other <= v for other in values) * 100 >= percent * len(values)
    ]
    assert found == min(enough)


def test_percentiles_of_thirty_are_the_middle_and_the_worst():
    assert percentile(range(1, 31), 50) == 15
    assert percentile(range(1, 31), 99) == 30


@pytest.mark.parametrize(("values", "percent"), [([], 50), ([1], 0), ([1], 101)])
def test_there_is_no_percentile_of_nothing_nor_beyond_all(values, percent):
    with pytest.raises(ValueError, match="percentile"):
        percentile(values, percent)


def sample(confirmed_ms, lost=0, late=()):
    return Sample(
        "s1-0/1-s2-0/1", confirmed_ms, confirmed_ms / 2, lost * 1.0, lost, 100, 2, 1, late
    )


def test_a_runtimes_figures_have_the_agreed_form():
    found = figures([sample(float(ms), lost=ms % 2) for ms in range(1, 31)])
    assert (found["p50Ms"], found["p99Ms"], found["n"]) == (15.0, 30.0, 30)
    assert found["lastChangeMs"] == {"p50": 7.5, "p99": 15.0}
    assert (found["lost"], found["sent"]) == (15, 3000)
    assert found["refused"] == 30
    assert found["lateChanges"] == []


def test_a_change_after_the_confirmation_is_reported_with_its_link():
    found = figures([sample(1.0, late=("s2-0 got a group 40 ms after the confirmation",))])
    assert found["lateChanges"] == ["s1-0/1-s2-0/1: s2-0 got a group 40 ms after the confirmation"]


def test_what_onos_does_by_itself_is_the_baseline_and_else_the_embedded_runtime():
    runtimes = {
        "standalone": figures([sample(50.0)]),
        "onos1": figures([sample(300.0)]),
        "onos3": {"skipped": "not asked for"},
        "onosStock": figures([sample(200.0)]),
    }
    assert compare(runtimes) == "onosStock"
    ratios = [runtimes[name]["timesBaseline"] for name in ("standalone", "onos1", "onosStock")]
    assert ratios == [0.25, 1.5, 1.0]
    assert runtimes["onos3"] == {"skipped": "not asked for"}
    del runtimes["onosStock"]
    assert compare(runtimes) == "standalone"
    assert runtimes["onos1"]["timesBaseline"] == 6.0
    assert compare({"onos3": {"failed": "no start"}}) is None


# Hypothesis's own deadline of 200 ms fails on a machine that is busy with something else.
@given(
    st.lists(
        st.tuples(st.integers(0, 29), st.integers(0, 300), st.integers(0, 2**32 - 1)), max_size=20
    ),
    st.data(),
)
def test_messages_are_taken_whole_wherever_the_stream_is_cut(sent, data):
    stream = b"".join(
        struct.pack("!BBHI", 4, kind, 8 + body, xid) + bytes(body) for kind, body, xid in sent
    )
    buffered, taken = bytearray(), []
    at = 0
    while at < len(stream):
        upto = data.draw(st.integers(at + 1, len(stream)))
        buffered += stream[at:upto]
        taken += take(buffered)
        at = upto
    assert [(kind, xid) for kind, xid, *_ in taken] == [(kind, xid) for kind, _, xid in sent]
    assert not buffered


@pytest.mark.parametrize(("command", "deletes"), [(0, False), (1, False), (2, True)])
def test_a_change_of_a_group_is_taken_with_its_group_and_whether_it_deletes_it(command, deletes):
    body = struct.pack("!HBxI", command, 1, 0x45570003)
    stream = bytearray(struct.pack("!BBHI", 4, GROUP_MOD, 8 + len(body), 5) + body)
    assert take(stream) == [(GROUP_MOD, 5, 0x45570003, deletes)]


@pytest.mark.parametrize(
    ("command", "deletes"), [(0, False), (1, False), (2, False), (3, True), (4, True)]
)
def test_a_change_of_a_rule_is_taken_with_whether_it_deletes_it(command, deletes):
    body = struct.pack("!QQBB", 7, 0, 0, command) + bytes(22)
    stream = bytearray(struct.pack("!BBHI", 4, FLOW_MOD, 8 + len(body), 5) + body)
    assert take(stream) == [(FLOW_MOD, 5, 0, deletes)]


def messages(*rows):
    return [Message(at, switch, kind, *(xid or [0])) for at, switch, kind, *xid in rows]


def test_a_group_that_is_deleted_once_more_is_no_change_until_it_is_there_again():
    def change(at, switch, deletes, xid=0):
        return Message(at, switch, GROUP_MOD, xid, group=3, deletes=deletes)

    heard = [
        change(1, "a", True),
        change(2, "b", True),
        change(3, "a", True),
        change(4, "a", False, xid=7),
        Message(5, "a", ERROR, 7),
        change(6, "a", True),
        change(7, "a", False),
        change(8, "a", True),
    ]
    assert [m.at for m in changes(heard, 0)] == [1, 2, 7, 8]
    assert refused(heard, 0) == 1


def test_only_changes_since_the_failure_count():
    heard = messages((1, "a", GROUP_MOD), (5, "a", BARRIER_REPLY), (6, "b", FLOW_MOD))
    assert [m.at for m in changes(heard, 2)] == [6]


def test_a_change_that_its_switch_refuses_changes_nothing():
    heard = messages(
        (1, "a", GROUP_MOD, 7),
        (2, "a", GROUP_MOD, 8),
        (3, "b", GROUP_MOD, 8),
        (4, "a", ERROR, 8),
        (5, "a", ERROR, 9),
        (6, "a", BARRIER_REPLY),
        (7, "a", FLOW_MOD, 8),
    )
    assert [m.at for m in changes(heard, 0)] == [1, 3, 7]
    assert (refused(heard, 0), refused(heard, 3)) == (1, 0)
    assert confirmed_at(heard[:6], 0) == 6
    assert confirmed_at(messages((1, "a", FLOW_MOD, 7), (2, "a", ERROR, 7)), 0) is None


def test_a_change_is_confirmed_by_the_next_barrier_reply_of_its_own_switch():
    heard = messages(
        (1, "a", FLOW_MOD),
        (2, "a", BARRIER_REPLY),
        (3, "a", FLOW_MOD),
        (4, "b", FLOW_MOD),
        (5, "b", BARRIER_REPLY),
        (7, "a", BARRIER_REPLY),
        (9, "a", BARRIER_REPLY),
    )
    assert confirmed_at(heard, 0) == 7
    assert confirmed_at(heard, 4) == 5


def test_a_change_that_no_barrier_follows_counts_when_it_came():
    assert confirmed_at(messages((1, "a", FLOW_MOD), (2, "b", BARRIER_REPLY)), 0) == 1


def test_without_a_change_nothing_is_confirmed():
    assert confirmed_at(messages((1, "a", BARRIER_REPLY)), 0) is None


HISTOGRAM = """\
4711:
 num     #instances         #bytes  class name (module)
-------------------------------------------------------
   1:        236143       31457280  [B (java.base@11.0.13)
   2:             1       73400320  org.example.Total (java.base@11.0.13)
Total        236144      104857600
"""
HEAP_INFO = """\
4711:
 garbage-first heap   total 149504K, used 102400K [0x00000000a2400000, 0x0000000100000000)
  region size 1024K, 3 young (3072K), 0 survivors (0K)
 Metaspace       used 103424K, capacity 118036K, committed 118400K, reserved 1150976K
  class space    used 12890K, capacity 17045K, committed 17152K, reserved 1048576K
"""


def test_memory_is_read_as_the_jdk_prints_it():
    found = parse(HISTOGRAM, HEAP_INFO)
    assert found == {"heapMb": 100.0, "metaspaceMb": 101.0}
    more = {"heapMb": 102.5, "metaspaceMb": 104.0}
    assert added(found, more) == {"heapMb": 2.5, "metaspaceMb": 3.0}


@pytest.mark.parametrize(
    ("histogram", "heap_info", "named"),
    [("no histogram", HEAP_INFO, "no histogram"), (HISTOGRAM, "no metaspace", "no metaspace")],
)
def test_what_another_jdk_prints_is_not_guessed_at(histogram, heap_info, named):
    with pytest.raises(NoFigure, match=named):
        parse(histogram, heap_info)


def test_the_fabric_of_the_start_has_twelve_switches_and_every_link_once():
    spec = twelve_switches()
    assert len(spec.switches) == 12
    assert len({frozenset((k.a.switch, k.b.switch)) for k in spec.links}) == 36


def test_what_cannot_run_here_is_skipped_and_says_why(monkeypatch, tmp_path):
    monkeypatch.setenv("ONOS_HOME", str(tmp_path))
    options = _parser().parse_args(["--standalone", "x", "--runtimes", "onos1,onosStock"])
    result = Bench(options).run()
    assert list(result["runtimes"]) == list(RUNTIMES)
    assert result["runtimes"]["standalone"] == {"skipped": "not asked for"}
    assert str(tmp_path) in result["runtimes"]["onos1"]["skipped"]
    assert result["memory"] == {"skipped": "onos1 did not run"}
    assert result["baseline"] is None
    shown = render(result)
    assert f"onos1: skipped: {tmp_path} holds no ONOS 2.7.0" in shown
    json.dumps(result)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--failures", "0"], "must be 1 to 10000, not '0'"),
        (["--failures", "ten"], "must be 1 to 10000, not 'ten'"),
        (
            ["--runtimes", "onos2"],
            "no runtime 'onos2'; there are standalone, onos1, onos3, onosStock, frr",
        ),
        (["--fast"], "unrecognized arguments: --fast"),
    ],
)
def test_bad_use_ends_with_status_2_one_message_and_no_output(arguments, message):
    done = subprocess.run(
        [sys.executable, "-m", "evenweave_bench.failover", "--standalone", "x", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stdout == ""


def test_onos_by_itself_is_left_out_where_failures_are_silent():
    options = _parser().parse_args(["--standalone", "x", "--runtimes", "onosStock", "--bfd", "50"])
    result = Bench(options).run()
    assert result["runtimes"]["onosStock"] == {"skipped": "ONOS by itself does not follow BFD"}
    assert "silent, BFD 3 x 50 ms" in render(result)


def outage(milliseconds, lost):
    return Outage("s1-0/1-s2-0/1", milliseconds, lost, 1000)


def test_outages_are_compared_with_frrs():
    runtimes = {
        "standalone": figures([sample(130.0, lost=100)]),
        "frr": outages([outage(200.0, 20), outage(300.0, 40)]),
        "onos1": {"skipped": "not asked for"},
    }
    compare_outages(runtimes)
    assert runtimes["standalone"]["outageTimesFrr"] == 0.5
    assert runtimes["frr"]["outageTimesFrr"] == 1.0
    assert (runtimes["frr"]["lost"], runtimes["frr"]["sent"]) == (60, 2000)
    assert runtimes["onos1"] == {"skipped": "not asked for"}


def test_without_frr_outages_are_compared_with_nothing():
    runtimes = {"standalone": figures([sample(130.0)]), "frr": {"skipped": "why"}}
    compare_outages(runtimes)
    assert "outageTimesFrr" not in runtimes["standalone"]


def test_every_kind_of_failure_under_bfd_has_a_table():
    kinds = {
        kind: {
            "standalone": figures([sample(130.0, lost=100)]),
            "frr": outages([outage(200.0, 20)]),
        }
        for kind in ("runtimes", "oneWay", "portDown")
    }
    text = render(
        {
            **kinds,
            "failures": 1,
            "bfdMs": 50,
            "baseline": "standalone",
            "startUp": {},
            "memory": {"skipped": "onos1 did not run"},
        }
    )
    assert text.count("BFD 3 x 50 ms") == 3
    assert "one direction silent" in text
    assert len([line for line in text.splitlines() if line.strip().startswith("frr")]) == 3


def test_routes_are_compared_without_the_order_of_their_next_hops():
    one = """10.0.1.0/24 proto bgp metric 20
\tnexthop via 172.16.0.1 dev a weight 1
\tnexthop via 172.16.0.3 dev b weight 1
172.16.0.0/31 dev a proto kernel scope link src 172.16.0.0
10.0.2.0/24 via 172.16.0.1 dev a proto bgp metric 20
"""
    lines = one.splitlines()
    other = "\n".join([lines[4], lines[0], lines[2], lines[1], lines[3]])
    assert in_order(one) == in_order(other)
    assert "kernel" not in in_order(one)
    assert in_order(one) != in_order("\n".join([*lines[:2], *lines[3:]]))


ANSWERED = {
    "detectedEpochMicros": 6_500,
    "confirmedEpochMicros": 16_500,
    "stagesMs": {
        "wait": 0.5,
        "routes": 0.25,
        "groups": 0.125,
        "tables": 0.125,
        "plan": 0.5,
        "verify": 0.25,
        "other": 0.25,
        "rounds": 8.0,
    },
}


def captured():
    """A failure at 1 ms: two rounds, then a deletion that belongs to no stage."""
    return [
        *messages((500, "a", PORT_STATUS), (6_000, "a", PORT_STATUS), (6_100, "b", PORT_STATUS)),
        *messages((9_000, "a", GROUP_MOD), (9_100, "b", GROUP_MOD), (11_000, "a", BARRIER_REPLY)),
        *messages((12_000, "b", BARRIER_REPLY), (13_000, "a", FLOW_MOD)),
        *messages((16_000, "a", BARRIER_REPLY), (18_000, "b", BARRIER_REPLY)),
        Message(17_000, "a", GROUP_MOD, 9, deletes=True),
    ]


def test_the_stages_of_a_failure_add_up_to_the_time_until_it_is_confirmed():
    found = stages(ANSWERED, captured(), 1_000, 17_000)
    assert list(found) == list(STAGES)
    assert sum(found.values()) == (16_500 - 1_000) / 1000
    assert (found["statusMessage"], found["read"], found["snapshot"]) == (5.0, 0.5, 0.5)
    assert (found["compile"], found["send"]) == (0.25, 0.5)
    assert (found["barriers"], found["confirm"]) == (7.0, 0.5)


def test_stages_that_nobody_shows_are_not_made_up():
    heard = captured()
    assert stages({**ANSWERED, "stagesMs": {}}, heard, 1_000, 17_000) is None
    assert stages(ANSWERED, [m for m in heard if m.kind != PORT_STATUS], 1_000, 17_000) is None
    assert stages(ANSWERED, [m for m in heard if m.kind == PORT_STATUS], 1_000, 17_000) is None
    assert stage_figures([sample(1.0)]) == {}


def test_stages_are_reported_with_those_of_the_slowest_failure():
    def timed(confirmed_ms):
        return replace(sample(confirmed_ms), stages=dict.fromkeys(STAGES, confirmed_ms / 11))

    found = stage_figures([timed(11.0), sample(99.0), timed(33.0), timed(22.0)])
    assert found["stagesMs"]["read"] == {"p50": 2.0, "p99": 3.0}
    assert found["slowest"]["confirmedMs"] == 33.0
    assert set(found["slowest"]["stagesMs"].values()) == {3.0}
    result = {"failures": 3, "bfdMs": 0, "baseline": None, "startUp": {}}
    part = figures([timed(11.0)]) | found
    text = render({**result, "runtimes": {"standalone": part}, "memory": {"skipped": "why"}})
    assert "Where the time goes (ms)" in text
    assert all(stage in text for stage in STAGES)
