"""Which pairs of hosts may lose packets after a fault, and for how long, because no switch can know
of it.

- A port without carrier is skipped by its own switch as soon as that has noticed, so from then on
  only packets may be lost that reach a switch which has no other port for them (*dead ends*): the
  switches before it learn of that from the controller.
- What no switch notices (a link that is silent, a switch that forwards nothing any more, rules that
  somebody deleted) costs those packets that would have crossed it.
- A host's port that goes down costs what is sent to that host or by it, nothing else.
- Several faults at once: while one is answered, packets may be led to another that is not known
  yet, so any pair may lose.
- Anything else (a link comes up, a controller or a session restarts, another configuration)
  costs nothing, and nothing costs anything once it is confirmed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from evenweave_testbed.soak.faults import Category, Fault
from evenweave_testbed.soak.schedule import Step
from evenweave_testbed.soak.tables import Port, Tables, Walk, walk
from evenweave_testbed.soak.world import HostPair, World
from evenweave_topos.fabric_file import FabricSpec
from evenweave_topos.topologies import HostPlace

_LOSSY = (Category.CUT, Category.DRIFT)
_HOST_ONLY = "host-port-down"
_EVERYTHING = "all-switches-crash"


def may_lose_at_first(
    step: Step,
    spec: FabricSpec,
    hosts: Sequence[HostPlace],
    pairs: AbstractSet[HostPair],
    tables: Mapping[str, Tables],
) -> AbstractSet[HostPair]:
    """The pairs that may lose packets between a step's first fault and its confirmation; `tables`
    are those before the fault."""
    lossy = [f for f in step.faults if f.category in _LOSSY and f.kind != _HOST_ONLY]
    if not lossy:
        cut_off = {f.subject for f in step.faults if f.kind == _HOST_ONLY}
        return {pair for pair in pairs if cut_off & set(pair)}
    if len(step.faults) > 1 or lossy[0].kind == _EVERYTHING:
        return pairs
    touches = _touches(spec, lossy[0])
    return _pairs_of(hosts, lambda source, sink: _crosses(spec, tables, source, sink, touches))


def may_lose_later(
    step: Step,
    spec: FabricSpec,
    hosts: Sequence[HostPlace],
    pairs: AbstractSet[HostPair],
    tables: Mapping[str, Tables],
    world: World,
) -> AbstractSet[HostPair]:
    """The same of a single fault, once the switches next to it have noticed it; `world` is the one
    after the fault."""
    dead = world.dead_ports()

    def ends(source: HostPlace, sink: HostPlace) -> bool:
        return bool(_walk(spec, tables, source, sink, dead).dead_ends)

    allowed = _pairs_of(hosts, ends)
    return allowed & may_lose_at_first(step, spec, hosts, pairs, tables)


def _touches(spec: FabricSpec, fault: Fault) -> Callable[[AbstractSet[Port], set[str]], bool]:
    """Whether packets that leave by some ports, from one switch to another, meet a fault."""
    if fault.kind == "silent-link":
        switch, _, port = fault.detail.rpartition("/")
        return lambda ports, _switches: (switch, int(port)) in ports
    if fault.kind in ("link-down", "port-flap", "link-flaps"):
        link = spec.link(fault.subject)
        ends = {(end.switch, end.port) for end in (link.a, link.b)}
        return lambda ports, _switches: not ends.isdisjoint(ports)
    return lambda _ports, switches: fault.subject in switches


def _crosses(
    spec: FabricSpec,
    tables: Mapping[str, Tables],
    source: HostPlace,
    sink: HostPlace,
    touches: Callable[[AbstractSet[Port], set[str]], bool],
) -> bool:
    found = _walk(spec, tables, source, sink)
    return touches(found.ports, found.switches() | {source.switch, sink.switch})


def _walk(
    spec: FabricSpec,
    tables: Mapping[str, Tables],
    source: HostPlace,
    sink: HostPlace,
    dead: AbstractSet[Port] = frozenset(),
) -> Walk:
    (prefix,) = [str(s.prefix) for s in spec.subnets if sink.address in s.prefix]
    return walk(spec, tables, source.switch, prefix, dead)


def _pairs_of(
    hosts: Sequence[HostPlace], condition: Callable[[HostPlace, HostPlace], bool]
) -> set[HostPair]:
    """Pairs of hosts for whose switches a condition holds."""
    by_switches: dict[tuple[str, str], bool] = {}
    found = set()
    for source in hosts:
        for sink in hosts:
            if source is sink:
                continue
            key = (source.switch, sink.switch)
            if key not in by_switches:
                by_switches[key] = condition(source, sink)
            if by_switches[key]:
                found.add((source.name, sink.name))
    return found
