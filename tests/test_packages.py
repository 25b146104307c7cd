"""The Debian packages in a bare Debian 12 root with systemd: installed, used, upgraded, removed.

The commands are those of docs/how-to/install.md.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import page_blocks
import pytest
from package_root import NoContainer, PackageRoot, dependencies, needs_package_root
from runtimes import ROOT

PAGE = ROOT / "docs/how-to/install.md"
PACKAGES = ROOT / "target/packages"
OLD, NEW = "1.0.0", "1.0.1"
NAMES = ["tools", "controller", "sdd", "host", "edge"]
COMPLETIONS = [
    "/usr/share/bash-completion/completions/evenweave",
    "/usr/share/zsh/vendor-completions/_evenweave",
    "/usr/share/fish/vendor_completions.d/evenweave.fish",
]
# Of the fabric of the page, and hosts behind its leaves.
FABRIC = r"""
set -e
n=0
for b in leaf1 leaf2 spine1 spine2; do
  n=$((n + 1))
  ovs-vsctl add-br $b -- set bridge $b datapath_type=netdev protocols=OpenFlow13,OpenFlow15 \
    fail_mode=secure other-config:datapath-id=000000000000000$n
done
link() {
  ip link add $1-$2 type veth peer name $3-$4
  ip link set $1-$2 up; ip link set $3-$4 up
  ovs-vsctl add-port $1 $1-$2 -- set interface $1-$2 ofport_request=$2
  ovs-vsctl add-port $3 $3-$4 -- set interface $3-$4 ofport_request=$4
}
link leaf1 1 spine1 1; link leaf1 2 spine2 1; link leaf2 1 spine1 2; link leaf2 2 spine2 2
for h in 1 2; do
  ip netns add h$h
  ip link add leaf$h-9 type veth peer name eth0 netns h$h
  ip link set leaf$h-9 up
  ovs-vsctl add-port leaf$h leaf$h-9 -- set interface leaf$h-9 ofport_request=9
  ip -n h$h addr add 10.0.$h.2/24 dev eth0; ip -n h$h link set eth0 up
  ip -n h$h route add default via 10.0.$h.1
done
for b in leaf1 leaf2 spine1 spine2; do
  ovs-vsctl set-controller $b tcp:127.0.0.1:6653 -- set controller $b max_backoff=1000
done
"""
# One document for all hosts each, of which this is host1.
HOST = r"""
set -e
ip link add e0 type veth peer name e1; ip addr add 192.0.2.1/24 dev e0
ip link add n0 type veth peer name n1
for device in e0 e1 n0 n1; do ip link set $device up; done
cat > /etc/evenweave/evenweave-edge.json <<'END'
{"everyHost": {"device": "e0", "vni": 7, "peers": [
   {"address": "192.0.2.1", "prefixes": ["10.77.1.0/24"], "scheme": "clove-ecn",
    "paths": {"discover": 4}},
   {"address": "192.0.2.2", "prefixes": ["10.77.2.0/24"], "scheme": "clove-ecn",
    "paths": {"discover": 4}}]},
 "byHost": {"host1": {"address": "192.0.2.1"}, "host2": {"address": "192.0.2.2"}}}
END
cat > /etc/evenweave/sdd-host.json <<'END'
{"everyHost": {"realtimePriority": 0, "memoryMb": 128, "packetBuffers": 4096,
   "host": {"tap": "tap0", "port": {"driver": "af_packet", "device": "n0"},
   "queues": [{"number": 0, "matches": [{}]}]}},
 "byHost": {"host1": {"host": {"addresses": ["10.9.0.1"]}}}}
END
echo EVENWEAVE_HOST=host1 >> /etc/default/evenweave-edge
echo EVENWEAVE_HOST=host1 >> /etc/default/evenweave-host
systemctl start evenweave-edge sdd-host
"""

pytestmark = [pytest.mark.network, *needs_package_root]


def repack(package: Path, to: Path, work: Path) -> None:
    """The same package as one of the next release."""
    subprocess.run(["dpkg-deb", "-R", str(package), str(work)], check=True)
    control = work / "DEBIAN/control"
    text = control.read_text().replace(f"Version: {OLD}\n", f"Version: {NEW}\n")
    control.write_text(text.replace(f"(= {OLD})", f"(= {NEW})"))
    target = to / package.name.replace(f"_{OLD}_", f"_{NEW}_")
    command = ["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "-b", str(work), str(target)]
    subprocess.run(command, check=True, capture_output=True)
    shutil.rmtree(work)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PackageRoot]:
    command = [str(ROOT / "evenweave"), "package", "deb"]
    subprocess.run(command, check=True, capture_output=True)
    folder = tmp_path_factory.mktemp("packages")
    made = PackageRoot(folder / "root")
    made.make()
    ours = [next(PACKAGES.glob(f"evenweave-{name}_{OLD}_*.deb")) for name in NAMES]
    made.prepare(dependencies(ours))
    for release in (OLD, NEW):
        (made.folder / f"root/packages-{release}").mkdir()
    for package in ours:
        shutil.copy(package, made.folder / f"root/packages-{OLD}")
        repack(package, made.folder / f"root/packages-{NEW}", folder / "work")
    try:
        with made.booted():
            yield made
    except NoContainer as why:
        pytest.skip(str(why))
    finally:
        shutil.rmtree(folder)


def commands(heading: str) -> str:
    """The commands of a section of the page."""
    (section,) = re.findall(rf"^## {heading}.*?\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.M | re.S)
    blocks = page_blocks.blocks_of(section)
    return "\n".join(b.text for b in blocks if b.note == "run by tests/test_packages.py")


def shown(heading: str) -> list[str]:
    """The lines that a section of the page says its commands print."""
    (section,) = re.findall(rf"^## {heading}.*?\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.M | re.S)
    return [
        line
        for b in page_blocks.blocks_of(section)
        if b.kind == "text"
        for line in b.text.splitlines()
    ]


def files(root: PackageRoot) -> set[str]:
    """Files, users and units with our name, but for the packages themselves."""
    found = root.run(
        "find / -xdev \\( -path /proc -o -path /sys -o -path /root \\) -prune -o "
        "\\( -iname '*evenweave*' -o -name 'sdd-host*' -o -name 'circuit-switch*' \\) -print; "
        "ls -d /run/*evenweave* /run/sdd-host* 2>/dev/null; getent passwd | grep evenweave; "
        "getent group | grep evenweave",
        check=False,
    )
    return set(found.stdout.split())


@pytest.mark.extended
def test_install_use_upgrade_and_remove(root: PackageRoot) -> None:
    before = files(root)
    for heading in ("2. Install", "3. Configure"):
        done = root.run(commands(heading))
        lines = done.stdout.splitlines()
        assert [line for line in shown(heading) if not any(line in p for p in lines)] == []
    tools = root.run("dpkg -L evenweave-tools").stdout.splitlines()
    assert set(COMPLETIONS) <= set(tools)
    assert "/usr/share/man/man1/evenweave-status.1.gz" in tools
    assert "_complete_evenweave" in root.run(f". {COMPLETIONS[0]}; complete -p evenweave").stdout
    root.run(FABRIC)
    first_packet = "ip netns exec h1 ping -q -c 1 -w 60 10.0.2.2; "
    connected = root.run(first_packet + commands("4. Connect")).stdout.splitlines()
    assert "3 received" in connected
    assert [line for line in shown("4. Connect") if line not in connected] == []

    rest = [f"./evenweave-{name}_*.deb" for name in ("sdd", "host", "edge")]
    root.run(f"cd packages-{OLD} && apt-get install -y {' '.join(rest)}")
    root.run(HOST)
    held = "pidof sdd-host; cat /sys/class/net/tap0/ifindex 2>/dev/null || ip -o link show tap0"
    started = root.run(held).stdout.split("\n")[0]
    upgrade = commands("5. Upgrade").replace("../", "").rstrip() + " " + " ".join(rest)
    upgraded = root.run(
        "ip netns exec h1 ping -q -i 0.05 -w 3000 10.0.2.2 > /root/ping.txt & ping=$!\n"
        + upgrade
        + "\nuntil curl -s http://127.0.0.1:8282/evenweave/status | grep -q '\"converged\":true'\n"
        "do sleep 1; done; kill -INT $ping; wait $ping; cat /root/ping.txt"
    )
    assert " 0% packet loss" in upgraded.stdout
    assert root.run(held).stdout.split("\n")[0] == started
    units = "evenweave-controller evenweave-edge sdd-host"
    assert set(root.run(f"systemctl is-active {units}").stdout.split()) == {"active"}
    assert NEW in root.run("dpkg-query -W evenweave-edge").stdout

    root.run(commands("6. Remove"))
    assert files(root) == before
    assert root.run("tc filter show dev e0 egress").stdout == ""
