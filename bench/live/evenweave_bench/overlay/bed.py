"""Two hosts on one veth pair, and every way from one to the other that is compared.

    h1 ── e0 192.168.1.1 ══════════ 192.168.1.2 e0 ── h2

    plain   the pair itself
    vxlan   the kernel's VXLAN device over it
    edge    evenweave-edge on it
    edgeTcp the same with an outer header that looks like TCP, on a veth pair of its own
    edgeHidden  the same with a hidden overlay, on a veth pair of its own
    ovs     Open vSwitch's userspace datapath with a VXLAN tunnel, on a veth pair of its own

All ways have routes with the MTU that fits them.
"""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from evenweave_testbed.edge.namespaces import EdgeNamespaces
from evenweave_testbed.openvswitch import SCHEMA
from evenweave_testbed.polling import READY_LIMIT_S

HOSTS = ("h1", "h2")
# The receiver's address by each way.
WAYS = {
    "plain": "192.168.1.2",
    "vxlan": "10.78.0.2",
    "edge": "10.77.2.1",
    "edgeTcp": "10.80.2.1",
    "edgeHidden": "10.81.2.1",
    "ovs": "10.79.0.2",
}
# Of edges, by what their outer header looks like.
_DEVICES = {"udp": "e0", "tcp": "t0", "hidden": "g0"}
_PATHS = 8
_VXLAN_PORT = 4789


class OverlayBed(EdgeNamespaces):
    """A running test bed; a context manager."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory, HOSTS)

    def offload(self, gro: bool) -> None:
        """Whether the edges' devices merge what they receive (off is a veth device's default)."""
        for host in HOSTS:
            for device in _DEVICES.values():
                self.check(host, "ethtool", "-K", device, "gro", "on" if gro else "off")

    def _wire(self) -> None:
        self._join("h1", "e0", "192.168.1.1", "h2", "e0", WAYS["plain"])
        self._join("h1", "t0", "192.168.3.1", "h2", "t0", "192.168.3.2")
        self._join("h1", "g0", "192.168.4.1", "h2", "g0", "192.168.4.2")
        self._join("h1", "u0", "192.168.2.1", "h2", "u0", "192.168.2.2")
        for own, other in ((1, 2), (2, 1)):
            self._vxlan(f"h{own}", own, other)
            self._edge(f"h{own}", own, other, "udp", "192.168.1", "10.77")
            self._edge(f"h{own}", own, other, "tcp", "192.168.3", "10.80")
            self._edge(f"h{own}", own, other, "hidden", "192.168.4", "10.81")
        for own, other in ((1, 2), (2, 1)):
            self._open_vswitch(f"h{own}", own, other)

    def _vxlan(self, host: str, own: int, other: int) -> None:
        for line in (
            f"link add vx type vxlan id 9 dstport {_VXLAN_PORT} "
            f"local 192.168.1.{own} remote 192.168.1.{other}",
            f"address add 10.78.0.{own}/24 dev vx",
            "link set vx up",
        ):
            self.check(host, "ip", *line.split())

    def _edge(
        self, host: str, own: int, other: int, transport: str, outer: str, inner: str
    ) -> None:
        """outer, inner: where the addresses are."""
        self.check(host, *f"ip address add {inner}.{own}.1/32 dev lo".split())
        peer = {
            "address": f"{outer}.{other}",
            "prefixes": [f"{inner}.{other}.0/24"],
            "scheme": "clove-ecn",
            "paths": [{"sourcePort": 50_000 + path} for path in range(_PATHS)],
        }
        config = {
            "device": _DEVICES[transport],
            "address": f"{outer}.{own}",
            "source": f"{inner}.{own}.1",
            "transport": transport,
            "vni": 7,
            "rttUs": 1000,
            "peers": [peer],
        }
        self.start_edge(host, config, f"{host}-{transport}")

    def _open_vswitch(self, host: str, own: int, other: int) -> None:
        """A switch daemon in the host's namespace: the tunnel's bridge, and one to the wire."""
        folder = self.directory / f"ovs-{host}"
        folder.mkdir()
        database, server = folder / "conf.db", folder / "db.sock"
        subprocess.run(["ovsdb-tool", "create", database, SCHEMA], check=True)
        environment = {
            name: str(folder)
            for name in ("OVS_RUNDIR", "OVS_DBDIR", "OVS_LOGDIR", "OVS_SYSCONFDIR")
        }
        command = ("ovsdb-server", str(database), f"--remote=punix:{server}")
        self.start_program(host, *command, environment=environment)
        deadline = time.monotonic() + READY_LIMIT_S
        while not server.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        configure = ["ovs-vsctl", f"--db=unix:{server}", f"--timeout={READY_LIMIT_S:.0f}"]
        self.check(host, *configure, "--no-wait", "init")
        log = f"--log-file={folder / 'vswitchd.log'}"
        self.start_program(
            host, "ovs-vswitchd", "-vconsole:off", log, f"unix:{server}", environment=environment
        )
        lines = (
            "add-br wire -- set bridge wire datapath_type=netdev",
            "add-port wire u0",
            "add-br guest -- set bridge guest datapath_type=netdev",
            f"add-port guest tunnel -- set interface tunnel type=vxlan "
            f"options:remote_ip=192.168.2.{other} options:local_ip=192.168.2.{own} options:key=9",
        )
        for line in lines:
            self.check(host, *configure, *line.split())
        for line in (
            "address flush dev u0",
            f"address add 192.168.2.{own}/24 dev wire",
            "link set wire up",
            f"address add 10.79.0.{own}/24 dev guest",
            "link set guest mtu 1450",
            "link set guest up",
        ):
            self.check(host, "ip", *line.split())
