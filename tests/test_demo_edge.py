"""The edge's demonstration, run as a user runs it: its form and its accounts, and no times."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pytest
from runtimes import ROOT
from waiting import eventually

from evenweave_testbed.edge.demo.report import TIMES
from evenweave_testbed.edge.demo.schemes import not_offered
from evenweave_testbed.processes import pipe

pytestmark = pytest.mark.fabric

LEAVES = ["letflow", "conga", "intflow"]
SCHEMES = [
    "clove-ecn-wcmp",
    "clove-int",
    "mptcp" if "mptcp" not in not_offered() else "ecmp",
    *LEAVES,
]
_SHORT = ("--seconds", "4", "--load", "0.1", "--seed", "7")
_REFUSED = 2


def programs() -> list[str]:
    """Command lines of what the demonstration runs."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = file.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if "edge.demo" in line or "evenweave-edge --config" in line:
            found.append(line)
    return found


@pytest.mark.extended
def test_the_edges_demo_accounts_for_every_flow_and_byte_as_json(evenweave):
    chosen = [word for name in SCHEMES for word in ("--scheme", name)]
    done = evenweave("demo", "edge", "--json", *_SHORT, *chosen)
    if done.returncode == _REFUSED:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stderr[-2000:]
    result = json.loads(done.stdout)
    workload = result["workload"]
    assert list(result["schemes"]) == SCHEMES
    assert set(result["notOffered"]) <= {"mptcp"}
    assert result["fabric"]["weights"] == [2, 2, 2, 1]
    for name, shown in result["schemes"].items():
        assert shown["flows"] + shown["reaction"]["flows"] == workload["flows"] > 0
        assert shown["meanFctMs"] > 0
        assert set(TIMES) <= set(shown)
        assert set(TIMES) <= set(shown["reaction"])
        assert len(shown["bytesPerPath"]) == result["fabric"]["spines"]
        assert min(shown["bytesPerPath"]) > 0
        assert workload["bytes"] < sum(shown["bytesPerPath"]) <= shown["sentBytes"]
        assert sum(shown["bytesPerPath"]) == shown["sentBytes"] or name in LEAVES
        assert ("leaves" in shown) == (name in LEAVES)
        assert sum(shown["uplinkShares"]) == pytest.approx(1, abs=1e-3)
    for name in LEAVES:
        one = result["schemes"][name]["leaves"]["l1"]
        assert [up["bytes"] for up in one["uplinks"]] == result["schemes"][name]["bytesPerPath"]
        assert sum(up["flowlets"] for up in one["uplinks"]) >= workload["flows"]
        assert (one["tags"] > 0) == (name != "letflow")
        assert one["refused"] == 0
    assert programs() == []


@pytest.mark.extended
def test_an_interrupted_demo_of_the_edge_leaves_nothing():
    command = [str(ROOT / "evenweave"), "demo", "edge", "--scheme", "ecmp"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as demo:
        said = pipe(demo.stderr).readline()
        eventually(
            lambda: any("traffic request" in line for line in programs())
            or demo.poll() is not None,
            "flows",
        )
        demo.send_signal(signal.SIGINT)
        said += pipe(demo.stderr).read()
    if demo.returncode == _REFUSED:
        pytest.skip(said)
    assert demo.returncode == 130, said
    assert said.splitlines()[-1] == "demo edge: interrupted"
    eventually(lambda: programs() == [], programs)
