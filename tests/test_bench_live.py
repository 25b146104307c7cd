"""The benchmarks on live fabrics, run as a user runs them and for a short time: their form."""

from __future__ import annotations

import json
import socket
import time

import pytest

from evenweave_bench.sdd.arrivals import Arrivals
from evenweave_testbed.sdd.priority import before_others
from evenweave_testbed.shaping import QUEUE_PACKETS

pytestmark = pytest.mark.fabric

# Exit status on a machine that cannot do it: the kernel loads no BPF programs.
_CANNOT = 2
# TCP's, of 1,500-byte packets with time stamps.
_SEGMENT_BYTES = 1448


@pytest.fixture
def bench(evenweave, live_fabric):
    """Runs a benchmark with --json and gives what it printed."""

    def run(*arguments: str) -> dict:
        live_fabric.close()
        done = evenweave("bench", *arguments, "--json")
        assert done.returncode == 0, done.stderr[-2000:]
        return json.loads(done.stdout)

    return run


@pytest.mark.extended
def test_figure_3_8_compares_the_same_flows_under_both_strategies(bench, evenweave, tmp_path):
    arguments = ("--uplinks", "9", "--traffic", "one-to-one-36", "--seconds", "2")
    result = bench("figure-3.8", *arguments)
    assert [case["strategy"] for case in result["cases"]] == ["ecmp", "wcmp"]
    assert [len(case["kbps"]) for case in result["cases"]] == [36, 36]
    (row,) = result["rows"]
    # Six paths of 12 Mb/s carry. Goodput is what applications read: to it comes what receivers held
    # for want of a lost packet when the 2 s began, at most what the paths' full queues had held.
    held_kbit = 6 * QUEUE_PACKETS * _SEGMENT_BYTES * 8 / 1000
    assert 0 < 36 * row["wcmp"]["meanKbps"] < 6 * 12_000 + held_kbit / 2
    stored = tmp_path / "result.json"
    stored.write_text(json.dumps(result))
    shown = evenweave("bench", "figure-3.8", "--results", str(stored))
    assert shown.returncode == 0
    assert "| one-to-one | 9 | 3 | 36 |" in shown.stdout


def test_a_result_that_is_none_is_one_clear_error(evenweave, tmp_path):
    done = evenweave("bench", "figure-3.8", "--results", str(tmp_path / "none.json"))
    assert done.returncode == 2
    assert "--results: " in done.stderr
    assert done.stdout == ""


@pytest.mark.extended
def test_liveness_counts_what_is_lost_while_nothing_fails(bench):
    result = bench("liveness", "--minutes", "1", "--bfd", "1000")
    assert (result["minutes"], result["bfdMs"], result["links"]) == (1, 1000, 12)
    assert result["falseLosses"] == sum(result["byLink"].values())
    assert result["changes"] <= 2 * result["falseLosses"]


@pytest.mark.extended
def test_attacks_go_on_while_links_fail(bench):
    result = bench("attack", "--failures", "1", "--attacks", "lldp,tls")
    assert result["quiet"]["n"] == 2
    assert result["linkPerSecond"] > 0
    assert result["attacks"].keys() == {"lldp", "tls"}
    assert result["attacks"]["lldp"]["takenInPerSecond"] > 0
    for found in result["attacks"].values():
        assert found["n"] == 1
        assert found["sentPerSecond"] > 0
        assert found["held"] == (found["p50Ms"] <= 2 * result["quiet"]["p50Ms"])


@pytest.mark.extended
def test_a_soak_by_the_model_of_availability_repeats_what_its_seed_draws(bench):
    result = bench("soak", "--model", "availability", "--faults", "6", "--seed", "11")
    assert result["violations"] == []
    assert result["model"]["failures"] + result["model"]["repairs"] == 6
    assert "--model availability" in result["reproduce"]


@pytest.mark.extended
def test_a_hot_spot_is_carried_with_less_on_the_fullest_link_as_computed(bench):
    (row,) = bench("traffic", "--matrices", "hot-spot")["rows"]
    assert row["reweighted"]
    assert row["carried"] == pytest.approx([1, 1], abs=0.02)
    for strategy in ("wcmp", "traffic"):
        # 1,024 flows of a pair with 7.5 Gb/s: three standard deviations are 0.035 of 10 Gb/s.
        assert row[strategy]["live"] == pytest.approx(row[strategy]["computed"], abs=0.04)
    assert row["traffic"]["live"] < 0.9 * row["wcmp"]["live"]


@pytest.mark.extended
def test_no_flow_takes_a_slow_link_that_groups_leave_out(bench):
    rows = bench("slow-link", "--seconds", "3")["rows"]
    assert [(row["groupEntries"], row["leaveOut"]) for row in rows] == [
        *((256, "never"), (256, "auto")),
        *((16, "never"), (16, "auto")),
    ]
    # Its share of 0.5 % is worth one of 256 entries, and not one of 16.
    assert rows[2]["flowsOnSlowLink"] > 0
    assert rows[3]["flowsOnSlowLink"] == 0
    assert rows[3]["oversubscription"] < rows[2]["oversubscription"]


@pytest.mark.extended
def test_tcp_through_the_edge_is_measured_beside_other_overlays(evenweave):
    done = evenweave("bench", "overlay", "--rounds", "1", "--seconds", "1", "--json")
    if done.returncode == _CANNOT:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stderr[-2000:]
    result = json.loads(done.stdout)
    assert [(case["flows"], case["gro"]) for case in result["cases"]] == [
        (flows, gro) for gro in (False, True) for flows in (1, 64)
    ]
    for case in result["cases"]:
        goodput = case["gbps"]
        assert set(goodput) == {"plain", "vxlan", "edge", "edgeTcp", "edgeHidden", "ovs"}
        assert min(goodput.values()) > 0
        for way, ratio in case["ratios"].items():
            # One round: its ratio, rounded to a thousandth, is that of the goodputs.
            assert ratio["median"] == pytest.approx(goodput["edge"] / goodput[way], abs=0.001)
    assert set(result["programs"]) == {"edge_out", "edge_in", "hidden_out", "hidden_in"}
    assert all(shown["packets"] > 0 for shown in result["programs"].values())


def test_the_first_packets_too_are_stamped_when_they_come():
    # As the benchmark: nothing else has the core between the first packets and their reading.
    with before_others(), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        seen = Arrivals("lo")
        for _ in range(10):
            sender.sendto(b"", ("127.0.0.1", 9))
        sent_ns = time.time_ns()
        stamps = [arrival.time_ns for arrival in seen.stop()]
    assert len(stamps) >= 10
    assert max(stamps) <= sent_ns
