"""A macvlan as evenweave-edge's device (docs/reference/edge.md#vlans-bonds-and-macvlans). What is
read is accounts; nothing here says how soon."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from edge_accounts import accounts_agree
from waiting import eventually

from evenweave_testbed.edge.bed import HOSTS, EdgeBed
from evenweave_testbed.edge.namespaces import EdgeError, NoBpfError

pytestmark = pytest.mark.fabric

FLOWS = 40


class MacvlanBed(EdgeBed):
    """Hosts' `e0` is a macvlan over `wire`, which leads to the router and has no address."""

    def _wire(self) -> None:
        super()._wire()
        for host in HOSTS:
            self._put_on_macvlan(host)

    def _put_on_macvlan(self, host: str) -> None:
        net = f"192.168.{host[1]}"
        # Else `wire` answers for the address of `e0` too, with its own MAC address.
        self.check(host, "sysctl", "-qw", "net.ipv4.conf.all.arp_ignore=1")
        for command in (
            "link set dev e0 down",
            "address flush dev e0",
            "link set dev e0 name wire",
            "link add e0 link wire type macvlan mode private",
            f"address add {net}.1/24 dev e0",
            "link set dev wire up",
            "link set dev e0 up",
            f"route add default via {net}.254",
        ):
            self.check(host, "ip", *command.split())


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[MacvlanBed]:
    try:
        with MacvlanBed(tmp_path) as bed:
            yield bed
    except EdgeError as error:
        if "Unknown device type" in str(error):
            pytest.skip("this kernel has no macvlan")
        raise


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("transport", ["udp", "tcp", "hidden"])
def test_a_macvlan_carries_the_edge_as_any_device(bed: MacvlanBed, transport: str):
    try:
        bed.start_edges(transport=transport)
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")
    bed.server("h2", "serve", bed.inner("h2"))
    bed.requests(FLOWS, 200_000)
    paths = bed.show("h1")["peer"]["paths"]
    assert sum(path["sent"]["flowlets"] for path in paths) >= FLOWS
    assert min(path["sent"]["packets"] for path in paths) > 0
    eventually(lambda: accounts_agree(bed), lambda: [bed.show(host) for host in HOSTS])
    for host in HOSTS:
        assert sum(bed.show(host)["drops"].values()) == 0
        bed.take_off(host)
        assert "clsact" not in bed.check(host, "tc", "qdisc", "show")
        assert bed.check(host, "ip", "route", "show", "proto", "229") == ""
