"""Table 5.2: how evenly packets of rate-limited flows leave, for sdd-host and Linux's own limiters.

All in one run, one after the other, through the same kind of link, and measured at the same place:
by the kernel's time stamps at the far end of a veth pair. Source and meter have the same real-time
priority in every case, so that other programs on the machine disturb all alike, and cores by one
rule: what limits has the first core, the meter the last. HTB works where the source sends, so there
the source has the first core too; sdd-host has it alone.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evenweave_testbed.processes import pipe
from evenweave_testbed.sdd.build import program
from evenweave_testbed.sdd.priority import start_first

# Table 5.2: flows and bits per second of each.
RATES = (
    (10, 10**6),
    (100, 10**6),
    (1000, 10**6),
    (1, 10**7),
    (10, 10**7),
    (100, 10**7),
    (1, 10**8),
    (10, 10**8),
    (1, 10**9),
    (2, 10**9),
)
PAPER_RMSE_US = dict(zip(RATES, (3.1, 6.9, 17.1, 1.7, 2.6, 4.1, 1.6, 2.6, 1.4, 3.1), strict=True))
FRAME_BITS = 12000
FIRST_PORT = 20000
# More than a link of veth carries here: what forwards is what limits.
UNLIMITED_BPS = 5 * 10**9
# Of one queue or class: what its flow sends in 10 ms, for a sender that is woken late, or this.
_QUEUE_PACKETS = 16
_SOURCE_PRIORITY = 1
_HOST, _APPLICATION = "10.9.1.2", "10.9.1.1"


def placement() -> dict:
    """Who runs where, and before whom."""
    cores = sorted(os.sched_getaffinity(0))
    first, last = cores[0], cores[-1]
    return {
        "realtimePriority": _SOURCE_PRIORITY,
        "sdd": {"host": first, "source": last, "meter": last},
        "htb": {"source": first, "meter": last},
    }


def say(what: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)


def rate(folder: Path, flows: int, bps: int, seconds: float, tap: bool = False) -> dict:
    """A row of Table 5.2. tap: applications send through a TAP device and the NIC is AF_PACKET's,
    not both AF_XDP's on veth pairs."""
    say(f"{flows} flows of {bps / 1e6:g} Mb/s")
    # slow flows need time for gaps to measure
    seconds = max(seconds, 300 * FRAME_BITS / bps)
    row: dict[str, Any] = {"flows": flows, "bps": bps, "gapUs": FRAME_BITS / bps * 1e6}
    row["paperRmseUs"] = PAPER_RMSE_US.get((flows, bps))
    with link(), application_link(tap) as device, sdd_host(folder, queues(flows, bps), tap):
        row["sdd"] = gaps("sdd", device, flows, bps, seconds)
        row["sdd"]["packetNs"] = _packet_ns(folder)
    with link():
        _htb(flows, bps)
        row["htb"] = gaps("htb", "near", flows, bps, seconds)
    return row


def other_limiters() -> dict:
    """Why Linux's other limiters are not in the table: what tc says to each."""
    with link():
        return {name: _refusal(*words) for name, words in _OTHERS.items()}


_OTHERS = {
    "fq": ("fq",),
    "etf": ("etf", "clockid", "CLOCK_TAI", "delta", "200000", "skip_sock_check"),
}


def _refusal(*qdisc: str) -> dict:
    done = subprocess.run(
        ["tc", "qdisc", "add", "dev", "near", "root", *qdisc],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        run("tc", "qdisc", "del", "dev", "near", "root")
        return {"skipped": "the kernel has it, but it needs a sender that sets a rate or a time"}
    return {"skipped": " ".join(done.stderr.split()) or "tc does not say why"}


def forwarding(folder: Path, seconds: float) -> list[dict]:
    """Packets per second through one queue without a limit, beside DPDK's testpmd on the same kinds
    of devices: AF_XDP on veth pairs, and a TAP device with AF_PACKET."""
    rows = []
    for tap in (False, True):
        devices = "tap, af_packet" if tap else "af_xdp, af_xdp"
        say(f"packets per second: {devices}")
        with link(), application_link(tap) as device, sdd_host(folder, queues(0, 0), tap):
            measured = gaps("sdd", device, 1, UNLIMITED_BPS, seconds)
            row = {"devices": devices, "sddPps": _pps(measured), "sddPacketNs": _packet_ns(folder)}
        with link(), application_link(tap) as device, _testpmd(tap, device):
            measured = gaps("sdd", device, 1, UNLIMITED_BPS, seconds)
            row["testpmdPps"] = _pps(measured)
        rows.append(row)
    return rows


def _pps(measured: dict) -> float:
    return 1e6 / measured["meanGapUs"] if measured["meanGapUs"] else 0.0


@contextmanager
def link() -> Iterator[None]:
    """A veth pair, near and far, without anything that speaks by itself."""
    with _pair("near", "far"):
        yield


@contextmanager
def _pair(one: str, other: str) -> Iterator[None]:
    run("ip", "link", "add", one, "type", "veth", "peer", "name", other)
    try:
        for name in (one, other):
            Path(f"/proc/sys/net/ipv6/conf/{name}/disable_ipv6").write_text("1")
            run("ip", "link", "set", name, "up")
        yield
    finally:
        run("ip", "link", "del", one)


@contextmanager
def application_link(tap: bool) -> Iterator[str]:
    """The device that applications send to; a TAP device is made by the program that forwards."""
    if tap:
        yield "tap0"
        return
    with _pair("app", "app-sdd"):
        # the port gets frames as they are, and would send them on without their checksums
        run("ethtool", "-K", "app", "tx", "off")
        yield "app"


def queues(flows: int, bps: int) -> list[dict]:
    """One for each flow with its rate, and a last one without for the rest."""
    limited = [
        {
            "number": i,
            "drainRateBps": bps,
            "maxPackets": _queue_packets(bps),
            "matches": [{"protocol": 17, "destinationPort": FIRST_PORT + i}],
        }
        for i in range(flows)
    ]
    return [*limited, {"number": flows, "matches": [{}]}]


@contextmanager
def sdd_host(
    folder: Path, queues: list[dict], tap: bool, driver: str | None = None, more: dict | None = None
) -> Iterator[None]:
    """sdd-host on the near end. driver: of that; more: fields of the host."""
    limits = {"queues": len(queues), "flows": len(queues) + 64, "mappings": len(queues)}
    host: dict[str, Any] = {"name": "bench", "limits": limits, "queues": queues}
    host |= {"tap": "tap0"} if tap else {"applicationPort": _port("af_xdp", "app-sdd")}
    host |= {"port": _port(driver or ("af_packet" if tap else "af_xdp"), "near")} | (more or {})
    config = {
        "cores": {"evaluate": placement()["sdd"]["host"]},
        "statistics": str(folder / "statistics"),
        "hosts": [host],
    }
    path = folder / "sdd-host.json"
    path.write_text(json.dumps(config))
    with (folder / "sdd-host.log").open("w") as log:
        process = start_first(
            [str(program("sdd-host")), str(path)], stdout=subprocess.PIPE, stderr=log, text=True
        )
    try:
        if pipe(process.stdout).readline() != "ready\n":
            said = (folder / "sdd-host.log").read_text(errors="replace")
            raise RuntimeError(f"sdd-host does not start:\n{said}")
        if tap:
            _bring_up_tap()
        yield
    finally:
        process.terminate()
        process.wait()


def _port(driver: str, device: str) -> dict:
    return {"driver": driver, "device": device}


def _bring_up_tap() -> None:
    Path("/proc/sys/net/ipv6/conf/tap0/disable_ipv6").write_text("1")
    run("ip", "link", "set", "tap0", "up")


@contextmanager
def _testpmd(tap: bool, device: str) -> Iterator[None]:
    """DPDK's own forwarder on the same core, between the same kinds of devices."""
    core = placement()["sdd"]["host"]
    devices = (
        ["--vdev=net_tap0,iface=tap0", "--vdev=net_af_packet1,iface=near,qdisc_bypass=1"]
        if tap
        else ["--vdev=net_af_xdp0,iface=app-sdd", "--vdev=net_af_xdp1,iface=near"]
    )
    command = [
        "chrt",
        "--fifo",
        "1",
        "stdbuf",
        "-oL",
        "dpdk-testpmd",
        "--no-huge",
        "-m",
        "256",
        "--no-pci",
    ]
    command += ["--no-telemetry", "--no-shconf", "--file-prefix=evw-testpmd"]
    command += [f"--lcores=0@{placement()['sdd']['source']},1@{core}", *devices]
    command += ["--", "--nb-cores=1", "--forward-mode=io", "--auto-start"]
    command += ["--total-num-mbufs=32767"]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        for line in pipe(process.stdout):
            if "Press enter" in line:
                break
        else:
            raise RuntimeError("testpmd does not start")
        if device == "tap0":
            _bring_up_tap()
        yield
    finally:
        process.communicate("\n")


def statistics(folder: Path) -> dict:
    """What sdd-host says of itself."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(folder / "statistics"))
        return json.loads(b"".join(iter(lambda: connection.recv(65536), b"")))


def _packet_ns(folder: Path) -> float:
    """What a packet has taken of sdd-host's core, from the applications' device to the port."""
    seen = statistics(folder)
    return seen["loop"]["busyNs"] / max(1, seen["hosts"][0]["sentPackets"])


def gaps(who: str, interface: str, flows: int, bps: int, seconds: float) -> dict:
    """Sends through the interface and measures at the far end."""
    run("ip", "address", "add", f"{_APPLICATION}/24", "dev", interface)
    run("ip", "neighbour", "add", _HOST, "lladdr", "02:00:00:00:00:02", "dev", interface)
    gap_ns = FRAME_BITS * 1e9 / bps
    cores = placement()[who]
    measure = [str(program("rate_meter")), "far", str(flows), str(gap_ns), str(seconds)]
    meter = subprocess.Popen([*on(cores["meter"]), *measure], stdout=subprocess.PIPE, text=True)
    pipe(meter.stdout).readline()
    source = [str(program("rate_source")), _HOST, str(flows), str(bps), str(seconds)]
    run(*on(cores["source"]), *source)
    result = json.loads(meter.communicate()[0])
    # the long-run rate: 1 if every flow got its own
    result["rateShare"] = gap_ns / 1e3 / result["meanGapUs"] if result["meanGapUs"] else 0.0
    return result


def on(core: int) -> list[str]:
    return ["taskset", "--cpu-list", str(core), "chrt", "--rr", str(_SOURCE_PRIORITY)]


def _htb(flows: int, bps: int) -> None:
    """A class of this rate for each flow, with the least burst, so that it paces every packet."""
    lines = ["qdisc add dev near root handle 1: htb"]
    for i in range(1, flows + 1):
        lines += [
            f"class add dev near parent 1: classid 1:{i:x} htb rate {bps}bit burst 1600 "
            "cburst 1600 quantum 1514",
            f"qdisc add dev near parent 1:{i:x} pfifo limit {_queue_packets(bps)}",
        ]
    done = subprocess.run(
        ["tc", "-batch", "-"], input="\n".join(lines), capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(f"tc: {done.stderr}")


def _queue_packets(bps: int) -> int:
    return max(_QUEUE_PACKETS, bps // FRAME_BITS // 100)


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout
