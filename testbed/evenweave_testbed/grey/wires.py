"""Links with a middle, which loses, damages, delays or limits packets.

The two ends of one veth pair count packets in one place, so what is lost at an end is in the
counters of neither. A link with a middle is two pairs:

    s1-0-eth1 ==== s1-0-eth1m  --program-->  s2-0-eth1m ==== s2-0-eth1
                               <--program--

A program (`wire.bpf.c`) hands on what comes in, or does not. A port that goes down takes the near
part down alone, unlike a cable: the other end stays up.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from mininet.util import makeIntfPair

from evenweave_testbed.processes import pipe
from evenweave_testbed.shaping import ShapedLink
from evenweave_topos.fabric_file import Link
from evenweave_topos.topologies import interface_name

_SOURCE = Path(__file__).with_name("wire.bpf.c")
_HEADERS = "/usr/include/x86_64-linux-gnu"
_MILLION = 1_000_000
_BURST_BYTES, _QUEUE_MS = 16_000, 50


class WireError(RuntimeError):
    """The kernel or a tool refused to set up a wire."""


def no_wires() -> str | None:
    """Why links with a middle cannot be made here; None if they can."""
    missing = [tool for tool in ("clang", "bpftool", "tc") if shutil.which(tool) is None]
    if missing:
        return f"{', '.join(missing)} are not installed (apt-get install clang libbpf-dev bpftool)"
    return None


def middle_name(interface: str) -> str:
    """The device at the other end of an interface whose link has a middle."""
    return f"{interface}m"


class MiddleLink(ShapedLink):
    """A link that has a middle if it is one of two switches. `Wires` joins its parts."""

    @classmethod
    def makeIntfPair(cls, name1, name2, addr1=None, addr2=None, node1=None, node2=None, **options):
        if not (hasattr(node1, "dpid") and hasattr(node2, "dpid")):
            return super().makeIntfPair(name1, name2, addr1, addr2, node1, node2, **options)
        for name, node in ((name1, node1), (name2, node2)):
            makeIntfPair(name, middle_name(name), None, None, node, node, **options)
        return name1, name2


class Wire:
    """One direction of a link. It passes packets unchanged until a fault is set."""

    def __init__(self, program: Path, sender: str, receiver: str) -> None:
        """Names of interfaces: what the first sends comes to the second."""
        self._inlet, self._outlet = middle_name(sender), middle_name(receiver)
        self._device = _device_number(self._outlet)
        self._lose = self._damage = self._mtu = 0
        self._relay: subprocess.Popen | None = None
        _run("tc", "qdisc", "add", "dev", self._inlet, "clsact")
        attach = f"filter add dev {self._inlet} ingress bpf da obj {program} sec tc"
        _run("tc", *attach.split())
        shown = _run("tc", "filter", "show", "dev", self._inlet, "ingress")
        (number,) = re.findall(r"\bid (\d+)\b", shown)
        self._maps = {
            json.loads(_run("bpftool", "-j", "map", "show", "id", str(known)))["name"]: known
            for known in json.loads(_run("bpftool", "-j", "prog", "show", "id", number))["map_ids"]
        }
        self._put(self._device)

    def lose(self, share: float) -> None:
        """From now on this part of the packets is lost, at random; 0: none."""
        self._lose = round(share * _MILLION)
        self._put(self._device)

    def damage(self, share: float) -> None:
        """From now on a bit is wrong in this part of the packets, and no port notices."""
        self._damage = round(share * _MILLION)
        self._put(self._device)

    def limit(self, mtu: int) -> None:
        """From now on IP packets of more bytes are lost; 0: none."""
        self._mtu = mtu
        self._put(self._device)

    def slow(self, bps: int) -> None:
        """From now on no more than this passes, with a queue of 50 ms before it; 0: unlimited."""
        show = _run("tc", "qdisc", "show", "dev", self._outlet, "root")
        if "tbf" in show:
            _run("tc", "qdisc", "del", "dev", self._outlet, "root")
        if bps:
            shape = f"rate {bps}bit burst {_BURST_BYTES} latency {_QUEUE_MS}ms"
            _run("tc", *f"qdisc add dev {self._outlet} root tbf {shape}".split())

    def delay(self, seconds: float) -> None:
        """From now on packets take so much longer; 0: none does. A process hands them on, some
        thousands a second, and nothing else happens to them."""
        if self._relay is not None:
            self._relay.terminate()
            self._relay.wait()
            self._relay = None
        if seconds:
            module = "evenweave_testbed.grey.delay"
            command = [sys.executable, "-m", module, self._inlet, self._outlet, str(seconds)]
            self._relay = subprocess.Popen(command, stdout=subprocess.PIPE)
            if not pipe(self._relay.stdout).readline():
                raise WireError(f"{module} {self._inlet} does not start")
        self._put(0 if seconds else self._device)

    def account(self) -> dict[str, int]:
        """How many packets came `seen`, and of them `lost` and `damaged`."""
        dump = _run("bpftool", "-j", "map", "dump", "id", str(self._maps["account"]))
        (only,) = json.loads(dump)
        return only["formatted"]["value"]

    def close(self) -> None:
        self.delay(0)

    def _put(self, device: int) -> None:
        numbers = (device, self._lose, self._damage, self._mtu)
        value = b"".join(number.to_bytes(4, "little") for number in numbers)
        update = ["map", "update", "id", str(self._maps["fault"])]
        hexadecimal = [f"{byte:02x}" for byte in value]
        _run("bpftool", *update, "key", "hex", *["00"] * 4, "value", "hex", *hexadecimal)


class Wires:
    """Both directions of links with a middle."""

    def __init__(self, links: Sequence[Link], directory: Path) -> None:
        """Joins the parts of links that were made by `MiddleLink`."""
        program = _built(directory)
        self._wires: dict[tuple[str, str], Wire] = {}
        for link in links:
            ends = [(str(end), interface_name(end.switch, end.port)) for end in (link.a, link.b)]
            for _, interface in ends:
                _make_up(interface)
                _make_up(middle_name(interface))
            for (sender, outlet), (receiver, inlet) in (ends, ends[::-1]):
                self._wires[sender, receiver] = Wire(program, outlet, inlet)

    def wire(self, sender: str, receiver: str) -> Wire:
        """The direction from one end to another, each as in s1-0/1."""
        return self._wires[sender, receiver]

    def close(self) -> None:
        for wire in self._wires.values():
            wire.close()


def _built(directory: Path) -> Path:
    reason = no_wires()
    if reason:
        raise WireError(reason)
    program = directory / "wire.bpf.o"
    flags = ["-O2", "-g", "-target", "bpf", f"-I{_HEADERS}"]
    _run("clang", *flags, "-c", str(_SOURCE), "-o", str(program))
    return program


def _make_up(device: str) -> None:
    # Nothing of the kernel's own: the other end would count it.
    Path(f"/proc/sys/net/ipv6/conf/{device}/disable_ipv6").write_text("1")
    _run("ethtool", "-K", device, "tx", "off")
    _run("ip", "link", "set", device, "up")


def _device_number(device: str) -> int:
    (shown,) = json.loads(_run("ip", "-j", "link", "show", "dev", device))
    return shown["ifindex"]


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise WireError(f"{' '.join(command)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout
