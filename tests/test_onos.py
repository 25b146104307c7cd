"""What only ONOS's operators do: network configuration, installing, uninstalling."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request

import pytest
from held_tables import changed, groups, route_rules, shares, tables, unlike_wanted
from runtimes import needs_onos
from waiting import eventually

from evenweave_testbed.credentials import Credentials
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import spread
from evenweave_testbed.loss import ProbeStream
from evenweave_testbed.onos.rest import APPLICATION, OnosError, OnosRest
from evenweave_testbed.openvswitch import run
from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_topos.fabric_file import IMBALANCED_3X3, load

pytestmark = [pytest.mark.fabric, *needs_onos]

_PORT = 6001
# What all rules that route match.
_GATEWAY = "02:45:56:57:00:01"
_STEADY_S = 1.0
# ONOS polls rules every 5 s and groups every 10 s.
_ONOS_POLLS_S = 12.0
_TUNABLES = "org.evenweave.app.config.Tunables"
_ONOS_LINKS = "org.onosproject.provider.lldp.impl.LldpLinkProvider"
_SETTINGS = (
    ("org.onosproject.net.flow.impl.FlowRuleManager", "allowExtraneousRules"),
    ("org.onosproject.store.group.impl.DistributedGroupStore", "allowExtraneousGroups"),
)


@pytest.fixture(scope="session")
def runtime() -> str:
    return "onos"


def negative_capacity(fabric: dict) -> None:
    fabric["links"][3]["bps"] = -1


def missing_switch(fabric: dict) -> None:
    fabric["links"][3]["b"] = "s9-9/1"


def unknown_field(fabric: dict) -> None:
    fabric["switches"][0]["colour"] = "red"


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (negative_capacity, "links[3].bps"),
        (missing_switch, "links[3].b"),
        (unknown_field, "switches[0].colour"),
    ],
)
def test_a_fabric_that_cannot_be_is_refused_with_the_fields_path(fabric, onos, change, path):
    before = groups(fabric)
    faulty = load(IMBALANCED_3X3).to_json()
    change(faulty)
    with pytest.raises(OnosError) as refusal:
        onos.configure(faulty)
    assert ": 4" in str(refusal.value), "not a client's error"
    assert path in str(refusal.value)
    assert fabric.controller.status()["converged"]
    assert changed(before, groups(fabric)) == []


def test_the_same_configuration_again_loses_no_packet(fabric, onos):
    flows = spread(fabric.hosts_of("s1-0"), fabric.hosts_of("s1-2"), 256, _PORT)
    before = groups(fabric)
    with ProbeStream(fabric, flows) as stream:
        time.sleep(_STEADY_S)
        onos.configure(load(IMBALANCED_3X3).to_json())
        fabric.ready()
        time.sleep(_STEADY_S)
    assert stream.result.sent > 0
    assert stream.result.lost_at == ()
    assert changed(before, groups(fabric)) == []


def test_what_goes_wrong_with_switches_is_counted_among_onoss_own_metrics(fabric, onos):
    fabric.ready()
    found = metrics(onos)
    assert found.keys() >= {
        f"evenweave.changes.{name}" for name in ("pending", "refused", "givenUp", "unreadable")
    }
    drifts = counted(found, "audit.drifts")
    group = fabric.controller.group("s1-0", "s1-2")
    wrong = f"group_id={group['groupId']},type=select,bucket=output:1"
    run("ovs-ofctl", "-O", "OpenFlow13", "mod-group", "s1-0", wrong)
    # Found by the next audit, after 30 s at most.
    eventually(lambda: counted(metrics(onos), "audit.repairs") > drifts, "repaired drift")
    found = metrics(onos)
    assert counted(found, "audit.drifts") > drifts
    # The repair was confirmed, whatever was before.
    confirmed = found["evenweave.changes.confirmations"]["timer"]["counter"]
    assert 0 < confirmed <= onos.get("/evenweave/pending")["confirmed"]


def test_a_rule_that_somebody_removes_is_back_before_the_next_audit_could_begin(fabric, onos):
    onos.set_property(_TUNABLES, "auditIntervalSeconds", "3600")
    try:
        prefix, switch = "10.0.2.0/24", "s2-0"
        before = routes(switch, prefix)
        assert len(before) == 1
        for _ in range(3):
            run("ovs-ofctl", "-O", "OpenFlow13", "del-flows", switch, f"ip,nw_dst={prefix}")
            eventually(lambda: routes(switch, prefix) == before, "rule that was removed")
            fabric.ready()
    finally:
        onos.set_property(_TUNABLES, "auditIntervalSeconds", "30")


def test_without_onoss_own_link_discovery_links_are_lost_and_found_as_before(fabric, onos):
    link, since = fabric.spec.links[0], fabric.controller.last_sequence()
    onos.set_property(_ONOS_LINKS, "enabled", "false")
    try:
        fabric.cut(str(link))
        fabric.controller.wait_confirmed("link-down", link.names(), since, EVENT_LIMIT_S)
        fabric.heal(str(link))
        fabric.controller.wait_confirmed("link-up", link.names(), since, EVENT_LIMIT_S)
        # Longer than the probes of four rounds, after which a link without them is lost.
        time.sleep(_ONOS_POLLS_S)
        fabric.ready()
    finally:
        onos.set_property(_ONOS_LINKS, "enabled", "true")
    events = [e["kind"] for e in fabric.controller.events(since) if e["kind"].startswith("link-")]
    assert events == ["link-down", "link-up"]


def test_what_an_earlier_release_left_in_onoss_stores_goes_and_the_switches_keep_it(fabric, onos):
    """Put into the store as earlier releases did. A rule there is one that ONOS puts back."""
    link, prefix, switch = "s1-2/1-s2-0/4", "10.0.2.0/24", "s2-0"
    device = device_of(fabric, switch)
    fabric.ready()
    direct = routes(switch, prefix)
    flows = spread(fabric.hosts_of("s1-0"), fabric.hosts_of("s1-2"), 256, _PORT)
    with ProbeStream(fabric, flows) as stream:
        time.sleep(_STEADY_S)
        held = onos.get(f"/evenweave/tables?switch={switch}")
        added_us = time.time_ns() // 1000
        onos.add_flow(device, as_onos(held, prefix), APPLICATION)
        eventually(lambda: ours_in_onos(onos) == [], "stores without the application's rules")
        gone_us = time.time_ns() // 1000
        time.sleep(_ONOS_POLLS_S)
    assert stream.result.sent > 0
    assert stream.result.lost_at == (), f"added at {added_us}, found gone at {gone_us}"
    assert routes(switch, prefix) == direct
    fabric.cut(link)
    try:
        eventually(lambda: "group:" in routes(switch, prefix)[0], "way round the link that is cut")
        fabric.controller.wait(lambda status: status["confirmed"], "confirmation", EVENT_LIMIT_S)
        detour = routes(switch, prefix)
        time.sleep(_ONOS_POLLS_S)
        assert routes(switch, prefix) == detour, "ONOS has put the rule before back"
    finally:
        fabric.heal(link)
        fabric.ready()
    assert routes(switch, prefix) == direct


def as_onos(tables: dict, prefix: str) -> dict:
    """A route as ONOS's REST takes it."""
    (rule,) = (r for r in tables["tables"][0]["rules"] if r["match"] == prefix)
    assert rule["action"] == "route-to-port"
    return {
        "priority": rule["priority"],
        "timeout": 0,
        "isPermanent": True,
        "treatment": {
            "instructions": [
                {"type": "L3MODIFICATION", "subtype": "DEC_TTL"},
                {"type": "OUTPUT", "port": str(rule["port"])},
            ]
        },
        "selector": {
            "criteria": [
                {"type": "ETH_TYPE", "ethType": "0x800"},
                {"type": "ETH_DST", "mac": _GATEWAY},
                {"type": "IPV4_DST", "ip": prefix},
            ]
        },
    }


def ours_in_onos(onos: OnosRest) -> list[dict]:
    """The rules and groups that ONOS's stores have in the application's name."""
    stored = [*onos.get("/v1/flows")["flows"], *onos.get("/v1/groups")["groups"]]
    return [entry for entry in stored if entry["appId"] == APPLICATION]


def test_settings_that_would_have_onos_empty_the_switches_are_set_again(fabric, onos):
    fabric.ready()
    before = shares(tables(fabric))
    log = len(karaf_log(fabric))
    for component, name in _SETTINGS:
        onos.set_property(component, name, "false")
        eventually(lambda at=(component, name): onos.property(*at) == "true", f"{name} set again")
        eventually(lambda reason=f"{name} was not true": said(fabric, reason), "reason")
    time.sleep(_ONOS_POLLS_S)
    fabric.ready()
    # ONOS may have polled a switch in between; what it removed is back, in groups of other numbers.
    assert changed(before, shares(tables(fabric))) == []
    assert unlike_wanted(fabric) == {}
    warnings = [line for line in karaf_log(fabric)[log:] if "is set again" in line]
    assert len(warnings) == len(_SETTINGS), "\n".join(warnings)


def said(fabric: Fabric, reason: str) -> bool:
    status = fabric.controller.status()
    return status["state"] == "degraded" and any(reason in r for r in status["reasons"])


def test_what_the_switches_hold_is_listed_with_its_packets(fabric, onos):
    fabric.ready()
    flows = spread(fabric.hosts_of("s1-0"), fabric.hosts_of("s1-2"), 64, _PORT)
    with ProbeStream(fabric, flows):
        time.sleep(_STEADY_S)
    (table,) = onos.get("/evenweave/tables?switch=s1-0")["tables"]
    group = fabric.controller.group("s1-0", "s1-2")["groupId"]
    (held,) = (g for g in table["groups"] if g["groupId"] == group)
    assert held["packets"] > 0
    (route,) = (r for r in table["rules"] if r["match"] == "10.0.2.0/24")
    assert (route["action"], route["groupId"]) == ("route-to-group", group)
    assert route["packets"] > 0
    every = onos.get("/evenweave/tables")
    assert {t["switch"] for t in every["tables"]} == {s.id for s in fabric.spec.switches}
    assert every["unread"] == []
    assert ours_in_onos(onos) == []


def test_confirmations_leave_no_line_in_onoss_log(fabric):
    log = len(karaf_log(fabric))
    fabric.cut("s1-2/1-s2-0/4")
    fabric.heal("s1-2/1-s2-0/4")
    fabric.ready()
    lines = [line for line in karaf_log(fabric)[log:] if "OpenFlowRuleProvider" in line]
    assert lines == []


def device_of(fabric: Fabric, switch: str) -> str:
    return next(f"of:{s.dpid}" for s in fabric.spec.switches if s.id == switch)


def routes(switch: str, prefix: str) -> list[str]:
    """What a switch does with packets to a prefix."""
    return [line.split("actions=")[1] for line in route_rules(switch) if f"={prefix} " in line]


def metrics(onos: OnosRest) -> dict[str, dict]:
    return {metric["name"]: metric["metric"] for metric in onos.get("/v1/metrics")["metrics"]}


def counted(found: dict[str, dict], name: str) -> int:
    metric = found[f"evenweave.{name}"]
    return int(metric["counter"]["counter"] if "counter" in metric else metric["value"])


def test_a_request_without_a_user_is_refused_in_json(fabric, onos):
    with pytest.raises(urllib.error.HTTPError) as refusal:
        urllib.request.urlopen(f"{onos.base}/evenweave/status", timeout=EVENT_LIMIT_S)
    assert refusal.value.code == 401
    assert refusal.value.headers["Content-Type"] == "application/json"
    assert "basic" in refusal.value.headers["WWW-Authenticate"].lower()
    assert json.loads(refusal.value.read()).keys() == {"error"}


@pytest.mark.parametrize("method", ["GET", "PUT"])
def test_a_request_from_the_page_of_another_site_is_refused(fabric, onos, method):
    """A browser sends the user's password with it."""

    content = {"Content-Type": "application/json"} if method == "PUT" else {}

    def status(origin: str) -> int:
        request = urllib.request.Request(
            f"{onos.base}/evenweave/strategy",
            method=method,
            data=b'{"strategy": "wcmp"}' if method == "PUT" else None,
            headers=Credentials.of_onos().headers() | content | {"Origin": origin},
        )
        try:
            with urllib.request.urlopen(request, timeout=EVENT_LIMIT_S) as answer:
                return answer.status
        except urllib.error.HTTPError as refusal:
            assert "other sites" in json.loads(refusal.read())["error"]
            return refusal.code

    assert status("http://evil.example") == 403
    assert status(onos.base.removesuffix("/onos")) < 300


def test_a_change_is_in_onoss_audit_log(fabric, onos):
    component = "org.onosproject.audit.impl.AuditManager"
    log = len(karaf_log(fabric))

    def entries() -> list[str]:
        return [line for line in karaf_log(fabric)[log:] if '"uri":"/onos/evenweave' in line]

    def is_audited() -> bool:
        onos.get("/evenweave/strategy")
        onos.post("/evenweave/audit")
        return entries() != []

    # The logger of ONOS's default writes to a file of its own.
    onos.set_property(component, "auditLogger", "changes")
    onos.set_property(component, "auditEnabled", "true")
    try:
        eventually(is_audited, "an entry in the audit log")
    finally:
        onos.set_property(component, "auditEnabled", "false")
        onos.set_property(component, "auditLogger", "securityAudit")
    for entry in entries():
        user, action = entry.split("user=")[1].split("; action=")
        assert user == Credentials.of_onos().user
        request = json.loads(action)
        assert (request["method"], request["status"]) == ("POST", 200)
        assert request["uri"] == "/onos/evenweave/audit"


def test_a_refused_configuration_is_one_warning_in_the_log(fabric, onos):
    faulty = load(IMBALANCED_3X3).to_json()
    negative_capacity(faulty)
    before = karaf_log(fabric)
    with pytest.raises(OnosError):
        onos.configure(faulty)
    new = karaf_log(fabric)[len(before) :]
    refusals = [
        line for line in new if "refused, the previous configuration stays in force" in line
    ]
    assert len(refusals) == 1, "\n".join(new)
    assert "WARN" in refusals[0] and "links[3].bps: must be" in refusals[0]


def test_one_field_in_the_network_configuration_does_not_empty_the_fabric(fabric, onos):
    fabric.ready()
    before, log = groups(fabric), karaf_log(fabric)
    strategy = fabric.controller.status()["strategy"]
    with pytest.raises(OnosError, match="allowEmpty"):
        onos.configure({"strategy": "ecmp"})
    assert changed(before, groups(fabric)) == []
    refusals = [
        line for line in karaf_log(fabric)[len(log) :] if "previous configuration stays" in line
    ]
    assert len(refusals) == 1 and "WARN" in refusals[0]
    assert fabric.controller.status()["strategy"] == strategy != "ecmp"


def karaf_log(fabric: Fabric) -> list[str]:
    return (fabric.directory / "onos/onos-1.log").read_text(errors="replace").splitlines()
