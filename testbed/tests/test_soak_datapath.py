"""Which cached flows the soak takes for stale."""

from __future__ import annotations

from evenweave_testbed.soak.datapath import stale_drops

FLOW = (
    "recirc_id(0),in_port(s2-1-eth2),packet_type(ns=0,id=0),eth_type(0x0800),"
    "ipv4(src=10.0.0.2/0.0.0.0,dst=10.0.4.3/255.255.255.0,proto=6,tos=0/0,ttl=63,frag=no)"
)
IPV6 = "recirc_id(0),in_port(s2-1-eth1),eth_type(0x86dd),ipv6(frag=no)"


def dumped(flow: str, packets: int, actions: str) -> str:
    ufid = "ufid:540284fc-56ef-4fa6-a070-da75754ee99a, "
    counters = f", packets:{packets}, bytes:27373, used:0.141s, flags:PR., dp:ovs"
    return f"{ufid}{flow}{counters}, actions:{actions}, dp-extra-info:miniflow_bits(4,2)"


def stale(line: str, actions: str) -> list[tuple[str, int]]:
    return list(stale_drops(f"flow-dump from the main thread:\n{line}", lambda _: answer(actions)))


def answer(actions: str) -> str:
    return f"Flow: tcp\n\nFinal flow: tcp\nMegaflow: recirc_id=0\nDatapath actions: {actions}\n"


def test_a_flow_that_drops_what_the_rules_forward_is_stale():
    assert stale(dumped(FLOW, 411, "drop"), "set(ipv4(ttl=62)),2") == [(FLOW, 411)]


def test_one_that_drops_what_the_rules_drop_is_not():
    assert stale(dumped(FLOW, 411, "drop"), "drop") == []


def test_nor_one_that_forwards_or_has_met_no_packet_or_is_not_ipv4():
    assert stale(dumped(FLOW, 411, "set(ipv4(ttl=62)),s2-1-eth1"), "2") == []
    assert stale(dumped(FLOW, 0, "drop"), "2") == []
    assert stale(dumped(IPV6, 16, "drop"), "2") == []
