"""Guests behind hosts' ports that migrate, swap their ports, or start elsewhere, and hosts whose
ports get other numbers."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from ipaddress import IPv4Address

from evenweave_testbed.guests import Guest
from evenweave_testbed.openvswitch import run
from evenweave_testbed.soak.acts.act import Act, ActError, Site
from evenweave_testbed.soak.faults import Fault
from evenweave_topos.topologies import HostPlace, interface_name

_FIRST_NUMBER = 200
_PERIOD_S = 0.02
_POLL_S = 0.05
_SETTLED_PACKETS = 10
_TIMEOUT_S = 60.0
# RFC 5227: three probes, one to two seconds between them, and two until the address is used.
_PROBES, _PROBE_PAUSE_S, _WAIT_S = 3, 1.0, 2.0


class _Traffic:
    """Numbered packets from one guest to another, 50 a second."""

    def __init__(self, sender: Guest, receiver: Guest) -> None:
        self._sender, self._receiver = sender, receiver
        self.sent = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._ended.wait(_PERIOD_S):
            self._sender.send(self._receiver.address, self.sent.to_bytes(4, "big"))
            self.sent += 1

    def close(self) -> None:
        self._ended.set()
        self._thread.join()

    def arrived(self) -> set[int]:
        return {int.from_bytes(payload[:4], "big") for payload in self._receiver.received[:]}


class Guests(Act):
    """Guests at the ports of a switch, and one elsewhere that sends to them all the time. A move
    counts as noticed when all of them receive packets again; no event reports it."""

    # A silent host is asked after 2 s, and answers within 0.75 s or is searched for.
    detect_s = 15.0
    clear_s = 60.0

    def __init__(self, site: Site, fault: Fault) -> None:
        super().__init__(site, fault)
        names = fault.detail.split()
        by_name = {host.name: host for host in site.world.hosts}
        self.places: list[HostPlace] = [by_name[name] for name in names]
        self._peer_place = self._elsewhere()
        self.guests: list[Guest] = []
        self._traffic: list[_Traffic] = []
        self._first: list[int] = []
        self._reached: dict[int, int] = {}
        self._undo = ExitStack()

    def _elsewhere(self) -> HostPlace:
        """A host's port from which packets reach these."""
        reachable = self.site.world.reachable()
        for host in self.site.world.hosts:
            if (host.name, self.places[0].name) in reachable and host.switch != self.places[
                0
            ].switch:
                return host
        raise ActError("no host reaches the guests")

    def settle(self, places: Sequence[HostPlace]) -> None:
        """Starts a guest at each place, and waits until packets come to all of them."""
        peer = self._guest(self._peer_place, _FIRST_NUMBER)
        for number, place in enumerate(places, _FIRST_NUMBER + 1):
            self.guests.append(self._guest(place, number))
        for guest in (peer, *self.guests):
            guest.announce()
        for guest in self.guests:
            traffic = _Traffic(peer, guest)
            self._undo.callback(traffic.close)
            self._traffic.append(traffic)
        deadline = time.monotonic() + _TIMEOUT_S
        while any(len(traffic.arrived()) < _SETTLED_PACKETS for traffic in self._traffic):
            if time.monotonic() > deadline:
                raise ActError("packets to guests that have announced themselves do not arrive")
            time.sleep(_POLL_S)

    def _guest(self, place: HostPlace, number: int) -> Guest:
        address = IPv4Address(int(place.gateway) - 1 + number)
        guest = Guest(self.site.fabric, place, f"02:00:00:00:01:{number:02x}", address)
        self._undo.enter_context(guest)
        guest.turn(True)
        return guest

    def starts_now(self) -> None:
        super().starts_now()
        self._first = [traffic.sent for traffic in self._traffic]

    def named_us(self, events: Iterable[Mapping]) -> int | None:
        del events
        for index, traffic in enumerate(self._traffic):
            later = {n for n in traffic.arrived() if n > self._first[index]}
            if later and index not in self._reached:
                self._reached[index] = min(later)
        if len(self._reached) < len(self._traffic):
            return None
        waited = max(self._reached[i] - self._first[i] for i in self._reached)
        return self.began_us + round(waited * _PERIOD_S * 1e6)

    def lost(self) -> int:
        return sum(
            self._reached.get(index, traffic.sent) - self._first[index]
            for index, traffic in enumerate(self._traffic)
            if self._first
        )

    def end(self) -> None:
        for guest in self.guests:
            guest.turn(False)
        self._undo.close()

    def reason(self) -> str:
        return "a guest"  # There is nothing to say.

    def is_over(self) -> bool:
        hosts = {str(host.address) for host in self.site.world.hosts}
        known = self.site.fabric.controller.topology()["hosts"]
        return {host["address"] for host in known} <= hosts


class Migration(Guests):
    """A guest is at another port of its switch, and QEMU announces it by RARP; it says nothing."""

    detect_s = 5.0

    def begin(self) -> None:
        before, after = self.places
        self.settle([before])
        self.starts_now()
        self.guests[0].move(after)
        self.guests[0].announce_by_rarp()


class Swap(Guests):
    """Two guests swap their ports at once and do not announce it."""

    def begin(self) -> None:
        one, other = self.places
        self.settle([one, other])
        self.starts_now()
        self.guests[0].move(other)
        self.guests[1].move(one)


class Restart(Guests):
    """A guest is shut down, starts at another port, and asks whether its address is free before it
    uses it."""

    def begin(self) -> None:
        before, after = self.places
        self.settle([before])
        guest = self.guests[0]
        guest.turn(False)
        guest.move(after)
        for _ in range(_PROBES):
            guest.probe()
            time.sleep(_PROBE_PAUSE_S)
        time.sleep(_WAIT_S)
        self.starts_now()
        guest.turn(True)
        guest.announce()

    def wrong(self) -> list[str]:
        told = self.guests[0].told if self.guests else []
        return ["a guest was told that its own address is in use"] if told else []


class Renumbering(Act):
    """The ports of two hosts swap their numbers, as a hypervisor's may when it starts anew."""

    detect_s = 15.0

    def __init__(self, site: Site, fault: Fault) -> None:
        super().__init__(site, fault)
        by_name = {host.name: host for host in site.world.hosts}
        one, other = fault.detail.split()
        self._one, self._other = by_name[one], by_name[other]

    def _number(self, one: int, other: int) -> None:
        numbers = {
            interface_name(self._one.switch, self._one.port): one,
            interface_name(self._other.switch, self._other.port): other,
        }
        command: list[str] = []
        for interface, number in numbers.items():
            command += ["--", "set", "interface", interface, f"ofport_request={number}"]
        run("ovs-vsctl", *command[1:])

    def _are_at(self, one: int, other: int) -> bool:
        known = self.site.fabric.controller.topology()["hosts"]
        ports = {host["address"]: host["port"] for host in known}
        return (ports.get(str(self._one.address)), ports.get(str(self._other.address))) == (
            one,
            other,
        )

    def begin(self) -> None:
        self.starts_now()
        self._number(self._other.port, self._one.port)

    def named_us(self, events: Iterable[Mapping]) -> int | None:
        del events
        is_named = self._are_at(self._other.port, self._one.port)
        return time.time_ns() // 1000 if is_named else None

    def end(self) -> None:
        self._number(self._one.port, self._other.port)

    def is_over(self) -> bool:
        return self._are_at(self._one.port, self._other.port)

    def reason(self) -> str:
        return "a guest"
