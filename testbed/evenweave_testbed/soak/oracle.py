"""The expected tables: the offline tools' result for the true state of the fabric."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack

from evenweave_testbed.processes import pipe
from evenweave_testbed.soak.detours import routed_around
from evenweave_testbed.soak.tables import ARP, DISCOVERY, Tables
from evenweave_testbed.soak.world import World

# An oversubscription is printed as the nearest double, and read as the decimal that was printed.
_ROUNDING = 1 + 1e-9
_MOST_SHOWN = 8


class OracleError(RuntimeError):
    """An offline tool ended, or reported an error."""


class Tool:
    """One of `evenweave`'s offline tools, which answers line by line."""

    def __init__(self, command: Sequence[str]) -> None:
        self._name = shlex.join(command)
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._requests, self._results = pipe(self._process.stdin), pipe(self._process.stdout)

    def run(self, request: dict) -> dict:
        try:
            self._requests.write(json.dumps(request) + "\n")
            self._requests.flush()
            result = self._results.readline()
        except OSError as error:
            raise OracleError(f"{self._name}: {error}") from error
        if not result:
            raise OracleError(f"{self._name} ended with status {self._process.wait()}")
        return json.loads(result)

    def close(self) -> None:
        self._requests.close()
        self._results.close()
        self._process.wait()


class Oracle:
    """`plan` and `verify`, for as long as the `with` around it."""

    def __init__(self, command: Sequence[str]) -> None:
        """`command` runs evenweave's offline tools when the name of one is added to it."""
        self._command = command
        self._plans: dict[str, dict] = {}
        self._undo = ExitStack()

    def __enter__(self) -> Oracle:
        self._plan, self._verify = (Tool([*self._command, name]) for name in ("plan", "verify"))
        self._undo.callback(self._plan.close)
        self._undo.callback(self._verify.close)
        return self

    def __exit__(self, *_exception: object) -> None:
        self._undo.close()

    def differences(
        self,
        world: World,
        trusted: Collection[str],
        found: Mapping[str, Tables],
        discovery_rules: bool = True,
    ) -> list[str]:
        """How the tables of the switches that a controller is in charge of differ from what they
        have to be; empty if they do not. `trusted` are switches that have lost the controller and
        are used anyway. `discovery_rules`: whether the rules for ARP and link discovery are
        those of the embedded controller too."""
        trusted = frozenset(trusted)
        fabric = world.fabric(trusted)
        if not fabric["switches"]:
            return []
        request = {"fabric": fabric, "strategy": world.strategy}
        plan = self._plan_of(request)
        wanted = _wanted(plan)
        detours = routed_around(world, trusted, found)
        judged = [s for s in wanted if s in world.connected()]
        differing = []
        for switch in judged:
            differing += _compare(switch, wanted[switch], found[switch], detours)
            differing += _host_rules(switch, world, found[switch])
            if discovery_rules:
                differing += _own_rules(switch, world, found[switch])
        state = {"switches": [found[s].to_json(s) for s in wanted if s in found]}
        differing += self._violations(request, state, plan["summary"], trusted, detours)
        differing += self._detoured(world, trusted, found, detours)
        return differing[:_MOST_SHOWN]

    def _detoured(
        self,
        world: World,
        trusted: frozenset[str],
        found: Mapping[str, Tables],
        detours: Mapping[str, frozenset[str]],
    ) -> list[str]:
        """Where packets to a prefix do not go around the switches that they have to. A switch
        without any other way may keep the rule it has."""
        differing = []
        for prefix, avoided in detours.items():
            fabric = world.fabric(trusted - avoided)
            plan = self._plan_of({"fabric": fabric, "strategy": world.strategy})
            for switch, tables in _wanted(plan).items():
                want = tables.routes.get(prefix)
                have = found[switch].routes.get(prefix)
                if switch in world.connected() and want and set(want) != set(have or ()):
                    differing.append(
                        f"{switch} sends {prefix} to {_text(have)}, not to {_text(want)}, "
                        f"around {', '.join(sorted(avoided))}"
                    )
        return differing

    def _plan_of(self, request: dict) -> dict:
        key = json.dumps(request)
        if key not in self._plans:
            result = self._plan.run(request)
            if "error" in result:
                raise OracleError(f"plan: {result['error']} in {key}")
            self._plans[key] = result
        return self._plans[key]

    def _violations(
        self,
        request: dict,
        state: dict,
        summary: Sequence[dict],
        trusted: Collection[str],
        detours: Collection[str],
    ) -> list[str]:
        """Loops, black holes and shares that are off, by `verify`; not that parts of the fabric
        have no link between them, which no rule can cure, nor the shares of switches that have
        lost the controller and cannot be re-weighted, or are routed around."""
        limit = max((part["oversubscription"] for part in summary), default=1.0) * _ROUNDING
        result = self._verify.run(request | {"state": state, "maxOversubscription": limit})
        if "error" in result:
            return [f"verify: {result['error']}"]
        return [
            f"verify: {v['kind']} at {v['switch']} to {v['destination']}: {v['detail']}"
            for v in result.get("violations", ())
            if v["kind"] != "unreachable"
            and not (
                v["kind"] == "share" and (v["switch"] in trusted or v["destination"] in detours)
            )
        ]


def _wanted(plan: dict) -> dict[str, Tables]:
    return {part["id"]: _tables(part) for part in plan["state"]["switches"]}


def _tables(part: dict) -> Tables:
    """A switch's part of a plan's state."""
    slots = {
        g["id"]: _count(g["ports"], g.get("weights") or [1] * len(g["ports"]))
        for g in part.get("groups", ())
    }
    routes: dict[str, Mapping[int, int] | None] = {}
    for flow in part["flows"]:
        if flow["match"] == ARP:
            continue
        kind, _, number = flow["action"].rpartition(",")[2].partition(":")
        if kind == "group":
            routes[flow["match"]] = slots[int(number)]
        else:
            routes[flow["match"]] = {int(number): 1} if kind == "output" else None
    return Tables({}, routes)


def _count(ports: Sequence[int], weights: Sequence[int]) -> dict[int, int]:
    slots: dict[int, int] = {}
    for port, weight in zip(ports, weights, strict=True):
        slots[port] = slots.get(port, 0) + weight
    return slots


def _compare(
    switch: str, wanted: Tables, found: Tables, detours: Collection[str] = ()
) -> list[str]:
    """Where routes are not as planned, but to prefixes with detours. Ports of equal weight may
    share the slots that are left over in any way, so each may have one more or less; `verify` then
    judges the shares."""
    differing = []
    for prefix in sorted((wanted.routes.keys() | found.routes.keys()) - set(detours)):
        if prefix not in found.routes:
            differing.append(f"{switch} has no rule for {prefix}")
        elif prefix not in wanted.routes:
            differing.append(f"{switch} has a rule for {prefix} that it should not have")
        elif not _alike(wanted.routes[prefix], found.routes[prefix]):
            want, have = wanted.routes[prefix], found.routes[prefix]
            differing.append(f"{switch} sends {prefix} to {_text(have)}, not to {_text(want)}")
    for unused in found.unused_groups():
        differing.append(f"{switch} has group {unused} that no rule uses")
    for group in found.groups.values():
        if any(bucket.watch_port != bucket.port for bucket in group.buckets):
            differing.append(f"{switch} has group {group.id} with a bucket that watches no port")
        if group.kind != "select":
            differing.append(f"{switch} has group {group.id} of type {group.kind}")
    return differing


def _alike(wanted: Mapping[int, int] | None, found: Mapping[int, int] | None) -> bool:
    if wanted is None or found is None:
        return wanted is found
    return (
        wanted.keys() == found.keys()
        and sum(wanted.values()) == sum(found.values())
        and all(abs(wanted[port] - found[port]) <= 1 for port in wanted)
    )


def _text(slots: Mapping[int, int] | None) -> str:
    if slots is None:
        return "the controller"
    return "ports " + ", ".join(f"{p} ({n} slots)" for p, n in sorted(slots.items()))


def _host_rules(switch: str, world: World, found: Tables) -> list[str]:
    """Hosts whose ports are up must be delivered to; all of them have spoken."""
    return [
        f"{switch} delivers {host.address} to {found.hosts.get(str(host.address))}, "
        f"not to port {host.port}"
        for host in world.hosts
        if host.switch == switch
        and switch not in world.excluded_switches
        and host.name not in world.hosts_down
        and found.hosts.get(str(host.address)) != host.port
    ]


def _own_rules(switch: str, world: World, found: Tables) -> list[str]:
    """What the embedded controller needs to see links and hosts."""
    has_hosts = any(subnet.switch == switch for subnet in world.spec.subnets)
    needed = {DISCOVERY, ARP} if has_hosts else {DISCOVERY}
    return [f"{switch} has no rule for {match}" for match in sorted(needed - found.others)]
