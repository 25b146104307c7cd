"""The demonstration, run as a user runs it. It takes a minute, as it does for users: it measures
shares and cuts links, and waits for each."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import urllib.error
import urllib.request

import pytest
from runtimes import ROOT

from evenweave_testbed.processes import pipe
from evenweave_testbed.run_directory import ENVIRONMENT_VARIABLE

pytestmark = pytest.mark.fabric

UPLINK_FIELDS = {
    "port",
    "via",
    "wanted",
    "installed",
    "realisedShare",
    "measuredShare",
    "flows",
}
# A minute, and the start of ONOS, which has taken four on two busy cores.
DEMO_TIMEOUT_S = 1800


def test_the_demo_shows_what_it_promises_as_json(evenweave, live_fabric, runtime):
    live_fabric.close()
    with_onos = ["--onos"] if runtime == "onos" else []
    done = evenweave("demo", *with_onos, "--json", timeout_s=DEMO_TIMEOUT_S)
    assert done.returncode == 0, done.stderr[-2000:]
    result = json.loads(done.stdout)

    assert result["pair"] == {"from": "s1-0", "to": "s1-2"}
    uplinks = result["uplinks"]
    assert [u["wanted"] for u in uplinks] == [1, 1, 2, 2]
    assert [u["installed"] for u in uplinks] == [43, 43, 85, 85]
    assert all(set(u) >= UPLINK_FIELDS for u in uplinks)
    assert sum(u["flows"] for u in uplinks) >= 600

    ecmp, wcmp = result["throughput"]["ecmp"], result["throughput"]["wcmp"]
    assert wcmp["cov"] < ecmp["cov"]
    assert wcmp["jain"] > ecmp["jain"]
    assert wcmp["p5Bps"] > ecmp["p5Bps"]

    down, up = result["failures"]
    assert (down["event"], up["event"]) == ("link-down", "link-up")
    assert down["link"] == up["link"] == "s2-0/4-s1-2/1"
    assert [u["installed"] for u in down["uplinks"]] == [0, 0, 128, 128]
    assert [u["wanted"] for u in up["uplinks"]] == [1, 1, 2, 2]
    assert up["packetsLost"] == 0


@pytest.mark.extended
def test_a_kept_demo_serves_its_page_until_it_is_interrupted():
    # This test runs in namespaces itself; those of the demo are its own, as for a user.
    environment = {k: v for k, v in os.environ.items() if k != ENVIRONMENT_VARIABLE}
    command = [str(ROOT / "evenweave"), "demo", "--keep", "--json", "--seconds", "1"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as demo:
        said = ""
        for line in pipe(demo.stderr):
            said += line
            if kept := re.fullmatch(
                r"demo: the fabric is kept; its page is (\S+) \(Ctrl-C ends it\)\n", line
            ):
                break
        else:
            pytest.fail(said)
        with urllib.request.urlopen(kept[1]) as page:
            assert "<title>Evenweave</title>" in page.read().decode()
        with urllib.request.urlopen(f"{kept[1]}evenweave/status") as status:
            assert json.load(status)["switches"] == 6
        demo.send_signal(signal.SIGINT)
        result, _ = demo.communicate()
    report = json.loads(result)
    assert [each["event"] for each in report["failures"]] == ["link-down", "link-up"]
    broken = [each["promise"] for each in report["checks"] if not each["held"]]
    # On a busy machine some flows of one second carry nothing under ECMP nor under WCMP.
    assert broken in ([], ["the slowest flow is faster under WCMP than under ECMP"]), said
    # Killed where ending takes longer than the grace that it has.
    assert demo.returncode in (1 if broken else 0, 128 + signal.SIGKILL), said
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(kept[1])
