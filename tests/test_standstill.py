"""Switches that get no processor time for a while, and lose no links by that."""

from __future__ import annotations

import os
import signal
import time

import pytest
from runtimes import LiveFabric, command_of

from evenweave_testbed.fabric import Fabric
from evenweave_topos.fabric_file import IMBALANCED_3X3, load

pytestmark = pytest.mark.fabric

# So that a pause of many rounds of probes is short, and no connection ends in it.
_PROBE_PERIOD_S = 0.2
_OPTIONS = ["--probe-period", str(_PROBE_PERIOD_S), "--switch-timeout", "60"]
_PAUSE_ROUNDS = 15


@pytest.mark.extended
def test_switches_that_stand_still_lose_no_link(live_fabric: LiveFabric):
    live_fabric.close()
    command = [*command_of("embedded"), *_OPTIONS]
    with Fabric(load(IMBALANCED_3X3), controller_command=command) as fabric:
        fabric.ready()
        since = fabric.controller.last_sequence()
        for _ in range(2):
            os.kill(fabric.ovs.switches_pid, signal.SIGSTOP)
            time.sleep(_PAUSE_ROUNDS * _PROBE_PERIOD_S)
            os.kill(fabric.ovs.switches_pid, signal.SIGCONT)
            # What the controller has to say of the pause it says in the rounds after it.
            time.sleep(_PAUSE_ROUNDS * _PROBE_PERIOD_S)
        lost = [e for e in fabric.controller.events(since) if e["kind"] == "link-down"]
        assert lost == []
        assert fabric.controller.status()["converged"]
