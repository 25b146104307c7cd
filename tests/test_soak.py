"""Random faults on random live fabrics, run as a user runs it: nothing may be lost or left wrong
but what no switch could know."""

from __future__ import annotations

import json

import pytest
from runtimes import needs_onos

pytestmark = pytest.mark.fabric

SEED = 20261126
FAULTS, FAULTS_ON_ONOS, OTHERS = 40, 12, 8
# An idle machine takes four minutes for the embedded controller; ONOS's start alone has taken four
# on two busy cores, and there are two fabrics.
TIMEOUT_S = 3600


@pytest.fixture
def soak(evenweave, live_fabric):
    """Runs it and gives what it printed; its progress is shown if the test fails."""

    def run(faults: int, *options: str) -> dict:
        live_fabric.close()
        arguments = ["--json", "--faults", str(faults), "--seed", str(SEED), *options]
        done = evenweave("bench", "soak", *arguments, timeout_s=TIMEOUT_S)
        print(done.stderr)
        assert done.stdout, f"exit status {done.returncode}"
        result = json.loads(done.stdout)
        assert result["violations"] == [], result["reproduce"]
        assert done.returncode == 0
        assert (result["seed"], result["faults"]) == (SEED, faults)
        return result

    return run


def assert_harmless(result: dict, *accounts: str) -> None:
    for name in accounts:
        assert result[name]["packetsLost"] == 0, name
        assert result[name].get("groupsChanged", 0) == 0, name


@pytest.mark.extended
def test_forty_faults_cost_only_what_no_switch_could_know(soak):
    result = soak(FAULTS)
    assert_harmless(result, "restarts", "reconnects", "heals", "changes")
    assert all(result[name]["n"] > 0 for name in ("cuts", "drifts", "restarts", "reconnects"))
    assert len(result["fabrics"]) >= 2
    assert result["tcp"]["connections"] > 0 == result["tcp"]["broken"]
    # A sender that is kept from its core sends less, but something in each of the steps.
    assert result["probes"]["sent"] > 100 * result["steps"]


@pytest.mark.extended
def test_what_others_do_is_named_and_converged_is_not_said_while_packets_are_lost(soak):
    kinds = ["foreign-rule", "port-setting", "standalone", "other-master", "unread-log"]
    result = soak(OTHERS, "--kinds", ",".join(kinds))
    assert result["others"]["n"] == OTHERS
    assert set(result["byKind"]) <= set(kinds)
    named = [account["named"] for account in result["byKind"].values() if account["named"]]
    assert named


@pytest.mark.extended
@pytest.mark.onos
@needs_onos[1]
def test_the_same_holds_on_onos(soak):
    result = soak(FAULTS_ON_ONOS, "--onos")
    assert result["runtime"] == "onos"
    assert_harmless(result, "heals", "changes")
