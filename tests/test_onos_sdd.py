"""The SDD controller inside ONOS: real hosts on it, seen by ONOS's operators."""

from __future__ import annotations

import json
import re
import shutil
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import controlled_edge
import pytest
from onos_sdd import (
    PERIOD_NS,
    PORT,
    SENDER,
    Hosts,
    Keys,
    Operator,
    document,
    listens,
    make_keys,
    one_instance,
    one_operator,
)
from runtimes import LiveFabric, needs_onos
from waiting import eventually

from evenweave_testbed.edge.bed import EdgeBed
from evenweave_testbed.onos.cluster import Onos
from evenweave_testbed.polling import EVENT_LIMIT_S
from evenweave_testbed.sdd.bed import BedPlan

pytestmark = [pytest.mark.fabric, pytest.mark.real_time, *needs_onos]

HOSTS = BedPlan(hosts=2, circuit_switch=False)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdd") / "keys"
    return make_keys(folder, *HOSTS.names(), controlled_edge.NAME).folder


@pytest.fixture(scope="module")
def onos(live_fabric: LiveFabric, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Onos]:
    live_fabric.close()
    with one_instance(tmp_path_factory.mktemp("onos")) as running:
        yield running


@pytest.fixture
def operator(onos: Onos, tmp_path: Path) -> Iterator[Operator]:
    with one_operator(onos, tmp_path) as operator:
        yield operator


def test_without_a_configuration_there_is_no_controller(operator):
    status, answer = operator.get("sdd/status")
    assert status == 404
    assert "apps/org.evenweave.app/sdd" in answer["error"]
    assert not listens()


@pytest.fixture
def hosts(operator: Operator, keys: Path, tmp_path: Path) -> Iterator[Hosts]:
    """Hosts under the controller, of which h1 sends to h2."""
    assert operator.configure(document(HOSTS, keys))[0] == 200
    eventually(listens, "SDD controller")
    with Hosts(HOSTS, tmp_path, Keys(keys)) as hosts:
        hosts.start("h1", "python3", "-c", SENDER, hosts.address("h2"), "7")
        eventually(lambda: operator.get("sdd/status")[1]["connected"] == 2, "hosts")
        eventually(lambda: operator.get("sdd/demand")[1]["totalBytes"] > 0, "demand")
        eventually(lambda: sent(operator) > 100, "packets in slots")
        yield hosts


def test_hosts_on_the_controller_are_in_rest(operator, hosts):
    status = operator.get("sdd/status")[1]
    assert (status["runsOn"], status["instance"]) == ("127.0.0.1", "127.0.0.1")
    rows = {host["name"]: host for host in operator.get("sdd/hosts")[1]["hosts"]}
    assert rows["h1"]["addresses"] == [hosts.address("h1")]
    assert rows["h1"]["clock"]["good"]
    assert rows["h1"]["fallback"] == "none"
    assert rows["h1"]["datagrams"]["sent"] > 0
    days = operator.get("sdd/schedule")[1]["days"]
    # The way back has a little demand too: nobody takes the packets, and h2 says so.
    assert any({"from": "h1", "to": "h2"} in day["circuits"] for day in days)
    assert operator.get("sdd/queues?host=h3")[0] == 404


@pytest.mark.skipif(shutil.which("ssh") is None, reason="ONOS's command line needs ssh")
def test_hosts_on_the_controller_are_on_the_command_line(operator, hosts):
    listed = operator.command("sdd-hosts")
    assert "hosts=2, connected=2" in listed
    assert "host=h1, connected=true, clock=good" in listed
    assert "      to=h2, demandBytes=" in listed
    rows = json.loads(operator.command("sdd-hosts -j"))["hosts"]
    assert [row["name"] for row in rows] == ["h1", "h2"]
    schedule = operator.command("sdd-schedule")
    assert "circuits=h1>h2" in schedule
    assert "lateDays=" in schedule
    assert "queue=1, to=h2, network=circuit" in operator.command("sdd-queues h1")
    assert "from=h1, to=h2, bytes=" in operator.command("sdd-demand")
    assert "packetsOutOfSlot=" in operator.command("sdd-misses")
    assert "runsOn=127.0.0.1" in operator.command("sdd-status")


@pytest.fixture
def edge(operator: Operator, keys: Path, tmp_path: Path) -> Iterator[EdgeBed]:
    """An edge under the controller."""
    name = controlled_edge.NAME
    with controlled_edge.wired_bed(tmp_path) as bed:
        listen = f"{controlled_edge.ADDRESS}:{PORT}"
        wanted = document(HOSTS, keys, listen=listen, edge={"hosts": [name]})
        assert operator.configure(wanted)[0] == 200
        issued = Keys(keys)
        controlled_edge.start(bed, PORT, issued.issue(name), issued.certificate, "controller")
        eventually(lambda: "report" in shown_edge(operator), lambda: shown_edge(operator))
        yield bed


def shown_edge(operator: Operator) -> dict:
    return operator.get(f"sdd/edge/{controlled_edge.NAME}")[1]


def discoveries_age_s(operator: Operator) -> float:
    """Seconds since the edge's last round of discovery; 0 before the first."""
    shown = shown_edge(operator)
    (peer,) = shown["report"]["peers"]
    found = peer.get("discovery", {}).get("ageNs")
    return 0 if found is None else (found + shown["reportAgeNs"]) / 1e9


def test_an_edge_gets_orders_and_discovers_its_paths_after_a_change(operator, edge):
    order = {"scheme": "alb", "gapUs": 500, "gapAdaptPercent": 70, "rttUs": 300, "reportMs": 100}
    assert operator.ask("PUT", "evenweave/sdd/edge/order", order)[0] == 200
    eventually(
        lambda: shown_edge(operator)["report"]["peers"][0]["scheme"] == "alb", "ordered scheme"
    )
    peer = edge.show("h1")["peer"]
    assert [peer["scheme"], peer["gapAdaptPercent"], peer["rttNs"]] == ["alb", 70, 300_000]
    eventually(lambda: discoveries_age_s(operator) > 1, "first discovery, a second ago")
    asked = time.monotonic()
    try:
        assert operator.ask("PUT", "evenweave/exclusions/s2-0")[0] == 200
        eventually(
            lambda: 0 < discoveries_age_s(operator) < time.monotonic() - asked, "discovery at once"
        )
    finally:
        operator.ask("DELETE", "evenweave/exclusions/s2-0")


def test_orders_have_parameters_for_prefixes_and_wrong_ones_change_nothing(operator, edge):
    to_h2 = {"prefix": "10.77.2.0/24", "scheme": "clove-ecn", "rttUs": 600, "gapUs": 9}
    others = {"prefix": "2001:db8::/64", "scheme": "presto"}
    put_order(operator, scheme="alb", prefixes=[to_h2 | {"relayUs": 70}, others])
    eventually_shows(operator, scheme="clove-ecn", rttNs=600_000, gapNs=9_000, relayNs=70_000)
    intflow = {"delayUs": 200, "windowUs": 300, "timeoutUs": 400, "settleUs": 600, "sizeBytes": 500}
    to_h2 = {"prefix": "10.77.2.0/24", "scheme": "intflow", "intflow": intflow}
    put_order(operator, scheme="alb", prefixes=[to_h2, others])
    names = ("delayNs", "windowNs", "timeoutNs", "settleNs", "sizeBytes")
    eventually_shows(
        operator, intflow=dict(zip(names, (200_000, 300_000, 400_000, 600_000, 500), strict=True))
    )
    ordered = operator.get("sdd/edge")[1]["order"]
    # What holds for all others is the last.
    assert ordered["prefixes"][:2] == [to_h2, others]
    for field, wrong in (
        ("gapUs", {"scheme": "alb", "gapUs": 0}),
        ("intflow.linkMbps", {"scheme": "intflow", "intflow": {"linkMbps": 1}}),
        ("prefixes[0].relayUs", {"prefixes": [to_h2 | {"relayUs": -1}]}),
    ):
        status, answer = operator.ask("PUT", "evenweave/sdd/edge/order", wrong)
        assert status == 400
        assert field in answer["error"]
    assert operator.get("sdd/edge")[1]["order"] == ordered
    weights = {"192.0.2.0/24": {"198.51.100.1": 0.75, "198.51.100.2": 0.25}}
    assert operator.ask("PUT", "evenweave/sdd/edge/weights", weights) == (200, weights)
    assert operator.get("sdd/edge")[1]["weights"] == weights


def test_orders_and_weights_change_by_the_command_too(operator, edge):
    listed = operator.command("""sdd-edge --order '{"reportMs": 100, "scheme": "presto"}'""")
    assert "prefix=0.0.0.0/0, scheme=presto" in listed
    eventually_shows(operator, scheme="presto")
    assert "scheme" in operator.refusal("""sdd-edge --order '{"scheme": "hula"}'""")
    assert "scheme=presto" in operator.command("sdd-edge")
    weights = {"192.0.2.0/24": {"198.51.100.1": 0.5}}
    assert "198.51.100.1=0.5" in operator.command(f"sdd-edge --weights '{json.dumps(weights)}'")
    assert operator.get("sdd/edge")[1]["weights"] == weights
    assert "weightsTo" not in operator.command("sdd-edge --weights '{}'")
    operator.command("sdd-edge --discover")
    assert "not two" in operator.refusal("sdd-edge --none --discover")
    assert "scheme=" not in operator.command("sdd-edge --none")


def put_order(operator: Operator, **order: object) -> None:
    assert operator.ask("PUT", "evenweave/sdd/edge/order", {"reportMs": 100, **order})[0] == 200


def eventually_shows(operator: Operator, **wanted: object) -> None:
    """Waits until the last report of the edge's peer has these."""
    eventually(
        lambda: wanted.items() <= shown_edge(operator)["report"]["peers"][0].items(),
        lambda: (wanted, shown_edge(operator)),
    )


@pytest.mark.skipif(shutil.which("ssh") is None, reason="ONOS's command line needs ssh")
def test_an_edge_is_on_the_command_line(operator, edge):
    assert "name=e1, connected=true" in operator.command("sdd-edge")
    one = operator.command(f"sdd-edge {controlled_edge.NAME}")
    assert "address=192.168.2.1, scheme=edge-flowlet" in one
    assert re.search("      path=0, .*weight=.*flowlets=.*receivedLate=.*marksTaken=.*hops=", one)


def test_hosts_are_on_their_own_without_the_configuration_and_return_with_it(operator, hosts, keys):
    operator.configure_none()
    eventually(lambda: not listens(), "end of listening")
    assert operator.get("sdd/hosts")[0] == 404
    assert operator.get("status")[0] == 200, "the rest of the application goes on"
    # A slot that began ends within its period. Then hosts hear nothing for 20, and fall back to
    # sending nothing.
    time.sleep(2 * PERIOD_NS / 1e9)
    before = sent_by(hosts)
    time.sleep(25 * PERIOD_NS / 1e9)
    assert sent_by(hosts) == before
    assert operator.configure(document(HOSTS, keys))[0] == 200
    eventually(lambda: sent_by(hosts) > before, "packets in slots")


@pytest.mark.skipif(shutil.which("ssh") is None, reason="ONOS's command line needs ssh")
def test_traffic_classes_get_their_rates_and_are_shown(operator, keys, tmp_path):
    classes = [
        {"name": "web", "weight": 3, "flows": [{"protocol": 17, "destinationPort": 7}]},
        {"name": "rest", "flows": [{"protocol": 17}]},
    ]
    sharing = {"method": "tree", "capacityBps": 400_000, "packetBytes": 1042, "classes": classes}
    # a host that hears nothing for long would follow its safe policy instead
    configuration = document(HOSTS, keys, sharing=sharing, lostAfterPeriods=100_000)
    assert operator.configure(configuration)[0] == 200
    eventually(listens, "SDD controller")
    with Hosts(HOSTS, tmp_path, Keys(keys)) as hosts:
        hosts.start("h1", "python3", "-c", SENDER, hosts.address("h2"), "7")
        # Nobody else sends, so the class gets all but what the others need to be noticed.
        eventually(lambda: shown_rate_bps(operator) > 350_000, lambda: operator.get("sdd/rates"))
        rows = operator.get("sdd/rates")[1]["rates"]
        assert {(row["host"], row["class"]) for row in rows} == {
            (host, row["name"]) for host in HOSTS.names() for row in classes
        }
        eventually(lambda: sent_in_class(operator, "web") > 5, "packets of the class")
        connected = hosts.log("sdd-host").count("controller: connected")
        # On the command line, then by the network configuration: in the same sessions.
        classes[0]["name"] = "mail"
        listed = operator.command(f"sdd-sharing '{json.dumps(sharing)}'")
        assert "name=mail, weight=3" in listed
        eventually(lambda: sent_in_class(operator, "mail") > 5, "packets of the new class")
        # A trigger that its host finds true at once.
        triggers = [{"name": "mailed", "queue": "class:mail", "when": "sentPackets > 0"}]
        listed = operator.command(f"sdd-triggers '{json.dumps(triggers)}'")
        assert "name=mailed, queue=class:mail, when=sentPackets > 0" in listed
        eventually(
            lambda: "event=fired, trigger=mailed, host=h1" in operator.command("sdd-events"),
            "event",
        )
        configuration["triggers"] = triggers
        classes[1]["guaranteedBps"] = 100_000
        assert operator.configure(configuration)[0] == 200
        eventually(
            lambda: "name=rest, guaranteedBps=100000" in operator.command("sdd-sharing"),
            "guarantee",
        )
        # The rates are measured anew with other classes, over a second at least.
        eventually(lambda: "sentBps=" in operator.command("sdd-rates"), "measured rates")
        assert "event=fired, trigger=mailed, host=h1" in operator.command("sdd-events")
        assert hosts.log("sdd-host").count("controller: connected") == connected


def test_traffic_classes_are_put_and_deleted_in_the_same_sessions(operator, hosts):
    connected = hosts.log("sdd-host").count("controller: connected")
    classes = [
        {"name": "tenant", "weight": 3, "ceilingBps": 8_000_000},
        {"name": "web", "in": "tenant", "flows": [{"protocol": 17, "destinationPort": 7}]},
        {"name": "rest", "guaranteedBps": 100_000, "flows": [{"protocol": 17}]},
    ]
    sharing = {"method": "tree", "capacityBps": 10_000_000, "packetBytes": 1042, "classes": classes}
    assert operator.ask("PUT", "evenweave/sdd/sharing", sharing) == (200, sharing)
    eventually(lambda: sent_in_class(operator, "web") > 5, "packets of the class")
    eventually(lambda: measured_bps(operator, "web") > 0, lambda: operator.get("sdd/rates"))
    rates = operator.get("sdd/rates")[1]
    assert [row["name"] for row in rates["classes"]] == ["tenant", "web", "rest"]
    assert all(row["rateBps"] <= 10_000_000 for row in rates["rates"])
    # What is refused changes nothing.
    wrong = sharing | {"classes": [*classes, {"name": "bad", "flows": [{"port": 1}]}]}
    status, answer = operator.ask("PUT", "evenweave/sdd/sharing", wrong)
    assert status == 400
    assert "classes[3].flows[0].port" in answer["error"]
    many = [{"name": f"c{i}", "flows": [{"destinationPort": i + 1}]} for i in range(100)]
    status, answer = operator.ask("PUT", "evenweave/sdd/sharing", {"classes": many})
    assert status == 409
    assert "queues" in answer["error"]
    assert operator.get("sdd/sharing") == (200, sharing)
    # Without classes the flow has its circuits again.
    assert operator.ask("DELETE", "evenweave/sdd/sharing")[0] == 204
    assert operator.get("sdd/sharing") == (200, {})
    assert operator.get("sdd/rates")[1] == {"classes": [], "rates": []}
    before = sent(operator, "h2")
    eventually(lambda: sent(operator, "h2") > before, "packets in slots")
    assert hosts.log("sdd-host").count("controller: connected") == connected


def measured_bps(operator: Operator, name: str) -> int:
    """What h1 sends of the class, as measured; 0 before that."""
    rows = operator.get("sdd/rates")[1]["rates"]
    return sum(row.get("sentBps", 0) for row in rows if (row["host"], row["class"]) == ("h1", name))


def shown_rate_bps(operator: Operator) -> int:
    """What the command line says that the first class may send at h1."""
    return int(
        re.search(r"name=web,.*\n +host=h1, rateBps=(\d+)", operator.command("sdd-rates"))[1]
    )


def sent_in_class(operator: Operator, name: str) -> int:
    status, answer = operator.get("sdd/queues?host=h1")
    rows = answer["queues"] if status == 200 else []
    return sum(queue["sentPackets"] for queue in rows if queue.get("class") == name)


def sent(operator: Operator, to: str | None = None) -> int:
    """Packets that h1 has sent, by the circuits to one host or by all its queues."""
    status, answer = operator.get("sdd/queues?host=h1")
    rows = answer["queues"] if status == 200 else []
    return sum(queue["sentPackets"] for queue in rows if to in (None, queue.get("to")))


def sent_by(hosts: Hosts) -> int:
    """The same by the host's own account."""
    return sum(queue["sentPackets"] for queue in hosts.statistics()["hosts"]["h1"]["queues"])


def test_a_configuration_that_cannot_be_meant_is_refused_with_the_fields_path(operator, keys):
    assert operator.configure(document(HOSTS, keys))[0] == 200
    eventually(listens, "SDD controller")
    wrong = document(HOSTS, keys, packetFlows=[{"protocol": 6}, {"port": 1}])
    answer = json.dumps(operator.configure(wrong)[1])
    assert "packetFlows[1].port" in answer
    assert "unknown field" in answer
    assert operator.get("sdd/status")[0] == 200
    assert listens()


def test_a_controller_that_cannot_start_says_why_and_starts_when_it_can(operator, keys, onos):
    # relative to $ONOS_HOME/config
    assert operator.configure(document(HOSTS, Path("later")))[0] == 200
    folder = onos.instances[0].directory / "config" / "later"
    eventually(lambda: "later" in operator.get("sdd/status")[1]["error"], "reason")
    status, answer = operator.get("sdd/status")
    assert status == 503
    assert str(folder / "controller.pem") in answer["error"]
    assert operator.get("status")[0] == 200, "the rest of the application goes on"
    folder.parent.mkdir(exist_ok=True)  # ONOS comes without it
    folder.symlink_to(keys)
    eventually(lambda: operator.get("sdd/status")[0] == 200, "SDD controller")
    assert listens()


def test_an_address_in_use_is_said(operator, keys):
    with socket.create_server(("127.0.0.1", PORT)):
        assert operator.configure(document(HOSTS, keys))[0] == 200
        eventually(lambda: "in use" in operator.get("sdd/status")[1].get("error", ""), "reason")
        assert f"127.0.0.1:{PORT}" in operator.get("sdd/status")[1]["error"]
        assert operator.get("status")[0] == 200
    eventually(lambda: operator.get("sdd/status")[0] == 200, "SDD controller")


def test_the_resources_are_documented_by_onos_and_closed_to_strangers(operator, onos):
    status, docs = operator.ask("GET", "v1/docs/apis/onos/evenweave/swagger.json")
    assert status == 200
    assert "/sdd/schedule" in docs["paths"]
    with pytest.raises(urllib.error.HTTPError) as refusal:
        urllib.request.urlopen(f"{onos.rest().base}/evenweave/sdd/hosts", timeout=EVENT_LIMIT_S)
    assert refusal.value.code == 401
