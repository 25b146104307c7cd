import pytest

from evenweave_topos.fabric_file import IMBALANCED_3X3, FabricError, clos, load, parse
from evenweave_topos.topologies import Clos, FabricTopo, FatTree, Imbalanced, parse_striping, topos


def fabric_links(topo):
    return {
        (info["node1"], info["port1"], info["node2"], info["port2"])
        for _, _, info in topo.links(withInfo=True)
        if topo.isSwitch(info["node1"])
    }


def test_ports_are_exactly_those_of_the_fabric_file():
    spec = load(IMBALANCED_3X3)
    assert fabric_links(Imbalanced()) == {
        (link.a.switch, link.a.port, link.b.switch, link.b.port) for link in spec.links
    }


def test_hosts_come_after_the_fabric_ports_with_a_route_through_the_gateway():
    topo = Imbalanced(hosts=2)
    assert topo.hosts() == ["h0-1", "h0-2", "h1-1", "h1-2", "h2-1", "h2-2"]
    assert topo.nodeInfo("h2-1") == {
        "ip": "10.0.2.2/24",
        "mac": "02:00:0a:00:02:02",
        "defaultRoute": "via 10.0.2.1",
    }
    assert topo.port("h2-1", "s1-2") == (0, 5)
    assert topo.port("h2-2", "s1-2") == (0, 6)


def test_rates_are_in_proportion_to_the_fastest_link():
    spec = clos([[1, 1]])
    slow = spec.to_json()
    slow["links"][1]["bps"] //= 4
    topo = FabricTopo(fabric=parse(slow), hosts=1, mbps=20)
    assert topo.linkInfo("s1-0", "s2-0")["bw"] == 20
    assert topo.linkInfo("s1-0", "s2-1")["bw"] == 5
    assert "bw" not in topo.linkInfo("h0-1", "s1-0"), "hosts must not be the bottleneck"


def test_datapath_ids_are_those_of_the_fabric():
    assert Imbalanced().nodeInfo("s2-2")["dpid"] == "0000000000000006"


def test_an_interface_name_too_long_for_linux_is_an_error():
    data = {
        "switches": [{"id": "leaf-number-1", "stage": 1}, {"id": "s", "stage": 2}],
        "links": [{"a": "leaf-number-1/1", "b": "s/1", "bps": 1}],
        "subnets": [],
    }
    with pytest.raises(FabricError, match="leaf-number-1/1: Linux allows no such long"):
        FabricTopo(fabric=parse(data))


def test_stripings_of_the_command_line():
    assert parse_striping("211/121/112") == [[2, 1, 1], [1, 2, 1], [1, 1, 2]]
    assert parse_striping("10-2/2-10") == [[10, 2], [2, 10]]
    with pytest.raises(FabricError, match="striping: 'a/b'"):
        parse_striping("a/b")
    # Mininet's command line turns an argument of digits only into a number.
    assert len(Clos(21, hosts=0).links()) == 3


def test_mininet_finds_every_topology_by_name():
    assert topos == {"clos": Clos, "imbalanced": Imbalanced, "fattree": FatTree}
    assert len(FatTree(4).hosts()) == 16
