"""The benchmark's command line: options, exit status, output."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from dataclasses import replace
from ipaddress import IPv4Network
from pathlib import Path

from evenweave_bench import common_options
from evenweave_bench.attack.measure import (
    PER_SECOND,
    AttackError,
    answers,
    attacking,
    compared,
    cores_used,
    figures,
    most_per_second,
    taken_in,
)
from evenweave_bench.failover.failures import FailoverError
from evenweave_bench.failover.runtimes import Standalone
from evenweave_testbed.command_line import FAILED, run_isolated
from evenweave_testbed.controller import OPENFLOW_ADDRESS, ControllerError
from evenweave_testbed.cores import keep_to
from evenweave_testbed.fabric import Fabric, FabricNotReady
from evenweave_testbed.kept_logs import keep_logs
from evenweave_testbed.openvswitch import SwitchError
from evenweave_testbed.polling import READY_LIMIT_S
from evenweave_testbed.progress import Progress
from evenweave_testbed.run_directory import RunDirectory
from evenweave_topos.fabric_file import IMBALANCED_3X3, FabricSpec, load

_EPILOG = """\
attacks, from one host's port unless said otherwise:
  arp      claims of the neighbour's and the gateway's addresses
  lldp     probes of links with a wrong signature
  bfd      BFD packets that say that a session is down
  icmp     echo requests, packets that expire, forged errors
  overlay  Geneve with the edge's options, a flow each packet
  scan     packets to 65,536 addresses a second that no host has
  storm    packets for the controller, as many as the host can send
  tls      connections of strangers to the OpenFlow port

examples:
  ./evenweave bench attack
  ./evenweave bench attack --json --failures 12
  ./evenweave bench attack --attacks scan,storm --failures 3

exit status: 0 done, 1 if it could not be measured, 2 for bad use or a machine that cannot do it,
130 if interrupted. What is measured and how: docs/reference/benchmarks.md
"""
_FAILURES = (
    *(AttackError, ControllerError, FabricNotReady, FailoverError, OSError, SwitchError),
    subprocess.SubprocessError,
)
_BFD_MS = 300
# What docs/how-to/secure.md has an operator set.
_PACKETS_PER_SECOND, _PACKETS_AT_ONCE = 500, 1000
_CACHED_FLOWS = 2000
# A scan needs as many addresses as it asks for in a second.
_PREFIX_BITS = 16


def run() -> int:
    """Runs the benchmark as the command line says; returns the exit status."""
    options = _parser().parse_args()
    isolated = run_isolated("bench attack", "evenweave_bench.attack")
    if isolated is not None:
        return isolated
    progress = Progress(len(options.attacks) + 4)
    try:
        result = _measure(options, progress)
    except _FAILURES as error:
        print(f"bench attack: {progress.name}: {error}", file=sys.stderr)
        if kept := _keep_logs():
            print(f"bench attack: its logs are in {kept}", file=sys.stderr)
        return FAILED
    finally:
        progress.clear()
    print(json.dumps(result, indent=1) if options.json else _text(result))
    failed = [kind for kind, found in result["attacks"].items() if "failed" in found]
    for kind in failed:
        print(f"bench attack: {kind}: {result['attacks'][kind]['failed']}", file=sys.stderr)
    return FAILED if failed else 0


def _keep_logs() -> Path | None:
    run_directory = RunDirectory.current()
    return keep_logs(run_directory.path) if run_directory else None


def _measure(options: argparse.Namespace, progress: Progress) -> dict:
    progress.step("making keys, starting switches and the controller")
    with Fabric(_wide(load(IMBALANCED_3X3))) as fabric:
        keys = _make_keys(options.controller_command, fabric)
        command = [*options.controller_command, "--keys", keys]
        with Standalone(fabric, command) as runtime:
            fabric.connect_switches(f"ssl:{OPENFLOW_ADDRESS}")
            switches = [switch.id for switch in fabric.spec.switches]
            fabric.ovs.bound_packets(switches, _PACKETS_PER_SECOND, _PACKETS_AT_ONCE)
            fabric.ovs.bound_flows(_CACHED_FLOWS)
            fabric.controller = runtime.deploy()
            fabric.ready(READY_LIMIT_S)
            # Links fail again and again here.
            undamped = fabric.controller.configuration() | {"damping": {"enabled": False}}
            fabric.controller.put_configuration(undamped)
            fabric.detect_failures(_BFD_MS)
            pids = {"controller": runtime.pid(), "switches": fabric.ovs.switches_pid}
            _separate(pids)
            return _attack(options, progress, fabric, pids)


def _separate(pids: dict[str, int]) -> None:
    """Gives the controller and the switches processors of their own, as they have machines of their
    own in a data centre."""
    cores = sorted(os.sched_getaffinity(0))
    if half := len(cores) // 2:
        keep_to(pids["controller"], cores[:half])
        keep_to(pids["switches"], cores[half:])


def _attack(
    options: argparse.Namespace, progress: Progress, fabric: Fabric, pids: dict[str, int]
) -> dict:
    # The first failures of a virtual machine are its slowest, and would flatter all that follow.
    progress.step("failing links to warm the controller up")
    answers(fabric, options.failures, progress.fraction)
    progress.step("failing links of a quiet fabric")
    found_quiet = answers(fabric, 2 * options.failures, progress.fraction)
    progress.clear()
    print(f"quiet: {json.dumps(figures(found_quiet))}", file=sys.stderr, flush=True)
    progress.step("sending as much as a link carries")
    link_per_second = most_per_second(fabric)
    attacked: dict[str, dict] = {}
    for kind in options.attacks:
        progress.step(f"failing links during {kind}")
        dropped = _dropped(fabric)
        try:
            with (
                attacking(fabric, kind) as sent,
                cores_used(pids) as cores,
                taken_in(fabric) as taken,
            ):
                found = figures(answers(fabric, options.failures, progress.fraction))
        except (ControllerError, FailoverError) as error:
            # Others are measured nevertheless, once it is over.
            attacked[kind] = {"failed": str(error)}
            fabric.ready(READY_LIMIT_S)
            continue
        attacked[kind] = {
            "sentPerSecond": round(sent["sent"] / sent["seconds"]),
            "takenInPerSecond": round(taken["perSecond"]),
            "droppedByController": _dropped(fabric) - dropped,
            "cores": cores | {"attacker": round(sent["cpu"] / sent["seconds"], 2)},
            **found,
        }
        # So that a run that is ended early has not been for nothing.
        progress.clear()
        print(f"{kind}: {json.dumps(attacked[kind])}", file=sys.stderr, flush=True)
    quiet = figures(found_quiet)
    return {
        "failures": options.failures,
        "bfdMs": _BFD_MS,
        "linkPerSecond": link_per_second,
        "quiet": quiet,
        "attacks": {
            kind: found if "failed" in found else compared(found, quiet)
            for kind, found in attacked.items()
        },
    }


def _dropped(fabric: Fabric) -> int:
    return sum(port["dropped"] for port in fabric.controller.packets()["ports"])


def _wide(spec: FabricSpec) -> FabricSpec:
    """The fabric with larger prefixes."""
    subnets = [
        replace(subnet, prefix=IPv4Network(f"10.{number}.0.0/{_PREFIX_BITS}"))
        for number, subnet in enumerate(spec.subnets)
    ]
    return replace(spec, subnets=tuple(subnets))


def _make_keys(controller: list[str], fabric: Fabric) -> str:
    """Keys of the controller and the switches, which get theirs; returns their folder."""
    folder = str(fabric.directory / "keys")
    java = controller[: controller.index("controller")]
    ids = ",".join(switch.dpid for switch in fabric.spec.switches)
    host = OPENFLOW_ADDRESS.rpartition(":")[0]
    made = subprocess.run(
        [*java, "keys", "make", folder, f"--controller=controller={host}", f"--switch=ovs={ids}"],
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode:
        raise ControllerError(f"keys make: {made.stderr.strip()}")
    files = (Path(folder, name) for name in ("ovs.key", "ovs.pem", "controllers-ca.pem"))
    fabric.ovs.set_keys(*files)
    return folder


def _text(result: dict) -> str:
    quiet = result["quiet"]
    lines = [
        f"{result['failures']} failures each, port down to the last switch's confirmation",
        f"the attacker gets {result['linkPerSecond']} packets/s through a link without a switch",
        f"{'attack':10}{'sent/s':>11}{'taken in/s':>12}{'median ms':>11}{'longest ms':>12}"
        f"{'over quiet':>12}",
        f"{'none':10}{'':>23}{quiet['p50Ms']:>11}{quiet['maxMs']:>12}",
    ]
    for kind, found in result["attacks"].items():
        if "failed" in found:
            lines.append(f"{kind:10} no answer")
            continue
        lines.append(
            f"{kind:10}{found['sentPerSecond']:>11}{found['takenInPerSecond']:>12}"
            f"{found['p50Ms']:>11}{found['maxMs']:>12}{found['ratio']:>12}"
        )
    return "\n".join(lines)


def _parser() -> argparse.ArgumentParser:
    parser = common_options.parser(
        "attack",
        "Measures how long the controller takes to answer a port that goes down while\n"
        "a host or a stranger attacks, beside the time on a quiet fabric.",
        _EPILOG,
    )
    common_options.add_command(parser, "--controller-command")
    common_options.add_failures(parser, 6, "during each attack")
    common_options.add_names(parser, "attack", PER_SECOND)
    return parser
