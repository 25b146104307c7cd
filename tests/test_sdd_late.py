"""A controller that is stopped for a while compensates in the same week for its late STARTs."""

from __future__ import annotations

import signal
import time

import pytest
from sdd_controller import PORT, Controller, configure, running_controller
from sdd_pair import send_steadily, sent_packets
from waiting import eventually

from evenweave_testbed.sdd.bed import Bed, BedPlan

pytestmark = [pytest.mark.fabric, pytest.mark.real_time]

PERIOD_S = 0.2
TO_H2 = 1  # h1's queue


@pytest.mark.extended
def test_what_a_stopped_controller_missed_is_made_good_in_its_week(authority, tmp_path):
    # A host that hears nothing for long would follow its safe policy instead.
    config = configure(
        authority,
        tmp_path,
        circuitSwitch="switch",
        lostAfterPeriods=100_000,
        periodNs=round(PERIOD_S * 1e9),
        circuitBps=50_000_000,
    )
    with (
        Bed(BedPlan(hosts=2, pace_to_link=True), tmp_path, PORT, authority) as bed,
        running_controller(config, tmp_path) as controller,
    ):
        eventually(lambda: everybody_is_there(controller), "hosts and the circuit switch")
        send_steadily(bed, "h1", "h2")
        eventually(lambda: sent_packets(bed, "h1", TO_H2) > 0, "packets by circuit")
        pauses = 0

        def has_second_chances() -> bool:
            nonlocal pauses
            # at another moment of the week each time, so that its day begins meanwhile
            time.sleep(PERIOD_S * (1 + pauses % 7 / 7))
            stop_for(controller, PERIOD_S / 4)
            pauses += 1
            return controller.ask("sdd/status")["secondChances"] > 0

        eventually(has_second_chances, lambda: controller.ask("sdd/status"))
        status = controller.ask("sdd/status")
        assert 0 < status["regainedNs"] <= status["lostNs"]
        sent = sent_packets(bed, "h1", TO_H2)
        eventually(lambda: sent_packets(bed, "h1", TO_H2) > sent, "more packets")


def everybody_is_there(controller: Controller) -> bool:
    status = controller.ask("sdd/status")
    return status["connected"] == 2 and status["circuitSwitch"]


def stop_for(controller: Controller, seconds: float) -> None:
    controller.process.send_signal(signal.SIGSTOP)
    try:
        time.sleep(seconds)
    finally:
        controller.process.send_signal(signal.SIGCONT)
