"""Links with a middle: what each fault does to the packets and to the counters of the two ends."""

from __future__ import annotations

import socket
import subprocess
import time
from pathlib import Path

import pytest

from evenweave_testbed.grey.wires import Wires, middle_name, no_wires
from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_topos.fabric_file import End, Link

pytestmark = [
    pytest.mark.fabric,
    pytest.mark.skipif(no_wires() is not None, reason=str(no_wires())),
]

_A, _B = "w1-eth1", "w2-eth1"
_LINK = Link(End("w1", 1), End("w2", 1), 1)
_HEADER = bytes.fromhex("02000000000102000000000288b5")
_FRAMES = 2000
_QUIET_S = 0.5


@pytest.fixture
def wires(tmp_path):
    for name in (_A, _B):
        add = f"ip link add {name} type veth peer name {middle_name(name)}"
        subprocess.run(add.split(), check=True)
    joined = Wires([_LINK], tmp_path)
    yield joined
    joined.close()
    for name in (_A, _B):
        subprocess.run(["ip", "link", "del", name], check=True)


def counted(device: str, what: str) -> int:
    return int(Path(f"/sys/class/net/{device}/statistics/{what}").read_text())


def passed(sender: str, receiver: str, frames: list[bytes]) -> list[bytes]:
    """The frames that come to the one end when the other sends these, one after the other."""
    with (
        socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as source,
        socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x88B5)) as sink,
    ):
        source.bind((sender, 0))
        sink.bind((receiver, 0x88B5))
        sink.settimeout(_QUIET_S)
        received = []
        for frame in frames:
            source.send(frame)
            time.sleep(0)
        while True:
            try:
                received.append(sink.recv(1 << 16))
            except TimeoutError:
                return received


def frames(count: int, size: int = 100) -> list[bytes]:
    return [_HEADER + number.to_bytes(4, "big") + bytes(size - 4) for number in range(count)]


def test_a_wire_hands_on_everything_and_both_ends_count_it(wires):
    before = counted(_A, "tx_packets"), counted(_B, "rx_packets")
    assert passed(_A, _B, frames(100)) == frames(100)
    assert passed(_B, _A, frames(10)) == frames(10)
    assert counted(_A, "tx_packets") - before[0] == 100
    assert counted(_B, "rx_packets") - before[1] == 100


def test_what_is_lost_is_the_difference_of_the_two_ends(wires):
    wire = wires.wire("w1/1", "w2/1")
    wire.lose(0.1)
    before = counted(_A, "tx_packets"), counted(_B, "rx_packets")
    passed(_A, _B, frames(_FRAMES))
    lost = wire.account()["lost"]
    # Binomial with mean 200 and standard deviation 13.4: within five of them.
    assert 133 < lost < 267
    assert counted(_A, "tx_packets") - before[0] == _FRAMES
    assert counted(_B, "rx_packets") - before[1] == _FRAMES - lost
    assert passed(_B, _A, frames(100)) == frames(100)


def test_what_is_damaged_arrives_and_differs(wires):
    wire = wires.wire("w1/1", "w2/1")
    wire.damage(1)
    sent = frames(100)
    received = passed(_A, _B, sent)
    differences = [one != other for one, other in zip(sent, received, strict=True)]
    assert all(differences)
    assert wire.account()["damaged"] == 100


def test_only_packets_of_the_mtu_pass(wires):
    wires.wire("w1/1", "w2/1").limit(1200)
    assert len(passed(_A, _B, frames(3, 1200))) == 3
    assert passed(_A, _B, frames(3, 1201)) == []


def test_a_slow_wire_drops_what_its_queue_does_not_hold_until_it_is_as_before(wires):
    wire = wires.wire("w1/1", "w2/1")
    wire.slow(100_000)
    few = passed(_A, _B, frames(_FRAMES, 1000))
    assert 0 < len(few) < _FRAMES / 2
    wire.slow(0)
    assert len(passed(_A, _B, frames(100))) == 100


def test_a_delayed_packet_comes_so_much_later(wires):
    wire = wires.wire("w1/1", "w2/1")
    wire.delay(0.2)
    with (
        socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as source,
        socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x88B5)) as sink,
    ):
        source.bind((_A, 0))
        sink.bind((_B, 0x88B5))
        sink.settimeout(EVENT_LIMIT_S)
        began = time.monotonic()
        source.send(frames(1)[0])
        assert sink.recv(1 << 16) == frames(1)[0]
        assert time.monotonic() - began >= 0.2
    wire.delay(0)
    assert passed(_A, _B, frames(5)) == frames(5)
