"""The Ansible role pushes to two hosts by sshd: bare Debian 12 roots with systemd.

Each host has an edge and sdd-host, with keys of their own.

The edges of these hosts carry packets all the while, and drop those without a valid code: a host
that lags behind with a key, or a device without its programs, would lose some.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from package_root import NoContainer, PackageRoot, dependencies, needs_package_root
from runtimes import ROOT

ROLE = ROOT / "packaging/ansible"
PACKAGES = ROOT / "target/packages"
OLD_KEY, NEW_KEY = "1" * 64, "2" * 64
DOCUMENT = "/etc/evenweave/evenweave-edge.json"
INVENTORY = """
evenweave:
  hosts:
    host1: {ansible_host: 192.0.2.1}
    host2: {ansible_host: 192.0.2.2}
  vars:
    ansible_become: false
    ansible_ssh_common_args: -o StrictHostKeyChecking=no
    evenweave_package_folder: /root/packages
    evenweave_packages: [evenweave-edge, evenweave-host]
    evenweave_keys:
      evenweave-edge: {edge.key: "{{ lookup('ansible.builtin.file', '/root/edge.key') }}\\n"}
      evenweave-host: {host.key: "{{ lookup('ansible.builtin.file', '/root/edge.key') }}\\n"}
    evenweave_configuration:
      evenweave-edge: "{{ lookup('ansible.builtin.file', '/root/evenweave-edge.json') }}"
      evenweave-host: "{{ lookup('ansible.builtin.file', '/root/sdd-host.json') }}"
"""
# Of sshd, and for the guests' traffic of one host.
SETUP = """
set -e
ip addr add 192.0.2.{number}/24 dev e0
ip addr add 10.77.{number}.1/32 dev lo
ip link set e0 up
ip link add n0 type veth peer name n1
ip link set n0 up
ip link set n1 up
systemctl start ssh
"""
# Another one would have cost the applications their connections.
TAP = "systemctl is-active --quiet sdd-host && cat /sys/class/net/tap0/ifindex"
# The parts have other names than the hosts: EVENWEAVE_HOST says which is a host's.
SDD_HOST = {
    "everyHost": {
        "realtimePriority": 0,
        "memoryMb": 128,
        "packetBuffers": 4096,
        "host": {
            "tap": "tap0",
            "port": {"driver": "af_packet", "device": "n0"},
            "queues": [{"number": 0, "matches": [{}]}],
        },
    },
    "byHost": {
        f"rack1-{number}": {"host": {"addresses": [f"10.9.0.{number}"]}} for number in (1, 2)
    },
}

pytestmark = [pytest.mark.network, *needs_package_root]


def document(gap_us: int) -> str:
    peers = [
        {
            "address": f"192.0.2.{number}",
            "prefixes": [f"10.77.{number}.0/24"],
            "scheme": "clove-ecn",
            "paths": [{"sourcePort": 50000}, {"sourcePort": 50001}],
        }
        for number in (1, 2)
    ]
    by_host = {
        f"host{number}": {"address": f"192.0.2.{number}", "source": f"10.77.{number}.1"}
        for number in (1, 2)
    }
    authentication = {
        "keyFile": "/etc/evenweave/keys/evenweave-edge/edge.key",
        "unauthenticated": "drop",
    }
    every = {"device": "e0", "vni": 7, "gapUs": gap_us, "peers": peers}
    return json.dumps({"everyHost": every | {"authentication": authentication}, "byHost": by_host})


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[PackageRoot, PackageRoot]]:
    """Two hosts with a link between them. The first has Ansible too, the role and the package."""
    command = [str(ROOT / "evenweave"), "package", "deb"]
    subprocess.run(command, check=True, capture_output=True)
    folder = tmp_path_factory.mktemp("ansible")
    first = PackageRoot(folder / "host1")
    first.make()
    packages = [next(PACKAGES.glob(f"evenweave-{name}_*.deb")) for name in ("edge", "host")]
    prepared = ["ansible-core", "openssh-server", "python3-apt", *dependencies(packages)]
    first.prepare(prepared)
    home = first.folder / "root"
    (home / ".ssh").mkdir(mode=0o700, exist_ok=True)
    key = home / ".ssh/id_ed25519"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    shutil.copy(key.with_suffix(".pub"), home / ".ssh/authorized_keys")
    second = first.copy(folder / "host2")
    shutil.copytree(ROLE, home / "ansible")
    (home / "packages").mkdir()
    for package in packages:
        shutil.copy(package, home / "packages")
    (home / "ansible/inventory.yml").write_text(INVENTORY)
    try:
        with ExitStack() as running:
            for number, host in enumerate((first, second), 1):
                (host.folder / "etc/hostname").write_text(f"{host.folder.name}\n")
                part = f"EVENWEAVE_HOST=rack1-{number}\n"
                (host.folder / "etc/default/evenweave-host").write_text(part)
                running.enter_context(host.booted())
            cable = ["ip", "link", "add", "e0", "netns", str(first.init), "type", "veth"]
            subprocess.run([*cable, "peer", "name", "e0", "netns", str(second.init)], check=True)
            for number, host in enumerate((first, second), 1):
                host.run(SETUP.replace("{number}", str(number)))
            yield first, second
    except NoContainer as why:
        pytest.skip(str(why))
    finally:
        shutil.rmtree(folder)


def push(first: PackageRoot, document: str, *keys: str, check: bool = True) -> str:
    """The play, of the host that has Ansible."""
    (first.folder / "root/evenweave-edge.json").write_text(document)
    (first.folder / "root/sdd-host.json").write_text(json.dumps(SDD_HOST))
    (first.folder / "root/edge.key").write_text("".join(f"{key}\n" for key in keys))
    play = "cd ansible && ansible-playbook -i inventory.yml site.yml"
    return first.run(play, check=check).stdout


def show(host: PackageRoot) -> dict:
    return json.loads(host.run("evenweave-edge show --json").stdout)


@pytest.mark.extended
def test_documents_and_keys_are_pushed_without_a_lost_packet(
    hosts: tuple[PackageRoot, PackageRoot],
) -> None:
    first, second = hosts
    push(first, document(gap_us=250), OLD_KEY)
    for host in hosts:
        assert host.run("systemctl is-active evenweave-edge sdd-host").stdout == "active\n" * 2
        assert host.run("stat -c '%U %a' /etc/evenweave/keys/*/*.key").stdout == (
            "evenweave-edge 600\nevenweave-host 600\n"
        )
        assert "evenweave-tools" not in host.run("ls /var/cache/evenweave-packages").stdout
    first.run("ping -q -c 1 -w 60 10.77.2.1")
    taps = [host.run(TAP).stdout for host in hosts]

    first.run("nohup ping -q -i 0.02 -w 3000 10.77.2.1 > ping.txt 2>&1 & echo $! > ping.pid")
    again = push(first, document(gap_us=250), OLD_KEY)
    assert re.findall(r"changed=(\d+)", again) == ["0", "0"]
    push(first, document(gap_us=500), OLD_KEY)
    assert [show(host)["peers"][0]["gapNowNs"] for host in hosts] == [500_000] * 2
    for keys in ((OLD_KEY, NEW_KEY), (NEW_KEY, OLD_KEY), (NEW_KEY,)):
        push(first, document(gap_us=500), *keys)
    assert [host.run(TAP).stdout for host in hosts] == taps
    wrong = document(gap_us=500).replace("gapUs", "gpaUs")
    refused = push(first, wrong, NEW_KEY, check=False)
    assert "gpaUs: unknown field" in refused
    assert re.findall(r"^host\d", refused.partition("PLAY RECAP")[2], re.MULTILINE) == ["host1"]
    assert "gapUs" in first.run(f"cat {DOCUMENT}").stdout
    first.run("kill -INT $(cat ping.pid); until grep -q loss ping.txt; do sleep 0.1; done")
    assert " 0% packet loss" in first.run("cat ping.txt").stdout
    (peer,) = show(second)["peers"]
    assert sum(path["received"]["packets"] for path in peer["paths"]) > 0
