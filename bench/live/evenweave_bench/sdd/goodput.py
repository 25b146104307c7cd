"""Goodput of one TCP flow through sdd-host's TAP device, with segments taken whole and without.

Beside it, in the same run and in turn: the veth pair alone, and Linux HTB on it, where there is a
rate. The application at the far end has a network namespace of its own, with the kernel's stack and
nothing else; sdd-host's NIC is the near end, by AF_XDP. Who serves has the first core, as in
Table 5.2, and both ends of the flow are where the kernel puts them.
"""

from __future__ import annotations

import json
import os
import statistics as numbers
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evenweave_bench.sdd import rates
from evenweave_testbed.processes import pipe

SEGMENTS_KB = (0, 16, 32, 64)
"""Of sdd-host: by the kernel's cutting only, and as large as this."""

RATES_BPS = (0, 10**9)
"""0: none."""

DIRECTIONS = ("sends", "receives")
"""What the application behind sdd-host does."""

ROUNDS = 3
_HERE, _THERE = "10.9.1.1", "10.9.1.2"
_CONNECT_MS = 10000


def goodput(
    folder: Path,
    seconds: float,
    rounds: int = ROUNDS,
    rates_bps: tuple[int, ...] = RATES_BPS,
    segments_kb: tuple[int, ...] = SEGMENTS_KB,
) -> list[dict]:
    """A row for each rate, direction and way."""
    rows = []
    for bps in rates_bps:
        ways: list[dict[str, Any]] = [{"way": "sdd", "segmentKb": kb} for kb in segments_kb]
        ways.append({"way": "htb" if bps else "veth"})
        for direction in DIRECTIONS if not bps else DIRECTIONS[:1]:
            measured: list[list[dict]] = [[] for _ in ways]
            for _ in range(rounds):
                for way, of in zip(ways, measured, strict=True):
                    of.append(_measure(folder, way, bps, direction, seconds))
            rows += [
                {"bps": bps, "direction": direction} | way | _summary(of)
                for way, of in zip(ways, measured, strict=True)
            ]
    return rows


def _summary(measured: list[dict]) -> dict:
    summary = {key: numbers.median(each[key] for each in measured) for key in measured[0]}
    return summary | {"roundsBps": [each["gotBps"] for each in measured]}


def _measure(folder: Path, way: dict, bps: int, direction: str, seconds: float) -> dict:
    rates.say(f"one TCP flow that {direction}, {bps / 1e9:g} Gb/s: {way}")
    with rates.link(), _namespace_of_far() as far:
        if way["way"] != "sdd":
            if bps:
                _htb(bps)
            return _flow(far, "htb", "near", direction, seconds)
        # the port gets frames as they are: without this, without their checksums
        rates.run(*far, "ethtool", "-K", "far", "tx", "off")
        queue = {"number": 0, "drainRateBps": bps, "matches": [{}]}
        host = {"segmentKb": way["segmentKb"]}
        with rates.sdd_host(folder, [queue], tap=True, driver="af_xdp", more=host):
            before = rates.statistics(folder)
            got = _flow(far, "sdd", "tap0", direction, seconds)
            after = rates.statistics(folder)
    moved = [
        sum(of["hosts"][0][key] for key in ("sentPackets", "received")) for of in (before, after)
    ]
    busy_ns = after["loop"]["busyNs"] - before["loop"]["busyNs"]
    cut = after["hosts"][0]["segmentFrames"] / max(1, after["hosts"][0]["fromApplications"])
    return got | {"packetNs": busy_ns / max(1, moved[1] - moved[0]), "cutShare": cut}


@contextmanager
def _namespace_of_far() -> Iterator[list[str]]:
    """The far end moves into it; what runs a command there."""
    with subprocess.Popen(
        ["unshare", "--net", "sh", "-c", "echo ready; exec sleep infinity"],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            pipe(process.stdout).readline()
            inside = ["nsenter", "-t", str(process.pid), "--net"]
            rates.run("ip", "link", "set", "far", "netns", str(process.pid))
            rates.run(*inside, "ip", "link", "set", "far", "up")
            rates.run(*inside, "ip", "address", "add", f"{_THERE}/24", "dev", "far")
            _receives_elsewhere(inside)
            yield inside
            # or the pair would go with the namespace, at some time
            rates.run(*inside, "ip", "link", "set", "far", "netns", str(os.getpid()))
        finally:
            process.kill()


def _receives_elsewhere(far: list[str]) -> None:
    """What arrives is received on the meter's core, as by another machine: else by the thread that
    sends."""
    mask = f"{1 << rates.placement()['sdd']['meter']:x}"
    script = f"mount -t sysfs sysfs /sys && echo {mask} > /sys/class/net/far/queues/rx-0/rps_cpus"
    rates.run(*far, "unshare", "--mount", "sh", "-ec", script)


def _flow(far: list[str], who: str, interface: str, direction: str, seconds: float) -> dict:
    """Goodput as the receiver has it, through what has cores as `who` has in Table 5.2."""
    cores = rates.placement()[who]
    rates.run("ip", "address", "add", f"{_HERE}/24", "dev", interface)
    server = subprocess.Popen(
        [*far, *rates.on(cores["meter"]), "iperf3", "--server", "--one-off", "--forceflush"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        while "listening" not in (line := pipe(server.stdout).readline()):
            if not line:
                raise RuntimeError("iperf3 does not listen")
        client = [
            *rates.on(cores["source"]),
            "iperf3",
            "--client",
            _THERE,
            "--time",
            str(round(seconds)),
            "--json",
        ]
        client += ["--connect-timeout", str(_CONNECT_MS)]
        client += ["--reverse"] if direction == "receives" else []
        end = json.loads(rates.run(*client))["end"]
    finally:
        server.kill()
        server.communicate()
    return {
        "gotBps": end["sum_received"]["bits_per_second"],
        "retransmits": end["sum_sent"]["retransmits"],
    }


def _htb(bps: int) -> None:
    rates.run("tc", "qdisc", "add", "dev", "near", "root", "handle", "1:", "htb", "default", "1")
    rates.run(
        "tc", "class", "add", "dev", "near", "parent", "1:", "classid", "1:1", "htb", "rate",
        f"{bps}bit",
    )  # fmt: skip
