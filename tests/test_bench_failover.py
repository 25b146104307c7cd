"""The benchmark of failures, run as a user runs it, with few of them: its form and that what the
runtimes say of the switches is true, not its figures."""

from __future__ import annotations

import json

import pytest
from runtimes import needs_onos

pytestmark = pytest.mark.fabric

FAILURES = 2
# The start of ONOS has taken four minutes on two busy cores; the benchmark starts it twice.
TIMEOUT_S = 1800


@pytest.fixture
def failover(evenweave, live_fabric):
    """Runs it on some runtimes and gives what it printed."""

    def run(runtimes: str, *options: str) -> dict:
        live_fabric.close()
        arguments = ["--failures", str(FAILURES), "--runtimes", runtimes, *options]
        done = evenweave("bench", "failover", "--json", *arguments, timeout_s=TIMEOUT_S)
        assert done.returncode == 0, done.stderr[-2000:]
        assert "failing 2 links" in done.stderr
        return json.loads(done.stdout)

    return run


def assert_measured(part: dict) -> None:
    assert part["n"] == FAILURES
    assert 0 < part["p50Ms"] <= part["p99Ms"]
    assert part["lastChangeMs"]["p50"] > 0
    assert part["lateChanges"] == []
    assert part["changed"]["p50"] >= 1
    assert part["lost"] < part["sent"]


@pytest.mark.extended
def test_the_embedded_runtime_answers_failures_and_says_no_more_than_the_switches_do(failover):
    result = failover("standalone")
    assert_measured(result["runtimes"]["standalone"])
    assert result["baseline"] == "standalone"
    assert result["runtimes"]["onos1"] == {"skipped": "not asked for"}
    start = result["startUp"]["standalone"]
    assert (start["switches"], start["links"]) == (12, 36)
    assert start["fromStartMs"] >= start["fromConnectMs"] > 0


@pytest.mark.extended
def test_failures_under_bfd_are_compared_with_frr_where_it_is_installed(failover):
    # At shorter periods a machine whose cores are taken for a second fails links by itself.
    result = failover("standalone,frr", "--no-start-up", "--bfd", "500")
    assert result["bfdMs"] == 500
    for kind in ("runtimes", "oneWay", "portDown"):
        assert_measured(result[kind]["standalone"])
        routers = result[kind]["frr"]
        assert "apt-get install frr" in routers["skipped"] if "skipped" in routers else routers["n"]


@pytest.mark.extended
@pytest.mark.onos
@needs_onos[1]
def test_onos_is_compared_with_what_it_does_by_itself(failover):
    result = failover("onos1,onosStock", "--no-start-up")
    assert_measured(result["runtimes"]["onos1"])
    assert_measured(result["runtimes"]["onosStock"])
    assert result["baseline"] == "onosStock"
    assert "added" in result["memory"] or "jcmd" in result["memory"]["skipped"]
