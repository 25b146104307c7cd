"""Guests that start at another port, migrate, swap their ports, share one, and send what a router
does not forward (docs/reference/hosts.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from ipaddress import IPv4Address

import pytest
from waiting import eventually

from evenweave_testbed.connections import connect_all
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import spread
from evenweave_testbed.guests import Guest
from evenweave_testbed.linux_guests import LinuxGuest
from evenweave_testbed.openvswitch import run
from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_topos.topologies import HostPlace, interface_name

pytestmark = pytest.mark.fabric

_PORT = 6001
_LEAF = "s1-0"


def _places(fabric: Fabric) -> dict[str, tuple[str, int]]:
    hosts = fabric.controller.topology()["hosts"]
    return {host["address"]: (host["switch"], host["port"]) for host in hosts}


@pytest.fixture
def guest(fabric: Fabric) -> Iterator[Callable]:
    """Makes guests: guest(place, number) has the prefix's address of that number, and is on."""
    with ExitStack() as stack:

        def make(place: HostPlace, number: int) -> Guest:
            address = IPv4Address(int(place.gateway) - 1 + number)
            made = Guest(fabric, place, f"02:00:00:00:01:{number:02x}", address)
            stack.enter_context(made)
            made.turn(True)
            return made

        yield make
    hosts = {str(host.address) for host in fabric.hosts}
    eventually(lambda: _places(fabric).keys() <= hosts, lambda: _places(fabric))
    fabric.ready()


def _is_at(fabric: Fabric, guest: Guest, place: HostPlace) -> Callable[[], bool]:
    return lambda: _places(fabric).get(str(guest.address)) == (place.switch, place.port)


def _reaches(sender: Guest, receiver: Guest, payload: bytes) -> None:
    """Waits until a packet has come; one that came too early for the tables is sent again."""

    def came() -> bool:
        sender.send(receiver.address, payload)
        return payload in receiver.received

    eventually(came, f"{payload!r} from {sender.address} to {receiver.address}")


def test_a_guest_that_starts_at_another_port_is_not_told_that_its_address_is_in_use(fabric, guest):
    before, after = fabric.hosts_of(_LEAF)[:2]
    peer = guest(fabric.hosts_of("s1-2")[0], 201)
    moved = guest(before, 200)
    moved.announce()
    eventually(_is_at(fabric, moved, before), lambda: _places(fabric))
    moved.turn(False)
    moved.move(after)
    moved.probe()
    eventually(_is_at(fabric, moved, after), lambda: _places(fabric))
    assert moved.told == []
    moved.turn(True)
    peer.announce()
    _reaches(peer, moved, b"started")


@pytest.mark.extended
def test_a_guest_that_wants_a_neighbours_address_is_told_that_it_is_in_use(fabric, guest):
    neighbour, place = fabric.hosts_of(_LEAF)[:2]
    thief = guest(place, 200)
    thief.turn(False)
    thief.address = neighbour.address

    def told() -> bool:
        thief.probe()
        return bool(thief.told)

    eventually(told, "answer to the probe", poll_s=1)
    assert set(thief.told) == {bytes.fromhex("024556570001")}
    assert _places(fabric)[str(neighbour.address)] == (neighbour.switch, neighbour.port)


@pytest.mark.extended
def test_a_silent_guest_that_rarp_announces_is_reached_at_its_new_port(fabric, guest):
    before, after = fabric.hosts_of(_LEAF)[:2]
    peer = guest(fabric.hosts_of("s1-2")[0], 201)
    migrated = guest(before, 200)
    for each in (peer, migrated):
        each.announce()
    eventually(_is_at(fabric, migrated, before), lambda: _places(fabric))
    migrated.move(after)
    migrated.announce_by_rarp()
    eventually(_is_at(fabric, migrated, after), lambda: _places(fabric))
    _reaches(peer, migrated, b"migrated")


@pytest.mark.extended
def test_silent_guests_whose_ports_are_swapped_are_found(fabric, guest):
    one_place, other_place = fabric.hosts_of(_LEAF)[:2]
    one, other = guest(one_place, 200), guest(other_place, 201)
    for each in (one, other):
        each.announce()
    eventually(_is_at(fabric, one, one_place), lambda: _places(fabric))
    eventually(_is_at(fabric, other, other_place), lambda: _places(fabric))
    one.move(other_place)
    other.move(one_place)
    eventually(_is_at(fabric, one, other_place), lambda: _places(fabric))
    eventually(_is_at(fabric, other, one_place), lambda: _places(fabric))
    _reaches(one, other, b"swapped")


@pytest.mark.extended
def test_hosts_whose_ports_change_numbers_are_found(fabric):
    one, other = fabric.hosts_of(_LEAF)[:2]
    peer = fabric.hosts_of("s1-2")[0]

    def renumber(first: int, second: int) -> None:
        ports = {interface_name(one.switch, one.port): first}
        ports[interface_name(other.switch, other.port)] = second
        commands = [
            word
            for name, number in ports.items()
            for word in ("--", "set", "interface", name, f"ofport_request={number}")
        ]
        run("ovs-vsctl", "--no-wait", *commands[1:])

    def swapped() -> bool:
        places = _places(fabric)
        return places.get(str(one.address)) == (one.switch, other.port) and places.get(
            str(other.address)
        ) == (other.switch, one.port)

    try:
        renumber(other.port, one.port)
        eventually(swapped, lambda: _places(fabric))
        fabric.controller.wait(lambda s: s["confirmed"], "confirmation", EVENT_LIMIT_S)
        fabric.ovs.wait_for_datapath()
        assert not connect_all(fabric, spread([peer], [one, other], 4, _PORT))
    finally:
        renumber(one.port, other.port)
        fabric.ready()


@pytest.mark.extended
def test_guests_behind_one_port_reach_each_other_through_their_gateway(fabric, guest):
    place = fabric.hosts_of(_LEAF)[0]
    one, other = guest(place, 200), guest(place, 201)
    _reaches(one, other, b"there")
    _reaches(other, one, b"and back")
    assert fabric.controller.verification()["ok"]


@pytest.mark.extended
def test_linux_guests_behind_a_vepa_bridge_reach_each_other_and_the_others(fabric):
    place, far = fabric.hosts_of(_LEAF)[0], fabric.hosts_of("s1-2")[0]
    first = int(place.gateway) - 1 + 200
    with ExitStack() as stack:
        guests = [LinuxGuest(fabric, place, IPv4Address(first + number)) for number in range(2)]
        for guest in guests:
            stack.callback(guest.close)
        one, other = guests
        eventually(lambda: one.reaches(other.address), "answer of the other guest")
        eventually(lambda: other.reaches(one.address), "answer of the first guest")
        eventually(lambda: one.reaches(far.address), "answer of a host elsewhere")
        assert fabric.controller.verification()["ok"]
        # Known at one port both, and no packet between them is lost.
        assert all(one.reaches(other.address) for _ in range(5))
    fabric.ready()


@pytest.mark.extended
def test_addresses_that_no_host_has_are_not_learned(fabric, guest):
    place = fabric.hosts_of(_LEAF)[0]
    since = fabric.controller.last_sequence()
    liar = guest(place, 200)
    network = int(place.gateway) - 1
    nobodys = [IPv4Address(network + number) for number in (0, 1, 255)]
    for address in nobodys:
        liar.claim(address)
    liar.announce()
    eventually(_is_at(fabric, liar, place), lambda: _places(fabric))
    assert not _places(fabric).keys() & {str(address) for address in nobodys}
    claims = [e for e in fabric.controller.events(since) if e["kind"] == "gateway-claimed"]
    assert [claim["subject"] for claim in claims] == [
        f"the gateway's address {place.gateway} is claimed by 02:00:00:00:01:C8 at "
        f"{place.switch}/{place.port}"
    ]


@pytest.mark.extended
def test_what_a_router_does_not_forward_is_dropped(fabric, guest):
    sender_place, receiver_place = fabric.hosts_of(_LEAF)[:2]
    sender, receiver = guest(sender_place, 200), guest(receiver_place, 201)
    for each in (sender, receiver):
        each.announce()
    _reaches(sender, receiver, b"before")
    to = receiver.address
    for mac in ("0a:00:00:00:00:01", "ff:ff:ff:ff:ff:ff", "01:80:c2:00:00:00"):
        sender.send(to, b"wrong", mac=mac)
    for source in ("127.0.0.1", "224.0.0.5", "240.0.0.1", "255.255.255.255", "0.0.0.0", str(to)):
        sender.send(to, b"wrong", source=IPv4Address(source))
    sender.send(to, b"wrong", source_mac=b"\x03" + sender.mac[1:])
    for vlan in (0, 10, 4095):
        sender.send(to, b"wrong", vlan=vlan)
    # What comes by the same way behind them.
    _reaches(sender, receiver, b"after")
    assert b"wrong" not in receiver.received
    assert fabric.controller.verification()["ok"]
