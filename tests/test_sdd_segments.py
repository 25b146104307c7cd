"""TCP segments that a TAP device takes whole: every byte arrives, in frames that wait in the queues
as any other. Nothing says how soon."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from sdd_pair import FOR_EVER, match, obeyed, open_queue, pair_up, queue_of, sent_in
from waiting import eventually

from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_testbed.processes import pipe
from evenweave_testbed.sdd.bed import Bed, BedPlan
from evenweave_testbed.sdd.stand_in import StandIn

pytestmark = [pytest.mark.fabric, pytest.mark.real_time]

PORT = 5003
BYTES = 6_000_000
FRAME_BYTES = 14 + 1500
RATE_BPS = 40_000_000
RATE_BYTES = 4_000_000
SLOW_BPS = 2_000_000
# What a rate may let through beyond itself: two frames at once (gate.c).
BURST_BYTES = 2 * FRAME_BYTES
TSO = {0: "off", 64: "on"}
"""By segmentKb: what the kernel says of the device."""

# Repeatable bytes, in one call so that segments are large; the answer is the digest of what came.
SENDER = """
import hashlib, random, socket, sys
payload = random.Random(int(sys.argv[4])).randbytes(int(sys.argv[3]))
connection = socket.create_connection((sys.argv[1], int(sys.argv[2])))
connection.sendall(payload)
connection.shutdown(socket.SHUT_WR)
print(connection.makefile().readline().strip() == hashlib.sha256(payload).hexdigest())
"""
RECEIVER = """
import hashlib, socket, sys
listening = socket.create_server((sys.argv[1], int(sys.argv[2])), family=int(sys.argv[3]))
print("listening", flush=True)
while True:
    connection, _ = listening.accept()
    digest = hashlib.sha256()
    while part := connection.recv(1 << 20):
        digest.update(part)
    connection.sendall(digest.hexdigest().encode() + b"\\n")
    connection.close()
"""
DATAGRAM = """
import socket, sys
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sender.sendto(bytes(int(sys.argv[2])), (sys.argv[1], 9))
"""
# As a version did that knew no segments: it takes the device over, and is killed.
OLD_VERSION = """
import fcntl, os, struct
tap = os.open("/dev/net/tun", os.O_RDWR)
TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 0x2, 0x1000
fcntl.ioctl(tap, TUNSETIFF, struct.pack("16sH22x", b"tap0", IFF_TAP | IFF_NO_PI))
"""
FAMILIES = {"IPv4": 2, "IPv6": 10}  # AF_INET, AF_INET6


def plan(segment_kb: int = 64, **process: dict) -> BedPlan:
    return BedPlan(
        hosts=2, circuit_switch=False, host={"segmentKb": segment_kb}, process=process or None
    )


class Transfers:
    """TCP connections from h1 to h2, over one family of addresses."""

    def __init__(self, bed: Bed, family: str) -> None:
        self._bed, self._seed = bed, int(os.environ.get("SDD_SEED", "1"))
        print(f"SDD_SEED={self._seed}")
        self._to = bed.address("h2") if family == "IPv4" else add_ipv6(bed)
        receiver = bed.start(
            "h2", "python3", "-c", RECEIVER, self._to, str(PORT), str(FAMILIES[family])
        )
        assert pipe(receiver.stdout).readline() == "listening\n"

    def start(self, count: int = BYTES) -> Callable[[], str]:
        """Begins one; what returns once it has ended says whether all came as it was sent."""
        self._seed += 1
        job = self._bed.start(
            "h1", "python3", "-c", SENDER, self._to, str(PORT), str(count), str(self._seed)
        )
        return lambda: job.communicate(timeout=EVENT_LIMIT_S)[0].strip()


def add_ipv6(bed: Bed) -> str:
    """Gives both hosts an address; returns h2's."""
    if not Path("/proc/net/if_inet6").exists():
        pytest.skip("this kernel has no IPv6")
    hardware = {
        host: json.loads(bed.run(host, "ip", "-json", "link", "show", f"tap{i}").stdout)[0]
        for i, host in enumerate(("h1", "h2"))
    }
    for i, (host, other) in enumerate((("h1", "h2"), ("h2", "h1"))):
        commands = [
            f"echo 0 > /proc/sys/net/ipv6/conf/tap{i}/disable_ipv6",
            f"ip address add fd00::{i + 1}/64 dev tap{i} nodad",
            f"ip neighbour add fd00::{2 - i} lladdr {hardware[other]['address']} dev tap{i}",
        ]
        done = bed.run(host, "sh", "-ec", "\n".join(commands))
        assert done.returncode == 0, done.stderr
    return "fd00::2"


def host(bed: Bed) -> dict:
    return bed.statistics()["hosts"]["h1"]


def every_frame_is_accounted_for(bed: Bed) -> bool:
    """What came in was queued, or lost and counted, frame by frame."""
    seen = host(bed)
    lost = sum(seen[why] for why in ("unmapped", "overflowed", "noBuffer", "malformed"))
    return seen["fromApplications"] == seen["queues"][0]["receivedPackets"] + lost


def tso(bed: Bed) -> str:
    """Whether the kernel hands segments to h1's TAP device whole: on or off."""
    features = bed.run("h1", "ethtool", "--show-features", "tap0").stdout
    (line,) = (line for line in features.splitlines() if "tcp-segmentation-offload:" in line)
    return line.split()[1]


def pair_that_may_send(bed: Bed, controller: StandIn) -> None:
    one, _ = pair_up(bed, controller)
    one.command((0, "START", FOR_EVER))
    obeyed(one)


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("ingest", [False, True], ids=["one core", "ingesting core"])
def test_every_byte_arrives_in_frames(start_bed, family, ingest):
    cores = {"evaluate": 0, "ingest": 1} if ingest else {"evaluate": 0}
    bed, controller = start_bed(plan(cores=cores))
    pair_that_may_send(bed, controller)
    assert Transfers(bed, family).start()() == "True"
    seen = host(bed)
    (queue,) = seen["queues"]
    assert seen["segments"] > 0
    assert seen["segmentFrames"] >= 2 * seen["segments"]
    assert seen["malformed"] == 0
    assert queue["sentBytes"] <= FRAME_BYTES * queue["sentPackets"]
    eventually(lambda: every_frame_is_accounted_for(bed), "account of all")


@pytest.mark.extended
@pytest.mark.parametrize("family", FAMILIES)
def test_frames_of_segments_keep_to_a_rate(start_bed, family):
    bed, controller = start_bed(plan())
    one, _ = pair_up(bed, controller)
    open_queue(one, 0, drainRateBps=RATE_BPS)
    one.command((0, "START", FOR_EVER))
    transfer = Transfers(bed, family).start(RATE_BYTES)
    eventually(lambda: queue_of(bed, "h1")["sentPackets"] > 100, "packets that leave")
    for _ in range(3):
        sent, seconds = sent_in(bed, "h1", 0.1)
        assert sent <= RATE_BPS / 8 * seconds + BURST_BYTES
    assert transfer() == "True"
    assert host(bed)["segments"] > 0


@pytest.mark.extended
def test_frames_of_segments_wait_for_a_start_and_for_the_end_of_a_stop(start_bed):
    bed, controller = start_bed(plan())
    one, _ = pair_up(bed, controller)
    # slow enough that most of the data is still there when the STOP is obeyed
    open_queue(one, 1, drainRateBps=SLOW_BPS)
    one.ok(
        "MapFlow", queue=1, flowPriority=0, match=match(bed.address("h2"), protocol=6, wildcards=3)
    )
    transfer = Transfers(bed, "IPv4").start()
    one.command((1, "START", FOR_EVER))
    eventually(lambda: queue_of(bed, "h1", 1)["sentPackets"] > 100, "packets that leave")
    one.command((1, "STOP", 0))
    obeyed(one)
    sent = queue_of(bed, "h1", 1)["sentPackets"]
    eventually(lambda: queue_of(bed, "h1", 1)["packets"] > 1, "packets that wait")
    assert queue_of(bed, "h1", 1)["sentPackets"] == sent
    open_queue(one, 1)
    one.command((1, "START", FOR_EVER))
    assert transfer() == "True"
    assert host(bed)["segments"] > 0
    # how many go up together is how many there are when the receiver looks: none, if it is faster
    receiver = bed.statistics()["hosts"]["h2"]
    assert 2 * receiver["mergedSegments"] <= receiver["mergedFrames"] <= receiver["received"]
    assert receiver["refusedByKernel"] == 0


@pytest.mark.extended
def test_without_them_the_kernel_cuts(start_bed):
    bed, controller = start_bed(plan(segment_kb=0))
    pair_that_may_send(bed, controller)
    assert tso(bed) == TSO[0]
    assert Transfers(bed, "IPv4").start()() == "True"
    seen = bed.statistics()["hosts"]
    assert seen["h1"]["segments"] == seen["h1"]["segmentFrames"] == 0
    assert seen["h2"]["mergedFrames"] == 0


@pytest.mark.extended
def test_a_device_that_is_taken_over_has_what_the_configuration_says(start_bed):
    bed, controller = start_bed(plan())
    pair_that_may_send(bed, controller)
    transfers = Transfers(bed, "IPv4")
    index = bed.run("h1", "cat", "/sys/class/net/tap0/ifindex").stdout
    config = bed.host_config()
    config["hosts"] = [
        entry | {"queues": [{"number": 0, "matches": [{}]}]} for entry in config["hosts"]
    ]
    for segment_kb in (0, 64, 0, 64):
        before = transfers.start()  # goes on through the change
        for entry in config["hosts"]:
            entry["segmentKb"] = segment_kb
        bed.reload_host_process(config)
        assert tso(bed) == TSO[segment_kb]
        assert before() == "True"
        assert transfers.start()() == "True"
        assert (host(bed)["segments"] > 0) == (segment_kb > 0)
    assert bed.run("h1", "cat", "/sys/class/net/tap0/ifindex").stdout == index


@pytest.mark.extended
def test_a_device_of_a_version_that_knew_none_is_taken_over(start_bed):
    bed, controller = start_bed(plan(segment_kb=0))
    pair_that_may_send(bed, controller)
    transfers = Transfers(bed, "IPv4")
    during = transfers.start()
    eventually(lambda: queue_of(bed, "h1")["sentPackets"] > 100, "packets that leave")
    bed.kill_host_process()
    assert bed.run("h1", "python3", "-c", OLD_VERSION).returncode == 0
    config = bed.host_config()
    for entry in config["hosts"]:
        entry |= {"segmentKb": 64, "queues": [{"number": 0, "matches": [{}]}]}
    bed.start_host_process(config)
    assert tso(bed) == TSO[64]
    assert during() == "True"
    assert transfers.start()() == "True"
    assert host(bed)["segments"] > 0


@pytest.mark.extended
def test_frames_that_the_nic_does_not_transmit_are_lost_and_counted(start_bed):
    bed, controller = start_bed(plan())
    pair_that_may_send(bed, controller)
    # The NIC's is 1500, and 4 for a tag: one packet is larger by a byte, one fits.
    assert bed.run("h1", "ip", "link", "set", "tap0", "mtu", "1600").returncode == 0
    for payload in (1500 + 4 - 28 + 1, 1500 - 28):
        sent = bed.run("h1", "python3", "-c", DATAGRAM, bed.address("h2"), str(payload))
        assert sent.returncode == 0, sent.stderr
    eventually(
        lambda: queue_of(bed, "h1")["sentPackets"] > 0 and host(bed)["malformed"] == 1,
        lambda: host(bed),
    )
    eventually(lambda: every_frame_is_accounted_for(bed), "account of all")
