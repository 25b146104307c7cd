"""Who may use a live sdd-host by its socket, and what clients and operators see.

What applications may do is in docs/reference/sdd-applications.md; test_sdd_apps tests that.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from runtimes import ROOT
from sdd_applications import FIRST, PLAN, owned
from sdd_pair import match, open_queue, pair_up
from waiting import eventually

from evenweave_sdd import connect
from evenweave_testbed.sdd.bed import CONTROLLER, Bed, BedPlan
from evenweave_testbed.sdd.build import program
from evenweave_testbed.sdd.pki import Authority
from evenweave_testbed.sdd.stand_in import StandIn, Terms

pytestmark = [pytest.mark.fabric, pytest.mark.real_time]

NOBODY = 65534


@pytest.fixture
def pair(start_bed: Callable) -> Bed:
    """h1 and h2, whose queues 0 take everything and are open."""
    bed, controller = start_bed(PLAN)
    one, _ = pair_up(bed, controller)
    one.ok("AddDequeueCondition", queue=0, condition="TRUE")
    return bed


@pytest.fixture
def open_pair(authority: Authority) -> Iterator[Bed]:
    """A bed in a folder that others may enter; `nobody` may map what its own sockets send."""
    rule = {"user": "nobody", "network": "circuit"}
    terms = Terms()
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o711)
        controller = StandIn(authority.issue(CONTROLLER), authority.certificate, terms)
        stack.callback(controller.close)
        plan = BedPlan(hosts=2, circuit_switch=False, access=[rule])
        bed = stack.enter_context(Bed(plan, folder, controller.port, authority))
        one, _ = pair_up(bed, controller)
        one.ok("AddDequeueCondition", queue=0, condition="TRUE")
        yield bed


# A user of a number: maps what a socket sends that belongs to another number, closes it, and tells.
CLAIM = """
import os, socket, sys
from evenweave_sdd import SddError, connect, flow_of
path, peer, user, owner = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
os.setgroups([])
os.seteuid(owner)
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sender.connect((peer, 7))
os.seteuid(0)
os.setresgid(user, user, user)
os.setresuid(user, user, user)
try:
    host = connect(path, "claim")
    queue = host.open_queue(closedByDefault=True)
    queue.map(flow_of(sender))
except SddError as error:
    print(error.status)
    sys.exit()
sender.send(b"x")
while queue.statistics()["packets"] == 0:
    pass
sender.close()
event = host.next_event()
print(event.method, event.queue, event.match["destinationPort"], queue.statistics()["packets"])
"""


@pytest.mark.core_cases(1)
@pytest.mark.parametrize(
    ("user", "owner", "printed"),
    [
        (NOBODY, NOBODY, f"unmapped {FIRST} 7 0"),
        (NOBODY, 0, "DENIED"),  # another's socket
        (1, 1, "DENIED"),  # no rule
    ],
)
def test_a_user_may_map_what_its_own_sockets_send_while_it_has_them(
    open_pair, user, owner, printed
):
    bed = open_pair
    arguments = [bed.applications("h1"), bed.address("h2"), user, owner]
    done = bed.run("h1", "python3", "-c", CLAIM, *(str(a) for a in arguments))
    assert done.stdout.strip() == printed, done.stderr


@pytest.mark.extended
def test_a_socket_in_another_network_namespace_proves_nothing(open_pair):
    bed = open_pair
    arguments = [bed.applications("h1"), "10.9.0.2", NOBODY, NOBODY]
    done = bed.run("h2", "python3", "-c", CLAIM.replace("(peer, 7)", "('10.9.0.1', 7)"),
                   *(str(a) for a in arguments))  # fmt: skip
    assert done.stdout.strip() == "DENIED", done.stderr


def test_operators_see_which_application_has_which_queue(pair, evenweave):
    host = connect(pair.applications("h1"), "test")
    queue = host.open_queue()
    done = evenweave("sdd", "app", "show", str(pair.directory / "statistics.sock"), "--json")
    (row,) = json.loads(done.stdout)["queues"]
    assert (row["host"], row["queue"], row["application"]) == ("h1", queue.number, "test")
    done = evenweave("sdd", "app", "show", str(pair.directory / "statistics.sock"))
    assert "root" in done.stdout
    done = evenweave("sdd", "app", "show", "/nowhere")
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    host.close()


@pytest.mark.extended
def test_operators_see_the_events_of_the_controllers_triggers(start_bed):
    bed, controller = start_bed(PLAN)
    one, _ = pair_up(bed, controller)
    command = [ROOT / "evenweave", "sdd", "app", "watch", bed.applications("h1"), "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as watch:
        applications = lambda: bed.statistics()["hosts"]["h1"]["applications"]  # noqa: E731
        eventually(lambda: applications()["requests"] == 2, "hello and listen")
        one.ok("AddTrigger", queue=0, target="APPLICATION", cookie=6, condition="bytes >= 0")
        event = json.loads(watch.stdout.readline())
        assert (event["queue"], event["cookie"]) == (0, 6)
        watch.terminate()


@pytest.mark.extended
def test_a_program_in_c_holds_a_flow_back(pair):
    arguments = [pair.applications("h1"), pair.address("h2"), "7"]
    done = pair.run("h1", program("hold_flow"), *arguments)
    assert done.stdout == "10 10\n", done.stderr


SHUFFLE = ROOT / "host/sdd-client/examples/shuffle/shuffle.py"
PARTITION_BYTES = 150_000


@pytest.mark.extended
def test_the_shuffle_sends_one_partition_after_the_other(start_bed):
    rule = {"user": "root", "matches": []}
    bed, controller = start_bed(BedPlan(hosts=3, access=[rule]), Terms(safe_policy="OPEN"))
    names = bed.plan.names()
    for name in names:  # all over the packet switch, which needs no schedule
        session = controller.session(name)
        open_queue(session, 0, network="PACKET", closedByDefault="NO")
        session.ok("MapFlow", queue=0, flowPriority=0, match=match())
    peers = ",".join(bed.address(name) for name in names)
    jobs = [
        bed.start(
            name, "python3", SHUFFLE, "--peers", peers, "--rank", str(rank),
            "--bytes", str(PARTITION_BYTES), "--socket", bed.applications(name),
        )
        for rank, name in enumerate(names)
    ]  # fmt: skip
    for rank, job in enumerate(jobs):
        done = json.loads(job.stdout.readline())
        others = [bed.address(name) for name in names if name != names[rank]]
        assert done["receivedBytes"] == dict.fromkeys(others, PARTITION_BYTES)
        assert [sent["peer"] for sent in done["sent"]] == done["order"]
        assert done["order"] == [(rank + 1) % 3, (rank + 2) % 3]
    eventually(lambda: not owned(bed), "end of the queues")
