"""The model of what Open vSwitch does with a group, against a live switch's own slot map."""

from __future__ import annotations

import itertools
import random
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest
from jvm import JAVA
from runtimes import JAR, LiveFabric

from conftest import HANG_S
from evenweave_testbed.openvswitch import OpenVSwitch, parse_trace, run
from evenweave_testbed.statistics import within_standard_errors
from evenweave_topos.fabric_file import IMBALANCED_3X3, load

pytestmark = pytest.mark.fabric

SEED = 20260801
MODEL = Path(__file__).parent / "java" / "RealisedGroups.java"
BRIDGE = "model"
# Bucket i outputs to port FIRST_PORT + i. No such ports exist; a trace names them all the same.
FIRST_PORT = 1000


@dataclass(frozen=True)
class Realised:
    """What the model says: the bucket of each slot, or else the share of each bucket."""

    slots: tuple[int, ...] | None
    shares: tuple[Fraction, ...]


def modelled(groups: Sequence[Sequence[int]]) -> list[Realised]:
    """The model's answer for each group of bucket weights."""
    asked = "".join(" ".join(map(str, weights)) + "\n" for weights in groups)
    done = subprocess.run(
        [*JAVA, "-XX:TieredStopAtLevel=1", "-cp", str(JAR), str(MODEL)],
        input=asked,
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG_S,
    )
    assert done.returncode == 0, done.stderr
    answers = [line.split() for line in done.stdout.splitlines()]
    return [
        Realised(tuple(map(int, values)), ())
        if kind == "slots"
        else Realised(None, tuple(map(Fraction, values)))
        for kind, *values in answers
    ]


def random_groups(rng: random.Random) -> list[list[int]]:
    """Weights of every kind: few and many buckets, alike and unlike, powers of two or not."""
    groups = [[1, 1, 2, 2], [5, 10, 25, 60], [1] * 16, [1] * 48, [1] * 256, [7]]
    for most, buckets in [(8, 4), (8, 24), (100, 4), (100, 12), (1000, 3), (60000, 5)]:
        groups += [[rng.randint(1, most) for _ in range(rng.randint(2, buckets))] for _ in range(3)]
    groups.append([0, 3, 0, 5])
    exact = [1] * 8
    for _ in range(128 - len(exact)):
        exact[rng.randrange(1, len(exact))] += 1
    return [*groups, exact]


@pytest.fixture
def switch(live_fabric: LiveFabric) -> Iterator[OpenVSwitch]:
    """A fabric's Open vSwitch with one bridge more, which has no ports and no controller."""
    fabric = live_fabric.get(load(IMBALANCED_3X3), "embedded")
    run(
        *("ovs-vsctl", "add-br", BRIDGE, "--", "set", "bridge", BRIDGE),
        *("datapath_type=netdev", "protocols=OpenFlow13", "fail_mode=secure"),
    )
    yield fabric.ovs
    run("ovs-vsctl", "del-br", BRIDGE)


def install(groups: Sequence[Sequence[int]]) -> None:
    """Group n (from 1) for packets to destination(n); nothing else is left."""
    run("ovs-ofctl", "-O", "OpenFlow13", "del-groups", BRIDGE)
    for n, weights in enumerate(groups, 1):
        buckets = "".join(
            f",bucket=weight:{weight},actions=output:{FIRST_PORT + i}"
            for i, weight in enumerate(weights)
        )
        run(
            "ovs-ofctl",
            "-O",
            "OpenFlow13",
            "add-group",
            BRIDGE,
            f"group_id={n},type=select{buckets}",
        )
        match = f"ip,nw_dst={destination(n)}"
        run(
            "ovs-ofctl",
            "-O",
            "OpenFlow13",
            "add-flow",
            BRIDGE,
            f"{match},actions=group:{n}",
        )


def destination(n: int) -> str:
    return f"10.0.{n >> 8}.{n & 255}"


def test_every_slot_is_owned_by_the_bucket_that_the_model_says(switch):
    print(f"seed {SEED}")
    groups = random_groups(random.Random(SEED))
    realised = modelled(groups)
    assert {len(r.slots) for r in realised if r.slots} == {16, 32, 64, 128, 256}
    install(groups)
    for n, model in enumerate(realised, 1):
        if model.slots is None:
            continue
        flow = f"tcp,nw_src=10.9.9.9,nw_dst={destination(n)}"
        # Once around, so that a table of twice the size or more would show.
        slots = min(2 * len(model.slots), 256 + 16)
        owners = switch.slot_owners(BRIDGE, 1, flow, slots)
        wanted = itertools.islice(itertools.cycle(model.slots), slots)
        assert [owner - FIRST_PORT for owner in owners] == list(wanted), groups[n - 1]


def test_without_a_table_shares_are_those_of_the_slow_path(switch):
    groups = [[1, 300, 300], [1, 1, 200, 400, 400]]
    install(groups)
    rng = random.Random(SEED)
    flows = 1500
    for n, model in enumerate(modelled(groups), 1):
        assert model.slots is None
        won: Counter[int] = Counter()
        for _ in range(flows):
            source, sink = rng.randrange(1024, 65536), rng.randrange(1024, 65536)
            match = f"in_port=1,tcp,nw_src=10.9.9.9,nw_dst={destination(n)}"
            trace = switch.appctl("ofproto/trace", BRIDGE, f"{match},tp_src={source},tp_dst={sink}")
            won[parse_trace(trace) - FIRST_PORT] += 1
        for bucket, share in enumerate(model.shares):
            # Eight shares at four standard errors: one seed in 2000 would fail by chance. A share
            # below 1/flows may be met by no flow at all, which is within that too.
            measured = won[bucket] / flows
            assert within_standard_errors(measured, float(share), flows, 4), groups[n - 1]


def test_the_shares_reported_are_those_of_the_switchs_own_slot_map(fabric):
    source, sink = fabric.hosts_of("s1-0")[0], fabric.hosts_of("s1-2")[0]
    group = fabric.controller.group("s1-0", "s1-2")
    owners = fabric.slot_owners(source, sink, group["entries"])
    counted = Counter(owners)
    shares = {p["port"]: p["realisedShare"] for p in group["ports"]}
    assert shares == {port: n / len(owners) for port, n in counted.items()}
    wanted = sum(p["wanted"] for p in group["ports"])
    assert group["oversubscription"] == max(
        float(Fraction(counted[p["port"]], len(owners)) / Fraction(p["wanted"], wanted))
        for p in group["ports"]
    )
