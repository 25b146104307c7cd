"""A host's clock against its master's, live: a ptp4l that obeys the test, and a real one."""

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_ptp4l import FakePtp4l
from sdd_pair import FOR_EVER, pair_up, queue_of, send_steadily
from waiting import eventually

from evenweave_testbed.sdd.bed import BedPlan
from evenweave_testbed.sdd.stand_in import Terms

pytestmark = [pytest.mark.fabric, pytest.mark.real_time]


def test_a_host_whose_clock_is_off_by_more_than_the_guard_stops_using_slots(start_bed, tmp_path):
    ptp4l = FakePtp4l(tmp_path / "ptp4l.sock")
    ptp4l.offset_ns = 70
    plan = BedPlan(hosts=2, circuit_switch=False, clock_source="ptp4l")
    bed, controller = start_bed(plan, Terms(guard_ns=1_000_000))
    one, _ = pair_up(bed, controller)

    def policy() -> tuple[str, str]:
        latest = one.latest.get("PolicyChanged", {"safe": "", "reason": ""})
        return latest["safe"], latest["reason"]

    # Both: where a busy machine lets ptp4l answer late, or the host read its own clock by too much
    # uncertainty, the clock counts as off too.
    one.wait_for("ClockStatus", lambda s: (s["offsetNs"], s["synchronised"]) == (70, "YES"))
    one.command((0, "START", FOR_EVER))
    send_steadily(bed, "h1", "h2")
    eventually(lambda: queue_of(bed, "h1")["sentPackets"] > 10, "packets that leave")
    ptp4l.offset_ns = -2_000_000
    status = one.wait_for("ClockStatus", lambda s: s["offsetNs"] == -2_000_000)
    assert status["synchronised"] == "NO" and status["errorBoundNs"] >= 2_000_000
    eventually(lambda: policy() == ("YES", "CLOCK_OFF"), "fallback")
    sent = queue_of(bed, "h1")["sentPackets"]
    time.sleep(0.2)
    assert queue_of(bed, "h1")["sentPackets"] == sent
    assert "the clock is off" in bed.log("sdd-host")
    ptp4l.offset_ns = 500
    eventually(lambda: policy() == ("NO", "NONE"), "return")
    eventually(lambda: queue_of(bed, "h1")["sentPackets"] > sent + 10, "packets that leave")


@contextlib.contextmanager
def real_ptp4l(folder: Path, asymmetry_ns: int) -> Iterator[None]:
    """linuxptp's ptp4l as a client of another one on the same machine's clock, which neither sets.
    An asymmetric delay that is not there looks like an offset."""
    options = """[global]
time_stamping software
free_running 1
network_transport L2
logSyncInterval -3
logAnnounceInterval -2
logMinDelayReqInterval -3
"""
    more = {
        "master": f"masterOnly 1\nuds_address {folder}/master.sock\n",
        "slave": f"slaveOnly 1\nuds_address {folder}/ptp4l.sock\ndelayAsymmetry {asymmetry_ns}\n",
    }
    with contextlib.ExitStack() as stack:
        add = ["ip", "link", "add", "ptp-master", "type", "veth", "peer", "name", "ptp-slave"]
        subprocess.run(add, check=True)
        stack.callback(subprocess.run, ["ip", "link", "del", "ptp-master"], check=True)
        for role, own in more.items():
            subprocess.run(["ip", "link", "set", f"ptp-{role}", "up"], check=True)
            config = folder / f"{role}.cfg"
            config.write_text(options + own)
            log = stack.enter_context((folder / f"ptp4l-{role}.log").open("w"))
            command = ["ptp4l", "-f", config, "-i", f"ptp-{role}", "-m"]
            process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
            stack.callback(process.wait)
            stack.callback(process.terminate)
        yield


@pytest.mark.extended
@pytest.mark.parametrize("asymmetry_ns", [0, 20_000_000])
def test_the_offset_is_what_a_real_ptp4l_measures(start_bed, tmp_path, asymmetry_ns):
    # Stamps by software are wrong by what the machine does meanwhile: mostly by less than this.
    guard_ns = 5_000_000
    with real_ptp4l(tmp_path, asymmetry_ns):
        plan = BedPlan(hosts=2, circuit_switch=False, clock_source="ptp4l")
        _, controller = start_bed(plan, Terms(guard_ns=guard_ns))
        one = controller.session("h1")
        if asymmetry_ns:
            status = one.wait_for(
                "ClockStatus", lambda s: abs(abs(s["offsetNs"]) - asymmetry_ns) < guard_ns
            )
            assert status["synchronised"] == "NO"
        else:
            # until it has measured something, it says that the offset is 0
            status = one.wait_for("ClockStatus", lambda s: s["synchronised"] == "YES")
            assert 0 < abs(status["offsetNs"]) < guard_ns
