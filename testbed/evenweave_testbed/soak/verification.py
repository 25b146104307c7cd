"""Violations that a controller's own verification finds, except those that are not its fault."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from evenweave_testbed.soak.detours import routed_around
from evenweave_testbed.soak.tables import Tables
from evenweave_testbed.soak.watch import Confirmed
from evenweave_testbed.soak.world import World

_FADES = frozenset({"lossy-link", "slow-link"})


def unverified(
    answer: Mapping,
    confirmed: Confirmed,
    world: World,
    tables: Mapping[str, Tables],
    fading: Collection[str] = (),
) -> list[str]:
    """What `GET /verification` reports as wrong while the controller reports `confirmed`. Hosts
    that no link leads to are no fault of its, unless it calls that converged anyway; nor are links
    that were lossy or late until of late, which are `fading`."""
    if confirmed.status["converged"] and "state" in confirmed.status and not answer["ok"]:
        found = {name: answer[name] for name in ("violations", "differences", "unread")}
        return [f"converged, but verification finds {found}"]
    parted = not world.leaves_a_path() or bool(
        {h.switch for h in world.hosts} - world.routed_switches(confirmed.trusted)
    )
    detours = routed_around(world, confirmed.trusted, tables)
    violations = [
        f"{v['kind']} at {v['switch']} to {v['destination']}"
        for v in answer["violations"]
        if not (parted and v["kind"] == "unreachable")
        and not (
            v["kind"] == "share"
            and (v["switch"] in confirmed.trusted or v["destination"] in detours)
        )
        and not (v["kind"] in _FADES and v["destination"] in fading)
    ]
    others = [str(found) for found in (*answer["differences"], *missed(answer, world))]
    return [f"verification finds {found}" for found in (violations + others)[:3]]


def missed(answer: Mapping, world: World) -> list[Mapping]:
    """The switches that a verification could not read although they have a controller."""
    return [found for found in answer["unread"] if found["switch"] not in world.disconnected]
