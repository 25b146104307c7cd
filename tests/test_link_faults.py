"""Ports that may not forward, and links that are neither up nor down."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator

import pytest
from runtimes import command_of
from waiting import eventually

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import spread
from evenweave_testbed.grey.wires import no_wires
from evenweave_testbed.interfaces import network_namespace_of
from evenweave_testbed.loss import ProbeStream
from evenweave_testbed.openvswitch import OPENFLOW, run
from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_topos.fabric_file import IMBALANCED_3X3, Link, load
from evenweave_topos.topologies import HostPlace

pytestmark = pytest.mark.fabric

_FLOWS = 256
_PORT = 6701
_SMALL_MTU, _LARGE_BYTES, _LARGE_PACKETS = 1200, 1400, 20
_LOSS = 0.1
# Some 3 Mb/s over each of four links, one of which carries a tenth of that in one direction; a
# sender that is kept from its core sends less, but not that little.
_LARGE_PPS, _SLOW_BPS = 1000, 300_000
# A link is clean after three minutes.
_CLEAN_LIMIT_S = 180 + EVENT_LIMIT_S
needs_wires = pytest.mark.skipif(no_wires() is not None, reason=str(no_wires()))


@pytest.fixture(scope="module")
def grey(live_fabric, runtime) -> Iterator[Fabric]:
    """The fabric of Figure 3.2 whose links have a middle, with each of the controllers."""
    live_fabric.close()
    spec, command = load(IMBALANCED_3X3), command_of(runtime)
    with Fabric(spec, controller_command=command, middles=True) as fabric:
        fabric.ready()
        yield fabric


@contextlib.contextmanager
def port_set(fabric: Fabric, switch: str, port: int, setting: str, undo: str) -> Iterator[None]:
    """A port configured by somebody else, as an operator would."""
    run("ovs-ofctl", "-O", OPENFLOW, "mod-port", switch, str(port), setting)
    try:
        yield
    finally:
        run("ovs-ofctl", "-O", OPENFLOW, "mod-port", switch, str(port), undo)


def converge(fabric: Fabric, limit_s: float = EVENT_LIMIT_S) -> None:
    fabric.controller.wait(lambda s: s["converged"], "convergence", limit_s)


def arrived(fabric: Fabric, source: HostPlace, destination: HostPlace) -> int:
    """How many of some large datagrams from one host come to another."""
    with network_namespace_of(fabric.pid(destination)):
        sink = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    with network_namespace_of(fabric.pid(source)):
        sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    with sink, sender:
        sink.bind((str(destination.address), _PORT))
        sink.settimeout(EVENT_LIMIT_S)
        # One after the other, lest a buffer overflows; the last ones are lost if any are.
        for number in range(_LARGE_PACKETS):
            sender.sendto(bytes(_LARGE_BYTES), (str(destination.address), _PORT))
            if len(sink.recv(_LARGE_BYTES)) < _LARGE_BYTES:
                return number
    return _LARGE_PACKETS


def subjects(fabric: Fabric, kind: str, since: int) -> list[str]:
    return [e["subject"] for e in fabric.controller.events(since) if e["kind"] == kind]


def reported(fabric: Fabric, reason: str) -> None:
    """Waits until this is the only reason why the fabric has not converged."""
    fabric.controller.wait(
        lambda s: s["confirmed"] and s["reasons"] == [reason], reason, EVENT_LIMIT_S
    )


def uses(fabric: Fabric, link: Link) -> bool:
    """Whether the S1 switch of a link sends anything by it."""
    return any(
        bucket.port == link.a.port
        for group in fabric.groups(link.a.switch)
        for bucket in group.buckets
    )


@pytest.mark.core_cases(1)
@pytest.mark.parametrize(
    ("setting", "undo", "restriction"),
    [
        ("no-forward", "forward", "may not forward (OFPPC_NO_FWD)"),
        ("no-receive", "receive", "may not receive (OFPPC_NO_RECV)"),
    ],
)
def test_a_links_port_that_may_not_forward_or_receive_is_down_by_its_own_report(
    fabric, setting, undo, restriction
):
    link, since = fabric.spec.links[1], fabric.controller.last_sequence()
    with port_set(fabric, link.b.switch, link.b.port, setting, undo):
        # Found by missing probes it would be another reason.
        reported(fabric, f"link {link} is down: port {link.b} {restriction}")
        assert subjects(fabric, "port-settings", since) == [f"{link.b} {restriction}"]
        assert not uses(fabric, link)
    converge(fabric)
    assert uses(fabric, link)
    assert subjects(fabric, "port-settings", since)[1:] == [
        f"{link.b} may forward and receive again"
    ]


@pytest.mark.extended
def test_a_hosts_port_that_may_not_forward_degrades_the_fabric(fabric):
    host = fabric.hosts_of("s1-2")[0]
    with port_set(fabric, host.switch, host.port, "no-forward", "forward"):
        reported(fabric, f"port {host.switch}/{host.port} may not forward (OFPPC_NO_FWD)")
        listed = fabric.controller.links()["ports"]
        assert listed == [{"port": f"{host.switch}/{host.port}", "settings": ["NO_FWD"]}]
    converge(fabric)
    fabric.ready()


@needs_wires
def test_a_link_whose_mtu_is_too_small_is_named_and_avoided(grey):
    link, since = grey.spec.links[1], grey.controller.last_sequence()
    grey.wire(str(link.a), str(link.b)).limit(_SMALL_MTU)
    reported(
        grey,
        f"link {link} has too small an MTU: packets of 1500 bytes do not pass from {link.a} to "
        f"{link.b}, and small ones do; it carries no traffic",
    )
    assert not uses(grey, link)
    for source in grey.hosts_of("s1-0"):
        for destination in grey.hosts_of("s1-2"):
            assert arrived(grey, source, destination) == _LARGE_PACKETS
    grey.wire(str(link.a), str(link.b)).limit(0)
    converge(grey)
    assert uses(grey, link)
    assert len(subjects(grey, "mtu-too-small", since)) == 1
    assert len(subjects(grey, "mtu-restored", since)) == 1


@pytest.mark.extended
@needs_wires
def test_a_link_that_loses_packets_is_reported_and_excluded_and_returns(grey):
    link, since = grey.spec.links[1], grey.controller.last_sequence()
    start = f"link {link} is lossy: {link.b} to {link.a} loses about "
    flows = spread(grey.hosts_of("s1-2"), grey.hosts_of("s1-0"), _FLOWS, _PORT)
    with ProbeStream(grey, flows):
        grey.wire(str(link.b), str(link.a)).lose(_LOSS)
        status = grey.controller.wait(
            lambda s: any(reason.startswith(start) for reason in s["reasons"]),
            start,
            EVENT_LIMIT_S,
        )
        assert len(status["reasons"]) == 1
        assert status["state"] == "degraded"
        assert uses(grey, link)
        whole = grey.controller.configuration()
        grey.controller.put_configuration(whole | {"lossyLinks": "exclude"})
        eventually(
            lambda: grey.controller.topology()["avoidedLinks"] == [str(link)],
            grey.controller.topology,
        )
        grey.controller.wait(lambda s: s["confirmed"], "confirmation", EVENT_LIMIT_S)
        assert not uses(grey, link)
    with ProbeStream(grey, flows) as stream:
        eventually(lambda: stream.sent() > _FLOWS, "probes")
    assert stream.result.lost_at == ()
    grey.wire(str(link.b), str(link.a)).lose(0)
    converge(grey, _CLEAN_LIMIT_S)
    assert uses(grey, link)
    grey.controller.put_configuration(whole)
    converge(grey)
    lossy = subjects(grey, "link-lossy", since)
    assert [subject.split(" loses")[0] for subject in lossy] == [f"{link}: {link.b} to {link.a}"]
    assert subjects(grey, "link-clean", since) == [f"{link}: {link.b} to {link.a} loses nothing"]


@pytest.mark.extended
@needs_wires
def test_a_direction_that_delays_packets_is_reported_as_slow(grey):
    link, since = grey.spec.links[1], grey.controller.last_sequence()
    start = f"link {link} is slow: {link.b} to {link.a} delays packets by about 400 ms since "
    grey.wire(str(link.b), str(link.a)).delay(0.4)
    status = grey.controller.wait(
        lambda s: any(reason.startswith(start) for reason in s["reasons"]), start, EVENT_LIMIT_S
    )
    assert len(status["reasons"]) == 1
    (listed,) = [one for one in grey.controller.links()["links"] if one["link"] == str(link)]
    assert (listed["slow"], listed["lossy"]) == (True, False)
    assert uses(grey, link)
    grey.wire(str(link.b), str(link.a)).delay(0)
    converge(grey, _CLEAN_LIMIT_S)
    slow = subjects(grey, "link-slow", since)
    assert [subject.split(" by ")[0] for subject in slow] == [
        f"{link}: {link.b} to {link.a} delays packets"
    ]
    assert subjects(grey, "link-clean", since) == [f"{link}: {link.b} to {link.a} delays nothing"]


@pytest.mark.extended
@needs_wires
@pytest.mark.parametrize("runtime", ["embedded"], indirect=True)
def test_a_direction_with_a_tenth_of_its_rate_is_named_once_it_is_needed(grey):
    link, since = grey.spec.links[1], grey.controller.last_sequence()
    lossy = f"{link}: {link.b} to {link.a} loses about "
    flows = spread(grey.hosts_of("s1-2"), grey.hosts_of("s1-0"), _FLOWS, _PORT)
    grey.wire(str(link.b), str(link.a)).slow(_SLOW_BPS)
    with ProbeStream(grey, flows, _LARGE_PPS, large_every=1):
        eventually(
            lambda: any(s.startswith(lossy) for s in subjects(grey, "link-lossy", since)),
            grey.controller.status,
        )
    grey.wire(str(link.b), str(link.a)).slow(0)
    converge(grey, 2 * _CLEAN_LIMIT_S)
