"""What the controller says of rules and groups that somebody else adds to switches, and does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from auditing import COOKIE, add_rule, audit, audited, delete_rules, named, ofctl

from evenweave_testbed.fabric import Fabric
from evenweave_testbed.polling import EVENT_LIMIT_S

pytestmark = pytest.mark.fabric

_DROPPED = "priority=65000,ip,nw_dst=10.0.2.0/24"
_TCP_PORT = "priority=65000,tcp,tp_dst=6001"
_GROUP = 9000
# What all rules that route match: the gateway's MAC address.
_ROUTED = "dl_dst=02:45:56:57:00:01"


def foreign_rules(switch: str) -> str:
    return ofctl("dump-flows", switch, f"cookie={COOKIE}/-1")


@pytest.fixture
def switches(fabric: Fabric) -> Iterator[Fabric]:
    """The fabric; afterwards nothing is left of what the test added, and it is converged."""
    yield fabric
    for switch in ("s1-1", "s2-0"):
        delete_rules(switch)
        ofctl("del-groups", switch, f"group_id={_GROUP}")
    audit(fabric)
    fabric.controller.wait(lambda s: s["state"] == "converged", "convergence", EVENT_LIMIT_S)


def ours(rules: list[dict]) -> list[dict]:
    """Those that a test added."""
    return [rule for rule in rules if rule["owner"].endswith(f"cookie {COOKIE}")]


@pytest.mark.core_cases(1)
@pytest.mark.parametrize(
    ("switch", "rule", "actions", "effect"),
    [
        ("s1-1", _DROPPED, "drop", "lost"),
        ("s1-1", _TCP_PORT, "drop", "lost"),
        ("s2-0", _DROPPED, "output:1", "looped"),
    ],
)
def test_a_rule_that_takes_traffic_is_named_until_it_is_gone(
    switches, switch, rule, actions, effect
):
    controller = switches.controller
    since = controller.last_sequence()
    add_rule(switch, rule, actions)
    status = audited(switches, lambda s: s["state"] == "degraded" and named(s), "degradation")
    (reason,) = named(status)
    assert reason.startswith(f"{switch}: foreign rule {rule} actions={actions} (")
    assert f"cookie {COOKIE})" in reason
    assert f"is {effect}: " in reason

    verification = controller.verification()
    assert not verification["ok"]
    (violation,) = (v for v in verification["violations"] if v["kind"] == "foreign-rule")
    assert violation["switch"] == switch
    assert violation["detail"] == reason
    (found,) = ours(verification["foreign"]["rules"])
    assert (found["switch"], found["effect"], found["actions"]) == (switch, effect, actions)

    delete_rules(switch)
    audited(switches, lambda s: s["state"] == "converged", "convergence")
    kinds = [e["kind"] for e in controller.events(since) if "foreign" in e["kind"]]
    assert kinds == ["foreign-rule", "foreign-rule-gone"]
    violations = controller.verification()["violations"]
    assert not [v for v in violations if v["kind"] == "foreign-rule"]


def test_what_harms_nothing_is_listed_and_left(switches):
    controller = switches.controller
    since = controller.last_sequence()
    ofctl("add-group", "s1-1", f"group_id={_GROUP},type=all,bucket=output:1")
    add_rule("s1-1", "priority=65000,ip,nw_dst=192.168.7.0/24", f"group:{_GROUP}")
    add_rule("s1-1", "priority=5,ip", "drop")
    verification = controller.verification()
    assert not [v for v in verification["violations"] if v["kind"] == "foreign-rule"]
    found = ours(verification["foreign"]["rules"])
    assert {(r["match"], r["effect"]) for r in found} == {
        ("ip,nw_dst=192.168.7.0/24", "harmless"),
        ("ip", "harmless"),
    }
    assert {"switch": "s1-1", "groupId": _GROUP, "group": "all output:1"} in verification[
        "foreign"
    ]["groups"]
    assert controller.wait(lambda s: s["state"] == "converged", "convergence", EVENT_LIMIT_S)
    assert [e["kind"] for e in controller.events(since) if "foreign" in e["kind"]] == []
    assert len([line for line in foreign_rules("s1-1").splitlines() if "priority" in line]) == 2
    assert f"group_id={_GROUP}" in ofctl("dump-groups", "s1-1")


@pytest.mark.extended
def test_a_foreign_group_is_followed(switches):
    ofctl("add-group", "s1-1", f"group_id={_GROUP},type=select,bucket=actions=drop")
    add_rule("s1-1", _DROPPED, f"group:{_GROUP}")
    status = audited(switches, named, "degradation")
    assert "a bucket of its group drops" in named(status)[0]


@pytest.mark.extended
@pytest.mark.parametrize("runtime", ["embedded"], indirect=True)
def test_rules_with_actions_and_fields_of_open_vswitch_alone_are_read(switches):
    """ONOS itself closes the connection of a switch that reports such a rule."""
    controller = switches.controller
    add_rule("s1-1", "priority=65000,ip,reg3=5", "move:NXM_OF_IP_SRC[]->NXM_OF_IP_DST[],output:1")
    add_rule("s1-1", _TCP_PORT, "learn(table=7,NXM_OF_ETH_SRC[]),output:1")
    status = audited(switches, lambda s: s["state"] == "degraded" and named(s), "degradation")
    (reason,) = named(status)
    assert reason.startswith(f"s1-1: foreign rule {_TCP_PORT} actions=learn,output:1")
    assert "may do anything to" in reason
    found = ours(controller.verification()["foreign"]["rules"])
    assert {(r["match"], r["effect"]) for r in found} == {
        ("tcp,tp_dst=6001", "unknown"),
        ("ip,reg3=0x5", "harmless"),
    }


@pytest.mark.parametrize("runtime", ["embedded"], indirect=True)
def test_rules_that_harm_are_removed_if_the_configuration_says_so(switches):
    """In ONOS others' rules are never removed."""
    controller = switches.controller
    before = controller.configuration()
    assert before["foreignRules"] == "report"
    since = controller.last_sequence()
    add_rule("s1-1", _DROPPED, "drop")
    add_rule("s1-1", _TCP_PORT + ",reg3=0", "drop")
    add_rule("s1-1", "priority=5,ip", "drop")
    audited(switches, lambda s: len(named(s)) == 2, "degradation")
    controller.put_configuration({**before, "foreignRules": "remove"})
    try:
        controller.wait(lambda s: s["state"] == "converged", "removal", EVENT_LIMIT_S)
    finally:
        controller.put_configuration(before)
    left = [line for line in foreign_rules("s1-1").splitlines() if "priority" in line]
    assert len(left) == 1, left
    assert "priority=5,ip" in left[0]
    kinds = [e["kind"] for e in controller.events(since) if "foreign" in e["kind"]]
    assert sorted(kinds) == sorted(
        ["foreign-rule", "foreign-rule-removed", "foreign-rule-gone"] * 2
    )


@pytest.mark.extended
def test_a_rule_that_somebody_puts_back_again_and_again_is_contested(switches, runtime):
    controller = switches.controller
    since = controller.last_sequence()
    # The place of the rule for s1-2's prefix; ONOS's are one above the embedded controller's.
    place = f"priority={10024 + (runtime == 'onos')},ip,{_ROUTED},nw_dst=10.0.2.0/24"
    for _ in range(3):
        drifts = len([e for e in controller.events(since) if e["kind"] == "drift"])
        ofctl("add-flow", "s1-1", f"cookie={COOKIE},{place},actions=drop")
        audit(switches)
        controller.wait(
            lambda s, drifts=drifts: (
                s["confirmed"]
                and len([e for e in controller.events(since) if e["kind"] == "drift"]) > drifts
            ),
            "the repair",
            EVENT_LIMIT_S,
        )
    contested = [e["subject"] for e in controller.events(since) if e["kind"] == "rule-contested"]
    assert contested == [
        f"s1-1: rule 10.0.2.0/24 is contested: cookie {COOKIE} holds a rule with its match and"
        " priority, and puts it back after each repair; the rule written last wins"
    ]
    status = controller.status()
    assert contested[0] in status["reasons"]
    assert status["state"] != "converged"
    ended = controller.wait(lambda s: s["state"] == "converged", "the end", EVENT_LIMIT_S)
    assert ended["reasons"] == []
