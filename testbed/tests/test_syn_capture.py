import socket
import struct

import pytest

from evenweave_testbed.syn_capture import Sightings, flow_key

FLOW = ("10.0.0.2", 1234, "10.0.2.3", 80)
OTHER = ("10.0.0.2", 1235, "10.0.2.3", 80)
UNSEEN = ("10.0.0.2", 1236, "10.0.2.3", 80)


@pytest.mark.parametrize("words", [5, 8], ids=["plain", "with IP options"])
def test_the_four_tuple_is_read_from_a_frame(words):
    addresses = socket.inet_aton(FLOW[0]) + socket.inet_aton(FLOW[2])
    ip = bytes([0x40 | words]) + bytes(11) + addresses + bytes(4 * (words - 5))
    frame = bytes(12) + b"\x08\x00" + ip + struct.pack("!HH", FLOW[1], FLOW[3])
    assert flow_key(frame) == FLOW


def test_a_retransmitted_syn_counts_once():
    seen = Sightings()
    seen.add(FLOW, 1)
    seen.add(FLOW, 1)
    assert seen.flows_per_port([FLOW]) == {1: 1}
    assert seen.moved([FLOW]) == 0


def test_a_flow_on_two_uplinks_has_moved_and_belongs_to_neither():
    seen = Sightings()
    seen.add(FLOW, 1)
    seen.add(FLOW, 2)
    seen.add(OTHER, 2)
    assert seen.moved([FLOW, OTHER, UNSEEN]) == 1
    assert seen.flows_per_port([FLOW, OTHER, UNSEEN]) == {2: 1}
    assert [seen.port_of(flow) for flow in (FLOW, OTHER, UNSEEN)] == [None, 2, None]


def test_flows_that_were_not_asked_for_do_not_count():
    seen = Sightings()
    seen.add(OTHER, 1)
    assert not seen.flows_per_port([FLOW])
