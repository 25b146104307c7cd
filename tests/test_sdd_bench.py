"""`./evenweave bench sdd`, quickly: the form of what it prints, and what holds on any machine."""

from __future__ import annotations

import json

import pytest
from runtimes import ROOT, LiveFabric

from conftest import run_command

pytestmark = pytest.mark.fabric


@pytest.fixture(scope="module")
def result(live_fabric: LiveFabric) -> dict:
    live_fabric.close()  # its controller listens where the SDD controller will
    done = run_command([str(ROOT / "evenweave"), "bench", "sdd", "--quick", "--json"])
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def test_start_and_stop_are_obeyed_and_timed(result):
    rows = {row["command"]: row for row in result["reaction"]}
    assert set(rows) == {"START", "STOP"}
    for row in rows.values():
        # of 50 each; a START that the next STOP overtakes is not one
        assert 0 < row["n"] <= 50
        assert 0 <= row["p50Us"] <= row["p99Us"] <= row["maxUs"]
    # it cannot be there before the datagram
    assert rows["START"]["p50Us"] > 0


def test_rates_are_measured_beside_htb(result):
    assert [(row["flows"], row["bps"]) for row in result["rate"]] == [(1, 10**7), (10, 10**6)]
    for row in result["rate"]:
        for who in ("sdd", "htb"):
            assert row[who]["lostByMeter"] >= 0
            assert row[who]["gaps"] > 0
            # trimming takes the largest errors away
            assert 0 < row[who]["trimmedRmseUs"] <= row[who]["rmseUs"]
        # no limiter lets more through than it should: a packet more at the ends of each flow
        assert row["sdd"]["rateShare"] < 1.05
        assert row["sdd"]["packetNs"] > 0
    placement = result["placement"]
    assert placement["realtimePriority"] > 0
    assert placement["htb"]["meter"] == placement["sdd"]["meter"]
    for limiter in ("fq", "etf"):
        assert result["otherLimiters"][limiter]["skipped"]


def test_packets_per_second_are_counted_beside_testpmd(result):
    assert [row["devices"] for row in result["forwarding"]] == ["af_xdp, af_xdp", "tap, af_packet"]
    for row in result["forwarding"]:
        assert row["sddPps"] > 0
        assert row["testpmdPps"] > 0
        assert row["sddPacketNs"] > 0


def test_scaling_covers_one_core_and_two(result):
    kinds = {"shared", "separate"} if result["cores"] > 1 else {"shared"}
    assert {row["cores"] for row in result["scaling"]} == kinds
    for row in result["scaling"]:
        assert 0 < row["slotAccuracy"] <= 1
        assert row["dequeueNs"] > 0


def test_the_loop_closes(result):
    loop = result["closedLoop"]
    assert 0 < loop["pairsServed"] <= loop["pairs"] == 32
    assert loop["before"]["periods"] > 0 and loop["after"]["periods"] > 0
    assert 0 < loop["medianPeriodsToConverge"] <= loop["periodsToConverge"]
    # the last packet of a slot may end after it, and circuits are sampled at their ends
    assert 0 < loop["utilisation"] <= 1.1
    assert loop["machine"]["moments"] > 1000 * result["cores"]
    # How soon, for how many pairs before the workload changes, and how full the circuits are, is
    # for the benchmark to say: it depends on the machine. That what is planned serves all pairs in
    # time, WorkloadChangeTest shows on a virtual clock.
