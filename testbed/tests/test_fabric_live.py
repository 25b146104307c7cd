"""The test bed on real switches; every figure here comes from packets."""

import socket
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest
import static_routes

from evenweave_testbed.connections import connect_all
from evenweave_testbed.fabric import Fabric, FabricNotReady
from evenweave_testbed.flows import spread
from evenweave_testbed.loss import ProbeStream
from evenweave_testbed.polling import EVENT_LIMIT_S, Polling
from evenweave_testbed.run_directory import ENVIRONMENT_VARIABLE
from evenweave_testbed.shaping import ShapingError
from evenweave_testbed.shares import measure_shares, uplink_capture
from evenweave_testbed.statistics import within_standard_errors
from evenweave_testbed.throughput import measure_throughput
from evenweave_topos.fabric_file import clos

MBPS = 10.0
# s1-0 has ports 1 and 2 to s2-0 and 3 to s2-1, s1-1 has 1 to s2-0 and 2 to s2-1; then come hosts.
SPEC = clos([[2, 1], [1, 1]])
ONE_TO_THREE = [1] * 4 + [3] * 12


@pytest.fixture(scope="module")
def fabric():
    with Fabric(SPEC, hosts=2, mbps=MBPS) as live:
        static_routes.install(live, {"s1-0": ONE_TO_THREE, "s1-1": [2] * 16})
        live.announce_hosts()
        yield live


@pytest.fixture
def flows(fabric):
    """A function that gives so many flows from s1-0 to s1-1."""
    return lambda count, port=5001: spread(
        fabric.hosts_of("s1-0"), fabric.hosts_of("s1-1"), count, port
    )


def operational_state(interface):
    return Path(f"/sys/class/net/{interface}/operstate").read_text().strip()


def await_state(interface, state):
    """Waits for a kernel thread, which sets it some time after the interface has changed."""
    for _ in Polling().polls(f"{interface} {state}", EVENT_LIMIT_S):
        if operational_state(interface) == state:
            return
    pytest.fail(f"{interface} is {operational_state(interface)}, not {state}")


def test_outside_of_an_isolated_run_a_fabric_says_what_to_do(monkeypatch):
    monkeypatch.delenv(ENVIRONMENT_VARIABLE, raising=False)
    with pytest.raises(FabricNotReady, match=r"start this program with .*isolation"):
        Fabric(SPEC)


@pytest.mark.fabric
def test_hosts_reach_each_other_through_their_gateways(fabric, flows):
    assert connect_all(fabric, flows(8)) == []


@pytest.mark.fabric
def test_a_connection_that_nobody_answers_is_reported(fabric, flows):
    source, destination = flows(1)[0].source, fabric.hosts_of("s1-0")[1]
    (within_subnet,) = spread([source], [destination], 1, 5001)
    # The fabric does not answer ARP here, so a host cannot find its neighbour.
    assert connect_all(fabric, [within_subnet], timeout_s=1.0) == [within_subnet]


@pytest.mark.fabric
def test_commands_run_in_the_hosts_own_namespace(fabric):
    shown = fabric.run("h1-1", "ip", "-o", "-4", "address").stdout
    assert "10.0.1.2/24" in shown
    assert fabric.run("h1-1", "false").returncode == 1


@pytest.mark.fabric
def test_the_slots_of_a_group_are_owned_as_its_buckets_say(fabric):
    (group,) = fabric.groups("s1-0")
    assert [bucket.port for bucket in group.buckets] == ONE_TO_THREE
    source, destination = fabric.hosts_of("s1-0")[0], fabric.hosts_of("s1-1")[0]
    assert fabric.slot_owners(source, destination, 32) == ONE_TO_THREE * 2


@pytest.mark.fabric
def test_measured_shares_are_those_of_the_slots(fabric, flows):
    measured = measure_shares(fabric, "s1-0", flows(600))
    assert (measured.attempted, measured.failed, measured.moved) == (600, 0, 0)
    assert sum(measured.flows.values()) == 600
    assert measured.flows[2] == 0
    assert within_standard_errors(measured.share(1), 0.25, 600)


@pytest.mark.fabric
def test_the_same_flows_take_the_same_uplinks_again(fabric, flows):
    first = measure_shares(fabric, "s1-0", flows(100))
    assert measure_shares(fabric, "s1-0", flows(100)) == first


@pytest.mark.fabric
def test_a_capture_sees_only_what_leaves_and_only_syns(fabric, flows):
    with uplink_capture(fabric, "s1-0") as capture:
        connect_all(fabric, flows(20))
        back = spread(fabric.hosts_of("s1-1"), fabric.hosts_of("s1-0"), 20, 5001)
        connect_all(fabric, back)
        seen = capture.sightings()
    assert seen.ports.keys() == {flow.key for flow in flows(20)}


@pytest.mark.fabric
def test_flows_share_the_rate_of_their_links(fabric, flows):
    rates = measure_throughput(fabric, "s1-0", flows(16, 5002), warm_up_s=1, seconds=2)
    by_port = Counter()
    for rate in rates:
        by_port[rate.port] += rate.bps
    assert set(by_port) == {1, 3}
    # How much that is of the links' rate depends on the machine; that the links are shaped to it,
    # the fabric has checked when it began.
    assert all(bps > 0 for bps in by_port.values())


@pytest.mark.fabric
def test_one_congested_link_does_not_take_another_down(fabric, flows):
    # 60 flows fill one link's queue of 200 packets, twice what all links shared by default.
    crowd = 60
    owners = [1, 3]
    static_routes.set_group(fabric, "s1-0", owners * 8)
    try:
        with uplink_capture(fabric, "s1-0") as capture:
            connect_all(fabric, flows(200, 5002))
            seen = capture.sightings()
        on_first = [f for f in flows(200, 5002) if seen.port_of(f.key) == 1][:crowd]
        alone = next(f for f in flows(200, 5002) if seen.port_of(f.key) == 3)
        rates = measure_throughput(fabric, "s1-0", [*on_first, alone], warm_up_s=1.5, seconds=2)
    finally:
        static_routes.set_group(fabric, "s1-0", ONE_TO_THREE)
    # A flow that has a link to itself fills it as the other link's crowd does theirs.
    assert rates[-1].port == 3
    assert rates[-1].bps > 0.5 * sum(rate.bps for rate in rates[:-1])


@pytest.mark.fabric
def test_cutting_one_link_leaves_its_parallel_up_and_loses_only_its_packets(fabric, flows):
    cut = "s1-0/1-s2-0/1"
    with ProbeStream(fabric, flows(64, 5003), rate_pps=1000) as stream:
        time.sleep(0.5)
        cut_at = fabric.cut(cut)
        time.sleep(0.5)
        await_state("s1-0-eth1", "down")
        assert operational_state("s1-0-eth2") == "up"
        static_routes.set_group(fabric, "s1-0", [2] * 4 + [3] * 12)
        fabric.ovs.wait_for_datapath()
        moved_at = time.time_ns() // 1000
        time.sleep(0.5)
    probes = stream.result
    assert probes.sent > 0
    assert probes.duplicated == 0
    assert probes.lost_between(0, cut_at - 250_000) == 0
    assert probes.lost_from(moved_at) == 0
    # watch_port sends on through port 3 within milliseconds, so few are lost, if any.
    assert len(probes.lost_at) < 0.25 * probes.sent
    fabric.heal(cut)
    static_routes.set_group(fabric, "s1-0", ONE_TO_THREE)
    await_state("s1-0-eth1", "up")
    fabric.check_shaping()
    assert measure_shares(fabric, "s1-0", flows(40)).failed == 0


@pytest.mark.fabric
def test_probes_into_a_black_hole_are_counted_as_lost(fabric, flows):
    static_routes.set_group(fabric, "s1-0", [])
    try:
        fabric.ovs.wait_for_datapath()
        with ProbeStream(fabric, flows(64, 5003), rate_pps=1000) as stream:
            while stream.sent() < 300:
                time.sleep(0.01)
    finally:
        static_routes.set_group(fabric, "s1-0", ONE_TO_THREE)
    probes = stream.result
    assert len(probes.lost_at) == probes.sent


@pytest.mark.fabric
def test_a_link_that_lost_its_shaper_is_found(fabric):
    subprocess.run(["tc", "qdisc", "del", "dev", "s2-1-eth2", "root"], check=True)
    try:
        with pytest.raises(ShapingError, match="s2-1-eth2: not shaped, 10 Mb/s wanted"):
            fabric.check_shaping()
    finally:
        end = fabric.net["s2-1"].nameToIntf["s2-1-eth2"]
        end.config(**end.params)
    fabric.check_shaping()


@pytest.mark.fabric
def test_switches_have_the_ports_and_the_datapath_ids_of_the_fabric(fabric):
    shown = subprocess.run(
        ["ovs-ofctl", "-O", "OpenFlow13", "show", "s1-0"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "dpid:0000000000000001" in shown
    for port in range(1, 6):
        assert f" {port}(s1-0-eth{port})" in shown


@pytest.mark.fabric
def test_one_fabric_after_another_starts_from_nothing(tmp_path):
    """Runs in a process of its own, since the module's fabric is still up in this one."""
    program = (
        "from evenweave_testbed.fabric import Fabric\n"
        "from evenweave_topos.fabric_file import clos\n"
        "import os, socket\n"
        "for _ in range(2):\n"
        "    with Fabric(clos([[1], [1]]), hosts=1) as fabric:\n"
        "        assert fabric.groups('s1-0') == []\n"
        "    left = [name for _, name in socket.if_nameindex()]\n"
        "    assert left == ['lo'], left\n"
    )
    run_isolated = (
        "import sys; from pathlib import Path; from evenweave_testbed import isolation\n"
        "sys.exit(isolation.run(sys.argv[2:], runs=Path(sys.argv[1])))\n"
    )
    command = ["/usr/bin/python3", "-c", run_isolated, str(tmp_path)]
    done = subprocess.run(
        [*command, "/usr/bin/python3", "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert socket.if_nameindex(), "and this namespace is as it was"
