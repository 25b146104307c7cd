import socket

import pytest

from evenweave_testbed.openvswitch import (
    Bucket,
    Group,
    SwitchError,
    is_detecting,
    listens,
    parse_groups,
    parse_trace,
    parse_transmitted,
    run,
)

# ovs-ofctl -O OpenFlow13 dump-groups, Open vSwitch 3.1.0
DUMP = """\
OFPST_GROUP_DESC reply (OF1.3) (xid=0x2):
 group_id=3,type=select,bucket=weight:1,watch_port:"s1-0-eth1",actions=output:1
 group_id=2,type=select,bucket=weight:7,watch_port:4,actions=output:4,bucket=weight:1,actions=output:3
 group_id=9,type=all
 group_id=1,type=select,bucket=weight:1,actions=set_field:0x10000->metadata,move:NXM_NX_DP_HASH[0..10]->OXM_OF_METADATA[0..10],resubmit(,20)
 group_id=536936449,type=ff,bucket=watch_port:1,actions=output:1,bucket=watch_port:2,actions=output:2
"""

TRACE = """\
Flow: dp_hash=0x10005,tcp,in_port=5,nw_src=10.0.0.2,nw_dst=10.0.2.2,nw_ttl=64

bridge("s1-0")
--------------
 0. ip,nw_dst=10.0.2.0/24, priority 40
    group:3
     -> using bucket 5
    bucket 5
            output:2

Final flow: unchanged
Datapath actions: 3
"""


# ovs-ofctl -O OpenFlow13 --no-names dump-ports, Open vSwitch 3.1.0
PORTS = """\
OFPST_PORT reply (OF1.3) (xid=0x2): 2 ports
  port  1: rx pkts=34, bytes=5018, drop=0, errs=0, frame=0, over=0, crc=0
           tx pkts=35, bytes=5122, drop=0, errs=0, coll=0
           duration=40.51s
  port LOCAL: rx pkts=0, bytes=0, drop=0, errs=0, frame=0, over=0, crc=0
           tx pkts=0, bytes=0, drop=10, errs=0, coll=0
           duration=40.516s
"""


def test_counters_are_read_of_the_ports_with_numbers():
    assert parse_transmitted(PORTS) == {1: 5122}


def test_groups_are_read_with_weights_and_ports_in_list_order():
    dump = DUMP.replace('"s1-0-eth1"', "1")
    assert parse_groups(dump) == [
        Group(3, "select", (Bucket(1, 1, 1),)),
        Group(2, "select", (Bucket(7, 4, 4), Bucket(1, 3, None))),
        Group(9, "all", ()),
        Group(1, "select", (), 2048),
        Group(0x20010001, "ff", (Bucket(1, 1, 1), Bucket(1, 2, 2))),
    ]


def test_a_named_watch_port_does_not_disturb_the_output_port():
    assert parse_groups(DUMP)[0].buckets[0].port == 1


def test_a_bucket_without_a_port_number_is_an_error():
    with pytest.raises(SwitchError, match="group 1: a bucket without a port number"):
        parse_groups(" group_id=1,type=select,bucket=weight:1,actions=drop\n")


def test_a_trace_names_the_port_that_the_packet_leaves_by():
    assert parse_trace(TRACE) == 2


@pytest.mark.parametrize(
    "text", ["Datapath actions: drop\n", TRACE + "            output:3\n"], ids=["none", "two"]
)
def test_a_packet_that_leaves_by_no_port_or_by_two_is_an_error(text):
    with pytest.raises(SwitchError, match=r"leaves through (0|2) ports"):
        parse_trace(text)


def test_a_failed_command_says_what_it_said():
    with pytest.raises(SwitchError, match="sh -c echo no >&2; exit 3: no"):
        run("sh", "-c", "echo no >&2; exit 3")


# ovs-appctl bfd/show, Open vSwitch 3.1.0, shortened
SESSION = """\
\tForwarding: true
\tDetect Multiplier: 3
\tTX Interval: Approx 100ms
\tRX Interval: Approx 100ms
\tLocal Session State: up
"""


@pytest.mark.parametrize(
    ("session", "detecting"),
    [
        (SESSION, True),
        (SESSION.replace("State: up", "State: init"), False),
        (SESSION.replace("RX Interval: Approx 100ms", "RX Interval: Approx 1000ms"), False),
        (SESSION.replace("TX Interval: Approx 100ms", "TX Interval: Approx 1000ms"), False),
    ],
)
def test_a_bfd_session_detects_once_it_runs_at_its_period_both_ways(session, detecting):
    assert is_detecting(session, 100) == detecting


def test_a_socket_that_is_there_is_not_ready_before_somebody_listens(tmp_path):
    path = tmp_path / "db.sock"
    assert not listens(path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        assert not listens(path)
        server.listen()
        assert listens(path)


def _client(folder, *, fails: int, message: str):
    """A client command that fails so many times, then says that it has run."""
    client = folder / "client"
    client.write_text(
        f"""#!/bin/sh
echo >> {folder}/runs
if [ $(wc -l < {folder}/runs) -le {fails} ]; then echo "{message}" >&2; exit 1; fi
echo done
"""
    )
    client.chmod(0o755)
    return str(client)


def test_a_client_whose_connection_is_closed_at_once_connects_again(tmp_path):
    client = _client(tmp_path, fails=2, message="x: failed to open socket (Broken pipe)")
    assert run(client) == "done\n"


def test_a_client_that_is_refused_is_not_run_again(tmp_path):
    client = _client(tmp_path, fails=1, message="x: failed to open socket (Permission denied)")
    with pytest.raises(SwitchError, match="Permission denied"):
        run(client)
    assert (tmp_path / "runs").read_text() == "\n"
