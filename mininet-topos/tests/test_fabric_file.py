import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenweave_topos.fabric_file import (
    IMBALANCED_3X3,
    End,
    FabricError,
    clos,
    fat_tree,
    load,
    parse,
)

GOOD = {
    "switches": [{"id": "s1-0", "stage": 1}, {"id": "s2-0", "stage": 2, "table": 64}],
    "links": [{"a": "s1-0/1", "b": "s2-0/1", "bps": 10}],
    "subnets": [{"switch": "s1-0", "prefix": "10.0.0.0/24"}],
}


def with_change(*path, value):
    """GOOD with the field at `path` replaced, or removed if the value is ..."""
    data = json.loads(json.dumps(GOOD))
    place = data
    for step in path[:-1]:
        place = place[step]
    if value is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return data


def test_the_dissertation_fabric_is_the_clos_of_its_striping():
    assert load(IMBALANCED_3X3) == clos([[2, 1, 1], [1, 2, 1], [1, 1, 2]])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "fabric: must be an object"),
        (with_change("links", value=...), "^links: is missing"),
        (with_change("colour", value=1), "^colour: unknown field; the fields here are links, "),
        (with_change("switches", value={}), "switches: must be an array"),
        (
            with_change("switches", 0, "stage", value=0),
            r"switches\[0\].stage: must be a whole number from 1 to .*, not 0",
        ),
        (with_change("switches", 0, "stage", value=True), r"switches\[0\].stage"),
        (with_change("switches", 1, "id", value="s1-0"), r"switches\[1\].id: s1-0 is used twice"),
        (
            with_change("switches", 1, "dpid", value="1"),
            r"switches\[1\].dpid: must be 16 hex digits, not \"1\"",
        ),
        (with_change("switches", 1, "dpid", value="0" * 16), r"switches\[1\].dpid"),
        (with_change("links", 0, "a", value="s1-0"), r"links\[0\].a: must be switch/port"),
        (with_change("links", 0, "a", value="s1-0/1\n"), r"links\[0\].a: must be switch/port"),
        (
            with_change("links", 0, "a", value="s1-0/65280"),
            r"links\[0\].a: must have a port of 1..65279",
        ),
        (with_change("links", 0, "b", value="s9/1"), r"links\[0\].b: no switch 's9'"),
        (with_change("links", 0, "b", value="s1-0/2"), r"links\[0\]: joins s1-0 to itself"),
        (
            with_change("links", 0, "bps", value=1.5),
            r"links\[0\].bps: must be a positive whole number",
        ),
        (with_change("subnets", 0, "switch", value="x"), r"subnets\[0\].switch: no switch 'x'"),
        (with_change("subnets", 0, "prefix", value="10.0.0.1/24"), r"subnets\[0\].prefix"),
        (with_change("subnets", 0, "prefix", value="10.0.0.0/31"), r"subnets\[0\].prefix: .*room"),
    ],
)
def test_a_fault_is_reported_with_the_path_of_its_field(data, message):
    with pytest.raises(FabricError, match=message):
        parse(data)


def test_a_port_used_twice_is_an_error():
    data = with_change("links", value=GOOD["links"] + [{"a": "s2-0/2", "b": "s1-0/1", "bps": 1}])
    with pytest.raises(FabricError, match=r"links\[1\].b: s1-0/1 is used twice"):
        parse(data)


def test_overlapping_subnets_are_an_error():
    data = with_change(
        "subnets", value=GOOD["subnets"] + [{"switch": "s2-0", "prefix": "10.0.0.128/25"}]
    )
    with pytest.raises(FabricError, match=r"subnets\[1\].prefix: .* overlaps 10.0.0.0/24"):
        parse(data)


def test_an_unreadable_file_is_named(tmp_path: Path):
    with pytest.raises(FabricError, match=r"nowhere.json: No such file"):
        load(tmp_path / "nowhere.json")
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(FabricError, match=r"bad.json: not JSON"):
        load(tmp_path / "bad.json")


def test_switches_without_a_dpid_get_the_lowest_free_ones():
    data = with_change("switches", 1, "dpid", value=f"{1:016x}")
    assert [s.dpid for s in parse(data).switches] == [f"{2:016x}", f"{1:016x}"]


stripings = st.integers(1, 5).flatmap(
    lambda columns: st.lists(
        st.lists(st.integers(0, 3), min_size=columns, max_size=columns), min_size=1, max_size=5
    )
)


@given(stripings)
def test_a_clos_has_the_links_its_striping_says_and_survives_a_round_trip(striping):
    fabric = clos(striping)
    for s1, row in enumerate(striping):
        for s2, count in enumerate(row):
            joined = [link for link in fabric.links if link.joins(f"s1-{s1}", f"s2-{s2}")]
            assert len(joined) == count
    for switch in fabric.switches:
        ports = [link.end_at(switch.id).port for link in fabric.links_of(switch.id)]
        assert ports == list(range(1, len(ports) + 1))
    assert parse(json.loads(json.dumps(fabric.to_json()))) == fabric


@pytest.mark.parametrize("k", [2, 4, 6])
def test_every_switch_of_a_fat_tree_uses_its_ports_fully(k):
    fabric = fat_tree(k)
    assert len(fabric.switches) == 5 * k * k // 4
    for switch in fabric.switches:
        assert len(fabric.links_of(switch.id)) == (k // 2 if switch.stage == 1 else k)
    pairs = [frozenset((link.a.switch, link.b.switch)) for link in fabric.links]
    assert len(set(pairs)) == len(pairs), "a fat tree has no parallel links"


@pytest.mark.parametrize("k", [0, 1, 3])
def test_a_fat_tree_of_odd_or_no_ports_is_an_error(k):
    with pytest.raises(FabricError, match="k: must be even"):
        fat_tree(k)


def test_ragged_or_negative_stripings_are_errors():
    with pytest.raises(FabricError, match=r"striping\[1\]: 1 columns, row 0 has 2"):
        clos([[1, 1], [1]])
    with pytest.raises(FabricError, match=r"striping\[0\]: a number of links is negative"):
        clos([[-1]])


def test_the_gateway_is_the_first_address_and_hosts_follow():
    subnet = parse(GOOD).subnets[0]
    assert str(subnet.gateway) == "10.0.0.1"
    assert [str(subnet.host_address(n)) for n in range(2)] == ["10.0.0.2", "10.0.0.3"]
    assert str(subnet.host_address(252)) == "10.0.0.254"
    with pytest.raises(FabricError, match="no room for host number 254"):
        subnet.host_address(253)


def test_a_link_is_found_by_either_spelling():
    fabric = parse(GOOD)
    assert fabric.link("s2-0/1-s1-0/1") is fabric.link("s1-0/1-s2-0/1") is fabric.links[0]
    assert fabric.links[0].end_at("s2-0") == End("s2-0", 1)
    assert fabric.links[0].other_end("s2-0") == End("s1-0", 1)
    with pytest.raises(FabricError, match="not in the fabric"):
        fabric.link("s1-0/1-s2-0/2")
