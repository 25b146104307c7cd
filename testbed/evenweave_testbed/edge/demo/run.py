"""One scheme under the workload, from an empty fabric to the last flow's end."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evenweave_testbed.edge.demo.fabric import (
    CLIENTS,
    LINK_BPS,
    SERVERS,
    SPINES,
    LeafSpine,
    Tuning,
    inner,
)
from evenweave_testbed.edge.demo.schemes import Scheme
from evenweave_testbed.edge.demo.workload import Request, Workload
from evenweave_testbed.polling import READY_LIMIT_S
from evenweave_testbed.processes import pipe

# The link that degrades half-way, to this rate; not one of the senders' leaf.
DEGRADES, DEGRADES_TO_BPS = (1, 2), LINK_BPS // 2
_TRAFFIC = "evenweave_testbed.edge.demo.traffic"
_SAMPLE_S = 0.05
# For the clients to have read what they are to do.
_HEAD_START_S = 1.0
# Counters stand still for so long once all is over: many round trips and retransmission time-outs.
_QUIET_S = 0.5
_COUNTERS = ("TcpInSegs", "TcpOutSegs", "TcpRetransSegs", "IpExtOutOctets")
_TCP_COUNTERS = (
    *("TcpExtTCPOFOQueue", "TcpExtTCPTimeouts", "TcpExtTCPSACKReorder"),
    "TcpExtTCPDSACKRecv",
)


class TrafficError(RuntimeError):
    """Flows did not end, or ended without all of their bytes."""


@dataclass(frozen=True)
class Flow:
    request: Request
    fct_ns: int
    late_ns: int  # by how much it was begun after it was due


@dataclass(frozen=True)
class Sample:
    """Bytes that the senders' leaf has sent to each spine, `at_s` after the first arrival could
    be."""

    at_s: float
    uplinks: tuple[int, ...]


@dataclass(frozen=True)
class Recording:
    """What was seen of a scheme. `path_bytes`: inner bytes that servers sent by each path, by
    their edges' accounts or those of their leaf, if that chose; `sent_bytes`: the same by their
    IP's. `leaves`: the states of leaves that chose; `instructions`: of IntFlow, what servers' edges
    told these, in segments with data. `busy` is the share of all processors' time,
    also other programs'."""

    flows: tuple[Flow, ...]
    samples: tuple[Sample, ...]
    degraded_at_s: float
    path_bytes: tuple[int, ...]
    sent_bytes: int
    marks: int
    servers: dict[str, int]  # counters, of all of them together
    clients: dict[str, int]
    busy: float
    leaves: dict[str, dict]
    instructions: dict[str, int]


def run_scheme(
    scheme: Scheme,
    workload: Workload,
    seconds: float,
    directory: Path,
    tuning: Tuning,
    progress: Callable[[float], None],
) -> Recording:
    """Raises EdgeError where the fabric does not start, TrafficError where a flow does not end."""
    with LeafSpine(directory, scheme, workload.servers, tuning) as fabric:
        fabric.start_edges()
        protocol = "mptcp" if scheme.multipath else "tcp"
        for server in SERVERS:
            fabric.start_server(server, _TRAFFIC, "serve", protocol, inner(server))
        clients = [
            _Client(fabric, client, protocol, [r for r in workload.requests if r.client == number])
            for number, client in enumerate(CLIENTS)
        ]
        before = _Counts.of(fabric)
        start_ns = time.monotonic_ns() + round(_HEAD_START_S * 1e9)
        for client in clients:
            client.begin(start_ns)
        samples, degraded_at_s = _watch(fabric, clients, start_ns, seconds, progress)
        flows = sorted(
            (flow for client in clients for flow in client.flows()), key=lambda f: f.request.at_s
        )
        counts, peers, received, leaves = _accounts_at_rest(fabric)
        servers = _difference(counts.servers, before.servers)
        return Recording(
            flows=tuple(flows),
            samples=tuple(samples),
            degraded_at_s=degraded_at_s,
            path_bytes=_path_bytes(peers, leaves),
            sent_bytes=servers["IpExtOutOctets"],
            marks=sum(path["marks"]["received"] for paths in received for path in paths),
            servers=servers,
            clients=_difference(counts.clients, before.clients),
            busy=(counts.busy - before.busy) / (counts.ticks - before.ticks),
            leaves=leaves,
            instructions=_instructions(peers) if scheme.edge == "intflow" else {},
        )


def _path_bytes(peers: Sequence[dict], leaves: dict[str, dict]) -> tuple[int, ...]:
    """By spine; `peers`: that of each server's edge."""
    if leaves:
        return tuple(uplink["bytes"] for uplink in leaves["l1"]["uplinks"])
    sent = [[path["sent"]["bytes"] for path in peer["paths"]] for peer in peers]
    return tuple(sum(by_path) for by_path in zip(*sent, strict=True))


def _instructions(peers: Sequence[dict]) -> dict[str, int]:
    told = [peer["instructions"] for peer in peers]
    return {name: sum(counts[name] for counts in told) for name in told[0]}


class _Client:
    """A client's process, and the file with what it saw."""

    def __init__(
        self, fabric: LeafSpine, client: str, protocol: str, requests: Sequence[Request]
    ) -> None:
        self._file = fabric.directory / f"{client}.flows"
        self._requests = requests
        server = inner(fabric.server_of[client])
        words = ("request", protocol, inner(client), server, self._file)
        self._process = fabric.start_server(client, _TRAFFIC, *words)

    def begin(self, start_ns: int) -> None:
        asked = [[round(r.at_s * 1e9), r.size, r.source_port] for r in self._requests]
        channel = pipe(self._process.stdin)
        channel.write(json.dumps({"startNs": start_ns, "requests": asked}) + "\n")
        channel.flush()

    def ended(self) -> bool:
        return self._process.poll() is not None

    def flows(self) -> list[Flow]:
        results = [json.loads(line) for line in self._file.read_text().splitlines()]
        whole = [
            Flow(self._requests[index], fct_ns, late_ns)
            for index, fct_ns, late_ns, received in results
            if fct_ns is not None and received == self._requests[index].size
        ]
        if len(whole) < len(self._requests):
            broken = len(self._requests) - len(whole)
            raise TrafficError(f"{broken} of {len(self._requests)} flows of a client broke")
        return whole


def _watch(
    fabric: LeafSpine,
    clients: Iterable[_Client],
    start_ns: int,
    seconds: float,
    progress: Callable[[float], None],
) -> tuple[list[Sample], float]:
    """Samples links till all flows have ended, and degrades one half-way."""
    samples: list[Sample] = []
    degraded_at_s = None
    while not all(client.ended() for client in clients):
        now_s = (time.monotonic_ns() - start_ns) / 1e9
        if now_s > seconds + READY_LIMIT_S:
            raise TrafficError(f"flows have not ended {READY_LIMIT_S:.0f} s after the last began")
        if degraded_at_s is None and now_s >= seconds / 2:
            fabric.degrade(*DEGRADES, DEGRADES_TO_BPS)
            degraded_at_s = now_s
        sent = fabric.transmitted("l1")
        samples.append(Sample(now_s, tuple(sent[f"p{spine + 1}"] for spine in range(SPINES))))
        progress(min(1.0, max(0.0, now_s / seconds)))
        time.sleep(_SAMPLE_S)
    if degraded_at_s is None:
        raise TrafficError("all flows ended before the link degraded")
    return samples, degraded_at_s


def _accounts_at_rest(
    fabric: LeafSpine,
) -> tuple[_Counts, list[dict], list[list[dict]], dict[str, dict]]:
    """The kernels' counts, servers' peers, paths of clients' edges, and leaves' states, of one
    moment: read until nothing was sent meanwhile, as a busy machine may end a connection late."""
    deadline = time.monotonic() + READY_LIMIT_S
    while time.monotonic() < deadline:
        quiet = _wait_for_quiet(fabric)
        counts = _Counts.of(fabric)
        peers = [fabric.show(server)["peer"] for server in SERVERS]
        received = [fabric.show(client)["peer"]["paths"] for client in CLIENTS]
        leaves = fabric.leaf_states()
        if _sent(fabric) == quiet:
            return counts, peers, received, leaves
    raise TrafficError(f"hosts still send {READY_LIMIT_S:.0f} s after the last flow has ended")


def _sent(fabric: LeafSpine) -> list[int]:
    """Bytes that each host has sent."""
    return [fabric.transmitted(host)["e0"] for host in (*SERVERS, *CLIENTS)]


def _wait_for_quiet(fabric: LeafSpine) -> list[int]:
    """What `_sent` says once it stands still, or has not for too long."""
    last, deadline = None, time.monotonic() + READY_LIMIT_S
    while last != (now := _sent(fabric)) and time.monotonic() < deadline:
        last = now
        time.sleep(_QUIET_S)
    return now


@dataclass(frozen=True)
class _Counts:
    servers: dict[str, int]
    clients: dict[str, int]
    busy: int  # ticks of all processors
    ticks: int

    @classmethod
    def of(cls, fabric: LeafSpine) -> _Counts:
        times = [int(t) for t in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
        idle = times[3] + times[4]
        return cls(_sum(fabric, SERVERS), _sum(fabric, CLIENTS), sum(times) - idle, sum(times))


def _sum(fabric: LeafSpine, hosts: Iterable[str]) -> dict[str, int]:
    each = [fabric.counters(host) for host in hosts]
    return {name: sum(c.get(name, 0) for c in each) for name in (*_COUNTERS, *_TCP_COUNTERS)}


def _difference(after: dict[str, int], before: dict[str, int]) -> dict[str, int]:
    return {name: after[name] - before[name] for name in after}
