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
from pathlib import Path

from evenweave_bench.sdd import rates
from evenweave_bench.sdd.closed_loop import closed_loop
from evenweave_bench.sdd.rates import say
from evenweave_bench.sdd.reaction import reaction
from evenweave_testbed import isolation
from evenweave_testbed.command_line import BAD_USE, run_isolated
from evenweave_testbed.sdd.build import BuildError, program
from evenweave_testbed.sdd.priority import start_first

QUEUES = (1, 10, 100, 500, 1000, 2600, 5000, 10000)


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
    parser.add_argument(
        "--tap", action="store_true", help="rates through TAP and AF_PACKET, not AF_XDP"
    )
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
    result = measure(options.seconds, options.quick, options.tap)
    if options.controller_jar:
        result["closedLoop"] = loop(options.controller_jar, options.quick)
    print(json.dumps(result) if options.json else render(result))
    return 0


def measure(seconds: float, quick: bool, tap: bool) -> dict:
    cells = ((1, 10**7), (10, 10**6)) if quick else rates.RATES
    queues = (1, 100) if quick else QUEUES
    seconds = 1.0 if quick else seconds
    result: dict = {"cores": len(os.sched_getaffinity(0)), "seconds": seconds}
    with tempfile.TemporaryDirectory(prefix="evw-") as folder:
        say("reaction to START and STOP")
        result["reaction"] = reaction(Path(folder), 50 if quick else 500)
        result["placement"] = rates.placement()
        result["rate"] = [rates.rate(Path(folder), *cell, seconds, tap) for cell in cells]
        result["otherLimiters"] = rates.other_limiters()
        result["forwarding"] = rates.forwarding(Path(folder), seconds)
    result["scaling"] = scaling(queues, seconds)
    return result


def loop(jar: Path, quick: bool) -> dict:
    """The workload change on eight hosts."""
    say("closed loop: eight hosts, four and four")
    with tempfile.TemporaryDirectory(prefix="evw-") as folder:
        return closed_loop(jar, Path(folder), 6.0 if quick else 10.0)


def scaling(queues: tuple[int, ...], seconds: float) -> list[dict]:
    """Figure 5.4(a), with one core and, where there are two, with two."""
    cores = sorted(os.sched_getaffinity(0))
    rows = []
    for second in (-1, cores[1]) if len(cores) > 1 else (-1,):
        say(f"1 to {queues[-1]} queues on {'one core' if second < 0 else 'two cores'}")
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
        lines += [
            f"{row['flows']:>5} x {row['bps'] / 1e6:>5g} Mb/s   {cells}   "
            f"{row['sdd']['packetNs']:>5.0f} ns a packet"
        ]
    for name, why in result["otherLimiters"].items():
        lines += [f"{name} is not measured: {why['skipped']}"]
    lines += ["", "packets per second     sdd-host    testpmd"]
    for row in result["forwarding"]:
        lines += [f"{row['devices']:<20} {row['sddPps']:>10.0f} {row['testpmdPps']:>10.0f}"]
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
