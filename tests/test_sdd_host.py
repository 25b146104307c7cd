"""Hosts under a controller, live: sdd-host and circuit-switch with a stand-in for the controller.

What the hosts promise is in docs/reference/sdd-protocol.md and sdd-host.md. Nothing here says how
soon: a test waits for what a command brings about, however long the machine takes.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from sdd_pair import (
    FOR_EVER,
    PACKET_BYTES,
    PAIR,
    match,
    obeyed,
    open_queue,
    pair_up,
    queue_of,
    send_steadily,
    sent_in,
)
from waiting import eventually

from evenweave_testbed.sdd import wire
from evenweave_testbed.sdd.bed import CONTROLLER, Bed, BedError, BedPlan
from evenweave_testbed.sdd.build import program
from evenweave_testbed.sdd.pki import Authority
from evenweave_testbed.sdd.stand_in import StandIn, Terms

pytestmark = [pytest.mark.fabric, pytest.mark.real_time]

DPDK_FOLDERS = Path("/var/run/dpdk")


def test_unmodified_applications_talk_through_the_queues(start_bed):
    bed, controller = start_bed()
    one, _ = pair_up(bed, controller)
    one.command((0, "START", FOR_EVER))
    options = ("--one-off", "--forceflush", "--bind", bed.address("h2"))
    server = bed.start("h2", "iperf3", "--server", *options)
    assert any("listening" in line for line in server.stdout)
    # So many that what is still on its way when the client ends, in buffers, is less than half.
    command = ("iperf3", "--client", bed.address("h2"), "--bytes", "40M", "--json")
    done = bed.run("h1", *command)
    result = json.loads(done.stdout)
    assert result["end"]["sum_received"]["bytes"] > 1_000_000, result.get("error")
    sent = queue_of(bed, "h1")["sentBytes"]
    assert sent >= result["end"]["sum_received"]["bytes"]


def test_nothing_leaves_before_start_or_after_stop(start_bed):
    bed, controller = start_bed()
    one, _ = pair_up(bed, controller)
    send_steadily(bed, "h1", "h2")
    eventually(lambda: queue_of(bed, "h1")["packets"] > 10, "packets that wait")
    assert queue_of(bed, "h1")["sentPackets"] == 0
    one.command((0, "START", FOR_EVER))
    eventually(lambda: queue_of(bed, "h1")["sentPackets"] > 10, "packets that leave")
    one.command((0, "STOP", 0))
    obeyed(one)
    eventually(lambda: queue_of(bed, "h1")["packets"] > 10, "packets that wait again")
    sent = queue_of(bed, "h1")["sentPackets"]
    time.sleep(0.2)
    assert queue_of(bed, "h1")["sentPackets"] == sent


@pytest.mark.extended
def test_a_start_with_an_end_stops_by_itself(start_bed):
    bed, controller = start_bed()
    one, _ = pair_up(bed, controller)
    send_steadily(bed, "h1", "h2")
    eventually(lambda: queue_of(bed, "h1")["packets"] > 10, "packets that wait")
    end_ns = 0

    def started() -> bool:
        nonlocal end_ns
        if time.monotonic_ns() > end_ns:  # again, where the host was too late for the one before
            end_ns = time.monotonic_ns() + 1_000_000_000
            one.command((0, "START", end_ns))
        return queue_of(bed, "h1")["sentPackets"] > 10

    eventually(started, "packets that leave")
    eventually(lambda: time.monotonic_ns() > end_ns, "end")
    eventually(lambda: queue_of(bed, "h1")["packets"] > 10, "packets that wait again")
    # QueueStats has the time of the last packet, on the clock that all share
    (stats,) = one.request("QueryQueues", firstQueue=0, count=1)["queues"]
    assert stats["lastXmitNs"] < end_ns


def test_datagrams_that_are_forged_replayed_or_of_another_session_do_nothing(start_bed):
    bed, controller = start_bed()
    one, two = pair_up(bed, controller)
    send_steadily(bed, "h1", "h2")
    good = one.datagram((0, "STOP", 0))
    one.send_datagram(good)
    one.send_datagram(good)  # replayed
    start_message = one.datagram((0, "START", FOR_EVER))
    one.send_datagram(start_message[:-1] + bytes([start_message[-1] ^ 1]))
    one.send_datagram(two.datagram((0, "START", FOR_EVER)))
    one.send_datagram(b"")
    report = one.wait_for("DemandReport", lambda r: r["datagramsRefused"] == 4)
    assert (report["highestSequence"], report["datagramsLost"]) == (1, 0)
    assert queue_of(bed, "h1")["sentPackets"] == 0
    one.send_datagram(start_message)  # only now: 2, after which 1 would be old
    eventually(lambda: queue_of(bed, "h1")["sentPackets"] > 10, "packets that leave")


@pytest.mark.extended
def test_an_overtaken_start_does_not_undo_a_stop_and_losses_are_counted(start_bed):
    bed, controller = start_bed()
    one, _ = pair_up(bed, controller)
    send_steadily(bed, "h1", "h2")
    overtaken = one.datagram((0, "START", FOR_EVER))
    one.datagram((0, "START", FOR_EVER))  # lost
    one.command((0, "STOP", 0))
    report = one.wait_for("DemandReport", lambda r: r["highestSequence"] == 3)
    assert report["datagramsLost"] == 2
    one.send_datagram(overtaken)
    report = one.wait_for("DemandReport", lambda r: r["datagramsLost"] == 1)
    assert queue_of(bed, "h1")["sentPackets"] == 0


def test_demand_is_reported_every_period(start_bed):
    bed, controller = start_bed(terms=Terms(period_ns=50_000_000))
    one, _ = pair_up(bed, controller)
    send_steadily(bed, "h1", "h2")
    first = one.wait_for("DemandReport", lambda r: any(q["queuedBytes"] for q in r["queues"]))
    (queue,) = first["queues"]
    assert queue["queuedBytes"] == queue["receivedBytes"] - queue["sentBytes"] > 0
    second = one.wait_for("DemandReport")
    assert second["period"] > first["period"]
    epoch_ns, period_ns = controller.terms.epoch_ns, controller.terms.period_ns
    for report in (first, second):
        assert report["timeNs"] >= epoch_ns + report["period"] * period_ns


@pytest.mark.extended
def test_a_schedule_is_kept_to(start_bed):
    bed, controller = start_bed()
    one, _ = pair_up(bed, controller)
    send_steadily(bed, "h1", "h2")
    eventually(lambda: queue_of(bed, "h1")["packets"] > 10, "packets that wait")
    begin = time.monotonic_ns() + 200_000_000
    slots = [
        {
            "queue": 0,
            "startNs": begin + i * 50_000_000,
            "endNs": begin + i * 50_000_000 + 10_000_000,
        }
        for i in range(300)
    ]
    reply = one.ok("SetSchedule", period=0, slots=slots)
    assert reply["value"] == 300
    eventually(lambda: queue_of(bed, "h1")["sentPackets"] > 100, "packets that leave")
    (stats,) = one.request("QueryQueues", firstQueue=0, count=1)["queues"]
    assert (stats["lastXmitNs"] - begin) % 50_000_000 < 10_000_000
    refused = one.request("SetSchedule", period=0, slots=[{"queue": 0, "startNs": 5, "endNs": 5}])
    assert (refused["status"], refused["value"]) == ("ARGUMENT", 0)


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("policy", ["CLOSED", "OPEN", "RATE"])
def test_without_its_controller_a_host_falls_back_and_returns(start_bed, policy):
    # Where it is not the policy's, a single packet would take longer than the test.
    safe_rate_bps = 1_000_000 if policy == "RATE" else 8
    terms = Terms(lost_after_periods=20, safe_policy=policy, safe_rate_bps=safe_rate_bps)
    bed, controller = start_bed(terms=terms)
    one, _ = pair_up(bed, controller)
    one.command((0, "STOP", 0))
    send_steadily(bed, "h1", "h2")
    changed = one.wait_for("PolicyChanged")
    assert (changed["safe"], changed["reason"]) == ("YES", "CONTROLLER_LOST")
    lost = "h1: controller: lost: the safe policy is in force"
    eventually(lambda: lost in bed.log("sdd-host"), "a line in the log")
    if policy == "OPEN":
        # No rate: it is the sender's, and what has waited leaves at once.
        eventually(lambda: queue_of(bed, "h1")["sentPackets"] > 10, "packets that leave")
        eventually(lambda: queue_of(bed, "h1")["packets"] < 10, "empty queue")
    else:
        sent_bytes, seconds = sent_in(bed, "h1", 1)
        # No least rate: a host that a busy machine stops does not make up for it. How near it comes
        # to its rates is for the benchmark to say. Two packets: the first may be late, and one
        # catches up (gate.c).
        most = terms.safe_rate_bps / 8 * seconds + 2 * PACKET_BYTES if policy == "RATE" else 0
        assert sent_bytes <= most
        if policy == "RATE":
            eventually(lambda: queue_of(bed, "h1")["sentPackets"] > 0, "packets that leave")
    returned = False
    while not returned:  # again, where heartbeats were so late that the host fell back once more
        one.command()  # a heartbeat
        changed = one.wait_for("PolicyChanged", lambda c: c["safe"] == "NO")
        assert changed["reason"] == "NONE"
        sent = queue_of(bed, "h1")["sentPackets"]
        for _ in range(10):
            one.command()  # or it would fall back again
            time.sleep(0.02)
        sent_since = queue_of(bed, "h1")["sentPackets"] - sent
        one.request("QueryQueues", firstQueue=0, count=1)  # behind what the host said before
        returned = one.latest["PolicyChanged"] is changed
    assert sent_since == 0  # STOP counts again
    eventually(lambda: "h1: controller: heard again" in bed.log("sdd-host"), "a line in the log")


@pytest.mark.extended
def test_a_new_session_starts_without_conditions_and_keeps_queues(start_bed):
    bed, controller = start_bed()
    one, _ = pair_up(bed, controller)
    one.command((0, "START", FOR_EVER))
    one.ok("AddTrigger", queue=0, target="CONTROLLER", cookie=9, condition="packets > 5")
    old = one.datagram((0, "START", FOR_EVER))
    controller.forget("h1")
    new = controller.session("h1")
    new.wait_for("ClockStatus")  # after which the conditions of the session before are gone
    send_steadily(bed, "h1", "h2")
    eventually(lambda: queue_of(bed, "h1")["packets"] > 10, "packets that wait")
    new.send_datagram(old)  # of the session before
    new.wait_for("DemandReport", lambda r: r["datagramsRefused"] == 1)
    assert queue_of(bed, "h1")["sentPackets"] == 0
    assert "TriggerFired" not in new.latest


def test_every_request_is_answered_and_errors_say_what_is_wrong(start_bed):
    bed, controller = start_bed()
    one, _ = pair_up(bed, controller)
    bad = one.request("AddDequeueCondition", queue=0, condition="currTime >")
    assert (bad["status"], bad["position"]) == ("CONDITION", 10)
    assert bad["text"]
    assert one.request("RemoveQueue", queue=0)["status"] == "BUSY"
    assert one.request("RemoveQueue", queue=5)["status"] == "QUEUE"
    assert one.request("UnmapFlow", match=match("10.0.0.9"))["status"] == "NOT_FOUND"
    assert one.request("RemoveTrigger", trigger=3)["status"] == "NOT_FOUND"
    assert one.request("QueryQueues", firstQueue=0, count=2001)["status"] == "ARGUMENT"
    open_queue(one, 1, priority=3, drainRateBps=1000)
    one.ok("MapFlow", queue=1, flowPriority=0, match=match("10.9.0.2"))
    assert one.ok("GetQueuesForFlows", match=match("10.9.0.2"))["queues"] == [{"queue": 1}]
    one.ok("MoveFlows", fromQueue=1, toQueue=0, match=match("10.9.0.2"))
    assert one.ok("GetQueuesForFlows", match=match("10.9.0.2"))["queues"] == [{"queue": 0}]
    one.ok("ClearDequeueConditions", queue=0)
    (_, stats) = one.request("QueryQueues", firstQueue=0, count=2000)["queues"]
    assert (stats["queue"], stats["priority"], stats["drainRateBps"]) == (1, 3, 1000)
    trigger = one.ok("AddTrigger", queue=0, target="CONTROLLER", cookie=9, condition="packets > 5")
    send_steadily(bed, "h1", "h2")
    fired = one.wait_for("TriggerFired")
    assert (fired["trigger"], fired["cookie"], fired["queue"]) == (trigger["value"], 9, 0)
    assert fired["queuedPackets"] == 6


@pytest.mark.extended
def test_a_message_that_breaks_the_protocol_ends_the_session_and_not_the_host(start_bed):
    bed, controller = start_bed()
    pair_up(bed, controller)
    for frame in (
        b"1234567",
        bytes(64),
        wire.encode("RemoveQueue", requestId=1, queue=0)[:-1],
        wire.encode("RemoveQueue", requestId=1, queue=0) + b"x",
        wire.encode("Reply", requestId=1, status="OK", position=0, value=0),
    ):
        controller.session("h1").send_raw(frame)
        controller.session("h1").wait_for("ended")
        controller.forget("h1")
        controller.session("h1").ok("ClearDequeueConditions", queue=0)


@pytest.mark.extended
def test_a_controller_of_another_authority_or_name_is_refused(authority, tmp_path):
    (tmp_path / "other").mkdir()
    other = Authority(tmp_path / "other", "another")
    for identity in (other.issue(CONTROLLER), authority.issue("somebody")):
        stranger = StandIn(identity, authority.certificate, Terms())
        with Bed(PAIR, tmp_path, stranger.port, authority) as bed:
            eventually(lambda bed=bed: "no session" in bed.log("sdd-host"), "refusal")
            eventually(lambda s=stranger: len(s.refused) > 2, "further attempt")
            assert not stranger.sessions
        stranger.close()


@pytest.mark.extended
def test_two_cores_carry_what_one_does(start_bed):
    bed, controller = start_bed(
        BedPlan(
            hosts=2,
            circuit_switch=False,
            process={"cores": {"evaluate": 0, "transmit": 1}},
        )
    )
    one, _ = pair_up(bed, controller)
    send_steadily(bed, "h1", "h2")
    one.command((0, "START", FOR_EVER))
    eventually(lambda: queue_of(bed, "h1")["sentPackets"] > 100, "packets that leave")
    one.command((0, "STOP", 0))
    obeyed(one)
    eventually(lambda: queue_of(bed, "h1")["packets"] > 10, "packets that wait")
    sent = queue_of(bed, "h1")["sentPackets"]
    time.sleep(0.2)
    assert queue_of(bed, "h1")["sentPackets"] == sent


@pytest.mark.extended
def test_real_time_threads_take_turns_with_others_of_their_priority(start_bed):
    bed, _ = start_bed()
    bed.statistics()  # its threads have begun
    threads = [int(p.name) for p in Path(f"/proc/{bed.alive()['sdd-host']}/task").iterdir()]
    real_time = [t for t in threads if os.sched_getscheduler(t) != os.SCHED_OTHER]
    assert [os.sched_getscheduler(t) for t in real_time] == [os.SCHED_RR]
    assert os.sched_getparam(real_time[0]).sched_priority == 1


def test_it_ends_on_a_signal_and_leaves_nothing(start_bed):
    bed, controller = start_bed()
    pair_up(bed, controller)
    send_steadily(bed, "h1", "h2")
    eventually(lambda: queue_of(bed, "h1")["packets"] > 10, "packets that wait")
    folder = dpdk_folder(bed)
    bed.signal_host_process(signal.SIGINT)
    bed.close()  # fails if a process ended otherwise than well
    assert not Path("/sys/class/net/p0").exists()
    assert not folder.exists()


@pytest.mark.extended
def test_a_crash_leaves_no_folder_of_dpdk(start_bed):
    bed, _ = start_bed()
    folder = dpdk_folder(bed)
    bed.signal_host_process(signal.SIGKILL)
    with pytest.raises(BedError, match="status -9"):
        bed.close()
    assert not folder.exists()


@pytest.mark.extended
def test_a_start_that_fails_leaves_no_folder_of_dpdk(tmp_path):
    path = tmp_path / "config.json"
    host = {"name": "a", "tap": "t", "port": {"driver": "af_packet", "device": "lo"}}
    path.write_text(json.dumps({"memoryMb": 524288, "hosts": [host]}))
    process = subprocess.Popen([program("sdd-host"), path], stderr=subprocess.PIPE, text=True)
    assert "DPDK does not start: Cannot allocate memory" in process.communicate()[1]
    assert process.returncode == 1
    assert not (DPDK_FOLDERS / f"sdd-host-{process.pid}").exists()


@pytest.mark.core_cases(2)
@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"colour": 1}, "colour: unknown field"),
        ({"hosts": []}, "hosts: must be an array of 1 to 16 items"),
        ({"memoryMb": 524289}, "memoryMb: must be "),
        ({"cores": {"evaluate": 1023}}, "cores.evaluate: this process may not run on core 1023"),
    ],
)
def test_a_bad_configuration_is_one_error_that_names_the_field(evenweave, tmp_path, change, error):
    path = tmp_path / "config.json"
    port = {"driver": "af_packet", "device": "lo"}
    host = {"name": "a", "tap": "t", "port": port}
    path.write_text(json.dumps({"hosts": [host]} | change))
    done = subprocess.run([program("sdd-host"), path], capture_output=True, text=True, check=False)
    assert done.returncode in (1, 2)
    assert error in done.stderr
    assert len(done.stderr.splitlines()) == 1


def dpdk_folder(bed: Bed) -> Path:
    return DPDK_FOLDERS / f"sdd-host-{bed.alive()['sdd-host']}"
