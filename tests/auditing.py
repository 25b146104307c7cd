"""Audits, foreign rules given to switches by hand, and those that a controller names."""

from __future__ import annotations

from collections.abc import Callable

from evenweave_testbed.controller import ControllerError
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.openvswitch import run
from evenweave_testbed.polling import EVENT_LIMIT_S, Polling

# Of the rules given by hand.
COOKIE = "0xbad"


def ofctl(command: str, switch: str, *arguments: str) -> str:
    """Runs a command of ovs-ofctl on a switch, and returns what it prints."""
    return run("ovs-ofctl", "-O", "OpenFlow13", command, switch, *arguments)


def add_rule(switch: str, rule: str, actions: str) -> None:
    """Adds a rule to a switch, past its controller."""
    ofctl("add-flow", switch, f"cookie={COOKIE},{rule},actions={actions}")


def delete_rules(switch: str) -> None:
    """Deletes the rules of `add_rule`."""
    ofctl("del-flows", switch, f"cookie={COOKIE}/-1")


def audit(fabric: Fabric) -> None:
    """Audits once no plan is under way."""
    for _ in Polling().polls("an audit", EVENT_LIMIT_S):
        try:
            fabric.controller.audit()
            return
        except ControllerError as error:
            if " 409 " not in str(error):
                raise
    raise ControllerError("a plan was under way all the time")


def audited(fabric: Fabric, condition: Callable[[dict], bool], what: str) -> dict:
    """Audits, and waits for a status; the audit found it if it was there to be found."""
    audit(fabric)
    return fabric.controller.wait(condition, what, EVENT_LIMIT_S)


def named(status: dict) -> list[str]:
    """The reasons that foreign rules are, among those of a machine without a core to spare."""
    return [reason for reason in status["reasons"] if "foreign rule" in reason]
