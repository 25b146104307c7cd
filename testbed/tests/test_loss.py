import struct
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from evenweave_testbed import loss
from evenweave_testbed.flows import spread
from evenweave_testbed.loss import Pace, Probes, ProbeStream, _Template
from evenweave_topos.fabric_file import clos
from evenweave_topos.topologies import host_places

HOSTS = host_places(clos([[1], [1]]), 1)
# As the pace allows at once.
_BURST_S = 0.01


@given(st.integers(0, 2**32 - 1), st.integers(10_000, 30_000))
def test_a_probe_has_a_right_checksum_and_is_a_reset_with_its_number(number, source_port):
    (flow,) = spread(HOSTS[:1], HOSTS[1:], 1, 5003, source_port)
    segment = _Template(flow).segment(number)
    pseudo_header = bytes([10, 0, 0, 2, 10, 0, 1, 2, 0, 6, 0, 20])
    total = sum(word for (word,) in struct.iter_unpack("!H", pseudo_header + segment))
    # RFC 1071: summed with its checksum a right segment gives all ones in 16 bits.
    assert total % 0xFFFF == 0
    assert struct.unpack_from("!HHI", segment) == (source_port, 5003, number)
    assert segment[12] >> 4 == 5, "a header of five words"
    assert segment[13] == 0x04, "RST alone"


def test_a_probe_with_a_wrong_bit_in_its_header_has_not_arrived(monkeypatch):
    monkeypatch.setattr(loss, "_raw_socket", lambda *_: None)
    flows = spread(HOSTS[:1], HOSTS[1:], 3, 5003)
    stream = ProbeStream(None, flows)
    stream._received.extend(bytes(100))
    header = bytes([0x45]) + bytes(19)
    segment = _Template(flows[7 % 3]).segment(7)
    for bit in range(8 * len(segment)):
        wrong = bytearray(segment)
        wrong[bit // 8] ^= 1 << bit % 8
        stream._count(header + wrong)
    assert stream.missing(0, 100) == list(range(100))
    stream._count(header + segment)
    assert stream.missing(0, 100) == [number for number in range(100) if number != 7]


def test_losses_are_told_apart_by_when_they_were_sent():
    probes = Probes(sent=10, duplicated=0, lost_at=(100, 200, 300))
    assert probes.lost_between(0, 100) == 0
    assert probes.lost_between(100, 300) == 2
    assert probes.lost_from(200) == 2
    assert probes.lost_from(301) == 0


@given(
    st.integers(100, 100_000),
    st.lists(st.floats(0, _BURST_S / 2), min_size=1, max_size=200),
)
def test_a_sender_that_is_in_time_keeps_the_rate(rate_pps, pauses_s):
    pace = Pace(rate_pps, 0.0)
    sent = sum(pace.due(now_s) for now_s in accumulate(pauses_s))
    # The one that is due next may be due by a rounding error.
    assert abs(sent - rate_pps * sum(pauses_s)) <= 1 + 1e-6


@given(st.integers(100, 100_000), st.lists(st.floats(0, 10), min_size=1, max_size=50))
def test_a_sender_that_was_late_does_not_make_up_for_it(rate_pps, pauses_s):
    pace = Pace(rate_pps, 0.0)
    counts = [pace.due(now_s) for now_s in accumulate(pauses_s)]
    assert max(counts) <= rate_pps * _BURST_S + 1e-6
    for count, pause_s in zip(counts, pauses_s, strict=True):
        # One more can be left from before.
        assert count <= rate_pps * pause_s + 1 + 1e-6
