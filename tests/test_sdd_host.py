"""Hosts under a controller, live: sdd-host and circuit-switch with a stand-in for the controller.

What the hosts promise is in docs/reference/sdd-protocol.md and sdd-host.md. Bounds of
time are generous: they are for a machine that others use too.
"""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evenweave_topos.sdd import wire
from evenweave_topos.sdd.bed import CONTROLLER, Bed, BedPlan
from evenweave_topos.sdd.build import program
from evenweave_topos.sdd.pki import Authority
from evenweave_topos.sdd.stand_in import Session, StandIn, Terms

pytestmark = pytest.mark.fabric

FOR_EVER = 2**63 - 1
PAIR = BedPlan(hosts=2, circuit_switch=False)


def eventually(true: Callable[[], bool], what: str, patience_s: float = 10) -> None:
    deadline = time.monotonic() + patience_s
    while not true():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("pki"))


@pytest.fixture
def start(authority: Authority, tmp_path: Path) -> Iterator[Callable]:
    """Starts a bed and its controller: bed, controller = start(plan, terms)."""
    with contextlib.ExitStack() as stack:

        def build(plan: BedPlan = PAIR, terms: Terms | None = None) -> tuple[Bed, StandIn]:
            controller = StandIn(
                authority.issue(CONTROLLER), authority.certificate, terms or Terms()
            )
            stack.callback(controller.close)
            # shown if the test fails
            stack.callback(lambda: [print(p.read_text()) for p in tmp_path.glob("*.log")])
            return stack.enter_context(Bed(plan, tmp_path, controller.port, authority)), controller

        yield build


def match(destination: str = "", **more: int) -> dict:
    """A match of the protocol: everything, or what goes to an address."""
    return {
        "source": bytes(16),
        "destination": wire.mapped(destination) if destination else bytes(16),
        "sourcePort": 0,
        "destinationPort": 0,
        "protocol": 0,
        "sourcePrefixBits": 0,
        "destinationPrefixBits": 128 if destination else 0,
        "wildcards": 7,
    } | more


def open_queue(session: Session, queue: int, **more: object) -> None:
    values = {
        "priority": 0,
        "closedByDefault": "YES",
        "discipline": "FIFO",
        "network": "CIRCUIT",
        "drainRateBps": 0,
        "maxPackets": 1000,
        "maxBytes": 0,
    }
    session.ok("CreateQueue", queue=queue, **(values | more))


def pair_up(bed: Bed, controller: StandIn) -> tuple[Session, Session]:
    """Queue 0 of each host takes everything; h2's is open, so that answers come back."""
    one, two = controller.session("h1"), controller.session("h2")
    for session in (one, two):
        open_queue(session, 0)
        session.ok("MapFlow", queue=0, flowPriority=0, match=match())
    two.ok("AddDequeueCondition", queue=0, condition="TRUE")
    return one, two


# One UDP packet every millisecond, with nothing that waits for an answer; with its headers.
PACKET_BYTES = 14 + 20 + 8 + 1000
SENDER = """
import socket, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
while True:
    s.sendto(bytes(1000), (sys.argv[1], 7))
    time.sleep(0.001)
"""


def send_steadily(bed: Bed, source: str, destination: str) -> None:
    bed.start(source, "python3", "-c", SENDER, bed.address(destination))


def queue_of(bed: Bed, host: str, number: int = 0) -> dict:
    queues = bed.statistics()["hosts"][host]["queues"]
    return next(queue for queue in queues if queue["number"] == number)


def sent_in(bed: Bed, host: str, seconds: float) -> tuple[int, float]:
    """What the first queue sends from now on, and in which time by the host's clock."""
    before = bed.statistics()
    time.sleep(seconds)
    after = bed.statistics()
    first, last = (s["hosts"][host]["queues"][0]["sentBytes"] for s in (before, after))
    return last - first, (after["timeNs"] - before["timeNs"]) / 1e9


def test_unmodified_applications_talk_through_the_queues(start):
    bed, controller = start()
    one, _ = pair_up(bed, controller)
    one.command((0, "START", FOR_EVER))
    bed.start("h2", "iperf3", "--server", "--one-off", "--bind", bed.address("h2"))
    time.sleep(0.5)
    done = bed.run("h1", "iperf3", "--client", bed.address("h2"), "--time", "2", "--json")
    result = json.loads(done.stdout)
    assert result["end"]["sum_received"]["bytes"] > 1_000_000, result.get("error")
    sent = queue_of(bed, "h1")["sentBytes"]
    assert sent >= result["end"]["sum_received"]["bytes"]


def test_nothing_leaves_before_start_or_after_stop(start):
    bed, controller = start()
    one, _ = pair_up(bed, controller)
    send_steadily(bed, "h1", "h2")
    eventually(lambda: queue_of(bed, "h1")["packets"] > 10, "packets wait")
    assert queue_of(bed, "h1")["sentPackets"] == 0
    one.command((0, "START", FOR_EVER))
    eventually(lambda: queue_of(bed, "h1")["sentPackets"] > 10, "packets leave")
    one.command((0, "STOP", 0))
    eventually(lambda: queue_of(bed, "h1")["packets"] > 10, "packets wait again")
    sent = queue_of(bed, "h1")["sentPackets"]
    time.sleep(0.2)
    assert queue_of(bed, "h1")["sentPackets"] == sent


def test_a_start_with_an_end_stops_by_itself(start):
    bed, controller = start()
    one, _ = pair_up(bed, controller)
    send_steadily(bed, "h1", "h2")
    eventually(lambda: queue_of(bed, "h1")["packets"] > 10, "packets wait")
    end_ns = time.monotonic_ns() + 1_000_000_000
    one.command((0, "START", end_ns))
    eventually(lambda: queue_of(bed, "h1")["sentPackets"] > 10, "packets leave")
    eventually(lambda: queue_of(bed, "h1")["packets"] > 10, "packets wait again")
    # QueueStats has the time of the last packet, on the clock that all share
    (stats,) = one.request("QueryQueues", firstQueue=0, count=1)["queues"]
    assert stats["lastXmitNs"] < end_ns


def test_datagrams_that_are_forged_replayed_or_of_another_session_do_nothing(start):
    bed, controller = start()
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
    eventually(lambda: queue_of(bed, "h1")["sentPackets"] > 10, "packets leave")


def test_an_overtaken_start_does_not_undo_a_stop_and_losses_are_counted(start):
    bed, controller = start()
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


def test_demand_is_reported_every_period(start):
    bed, controller = start(terms=Terms(period_ns=50_000_000))
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


def test_a_schedule_is_kept_to(start):
    bed, controller = start()
    one, _ = pair_up(bed, controller)
    send_steadily(bed, "h1", "h2")
    eventually(lambda: queue_of(bed, "h1")["packets"] > 10, "packets wait")
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
    eventually(lambda: queue_of(bed, "h1")["sentPackets"] > 100, "packets leave")
    (stats,) = one.request("QueryQueues", firstQueue=0, count=1)["queues"]
    assert (stats["lastXmitNs"] - begin) % 50_000_000 < 10_000_000
    refused = one.request("SetSchedule", period=0, slots=[{"queue": 0, "startNs": 5, "endNs": 5}])
    assert (refused["status"], refused["value"]) == ("ARGUMENT", 0)


@pytest.mark.parametrize("policy", ["CLOSED", "OPEN", "RATE"])
def test_without_its_controller_a_host_falls_back_and_returns(start, policy):
    terms = Terms(lost_after_periods=20, safe_policy=policy, safe_rate_bps=1_000_000)
    bed, controller = start(terms=terms)
    one, _ = pair_up(bed, controller)
    one.command((0, "STOP", 0))
    send_steadily(bed, "h1", "h2")
    changed = one.wait_for("PolicyChanged")
    assert (changed["safe"], changed["reason"]) == ("YES", "CONTROLLER_LOST")
    sent_bytes, seconds = sent_in(bed, "h1", 1)
    if policy == "CLOSED":
        assert sent_bytes == 0
    elif policy == "OPEN":
        # more than the safe rate's: it is that of the sender, about 1 MB/s less its sleeping late
        assert sent_bytes > 2 * terms.safe_rate_bps / 8 * seconds
        eventually(lambda: queue_of(bed, "h1")["packets"] < 10, "nothing waits")
    else:
        most = terms.safe_rate_bps / 8 * seconds + PACKET_BYTES
        # a host that a busy machine stops does not make up for it
        assert most / 2 < sent_bytes <= most
    one.command()  # a heartbeat
    changed = one.wait_for("PolicyChanged")
    assert (changed["safe"], changed["reason"]) == ("NO", "NONE")
    sent = queue_of(bed, "h1")["sentPackets"]
    for _ in range(10):
        one.command()  # or it would fall back again
        time.sleep(0.02)
    assert queue_of(bed, "h1")["sentPackets"] == sent  # STOP counts again


def test_a_new_session_starts_without_conditions_and_keeps_queues(start):
    bed, controller = start()
    one, _ = pair_up(bed, controller)
    one.command((0, "START", FOR_EVER))
    one.ok("AddTrigger", queue=0, target="CONTROLLER", cookie=9, condition="packets > 5")
    old = one.datagram((0, "START", FOR_EVER))
    controller.forget("h1")
    new = controller.session("h1")
    new.wait_for("ClockStatus")  # after which the conditions of the session before are gone
    send_steadily(bed, "h1", "h2")
    eventually(lambda: queue_of(bed, "h1")["packets"] > 10, "the queue is closed by default")
    new.send_datagram(old)  # of the session before
    new.wait_for("DemandReport", lambda r: r["datagramsRefused"] == 1)
    assert queue_of(bed, "h1")["sentPackets"] == 0
    assert "TriggerFired" not in new.latest


def test_every_request_is_answered_and_errors_say_what_is_wrong(start):
    bed, controller = start()
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


def test_a_message_that_breaks_the_protocol_ends_the_session_and_not_the_host(start):
    bed, controller = start()
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


def test_a_controller_of_another_authority_or_name_is_refused(authority, tmp_path):
    (tmp_path / "other").mkdir()
    other = Authority(tmp_path / "other", "another")
    for identity in (other.issue(CONTROLLER), authority.issue("somebody")):
        stranger = StandIn(identity, authority.certificate, Terms())
        with Bed(PAIR, tmp_path, stranger.port, authority) as bed:
            eventually(lambda bed=bed: "no session" in bed.log("sdd-host"), "it is refused")
            eventually(lambda s=stranger: len(s.refused) > 2, "the host tries again")
            assert not stranger.sessions
        stranger.close()


class FakePtp4l:
    """Answers TIME_STATUS_NP, as linuxptp's ptp4l does, with an offset that the test sets."""

    def __init__(self, path: Path) -> None:
        self.offset_ns = 0
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            request, address = self._socket.recvfrom(1500)
            assert request[0] & 15 == 0x0D and request[48:54] == bytes.fromhex("00010002c000")
            data = struct.pack(">qqiiH12sI8s", self.offset_ns, 0, 0, 0, 0, bytes(12), 1, bytes(8))
            answer = bytearray(request[:46]) + bytes([2, 0])
            answer += struct.pack(">HHH", 1, 2 + len(data), 0xC000) + data
            self._socket.sendto(bytes(answer), address)


def test_a_host_whose_clock_is_off_by_more_than_the_guard_stops_using_slots(start, tmp_path):
    ptp4l = FakePtp4l(tmp_path / "ptp4l.sock")
    ptp4l.offset_ns = 70
    plan = BedPlan(hosts=2, circuit_switch=False, clock_source="ptp4l")
    bed, controller = start(plan, Terms(guard_ns=1_000_000))
    one, _ = pair_up(bed, controller)
    status = one.wait_for("ClockStatus")
    assert (status["synchronised"], status["offsetNs"]) == ("YES", 70)
    one.command((0, "START", FOR_EVER))
    send_steadily(bed, "h1", "h2")
    eventually(lambda: queue_of(bed, "h1")["sentPackets"] > 10, "packets leave")
    ptp4l.offset_ns = -2_000_000
    status = one.wait_for("ClockStatus", lambda s: s["synchronised"] == "NO")
    assert status["offsetNs"] == -2_000_000 and status["errorBoundNs"] >= 2_000_000
    changed = one.wait_for("PolicyChanged")
    assert (changed["safe"], changed["reason"]) == ("YES", "CLOCK_OFF")
    sent = queue_of(bed, "h1")["sentPackets"]
    time.sleep(0.2)
    assert queue_of(bed, "h1")["sentPackets"] == sent
    assert "the clock is off" in bed.log("sdd-host")
    ptp4l.offset_ns = 500
    assert one.wait_for("PolicyChanged")["safe"] == "NO"
    eventually(lambda: queue_of(bed, "h1")["sentPackets"] > sent + 10, "packets leave")


@contextlib.contextmanager
def real_ptp4l(folder: Path, asymmetry_ns: int) -> Iterator[None]:
    """linuxptp's ptp4l as a client of another one on the same machine's clock, which neither sets.
    An asymmetric delay that is not there looks like an offset."""
    options = """[global]
time_stamping software
free_running 1
network_transport L2
logSyncInterval -3
logAnnounceInterval -2
logMinDelayReqInterval -3
"""
    more = {
        "master": f"masterOnly 1\nuds_address {folder}/master.sock\n",
        "slave": f"slaveOnly 1\nuds_address {folder}/ptp4l.sock\ndelayAsymmetry {asymmetry_ns}\n",
    }
    with contextlib.ExitStack() as stack:
        add = ["ip", "link", "add", "ptp-master", "type", "veth", "peer", "name", "ptp-slave"]
        subprocess.run(add, check=True)
        stack.callback(subprocess.run, ["ip", "link", "del", "ptp-master"], check=True)
        for role, own in more.items():
            subprocess.run(["ip", "link", "set", f"ptp-{role}", "up"], check=True)
            config = folder / f"{role}.cfg"
            config.write_text(options + own)
            log = stack.enter_context((folder / f"ptp4l-{role}.log").open("w"))
            command = ["ptp4l", "-f", config, "-i", f"ptp-{role}", "-m"]
            process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
            stack.callback(process.wait)
            stack.callback(process.terminate)
        yield


@pytest.mark.parametrize("asymmetry_ns", [0, 20_000_000])
def test_the_offset_is_what_a_real_ptp4l_measures(start, tmp_path, asymmetry_ns):
    # Stamps by software are wrong by what the machine does meanwhile: by much less than this.
    guard_ns = 5_000_000
    with real_ptp4l(tmp_path, asymmetry_ns):
        plan = BedPlan(hosts=2, circuit_switch=False, clock_source="ptp4l")
        _, controller = start(plan, Terms(guard_ns=guard_ns))
        one = controller.session("h1")
        if asymmetry_ns:
            status = one.wait_for("ClockStatus", lambda s: abs(s["offsetNs"]) > guard_ns)
            assert status["synchronised"] == "NO"
            assert abs(status["offsetNs"]) == pytest.approx(asymmetry_ns, abs=guard_ns)
        else:
            # until it has measured something, it says that the offset is 0
            status = one.wait_for("ClockStatus", lambda s: s["synchronised"] == "YES")
            assert 0 < abs(status["offsetNs"]) < guard_ns


def test_two_cores_carry_what_one_does(start):
    bed, controller = start(
        BedPlan(
            hosts=2,
            circuit_switch=False,
            process={"cores": {"evaluate": 0, "transmit": 1}},
        )
    )
    one, _ = pair_up(bed, controller)
    send_steadily(bed, "h1", "h2")
    one.command((0, "START", FOR_EVER))
    eventually(lambda: queue_of(bed, "h1")["sentPackets"] > 100, "packets leave")
    one.command((0, "STOP", 0))
    eventually(lambda: queue_of(bed, "h1")["packets"] > 10, "packets wait")
    sent = queue_of(bed, "h1")["sentPackets"]
    time.sleep(0.2)
    assert queue_of(bed, "h1")["sentPackets"] == sent


def test_the_switch_carries_circuits_and_counts_what_is_out_of_slot(start):
    bed, controller = start(BedPlan(hosts=2))
    one, _ = pair_up(bed, controller)
    switch = controller.session("switch")
    assert [port["hostName"] for port in switch.hello["ports"]] == ["h1", "h2"]
    send_steadily(bed, "h1", "h2")
    one.command((0, "START", FOR_EVER))
    dark = switch.wait_for("CircuitStats", lambda s: s["ports"][0]["droppedInNight"] > 10)
    assert dark["ports"][0]["circuitPackets"] == 0
    switch.ok(
        "CircuitConfigure",
        atNs=time.monotonic_ns() + 10_000_000,
        nightNs=1_000_000,
        circuits=[{"inputPort": 0, "outputPort": 1}, {"inputPort": 1, "outputPort": 0}],
    )
    lit = switch.wait_for("CircuitStats", lambda s: s["ports"][0]["circuitPackets"] > 10)
    assert lit["configurations"] == 1
    assert lit["ports"][0]["droppedOutOfSlot"] == 0
    switch.ok(
        "CircuitConfigure",
        atNs=time.monotonic_ns() + 10_000_000,
        nightNs=1_000_000,
        circuits=[{"inputPort": 1, "outputPort": 0}],
    )
    switch.wait_for("CircuitStats", lambda s: s["ports"][0]["droppedOutOfSlot"] > 10)
    refused = switch.request(
        "CircuitConfigure",
        atNs=0,
        nightNs=0,
        circuits=[{"inputPort": 0, "outputPort": 1}, {"inputPort": 1, "outputPort": 1}],
    )
    assert refused["status"] == "ARGUMENT"


def test_marked_packets_take_the_packet_switch_and_no_circuit(start):
    bed, controller = start(BedPlan(hosts=2))
    one, _ = pair_up(bed, controller)
    open_queue(one, 1, network="PACKET", closedByDefault="NO")
    one.ok("MapFlow", queue=1, flowPriority=0, match=match("10.9.0.2"))
    send_steadily(bed, "h1", "h2")
    switch = controller.session("switch")
    stats = switch.wait_for("CircuitStats", lambda s: s["ports"][0]["packetPackets"] > 10)
    assert stats["ports"][0]["circuitPackets"] == 0
    assert stats["ports"][0]["droppedInNight"] == 0
    eventually(lambda: bed.statistics()["hosts"]["h2"]["received"] > 10, "they arrive")


def test_it_ends_on_a_signal_and_leaves_nothing(start):
    bed, controller = start()
    pair_up(bed, controller)
    send_steadily(bed, "h1", "h2")
    eventually(lambda: queue_of(bed, "h1")["packets"] > 10, "packets wait")
    bed.signal_host_process(signal.SIGINT)
    bed.close()  # fails if a process ended otherwise than well
    assert not Path("/sys/class/net/p0").exists()
    assert not list(Path("/var/run/dpdk").glob("sdd-host-*"))


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"colour": 1}, "colour: is no field that is known here"),
        ({"hosts": []}, "hosts: must be an array of 1 to 16 items"),
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
