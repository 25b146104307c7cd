from evenweave_bench.slow_link.command import markdown
from evenweave_bench.slow_link.measure import SLOW_LINK, row, slow_fabric, with_limit
from evenweave_testbed.flows import spread
from evenweave_testbed.throughput import FlowRate
from evenweave_topos.topologies import host_places


def test_one_link_has_a_hundredth_of_the_others_speed():
    speeds = {str(link): link.bps for link in slow_fabric().links}
    assert speeds.pop(SLOW_LINK) * 100 == speeds.popitem()[1]
    assert len(set(speeds.values())) == 1


def test_the_limit_is_of_the_source_alone_and_the_original_stays():
    configuration = {"switches": [{"id": "s1-0", "limits": {"groups": 9}}, {"id": "s1-1"}]}
    changed = with_limit(configuration, 16, "auto")
    assert changed["leaveOut"] == "auto"
    assert changed["switches"][0]["limits"] == {"groups": 9, "groupEntries": 16}
    assert changed["switches"][1] == {"id": "s1-1"}
    assert configuration["switches"][0]["limits"] == {"groups": 9}


def test_a_run_counts_the_flows_of_the_slow_port_and_the_slowest_of_all():
    hosts = host_places(slow_fabric(), 1)
    flows = spread(hosts[:1], hosts[1:2], 3, 6001)
    rates = [FlowRate(flow, port, 1e5 * port) for flow, port in zip(flows, (4, 2, 3), strict=True)]
    found = row(16, "never", 75.04444, rates)
    assert (found.flowsOnSlowLink, found.minBps, found.meanBps) == (1, 200_000, 300_000)
    assert "| 16 | never | 75.0444 | 1 | 200.0 kb/s | 300.0 kb/s |" in markdown([vars(found)])
