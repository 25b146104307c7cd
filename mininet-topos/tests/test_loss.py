import struct

from hypothesis import given
from hypothesis import strategies as st

from evenweave_topos.fabric_file import clos
from evenweave_topos.flows import spread
from evenweave_topos.loss import Probes, _Template
from evenweave_topos.topologies import host_places

HOSTS = host_places(clos([[1], [1]]), 1)


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


def test_losses_are_told_apart_by_when_they_were_sent():
    probes = Probes(sent=10, duplicated=0, lost_at=(100, 200, 300))
    assert probes.lost_between(0, 100) == 0
    assert probes.lost_between(100, 300) == 2
    assert probes.lost_from(200) == 2
    assert probes.lost_from(301) == 0
