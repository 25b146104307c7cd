import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenweave_testbed.flows import FIRST_SOURCE_PORT, LAST_SOURCE_PORT, spread
from evenweave_topos.fabric_file import clos
from evenweave_topos.topologies import host_places

HOSTS = host_places(clos([[1], [1]]), 3)


@given(st.integers(1, 2000))
def test_flows_are_distinct_fixed_and_even_over_the_pairs(count):
    flows = spread(HOSTS[:3], HOSTS[3:], count, 5001)
    assert len({flow.key for flow in flows}) == count
    assert flows == spread(HOSTS[:3], HOSTS[3:], count, 5001)
    pairs = [(flow.source.name, flow.destination.name) for flow in flows]
    uses = [pairs.count(pair) for pair in set(pairs)]
    assert max(uses) - min(uses) <= 1


def test_a_key_is_the_four_tuple_of_the_packets():
    assert spread(HOSTS[:1], HOSTS[3:], 2, 80)[1].key == ("10.0.0.2", 10001, "10.0.1.3", 80)


@pytest.mark.parametrize("count", [0, LAST_SOURCE_PORT - FIRST_SOURCE_PORT + 2])
def test_more_flows_than_ports_or_none_are_refused(count):
    with pytest.raises(ValueError, match="do not fit source ports"):
        spread(HOSTS[:1], HOSTS[3:], count, 80)
