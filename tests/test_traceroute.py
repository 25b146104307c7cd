"""What a host learns of paths from packets whose TTL is used up, as traceroute and mtr do."""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Iterator

import pytest
from openflow_versions import EMBEDDED, ONOS, allowing
from runtimes import LiveFabric
from traceroute import IPV4_BYTES, PORT_UNREACHABLE, TIME_EXCEEDED, Prober, packet, passed_ports
from waiting import eventually

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import Flow, spread
from evenweave_testbed.frames import mac_of, send_frames
from evenweave_topos.fabric_file import IMBALANCED_3X3, load
from evenweave_topos.topologies import HostPlace

pytestmark = pytest.mark.fabric

_PORT = 33434
# Drawn at random, so many miss one of the two next hops with a sixth of the weight in 3 of 10,000
# sets; these are the same in every run.
_FLOWS = 48
_UDP, _TCP = socket.IPPROTO_UDP, socket.IPPROTO_TCP
# As configured where nothing is said.
_MOST_PER_SECOND = 100
_GATEWAY_MAC = bytes.fromhex("024556570001")


def _ports_by_address(fabric: Fabric) -> dict[str, tuple[str, int]]:
    return {i["address"]: (i["switch"], i["port"]) for i in fabric.controller.interfaces()}


def _flows(fabric: Fabric, count: int = _FLOWS) -> list[Flow]:
    """Between one pair of hosts, of different source ports."""
    return spread(fabric.hosts_of("s1-0")[:1], fabric.hosts_of("s1-2")[:1], count, _PORT)


@pytest.fixture(scope="module", params=[*EMBEDDED, ONOS])
def fabric(live_fabric: LiveFabric, request: pytest.FixtureRequest) -> Iterator[Fabric]:
    """The fabric of Figure 3.2, in each version of OpenFlow."""
    runtime, protocols = request.param
    with allowing(live_fabric.get(load(IMBALANCED_3X3), runtime), protocols) as fabric:
        yield fabric


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("protocol", [_UDP, _TCP], ids=["udp", "tcp"])
def test_a_traceroute_names_every_switch_port_that_the_flow_comes_in_by(fabric, protocol):
    ports = _ports_by_address(fabric)
    paths = set()
    with Prober(fabric, fabric.hosts_of("s1-0")[0]) as prober:
        for flow in _flows(fabric):
            whole = packet(flow, protocol, ttl=64, ident=64)
            with passed_ports(fabric, whole) as passed:
                prober.send(whole)
                way = [(flow.source.switch, flow.source.port), *passed(2)]
            answers = [
                prober.answer_to(packet(flow, protocol, ttl, ident=ttl)) for ttl in (1, 2, 3)
            ]
            assert [answer.kind for answer in answers] == [TIME_EXCEEDED] * 3
            assert [ports[answer.address] for answer in answers] == way
            paths.add(tuple(answer.address for answer in answers))
    if protocol == _TCP or fabric.controller.groups("s1-0")[0]["spreadsUdp"]:
        assert {path[1] for path in paths} == _addresses_of_uplinks(fabric, "s1-0")
    else:
        assert len(paths) == 1


def _addresses_of_uplinks(fabric: Fabric, switch: str) -> set[str]:
    """Of the ports at the other ends of a switch's links."""
    return {
        interface["address"]
        for interface in fabric.controller.interfaces()
        if f"{switch}/" in interface.get("link", "") and interface["switch"] != switch
    }


@pytest.mark.extended
def test_the_host_itself_answers_last_and_one_switch_is_between_neighbours(fabric):
    near = fabric.hosts_of("s1-0")
    flow = Flow(near[0], near[1], 20_000, _PORT)
    with Prober(fabric, near[0]) as prober:
        first = prober.answer_to(packet(flow, _UDP, ttl=1))
        last = prober.answer_to(packet(flow, _UDP, ttl=2))
    assert _ports_by_address(fabric)[first.address] == (near[0].switch, near[0].port)
    assert (last.address, last.kind) == (str(near[1].address), PORT_UNREACHABLE)


@pytest.mark.core_cases(1)
def test_an_answer_quotes_the_packet_as_it_came(fabric):
    (flow,) = _flows(fabric, 1)
    for ttl, data in ((1, b""), (2, bytes(range(256)) * 4)):
        sent = packet(flow, _UDP, ttl, ident=0x1234 + ttl, data=data)
        with Prober(fabric, flow.source) as prober:
            quoted = prober.answer_to(sent).quoted
        # All but what each switch before has changed: the TTL and with it the checksum.
        assert len(quoted) == min(len(sent), 576 - 28)
        assert quoted[8] == 1
        assert (quoted[:8], quoted[9:10]) == (sent[:8], sent[9:10])
        assert quoted[12:] == sent[12 : len(quoted)]


@pytest.mark.extended
def test_a_switch_answers_so_many_a_second_and_counts_the_rest(fabric):
    (flow,) = _flows(fabric, 1)
    probe = packet(flow, _UDP, ttl=1)
    before, began = _expired(fabric), time.monotonic()
    with Prober(fabric, flow.source) as prober:

        def limited() -> bool:
            for _ in range(10 * _MOST_PER_SECOND):
                prober.send(probe)
            return _expired(fabric)["limited"] > before["limited"]

        eventually(limited, "packet over the limit")
    answered = _expired(fabric)["answered"] - before["answered"]
    assert 0 < answered <= _MOST_PER_SECOND * (1 + time.monotonic() - began)


@pytest.mark.core_cases(1)
def test_what_no_router_may_answer_gets_no_answer(fabric):
    (flow,) = _flows(fabric, 1)
    good = packet(flow, _UDP, ttl=1, ident=7)
    with Prober(fabric, flow.source) as prober:
        assert prober.answer_to(good).kind == TIME_EXCEEDED
        before = _expired(fabric)
        bad = _unanswerable(good)
        send_frames(fabric, flow.source, [_frame(flow.source, sent) for sent in bad], 0.01)
        # Open vSwitch itself drops what its own parser refuses, so not all of them come.
        eventually(lambda: _expired(fabric)["unanswered"] > before["unanswered"], "bad packet")
        assert prober.answer_to(good).kind == TIME_EXCEEDED
        assert [a for a in prober.answers(0.5) if a.quoted[4:6] != good[4:6]] == []


def _unanswerable(good: bytes) -> list[bytes]:
    """Packets with a TTL of 1 and, but for the first, right checksums; ids count up from 100."""
    quote = struct.pack("!BBHI", *TIME_EXCEEDED, 0, 0) + good
    error = _changed(good[:IPV4_BYTES], 9, bytes([socket.IPPROTO_ICMP])) + quote
    changes = [
        (good, 0, b"\x44"),  # a header of 16 bytes
        (good, 2, struct.pack("!H", 1000)),  # longer than its frame
        (good, 6, struct.pack("!H", 1)),  # a later fragment
        (good, 12, bytes(4)),  # from nobody
        (good, 12, socket.inet_aton("192.0.2.1")),  # from no host of the fabric
        (good, 16, socket.inet_aton("224.0.0.5")),  # to many
        (error, 2, struct.pack("!H", len(error))),  # an ICMP error
    ]
    return [
        _changed(_changed(good, 4, struct.pack("!H", 100)), 10, b"\0\0"),
        *(
            _with_checksum(_changed(_changed(sent, 4, struct.pack("!H", ident)), at, value))
            for ident, (sent, at, value) in enumerate(changes, 101)
        ),
    ]


def _changed(sent: bytes, at: int, value: bytes) -> bytes:
    return sent[:at] + value + sent[at + len(value) :]


def _with_checksum(sent: bytes) -> bytes:
    blank = _changed(sent, 10, b"\0\0")
    total = sum(struct.unpack_from("!10H", blank))
    while total > 0xFFFF:
        total = (total >> 16) + (total & 0xFFFF)
    return _changed(blank, 10, struct.pack("!H", ~total & 0xFFFF))


def _frame(host: HostPlace, sent: bytes) -> bytes:
    assert len(sent) >= IPV4_BYTES
    return _GATEWAY_MAC + mac_of(host) + b"\x08\x00" + sent


def _expired(fabric: Fabric) -> dict[str, int]:
    return fabric.controller.packets()["expired"]
