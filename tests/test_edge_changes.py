"""What others change around a running evenweave-edge, and what it makes of that: filters and
devices that are removed or created again, MTUs, routes, invalid files (docs/reference/edge.md).

Accounts and their order; nothing here says how soon.
"""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from edge_accounts import total
from waiting import eventually

from evenweave_testbed.edge.bed import HOSTS, EdgeBed
from evenweave_testbed.edge.namespaces import EdgeError, NoBpfError
from evenweave_testbed.processes import pipe

pytestmark = pytest.mark.fabric

DEFAULT = "ip route add default via 192.168.1.254"


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[EdgeBed]:
    with EdgeBed(tmp_path) as bed:
        yield bed


def start(bed: EdgeBed, scheme: str = "clove-ecn", **changes: object) -> subprocess.Popen:
    """Both edges, and a connection of h1 to h2 that is held and has been used."""
    try:
        bed.start_edges(scheme, **changes)
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")
    bed.server("h2", "serve", bed.inner("h2"))
    held = bed.application("h1", "hold", bed.inner("h2"), 100)
    ask(held)
    return held


def ask(held: subprocess.Popen) -> None:
    pipe(held.stdin).write("\n")
    pipe(held.stdin).flush()
    assert pipe(held.stdout).readline().startswith("answered ")


def said(bed: EdgeBed) -> str:
    return (bed.directory / "h1.log").read_text()


def on_h1(bed: EdgeBed, command: str) -> str:
    return bed.check("h1", *command.split())


def routes(bed: EdgeBed) -> str:
    """Those of h1's edge."""
    return on_h1(bed, "ip route show proto 229")


def devices(bed: EdgeBed) -> list[str]:
    return sorted(link["ifname"] for link in json.loads(bed.check("h1", "ip", "-j", "link")))


def with_peer(bed: EdgeBed, **changes: object) -> dict:
    """h1's configuration with another peer in front of h2."""
    config = bed.config("h1", **changes)
    other = config["peers"][0] | {"address": "10.99.9.9", "prefixes": ["10.77.3.0/24"]}
    return config | {"peers": [other, *config["peers"]]}


@pytest.mark.extended
def test_a_peer_that_is_not_reached_keeps_no_other_from_its_route(bed: EdgeBed):
    on_h1(bed, "ip route add 10.99.9.0/24 via 192.168.1.254")
    held = start(bed)
    bed.end_edge("h1", signal.SIGTERM)
    bed.start_edge("h1", with_peer(bed))
    assert "10.77.2.0/24" in routes(bed)
    assert "10.77.3.0/24" in routes(bed)
    for state in ("down", "up"):  # takes all routes away
        bed.check("h1", "ip", "link", "set", "dev", "e0", state)
    on_h1(bed, "ip route add 192.168.0.0/16 via 192.168.1.254")
    eventually(lambda: "10.77.2.0/24" in routes(bed), lambda: said(bed))
    assert "10.77.3.0/24" not in routes(bed)
    remark = "peers[0].address: is not reached through e0"
    eventually(lambda: remark in said(bed), lambda: said(bed))
    ask(held)


@pytest.mark.extended
def test_a_route_of_somebody_else_stays_and_is_told_of(bed: EdgeBed):
    theirs = "10.77.2.0/24 via 192.168.1.254 dev e0 src 10.77.1.1 mtu lock 1400"
    bed.check("h1", "ip", "route", "add", *theirs.split())
    held = start(bed)
    remark = "peers[0].prefixes[0]: has a foreign route, which stays"
    assert said(bed).count(remark) == 1
    assert routes(bed) == ""
    ask(held)
    bed.end_edge("h1", signal.SIGTERM)
    assert bed.edge("h1", "stop").returncode == 0
    assert "mtu lock 1400" in bed.check("h1", "ip", "route", "show", "10.77.2.0/24")


def test_a_file_that_is_refused_changes_nothing(bed: EdgeBed):
    held = start(bed)
    before = bed.show("h1")
    wanted = with_peer(bed, vni=9, transport="tcp")
    wanted["peers"][1]["prefixes"] = ["10.77.4.0/24"]
    on_h1(bed, "ip route add unreachable 10.99.9.0/24")
    (bed.directory / "h1.json").write_text(json.dumps(wanted))
    bed.read_again("h1")
    eventually(lambda: "the previous configuration stays in use" in said(bed), lambda: said(bed))
    assert "peers[0].address: is not reached through e0" in said(bed)
    after = bed.show("h1")
    for field in ("vni", "transport", "mtu"):
        assert after[field] == before[field]
    assert after["peer"]["prefixes"] == ["10.77.2.0/24"]
    assert "10.77.2.0/24" in routes(bed)
    ask(held)
    assert total(bed.show("h1"), "sent", "packets") > total(before, "sent", "packets") > 0


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("what", ["qdisc del dev e0 clsact", "filter del dev e0 egress"])
@pytest.mark.parametrize("transport", ["udp", "hidden"])
def test_filters_that_somebody_removes_are_put_back(bed: EdgeBed, what: str, transport: str):
    # A flowcell ends by its size only: a state that was lost would begin another.
    held = start(bed, "presto", transport=transport)
    before = bed.show("h1")
    bed.check("h1", "tc", *what.split())
    eventually(lambda: "the edge is attached again" in said(bed), lambda: said(bed))
    ask(held)
    after = bed.show("h1")
    assert total(after, "sent", "packets") > total(before, "sent", "packets")
    assert total(after, "sent", "flowlets") == total(before, "sent", "flowlets")


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("transport", ["udp", "tcp", "hidden"])
def test_a_device_that_is_made_anew_gets_the_edge_again(bed: EdgeBed, transport: str):
    held = start(bed, transport=transport)
    before = bed.show("h1")
    number = json.loads(bed.check("h1", "ip", "-j", "link", "show", "dev", "e0"))[0]["ifindex"]
    bed.check("h1", "ip", "link", "delete", "dev", "e0")
    eventually(lambda: "there is no network device e0" in said(bed), lambda: said(bed))
    bed._join("h1", "e0", "192.168.1.1", "l1", "d", "192.168.1.254")
    on_h1(bed, DEFAULT)
    eventually(lambda: "10.77.2.0/24" in routes(bed), lambda: said(bed))
    ask(held)
    assert total(bed.show("h1"), "sent", "packets") > total(before, "sent", "packets")
    left = [device for device in devices(bed) if device.startswith(f"ew{number}")]
    assert left == []
    bed.take_off("h1")
    assert devices(bed) == ["e0", "lo"]


def test_the_mtu_follows_the_device(bed: EdgeBed):
    held = start(bed)
    for mtu in (1400, 1500):
        bed.check("h1", "ip", "link", "set", "dev", "e0", "mtu", str(mtu))
        wanted = f"mtu {mtu - 56}"
        eventually(lambda wanted=wanted: wanted in routes(bed), lambda: routes(bed))
        assert bed.show("h1")["mtu"] == mtu
        ask(held)


@pytest.mark.extended
def test_an_address_that_is_taken_away_is_told_of(bed: EdgeBed):
    held = start(bed)
    on_h1(bed, "ip address del 10.77.1.1/32 dev lo")
    wanted = "source: 10.77.1.1 is no address of this host"
    eventually(lambda: wanted in said(bed), lambda: said(bed))
    on_h1(bed, "ip address add 10.77.1.1/32 dev lo")
    eventually(lambda: "10.77.2.0/24" in routes(bed), lambda: said(bed))
    ask(held)


@pytest.mark.extended
def test_an_address_may_be_in_a_local_prefix(bed: EdgeBed):
    on_h1(bed, "ip address del 10.77.1.1/32 dev lo")
    on_h1(bed, "ip route add local 10.77.1.0/24 dev lo")
    held = start(bed)
    ask(held)
    assert said(bed) == "ready\n"


@pytest.mark.extended
def test_more_prefixes_than_the_kernel_has_room_for_are_one_error(bed: EdgeBed):
    config = bed.config("h1")
    (first,) = config["peers"]
    config["peers"] = [
        first | {"address": f"192.0.2.{i}", "prefixes": [f"10.{i}.{n}.0/24" for n in range(64)]}
        for i in range(1, 66)
    ]
    path = bed.directory / "h1.json"
    path.write_text(json.dumps(config))
    done = bed.edge("h1", "--check", str(path))
    assert done.returncode == 2
    problem = "peers[64].prefixes: are more than 4096, including those of the preceding peers"
    assert done.stderr == f"evenweave-edge: {path}: {problem}\n"


@pytest.mark.extended
def test_a_process_that_is_stuck_keeps_no_command_waiting(bed: EdgeBed):
    start(bed)
    bed.signal_edge("h1", signal.SIGSTOP)
    done = bed.edge("h1", "discover")
    bed.signal_edge("h1", signal.SIGCONT)
    stuck = "evenweave-edge: the process of e0 accepts no commands: it is stopped or stuck\n"
    assert (done.returncode, done.stderr) == (1, stuck)
    eventually(lambda: bed.edge("h1", "discover").returncode == 0, "process that goes on")


def take_port(bed: EdgeBed, port: int) -> subprocess.Popen:
    """A program that has the UDP port of h1's outer address until it ends."""
    code = f"import socket, time; s = socket.socket(2, 2); s.bind(('{bed.outer('h1')}', {port}))"
    holder = bed.start_program("h1", "python3", "-uc", f"{code}; print('has it'); time.sleep(1e6)")
    assert pipe(holder.stdout).readline() == "has it\n"
    return holder


@pytest.mark.extended
def test_discovery_begins_once_its_port_is_free(bed: EdgeBed):
    # One round at the start; the next by itself would be in a day.
    paths = {"discover": 4, "candidates": 8, "periodS": 86400}
    start(bed)
    holder = take_port(bed, 6082)
    for host in HOSTS:
        config = bed.config(host, port=6082)
        config["peers"][0]["paths"] = paths
        bed.change(host, **config)
    eventually(lambda: "; paths stay" in said(bed), lambda: said(bed))
    assert "discovery" not in bed.show("h1")["peer"]
    holder.kill()
    eventually(
        lambda: bed.show("h1")["peer"].get("discovery", {}).get("arrived"),
        lambda: (said(bed), bed.show("h1")["peer"]),
    )


@pytest.mark.extended
def test_a_start_that_fails_leaves_nothing_and_takes_nothing_off(bed: EdgeBed):
    config = bed.config("h1")
    config["peers"][0]["paths"] = {"discover": 4}
    hold = (
        "import socket; s = socket.socket(2, 2); s.bind(('192.168.1.1', 6081)); print(1, input())"
    )
    holder = bed.start_program("h1", "python3", "-uc", f"print('has it'); {hold}")
    assert pipe(holder.stdout).readline() == "has it\n"

    def fails() -> str:
        try:
            bed.start_edge("h1", config)
        except NoBpfError as error:
            pytest.skip(f"no BPF programs can be loaded here: {error}")
        except EdgeError as error:
            return str(error)
        return "ready"

    assert "port: UDP port 6081 is not available for discovery" in fails()
    assert "clsact" not in on_h1(bed, "tc qdisc show dev e0")
    assert routes(bed) == ""
    held = start(bed)
    bed.end_edge("h1", signal.SIGTERM)
    assert "port: UDP port 6081 is not available for discovery" in fails()
    ask(held)


@pytest.mark.extended
def test_an_edge_of_another_version_is_not_read_and_can_be_stopped(bed: EdgeBed):
    start(bed)
    bed.end_edge("h1", signal.SIGTERM)
    (numbers,) = [
        program["map_ids"]
        for program in json.loads(bed.check("h1", "bpftool", "-j", "prog", "show"))
        if program["id"] == egress(bed)
    ]
    maps = [
        json.loads(bed.check("h1", "bpftool", "-j", "map", "show", "id", str(number)))
        for number in numbers
    ]
    (settings,) = [found for found in maps if found["name"] == "settings"]
    place = ["bpftool", "-j", "map", "lookup", "id", str(settings["id"]), "key", *["0"] * 4]
    value = json.loads(bed.check("h1", *place))["value"]
    value[15] = "0xff"
    place[3] = "update"
    bed.check("h1", *place, "value", *value)
    other = "evenweave-edge: the edge on e0 is of another version, stop it first\n"
    for command in ("show", "discover"):
        done = bed.edge("h1", command)
        assert (done.returncode, done.stderr) == (1, other)
    bed.take_off("h1")
    assert bed.edge("h1", "stop").returncode == 0
    assert "clsact" not in on_h1(bed, "tc qdisc show dev e0")
    bed.start_edge("h1", bed.config("h1"))
    bed.requests(3, 1000)


def egress(bed: EdgeBed) -> int:
    """The number of the program through which h1's packets leave."""
    (found,) = [
        entry["options"]["prog"]["id"]
        for entry in json.loads(on_h1(bed, "tc -j filter show dev e0 egress"))
        if "edge_out" in entry.get("options", {}).get("prog", {}).get("name", "")
    ]
    return found


@pytest.mark.extended
@pytest.mark.parametrize("what", ["link set dev {} down", "link delete dev {}"])
def test_devices_that_cut_packets_are_made_again(bed: EdgeBed, what: str):
    held = start(bed, transport="tcp")
    (end,) = [device for device in devices(bed) if device.endswith("in")]
    on_h1(bed, f"ip {what.format(end)}")
    eventually(lambda: "the edge is attached again" in said(bed), lambda: said(bed))
    ask(held)


@pytest.mark.extended
def test_stop_removes_what_is_left_of_an_edge_without_filters(bed: EdgeBed):
    start(bed, transport="tcp")
    bed.end_edge("h1", signal.SIGKILL)
    on_h1(bed, "tc qdisc del dev e0 clsact")
    assert "10.77.2.0/24" in routes(bed)
    done = bed.edge("h1", "stop")
    assert done.returncode == 0, done.stderr
    assert routes(bed) == ""
    assert devices(bed) == ["e0", "lo"]
    # As a start that was killed early leaves it.
    number = json.loads(on_h1(bed, "ip -j link show dev e0"))[0]["ifindex"]
    on_h1(bed, f"ip link add ew{number}in type veth peer name ew{number}cut")
    assert bed.edge("h1", "stop").returncode == 0
    assert devices(bed) == ["e0", "lo"]
    assert bed.edge("h1", "stop").stderr == "evenweave-edge: no device has an edge\n"


@pytest.mark.extended
def test_show_says_what_an_edge_lacks(bed: EdgeBed):
    start(bed)
    assert (bed.show("h1")["process"], bed.show("h1")["attached"]) == (True, True)
    assert "process" not in bed.edge("h1", "show").stdout
    bed.end_edge("h1", signal.SIGKILL)
    assert (bed.show("h1")["process"], bed.show("h1")["attached"]) == (False, True)
    on_h1(bed, "tc filter del dev e0 egress")
    assert not bed.show("h1")["attached"]
    shown = bed.edge("h1", "show").stdout
    assert "no process manages it" in shown
    assert "not all of its filters are attached to the device" in shown
    on_h1(bed, "tc qdisc del dev e0 clsact")
    done = bed.edge("h1", "show")
    assert done.returncode == 1
    assert done.stderr.startswith("evenweave-edge: e0 has an incomplete edge")
    bed.start_edge("h1", bed.config("h1"))
    assert (bed.show("h1")["process"], bed.show("h1")["attached"]) == (True, True)
    bed.requests(3, 1000)


@pytest.mark.extended
def test_show_says_that_no_candidate_of_discovery_arrived(bed: EdgeBed):
    config = bed.config("h1")
    config["peers"][0]["paths"] = {"discover": 2, "candidates": 3, "timeoutMs": 10}
    try:
        bed.start_edge("h1", config)  # its peer has no edge
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")
    nothing = "0 of 3 candidates arrived, no paths found yet"
    eventually(
        lambda: nothing in bed.edge("h1", "show").stdout, lambda: bed.edge("h1", "show").stdout
    )


def test_every_command_explains_itself_and_says_if_it_cannot(bed: EdgeBed):
    usage = bed.edge("h1", "--help")
    assert usage.returncode == 0
    for command in ("show", "discover", "stop", "release"):
        assert bed.edge("h1", command, "--help").stdout == usage.stdout
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            bed.inside("h1", *bed.edge_command("--help")),
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert "the answer cannot be written" in done.stderr


@pytest.mark.extended
def test_without_the_right_to_look_no_command_says_that_it_has_done_its_work(bed: EdgeBed):
    start(bed)
    less = ["setpriv", "--bounding-set", "-sys_admin", "--inh-caps", "-sys_admin"]
    bed.end_edge("h1", signal.SIGTERM)
    path = str(bed.directory / "h1.json")
    for arguments in (["show"], ["stop"], ["release"], ["--config", path]):
        done = bed.run("h1", *less, *bed.edge_command(*arguments))
        assert (done.returncode, done.stdout) == (1, "")
        assert "it needs root" in done.stderr
    assert "10.77.2.0/24" in routes(bed)
    assert bed.show("h1")["attached"]


@pytest.mark.extended
def test_a_start_removes_what_an_edge_of_a_device_that_is_gone_has_left(bed: EdgeBed):
    start(bed, transport="tcp")
    bed.end_edge("h1", signal.SIGKILL)
    bed.check("h1", "ip", "link", "delete", "dev", "e0")
    bed._join("h1", "e0", "192.168.1.1", "l1", "d", "192.168.1.254")
    on_h1(bed, DEFAULT)
    bed.start_edge("h1", bed.config("h1"))
    assert devices(bed) == ["e0", "lo"]
    bed.requests(3, 1000)
