"""What hosts and switches of the live fabric see: routes, groups, time to live, gateways."""

from __future__ import annotations

import itertools
import socket
import struct

import pytest
from held_tables import slots_on_switch

from evenweave_testbed.connections import connect_all
from evenweave_testbed.flows import spread
from evenweave_testbed.interfaces import network_namespace_of
from evenweave_testbed.polling import EVENT_LIMIT_S

pytestmark = pytest.mark.fabric

_PORT = 5999
_IP_RECVTTL = 12  # <linux/in.h>; Python's socket module does not name it


def test_the_switch_holds_the_weights_of_figure_3_2(fabric):
    group = fabric.controller.group("s1-0", "s1-2")
    assert [p["wanted"] for p in group["ports"]] == [1, 1, 2, 2]
    assert slots_on_switch(fabric, "s1-0", group["groupId"]) == {
        1: 43,
        2: 43,
        3: 85,
        4: 85,
    }


def test_every_bucket_watches_its_own_port(fabric):
    for switch in ("s1-0", "s1-1", "s1-2", "s2-1"):
        for group in fabric.groups(switch):
            assert all(bucket.watch_port == bucket.port for bucket in group.buckets)


def test_every_pair_of_hosts_connects(fabric):
    for source, destination in itertools.permutations(fabric.hosts, 2):
        failed = connect_all(fabric, spread([source], [destination], 2, _PORT))
        assert not failed, f"{source.name} cannot reach {destination.name}"


def test_every_switch_on_the_way_takes_one_from_the_time_to_live(fabric):
    near, far = fabric.hosts_of("s1-0"), fabric.hosts_of("s1-2")
    assert _received_ttl(fabric, near[0], far[0], sent=9) == 6
    assert _received_ttl(fabric, near[0], near[1], sent=9) == 8


def _received_ttl(fabric, source, destination, sent: int) -> int:
    with network_namespace_of(fabric.pid(destination)):
        receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        receiver.bind((str(destination.address), _PORT))
        receiver.setsockopt(socket.IPPROTO_IP, _IP_RECVTTL, 1)
        receiver.settimeout(EVENT_LIMIT_S)
    with network_namespace_of(fabric.pid(source)):
        sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sender.setsockopt(socket.IPPROTO_IP, socket.IP_TTL, sent)
    with receiver, sender:
        sender.sendto(b"?", (str(destination.address), _PORT))
        _, ancillary, _, _ = receiver.recvmsg(16, socket.CMSG_SPACE(4))
    (_, kind, data) = ancillary[0]
    assert kind == socket.IP_TTL
    return struct.unpack("i", data)[0]


def test_ecmp_gives_every_uplink_as_much_and_wcmp_comes_back(fabric):
    fabric.controller.set_strategy("ecmp")
    group = fabric.controller.group("s1-0", "s1-2")
    assert set(slots_on_switch(fabric, "s1-0", group["groupId"]).values()) == {64}
    fabric.controller.set_strategy("wcmp")
    assert slots_on_switch(fabric, "s1-0", group["groupId"]) == {
        1: 43,
        2: 43,
        3: 85,
        4: 85,
    }


def test_every_strategy_is_carried_to_the_switches_without_a_fault(fabric):
    strategies = fabric.controller.strategies()
    assert {"ecmp", "wcmp", "maxflow", "pair"} <= set(strategies)
    try:
        for strategy in strategies:
            fabric.controller.set_strategy(strategy)
            assert fabric.controller.verification()["ok"], strategy
            for group in fabric.controller.groups("s1-0"):
                wanted = {p["port"]: p["slots"] for p in group["ports"] if p["slots"]}
                assert slots_on_switch(fabric, "s1-0", group["groupId"]) == wanted, strategy
    finally:
        fabric.controller.set_strategy("wcmp")
