"""`./evenweave bench sdd`: how exactly hosts transmit (Tewari 2015, section 5.5).

Runs in namespaces of its own. Everything shares the cores of this machine, and the programs that
are measured run at the highest niceness: what the figures show is this data plane on this machine,
and, for rates, Linux HTB on the same machine in the same run, through the same kind of link,
measured at the same place: by the kernel's time stamps at the far end of a veth pair.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evenweave_bench.sdd.closed_loop import closed_loop
from evenweave_bench.sdd.reaction import reaction
from evenweave_testbed import isolation
from evenweave_testbed.command_line import BAD_USE, run_isolated
from evenweave_testbed.processes import pipe
from evenweave_testbed.sdd.build import BuildError, program
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
QUEUES = (1, 10, 100, 500, 1000, 2600, 5000, 10000)
FRAME_BITS = 12000
FIRST_PORT = 20000
# Of one queue or class: what its flow sends in 10 ms, for a sender that is woken late, or this.
_QUEUE_PACKETS = 16
_READY_S = 15.0


def run() -> int:
    """Runs the benchmark as the command line says; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="evenweave bench sdd",
        description="How exactly hosts transmit: reaction to START and STOP (Table 5.1), "
        "inter-packet gaps beside Linux HTB (Table 5.2), throughput and slot accuracy with 1 to "
        "10,000 queues (Figure 5.4), and a closed loop of eight hosts with the controller. Takes "
        "about 3 minutes.",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="few and short cases: only the form")
    parser.add_argument("--seconds", type=float, default=3.0, help="of each measurement (3)")
    parser.add_argument("--controller-jar", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not isolation.inside():
        try:
            program("sdd-host")  # built outside, so that what is built stays
        except BuildError as error:
            print(f"bench sdd: {error}", file=sys.stderr)
            return BAD_USE
    isolated = run_isolated("bench sdd", "evenweave_bench.sdd")
    if isolated is not None:
        return isolated
    result = measure(options.seconds, options.quick)
    if options.controller_jar:
        result["closedLoop"] = loop(options.controller_jar, options.quick)
    print(json.dumps(result) if options.json else render(result))
    return 0


def measure(seconds: float, quick: bool) -> dict:
    rates = ((1, 10**7), (10, 10**6)) if quick else RATES
    queues = (1, 100) if quick else QUEUES
    seconds = 1.0 if quick else seconds
    result: dict = {"cores": len(os.sched_getaffinity(0)), "seconds": seconds}
    with tempfile.TemporaryDirectory(prefix="evw-") as folder:
        _say("reaction to START and STOP")
        result["reaction"] = reaction(Path(folder), 50 if quick else 500)
        result["rate"] = [rate(Path(folder), flows, bps, seconds) for flows, bps in rates]
    result["scaling"] = scaling(queues, seconds)
    return result


def loop(jar: Path, quick: bool) -> dict:
    """The workload change on eight hosts."""
    _say("closed loop: eight hosts, four and four")
    with tempfile.TemporaryDirectory(prefix="evw-") as folder:
        return closed_loop(jar, Path(folder), 6.0 if quick else 10.0)


def rate(folder: Path, flows: int, bps: int, seconds: float) -> dict:
    """A row of Table 5.2: SDD and HTB, one after the other."""
    _say(f"{flows} flows of {bps / 1e6:g} Mb/s")
    # slow flows need time for gaps to measure
    seconds = max(seconds, 300 * FRAME_BITS / bps)
    row: dict[str, Any] = {"flows": flows, "bps": bps, "gapUs": FRAME_BITS / bps * 1e6}
    row["paperRmseUs"] = PAPER_RMSE_US.get((flows, bps))
    with link(), sdd_host(folder, flows, bps):
        row["sdd"] = gaps("tap0", flows, bps, seconds)
    with link():
        _htb(flows, bps)
        row["htb"] = gaps("near", flows, bps, seconds)
    return row


@contextmanager
def link() -> Iterator[None]:
    """A veth pair, near and far, without anything that speaks by itself."""
    _run("ip", "link", "add", "near", "type", "veth", "peer", "name", "far")
    try:
        for name in ("near", "far"):
            Path(f"/proc/sys/net/ipv6/conf/{name}/disable_ipv6").write_text("1")
            _run("ip", "link", "set", name, "up")
        yield
    finally:
        _run("ip", "link", "del", "near")


@contextmanager
def sdd_host(folder: Path, flows: int, bps: int) -> Iterator[None]:
    """sdd-host on the near end, with a queue for each flow."""
    queues = [{"number": flows, "matches": [{}]}] + [
        {
            "number": i,
            "drainRateBps": bps,
            "maxPackets": _queue_packets(bps),
            "matches": [{"protocol": 17, "destinationPort": FIRST_PORT + i}],
        }
        for i in range(flows)
    ]
    config = {
        # HTB works in interrupts, before any process
        "realtimePriority": 1,
        "hosts": [
            {
                "name": "bench",
                "tap": "tap0",
                "port": {"driver": "af_packet", "device": "near"},
                "limits": {"queues": flows + 1, "flows": flows + 64, "mappings": flows + 1},
                "queues": queues,
            }
        ],
    }
    path = folder / "sdd-host.json"
    path.write_text(json.dumps(config))
    process = start_first([str(program("sdd-host")), str(path)], stdout=subprocess.PIPE, text=True)
    try:
        if pipe(process.stdout).readline() != "ready\n":
            raise RuntimeError("sdd-host does not start")
        Path("/proc/sys/net/ipv6/conf/tap0/disable_ipv6").write_text("1")
        _run("ip", "link", "set", "tap0", "up")
        yield
    finally:
        process.terminate()
        process.wait()


def gaps(interface: str, flows: int, bps: int, seconds: float) -> dict:
    """Sends through the interface and measures at the far end."""
    _run("ip", "address", "add", "10.9.1.1/24", "dev", interface)
    _run("ip", "neighbour", "add", "10.9.1.2", "lladdr", "02:00:00:00:00:02", "dev", interface)
    gap_ns = FRAME_BITS * 1e9 / bps
    meter = subprocess.Popen(
        [str(program("rate_meter")), "far", str(flows), str(gap_ns), str(seconds)],
        stdout=subprocess.PIPE,
        text=True,
    )
    pipe(meter.stdout).readline()
    source = [str(program("rate_source")), "10.9.1.2", str(flows), str(bps), str(seconds)]
    _run(*source)
    result = json.loads(meter.communicate()[0])
    # the long-run rate: 1 if every flow got its own
    result["rateShare"] = gap_ns / 1e3 / result["meanGapUs"] if result["meanGapUs"] else 0.0
    return result


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


def scaling(queues: tuple[int, ...], seconds: float) -> list[dict]:
    """Figure 5.4(a), with one core and, where there are two, with two."""
    cores = sorted(os.sched_getaffinity(0))
    rows = []
    for second in (-1, cores[1]) if len(cores) > 1 else (-1,):
        _say(f"1 to {queues[-1]} queues on {'one core' if second < 0 else 'two cores'}")
        command = [str(program("scaling")), str(cores[0]), str(second), str(seconds)]
        process = start_first([*command, *map(str, queues)], stdout=subprocess.PIPE, text=True)
        printed, _ = process.communicate()
        if process.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: ended with status {process.returncode}")
        rows += json.loads(printed)
    return rows


def render(result: dict) -> str:
    lines = [f"{result['cores']} cores, shared with everything else", ""]
    lines += ["reaction in us        p50      p99"]
    for row in result["reaction"]:
        lines += [f"{row['command']:<16} {row['p50Us']:>8.1f} {row['p99Us']:>8.1f}"]
    lines += ["", "gap error in us: median, 99 % trimmed RMSE, RMSE; rate got over rate wanted"]
    for row in result["rate"]:
        cells = "   ".join(
            f"{who} {row[who]['medianUs']:>7.1f} {row[who]['trimmedRmseUs']:>8.1f} "
            f"{row[who]['rmseUs']:>8.1f} {row[who]['rateShare']:>5.3f}"
            for who in ("sdd", "htb")
        )
        lines += [f"{row['flows']:>5} x {row['bps'] / 1e6:>5g} Mb/s   {cells}"]
    lines += ["", "queues    cores      throughput  slot accuracy  slots served  dequeue ns  core"]
    for row in result["scaling"]:
        lines += [
            f"{row['queues']:>6}    {row['cores']:<9} {row['throughputShare']:>10.1%} "
            f"{row['slotAccuracy']:>13.3%} {row['slotsServed']:>13.1%} {row['dequeueNs']:>11.0f} "
            f"{row['cpuShare']:>6.1%}"
        ]
    if "closedLoop" in result:
        seen = result["closedLoop"]
        machine = seen["machine"]
        lines += [
            "",
            f"closed loop, period {seen['periodMs']:g} ms: {seen['pairsServed']} of "
            f"{seen['pairs']} new circuits, after {seen['periodsToConverge'] or 0:.1f} periods at "
            f"most, {seen['outOfSlot']} packets out of slot, "
            f"circuits used {seen['utilisation']:.1%} of the scheduled time",
            f"meanwhile the machine woke what comes first more than {machine['lateUs']:g} us late "
            f"{machine['late'] / machine['moments']:.2%} of the time, "
            f"{machine['maxUs'] / 1e3:.1f} ms at most",
        ]
    return "\n".join(lines)


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def _say(what: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)
