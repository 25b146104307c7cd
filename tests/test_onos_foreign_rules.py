"""Rules of another application of ONOS's, given to it by POST /v1/flows: what they do to traffic is
named, and a rule that replaces one of ours is called contested. ONOS puts its rules back."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from auditing import add_rule, audit, audited, delete_rules, named
from runtimes import needs_onos

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.onos.rest import OnosRest
from evenweave_testbed.polling import EVENT_LIMIT_S

pytestmark = [pytest.mark.fabric, *needs_onos]

_OTHER = "org.onosproject.rest"
_ABOVE_ALL = 50_000
_OF_ROUTES = 10_025
_GATEWAY = "02:45:56:57:00:01"
_TO_S1_2 = ("IPV4_DST", "ip", "10.0.2.0/24")
_IP = ("ETH_TYPE", "ethType", "0x800")
_DROPPED = "priority=65000,ip,nw_dst=10.0.2.0/24"
_TUNABLES = "org.evenweave.app.config.Tunables"
_AUDIT_S = 30
_ARP = ("ETH_TYPE", "ethType", "0x806")


@pytest.fixture(scope="session")
def runtime() -> str:
    return "onos"


@pytest.fixture
def add(fabric: Fabric, onos: OnosRest) -> Iterator[Callable[..., None]]:
    """Adds a rule of another application to a switch; afterwards it has none, and all converges."""
    devices = {switch.id: f"of:{switch.dpid}" for switch in fabric.spec.switches}

    def rule(
        switch: str, *criteria: tuple[str, str, str], port: int | None = None, priority: int
    ) -> None:
        instruction = {"type": "OUTPUT", "port": str(port)} if port else {"type": "NOACTION"}
        onos.add_flow(
            devices[switch],
            {
                "priority": priority,
                "timeout": 0,
                "isPermanent": True,
                "treatment": {"instructions": [instruction]},
                "selector": {
                    "criteria": [{"type": kind, field: value} for kind, field, value in criteria]
                },
            },
            _OTHER,
        )

    fabric.ready()
    yield rule
    onos.remove_flows(_OTHER)
    audit(fabric)
    fabric.controller.wait(lambda s: s["state"] == "converged", "convergence", EVENT_LIMIT_S)


@pytest.mark.parametrize(
    ("switch", "criteria", "port", "effect"),
    [
        ("s1-1", (_IP, _TO_S1_2), None, "lost"),
        ("s2-0", (_IP, _TO_S1_2), 1, "looped"),
        ("s1-1", (_ARP,), None, "lost"),
    ],
    ids=["half of a leaf's traffic", "a loop", "ARP"],
)
def test_a_rule_of_another_application_is_named_with_what_it_does(
    fabric, add, switch, criteria, port, effect
):
    add(switch, *criteria, port=port, priority=_ABOVE_ALL)
    status = audited(fabric, lambda s: s["state"] == "degraded" and named(s), "degradation")
    (reason,) = named(status)
    assert reason.startswith(f"{switch}: foreign rule priority={_ABOVE_ALL},")
    assert f"is {effect}: " in reason
    assert _OTHER in reason, "whose it is"
    verification = fabric.controller.verification()
    assert not verification["ok"]
    assert "foreign-rule" in [violation["kind"] for violation in verification["violations"]]


def test_a_rule_that_a_switch_is_given_by_hand_is_found_at_onos_s_own_poll(fabric, onos):
    onos.set_property(_TUNABLES, "auditIntervalSeconds", "3600")
    try:
        audit(fabric)
        add_rule("s1-1", _DROPPED, "drop")
        fabric.controller.wait(named, "foreign rule", EVENT_LIMIT_S)
        delete_rules("s1-1")
        fabric.controller.wait(lambda s: not named(s), "end of the foreign rule", EVENT_LIMIT_S)
    finally:
        delete_rules("s1-1")
        onos.set_property(_TUNABLES, "auditIntervalSeconds", str(_AUDIT_S))


def test_a_rule_that_onos_puts_back_in_the_place_of_ours_is_contested(fabric, add):
    since = fabric.controller.last_sequence()
    add("s1-1", _IP, ("ETH_DST", "mac", _GATEWAY), _TO_S1_2, priority=_OF_ROUTES)

    def contested(status: dict) -> bool:
        return any("is contested" in reason for reason in status["reasons"])

    status = fabric.controller.wait(contested, "contest", EVENT_LIMIT_S)
    assert status["state"] != "converged"
    events = fabric.controller.events(since)
    (subject,) = {e["subject"] for e in events if e["kind"] == "rule-contested"}
    assert subject.startswith("s1-1: rule 10.0.2.0/24 is contested: ")
    assert _OTHER in subject, "who holds it"
