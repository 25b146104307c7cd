"""What ONOS does by itself about the same failures: host-to-host intents, no application at all.

An intent for every pair of hosts on different switches, which ONOS compiles to rules along one
shortest path and compiles again when a link of that path fails. It is ONOS's only mechanism that
reacts to failures at once and by itself; the reactive application (fwd) waits for packets of each
flow. Intents forward by MAC address, so the hosts are put into one subnet, with static ARP entries
for each other.
"""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable
from itertools import combinations

from evenweave_bench.failover.failures import (
    AFTER_S,
    BEFORE_S,
    PROBE_RATE_PPS,
    FailoverError,
    flows_between_all,
    outage_ms,
)
from evenweave_bench.failover.samples import Sample
from evenweave_bench.failover.switch_log import SwitchLog, changes, confirmed_at, refused
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import Flow
from evenweave_testbed.interfaces import network_namespace_of
from evenweave_testbed.loss import ProbeStream
from evenweave_testbed.onos.rest import OnosRest
from evenweave_testbed.openvswitch import run
from evenweave_topos.fabric_file import Link

_TIMEOUT_S = 60.0
_POLL_S = 0.2
_SUBNET_BITS = 8
# An unused address of the hosts' subnet: an ARP request for it shows where its sender is.
_NOBODY = "10.255.255.254"
_DISCARD_PORT = 9
_OPENFLOW = "org.onosproject.openflow"  # requires those that discover links and hosts
_FORWARDS = re.compile(r"dl_dst=.* actions=.*?output:\"?(\d+)")


def measure(
    fabric: Fabric, rest: OnosRest, count: int, done: Callable[[float], None]
) -> list[Sample]:
    """Fails `count` links that carry intents, in the fabric's order and over again.

    Raises FailoverError if ONOS does not get there, or a link's failure changes no rule.
    """
    _prepare(fabric, rest)
    flows = flows_between_all(fabric)
    samples: list[Sample] = []
    index = -1
    for number in range(count):
        index = _next_in_use(fabric, index)
        samples.append(_fail(fabric, rest, fabric.spec.links[index], flows))
        done((number + 1) / count)
    return samples


def discover(fabric: Fabric, rest: OnosRest) -> None:
    """Has an ONOS without Evenweave, which is shipped without any active application, speak
    OpenFlow; waits until it has the topology."""
    _until(lambda: rest.is_installed(_OPENFLOW), f"{_OPENFLOW} in ONOS")
    rest.activate(_OPENFLOW)
    wait_for_topology(fabric, rest)


def wait_for_topology(fabric: Fabric, rest: OnosRest) -> None:
    """Waits until ONOS has all switches and both directions of all links."""
    devices, links = len(fabric.spec.switches), 2 * len(fabric.spec.links)
    _until(
        lambda: rest.has_topology(devices, links), f"{devices} devices and {links} links in ONOS"
    )


def _prepare(fabric: Fabric, rest: OnosRest) -> None:
    discover(fabric, rest)
    for host in fabric.hosts:
        interface = f"{host.name}-eth0"
        commands = [
            f"ip address flush dev {interface}",
            f"ip address add {host.address}/{_SUBNET_BITS} dev {interface}",
        ]
        commands += [
            f"ip neighbour replace {other.address} lladdr {other.mac} dev {interface}"
            for other in fabric.hosts
            if other is not host
        ]
        done = fabric.run(host, "sh", "-ec", "; ".join(commands))
        if done.returncode != 0:
            raise FailoverError(f"{host.name}: {done.stderr.strip()}")
    _until(lambda: _all_known(fabric, rest), "hosts in ONOS")
    for one, two in combinations(fabric.hosts, 2):
        if one.switch != two.switch:
            rest.add_intent({"type": "HostToHostIntent", "one": _id(one.mac), "two": _id(two.mac)})
    _until(lambda: _all_installed(rest), "installation of all intents")


def _all_known(fabric: Fabric, rest: OnosRest) -> bool:
    known = {host["mac"].lower() for host in rest.get("/v1/hosts")["hosts"]}
    silent = [host for host in fabric.hosts if host.mac not in known]
    for host in silent:
        with (
            network_namespace_of(fabric.pid(host)),
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams,
        ):
            datagrams.sendto(b"", (_NOBODY, _DISCARD_PORT))
    return not silent


def _all_installed(rest: OnosRest) -> bool:
    intents = rest.get("/v1/intents")["intents"]
    return all(intent["state"] == "INSTALLED" for intent in intents)


def _id(mac: str) -> str:
    """A host without a VLAN, as ONOS names it."""
    return f"{mac.upper()}/None"


def _next_in_use(fabric: Fabric, index: int) -> int:
    """The index of the next link after `index`, around the corner too, that carries an intent."""
    used = set()
    for switch in fabric.spec.switches:
        rules = run("ovs-ofctl", "-O", "OpenFlow13", "--no-stats", "dump-flows", switch.id)
        used |= {f"{switch.id}/{port}" for port in _FORWARDS.findall(rules)}
    count = len(fabric.spec.links)
    for following in range(index + 1, index + 1 + count):
        link = fabric.spec.links[following % count]
        if used & {str(link.a), str(link.b)}:
            return following % count
    raise FailoverError("no link carries an intent")


def _fail(fabric: Fabric, rest: OnosRest, link: Link, flows: list[Flow]) -> Sample:
    stream = ProbeStream(fabric, flows, PROBE_RATE_PPS)
    switches = [s.id for s in fabric.spec.switches]
    with SwitchLog(fabric.ovs.sockets, switches) as log, stream:
        time.sleep(BEFORE_S)
        at = fabric.cut(str(link))
        time.sleep(AFTER_S)
        _until(lambda: _all_installed(rest), "installation of all intents after a failure")
    confirmed = confirmed_at(log.messages, at)
    if confirmed is None:
        raise FailoverError(f"{link} carried intents, but no rule was changed when it failed")
    answer = changes(log.messages, at)
    fabric.heal(str(link))
    wait_for_topology(fabric, rest)
    return Sample(
        link=str(link),
        confirmed_ms=(confirmed - at) / 1000,
        last_change_ms=(answer[-1].at - at) / 1000,
        outage_ms=outage_ms(stream.result, at),
        lost=stream.result.lost_from(at),
        sent=stream.result.sent,
        changed=len(answer),
        refused=refused(log.messages, at),
    )


def _until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + _TIMEOUT_S
    while not condition():
        if time.monotonic() > deadline:
            raise FailoverError(f"no {what} within {_TIMEOUT_S:g} s")
        time.sleep(_POLL_S)
